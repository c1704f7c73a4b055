//! Calls as tasks, which are kept in a store.

#![allow(clippy::unwrap_used, missing_docs)]

mod client;
mod requests;
mod shared;
