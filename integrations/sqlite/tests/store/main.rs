//! The store from outside: one process, several stores on one file, and files that cannot be used.

mod files;
mod folder;
mod golden;
mod killed;
#[cfg(unix)]
mod read_only;
mod runs;
mod sample;
mod suite;
mod two_stores;
mod waiting;
