//! Typed tools for language models: write a Rust function, get a tool a model can call.

pub use toolwright_runtime::{
    Call, CancellationToken, ChatModel, DuplicateTool, Effects, ErrorCategory, FinishReason,
    FromContext, IntoToolOutput, Message, ModelError, ModelEvent, ModelRequest, ModelResponse,
    Part, Schema, StaticTool, Tool, ToolCall, ToolChoice, ToolContext, ToolDefinition, ToolError,
    ToolInput, ToolOutput, ToolPolicy, ToolResult, ToolRound, Toolset, Usage, UserMessage,
};
pub use toolwright_runtime::{message, model, schema, tool};

#[cfg(feature = "macros")]
mod macros;

#[cfg(feature = "macros")]
pub use macros::{ToolInput, tool};

/// What generated code names. The list of it stands in the runtime, whose version is pinned.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "macros")]
    pub use toolwright_macros::__toolset;
    pub use toolwright_runtime::__private::*;
}
