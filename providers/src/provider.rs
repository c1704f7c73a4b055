//! Vendors' APIs: a codec each, and the models over them.
//!
//! A codec is pure: it encodes requests and decodes replies, and never does I/O. With a client of
//! your own, use the functions of its module. With the feature `http`, the types here are models
//! that bring their own.

pub mod anthropic;
mod dialect;
mod functions;
pub mod gemini;
#[cfg(feature = "http")]
mod http_model;
pub mod ollama;
pub mod openai_chat;
pub mod openai_responses;

#[cfg(feature = "http")]
pub use anthropic::Anthropic;
#[cfg(feature = "http")]
pub use gemini::Gemini;
#[cfg(feature = "http")]
pub use http_model::ApiKey;
#[cfg(feature = "http")]
pub use ollama::Ollama;
#[cfg(feature = "http")]
pub use openai_chat::OpenAiChat;
#[cfg(feature = "http")]
pub use openai_responses::OpenAiResponses;

pub use crate::codec::{decode_stream::DecodeStream, stream_reader::StreamDecoder};
#[cfg(feature = "http")]
pub use crate::transport::OutgoingRequest;

#[cfg(test)]
mod tests;
