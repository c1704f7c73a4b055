//! A store in SQLite, behind [toolwright](https://docs.rs/toolwright).
//!
//! Depend on `toolwright` with its feature `sqlite`, which re-exports this crate.

mod connection;
mod data;
mod failure;
mod holders;
mod options;
mod store;

pub use options::SqliteOptions;
pub use store::SqliteStore;
