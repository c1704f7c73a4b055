//! OpenAI Chat Completions, and the many servers that speak it.

mod chunk;
mod codec;
pub(super) mod message;
#[cfg(feature = "http")]
pub(super) mod model;
mod reasoning;
mod reply;
mod request;
mod settings;
mod tools;
mod usage;
mod vendor;

#[cfg(test)]
mod tests;

pub use codec::OpenAiChatCodec;
pub use vendor::{KeyHeader, Vendor};

/// The name of this codec in [`Opaque::provider`](toolwright_core::message::Opaque::provider).
pub(crate) const PROVIDER: &str = "openai_chat";
