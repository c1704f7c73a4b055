//! Models: requests, events, responses and errors.
//!
//! [`ChatModel`](crate::ChatModel) is the trait of all models.

pub use toolwright_core::model::{
    AnswerSchema, Assembler, FileSearch, FinishReason, ModelCapabilities, ModelErrorKind,
    ModelEvent, ModelRequest, ModelSettings, ModelStream, PromptCaching, ProviderTool, ToolChoice,
    Usage, Warning, WebSearch, collect,
};
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{AnswerRefusal, Fallback, Guarded, Retry};
