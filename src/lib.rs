//! Typed tools for language models: write a Rust function, get a tool a model can call.

#[cfg(feature = "macros")]
mod macros;

#[cfg(feature = "macros")]
pub use macros::{ToolInput, tool};
#[cfg(feature = "http")]
pub use toolwright_runtime::provider::OpenAiChat;
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{
    BuildError, DispatchOptions, RunEvent, RunHandle, Runner, RunnerBuilder, dispatch_with,
};
pub use toolwright_runtime::{
    Call, CallState, CancellationToken, ChatModel, Conversation, ConversationError, DuplicateTool,
    Effects, ErrorCategory, Failure, Finish, FinishReason, FromContext, IntoToolOutput, Limit,
    Limits, Message, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse,
    ModelSettings, OnLimit, Part, Record, Run, RunConfig, RunError, RunOutcome, Schedule, Schema,
    StaticTool, Tool, ToolCall, ToolChoice, ToolContext, ToolDefinition, ToolError, ToolInput,
    ToolOutput, ToolPolicy, ToolResult, ToolRound, Toolset, Usage, UserMessage, Warning, message,
    model, provider, run, schema, testing, tool, wire,
};

/// What generated code names. The list of it stands in the runtime, whose version is pinned.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "macros")]
    pub use toolwright_macros::__toolset;
    pub use toolwright_runtime::__private::*;
}
