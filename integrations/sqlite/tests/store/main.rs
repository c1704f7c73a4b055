//! The store from outside: one process, several stores on one file, and files that cannot be used.

mod folder;
mod suite;
