//! Our server and programs of others. Cargo builds the programs of this package for it.

#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../../src/tools.rs"]
mod tools;

mod others;
mod ours;
mod server;
