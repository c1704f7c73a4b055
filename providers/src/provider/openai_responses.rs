//! OpenAI Responses, and the servers that speak it.

pub(in crate::provider) mod activity;
mod codec;
mod continuation;
mod event;
mod include;
pub(super) mod input;
mod item;
#[cfg(feature = "http")]
pub(super) mod model;
mod reply;
mod request;
mod tools;
mod usage;

#[cfg(test)]
mod tests;

pub use codec::OpenAiResponsesCodec;

/// The name of this codec in [`Opaque::provider`](toolwright_core::message::Opaque::provider).
pub(crate) const PROVIDER: &str = "openai_responses";
