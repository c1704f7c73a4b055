//! Servers as runs see them.

#![allow(clippy::unwrap_used, missing_docs)]

mod lists;
mod over_http;
mod programs;
mod scripted;
