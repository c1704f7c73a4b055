//! Ollama's own chat, `POST /api/chat`.

mod chunk;
mod codec;
#[cfg(feature = "http")]
mod host;
pub(super) mod message;
#[cfg(feature = "http")]
pub(super) mod model;
mod opaque;
mod reply;
mod request;
mod settings;
mod tools;
mod usage;

#[cfg(test)]
mod tests;

pub use codec::OllamaCodec;

/// The name of this codec in [`Opaque::provider`](toolwright_core::message::Opaque::provider).
pub(crate) const PROVIDER: &str = "ollama";
