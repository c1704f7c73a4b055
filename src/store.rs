//! Stores, in which runs and conversations survive the process.
//!
//! [`open`](open()) opens the one that an address names. A `Box` or `Arc` of any store is a store as well.
//!
//! | Store | Where it keeps runs | For whom |
//! | --- | --- | --- |
//! | [`MemoryStore`] | in memory | tests |
#![cfg_attr(
    feature = "sqlite-unbundled",
    doc = "| [`SqliteStore`] | in one file of SQLite | applications on one machine, in one or several processes |"
)]
#![cfg_attr(
    feature = "postgres",
    doc = "| [`PostgresStore`] | in PostgreSQL | applications on many machines |"
)]

mod open;

pub use open::open;
#[cfg(feature = "postgres")]
pub use toolwright_postgres::{PostgresOptions, PostgresStore};
pub use toolwright_runtime::store::{
    Append, ConversationId, ConversationInfo, ConversationRef, ConversationVersion, Deleted, Entry,
    InboxContent, InboxItem, Lease, LoadedRun, MemoryStore, NewRun, Page, Received, RunFilter,
    RunInfo, RunStatus, RunSummary, Scope, Store, StoreError, StoreErrorKind,
};
#[cfg(feature = "sqlite-unbundled")]
pub use toolwright_sqlite::{SqliteOptions, SqliteStore};
