//! Servers as runs see them.

#![allow(clippy::unwrap_used, missing_docs)]

mod over_http;
mod programs;
