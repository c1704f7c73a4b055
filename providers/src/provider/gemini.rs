//! Google's `generateContent`: Gemini, on AI Studio and on Vertex AI, and the servers that speak it.

pub(in crate::provider) mod activity;
mod chunk;
mod codec;
mod generation;
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

pub use codec::GeminiCodec;

/// The name of this codec in [`Opaque::provider`](toolwright_core::message::Opaque::provider).
pub(crate) const PROVIDER: &str = "gemini";
