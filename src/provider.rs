//! Providers: a codec for each protocol, without I/O, and a model of any codec.
//!
//! The models are at the root of the crate: [`OpenAiChat`](crate::OpenAiChat),
//! [`OpenAiResponses`](crate::OpenAiResponses), [`Anthropic`](crate::Anthropic), [`Gemini`](crate::Gemini) and
//! [`Ollama`](crate::Ollama).

#[cfg(feature = "http-plain")]
pub use toolwright_providers::provider::{ApiKey, HttpModel, HttpOptions, OutgoingRequest};
pub use toolwright_providers::provider::{
    Codec, DecodeStream, Dialect, EncodeInput, ErrorResponse, Finding, FindingKind, ImportError,
    ImportedConversation, Mending, MessageList, Protocol, ProviderToolUse, StreamDecoder,
    anthropic, gemini, ollama, openai_chat, openai_responses,
};
