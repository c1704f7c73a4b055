//! Providers: a codec for each protocol, without I/O, and a model of any codec.
//!
//! The models are at the root of the crate: [`OpenAiChat`](crate::OpenAiChat),
//! [`OpenAiResponses`](crate::OpenAiResponses), [`Anthropic`](crate::Anthropic), [`Gemini`](crate::Gemini) and
//! [`Ollama`](crate::Ollama).

pub use toolwright_providers::provider::{
    AnthropicCodec, Codec, DecodeStream, Dialect, EncodeInput, ErrorResponse, Finding, FindingKind,
    GeminiCodec, ImportError, ImportedConversation, KeyHeader, Mending, MessageList, OllamaCodec,
    OpenAiChatCodec, OpenAiResponsesCodec, Protocol, ProviderToolUse, Vendor,
};
#[cfg(feature = "http-plain")]
pub use toolwright_providers::provider::{ApiKey, HttpModel, HttpOptions, OutgoingRequest};
