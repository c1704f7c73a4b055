//! The server over real sockets of the loopback interface.

mod approvals;
mod below;
mod changed;
mod chat;
mod client;
mod decided;
mod elsewhere;
mod guarded;
mod managed;
mod owners;
mod page;
mod questions;
mod refused_input;
mod rig;
mod runs;
mod said;
mod stopping;
mod tools;
mod unanswered;
mod watched_store;
