//! A runner over HTTP: chats for `useChat`, runs and tools, as a router of axum or by itself.

pub use toolwright_server::{Caller, Refusal, Server, ServerError, ServerLimits, Visit};
