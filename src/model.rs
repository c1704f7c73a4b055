//! Models: requests, events, responses and errors.
//!
//! [`ChatModel`](crate::ChatModel) is the trait of all models.

pub use toolwright_runtime::model::{
    AnswerSchema, Assembler, FinishReason, ModelCapabilities, ModelErrorKind, ModelEvent,
    ModelRequest, ModelSettings, ModelStream, PromptCaching, ToolChoice, Usage, Warning, collect,
};
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{Fallback, Guarded, Retry};
