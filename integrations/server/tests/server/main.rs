//! The server over real sockets of the loopback interface.

mod chat;
mod client;
mod rig;
