//! Vendors' APIs: a codec each, and the models over them.
//!
//! A [`Codec`] is pure: it encodes requests and decodes responses, and never does I/O. With a client of
//! your own, use its methods. With the feature `http`, [`HttpModel`] runs any codec over
//! HTTP, yours as well, and the types here are the models of the vendors.

mod anthropic;
#[cfg(feature = "http")]
mod application_error;
mod gemini;
#[cfg(feature = "http")]
mod http_model;
#[cfg(feature = "http")]
mod http_options;
pub(crate) mod message_list;
mod ollama;
mod openai_chat;
mod openai_responses;
mod tool_uses;

#[cfg(feature = "http")]
pub use anthropic::model::Anthropic;
#[cfg(feature = "http")]
pub use gemini::model::Gemini;
#[cfg(feature = "http")]
pub use http_model::{ApiKey, HttpModel};
#[cfg(feature = "http")]
pub use http_options::HttpOptions;
#[cfg(feature = "http")]
pub use ollama::model::Ollama;
#[cfg(feature = "http")]
pub use openai_chat::model::OpenAiChat;
#[cfg(feature = "http")]
pub use openai_responses::model::OpenAiResponses;

pub use anthropic::AnthropicCodec;
pub use gemini::GeminiCodec;
pub use message_list::{ImportError, ImportedConversation, Mending, MessageList, Protocol};
pub use ollama::OllamaCodec;
pub use openai_chat::{KeyHeader, OpenAiChatCodec, Vendor};
pub use openai_responses::OpenAiResponsesCodec;

pub use crate::codec::{
    decode_stream::DecodeStream,
    dialect::Dialect,
    encode_input::EncodeInput,
    error_response::ErrorResponse,
    protocol::Codec,
    tool_use::ProviderToolUse,
    transcript::{Finding, FindingKind},
};
#[cfg(feature = "http")]
pub use crate::transport::OutgoingRequest;

#[cfg(test)]
mod tests;
