//! A store in PostgreSQL, behind [toolwright](https://docs.rs/toolwright).
//!
//! Depend on `toolwright` with its feature `postgres`, which re-exports this crate.

mod changes;
mod connection;
mod data;
mod failure;
mod holder;
mod options;
mod session;
mod store;

pub use options::PostgresOptions;
pub use store::PostgresStore;
