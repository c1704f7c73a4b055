//! Tools over the Model Context Protocol, on `rmcp`. Programs use it as `toolwright::mcp`.

mod client;
mod digest;
mod requests;
mod service;

pub use client::{
    Authorization, AuthorizationError, Client, ClientError, EntryError, Listed, Refused, Servers,
    ServersError, TokenStore, TokenStoreError, Tokens,
};
pub use service::{
    Caller, Elicit, Elicited, Fields, HttpService, Prompt, ProtectedResource, Resource,
    ResourceUpdates, Service, ServiceError, serve_stdio,
};
pub use toolwright_http_access::{Refusal, Visit};
