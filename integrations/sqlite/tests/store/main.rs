//! The store from outside: one process, several stores on one file, and files that cannot be used.

#[path = "../../../../tests/stores/damaged.rs"]
mod damaged;
#[path = "../../../../tests/stores/golden.rs"]
mod golden;
#[path = "../../../../tests/stores/sample.rs"]
mod sample;
#[path = "../../../../tests/stores/waits.rs"]
mod waits;

mod files;
mod folder;
mod golden_file;
mod holders;
mod killed;
#[cfg(unix)]
mod read_only;
mod runs;
mod suite;
mod waiting;
