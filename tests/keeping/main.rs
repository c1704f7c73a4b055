//! What outlives a process: stores, stored runs, recovery, conversations of a store, recordings.
#![allow(
    clippy::incompatible_msrv,
    reason = "tests run on the pinned toolchain"
)]

#[path = "../support/exhaustive.rs"]
mod exhaustive;
mod kept_runs;
mod opening;
#[path = "../support/postgres_server.rs"]
mod postgres_server;
mod recording;
mod resumed_time;
mod suspending;
