//! Typed tools for language models.

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
    StaticTool, Tool, ToolCall, ToolChoice, ToolContext, ToolDefinition, ToolError, ToolOutput,
    ToolPolicy, ToolResult, ToolRound, Toolset, Usage, UserMessage, Warning, message, model,
    provider, run, schema, testing, tool, wire,
};
