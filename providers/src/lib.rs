//! The providers behind [toolwright](https://docs.rs/toolwright): what each takes of a schema, their wire
//! formats, and the models over HTTP.
//!
//! Depend on `toolwright` with its feature `providers` or `http`, which re-exports this crate. Without the
//! feature `http` nothing here does I/O.

mod codec;
pub mod profile;
pub mod provider;
pub mod wire;

#[cfg(feature = "http")]
mod transport;

#[cfg(any(feature = "tls-ring", feature = "tls-aws-lc"))]
#[doc(hidden)]
pub use transport::tls_config;
