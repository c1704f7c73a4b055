//! Anthropic Messages, and the servers that speak it.

pub(in crate::provider) mod activity;
mod cache;
mod codec;
mod container;
mod event;
mod generation;
pub(super) mod message;
#[cfg(feature = "http")]
pub(super) mod model;
mod opaque;
mod provider_tools;
mod reply;
mod request;
mod settings;
mod tools;
mod usage;

#[cfg(test)]
mod tests;

pub use codec::AnthropicCodec;

/// The name of this codec in [`Opaque::provider`](toolwright_core::message::Opaque::provider).
pub(crate) const PROVIDER: &str = "anthropic";

/// The maximum number of output tokens if no other is set. The API has no default of its own, and all its models since
/// Claude 3.5 accept this number. Thinking is counted in addition: its budget, or as much again.
pub(crate) const DEFAULT_MAX_TOKENS: u32 = 8_192;
