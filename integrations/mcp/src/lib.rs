//! Tools over the Model Context Protocol, on `rmcp`. Programs use it as `toolwright::mcp`.

mod asking;
mod call;
mod content;
mod definition;
mod handler;
mod http;
mod page;
mod service;

pub use http::HttpService;
pub use service::{Service, ServiceError, serve_stdio};
