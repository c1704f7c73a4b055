//! Models: requests, events, responses and errors.
//!
//! [`ChatModel`](crate::ChatModel) is the trait of all models.

#[cfg(feature = "runtime")]
pub use toolwright_runtime::Retry;
pub use toolwright_runtime::model::{
    AnswerSchema, Assembler, FinishReason, ModelCapabilities, ModelErrorKind, ModelEvent,
    ModelRequest, ModelSettings, ModelStream, PromptCaching, ToolChoice, Usage, Warning, collect,
};
