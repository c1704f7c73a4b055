//! Serves a runner of [toolwright](https://docs.rs/toolwright) over HTTP.
//!
//! Depend on `toolwright` with the feature `server`, which re-exports this crate.

mod access;
mod app;
mod bodies;
mod body;
mod caller;
mod chat;
mod decisions;
mod deliver;
mod failure;
mod follow;
mod form;
mod incoming;
mod json;
mod later;
mod limits;
mod log;
mod open_streams;
#[cfg(feature = "playground")]
mod page;
mod parts;
mod routes;
mod runs;
mod runs_of_chat;
mod serve;
mod server;
mod tools;

pub use caller::Caller;
pub use limits::ServerLimits;
pub use server::{Server, ServerError};
pub use toolwright_http_access::{Refusal, Visit};
