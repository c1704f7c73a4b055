//! What runs behind [toolwright](https://docs.rs/toolwright): tools and their schemas, calls and
//! results, models, and the loop between them.
//!
//! Depend on `toolwright`, which re-exports this crate beside its macros, unless you write tools by
//! hand and want no macro.

pub mod message;
pub mod model;
pub mod schema;
pub mod tool;

#[doc(hidden)]
pub mod __private;
mod arguments;
mod error;
mod toolset;

pub use error::{ErrorCategory, ToolError};
pub use message::{Message, Part, ToolRound, UserMessage};
pub use model::{
    ChatModel, FinishReason, ModelError, ModelEvent, ModelRequest, ModelResponse, ToolChoice, Usage,
};
pub use schema::{Schema, ToolInput};
pub use tool::{
    Call, CancellationToken, Effects, FromContext, IntoToolOutput, StaticTool, Tool, ToolCall,
    ToolContext, ToolDefinition, ToolOutput, ToolPolicy, ToolResult,
};
pub use toolset::{DuplicateTool, Toolset};
