//! The words of [toolwright](https://docs.rs/toolwright), without I/O and for any executor: tools and their
//! schemas, arguments, messages, models, and [`Run`], the state machine of the loop between them.
//!
//! Depend on `toolwright`, which re-exports this crate beside its macros and its runtime, unless you write
//! tools by hand and want neither.

pub mod dynamic;
pub mod message;
pub mod model;
pub mod run;
pub mod schema;
pub mod testing;
pub mod tool;

#[doc(hidden)]
pub mod __private;
#[doc(hidden)]
pub mod driver;

mod arguments;
mod conversation;
mod document;
mod error;
mod image;
pub(crate) mod millis;
mod mutex;
mod panics;
mod schedule;
mod toolset;
mod visible;

pub use arguments::{Leniency, Prepared, Repaired, Unrepairable, repair_json, schema_takes};
pub use conversation::{Compaction, Conversation, ConversationError, ResultCut};
pub use dynamic::{DefinitionError, DynamicTool, DynamicToolBuilder};
pub use error::{ErrorCategory, ToolError};
pub use message::{Message, Part, ToolRound, UserMessage};
pub use model::{
    ChatModel, FinishReason, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse,
    ModelSettings, PromptCaching, ToolChoice, Usage, Warning,
};
pub use run::{
    Delay, Failure, Finish, Limit, Limits, OnLimit, Record, Run, RunConfig, RunError, RunOutcome,
};
pub use schedule::{CallState, Schedule};
pub use schema::{Schema, ToolInput};
pub use tool::{
    ApprovalPolicy, ApprovalRequest, ArgumentChange, Backoff, Call, CallUpdate, CancellationToken,
    Capabilities, ChangeKind, Decision, Deliver, Effects, Execute, Extension, ExtensionRef,
    Fingerprint, FingerprintError, FromContext, IntoToolOutput, Json, Middleware, Next, OnExcess,
    Progress, ProgressReport, RateLimit, StaticTool, Strict, Tool, ToolCall, ToolContext,
    ToolDefinition, ToolDefinitions, ToolHints, ToolOutput, ToolPolicy, ToolResult, Updates,
    middleware,
};
pub use toolset::{
    ToolChanges, ToolRegistry, ToolSearch, Toolset, ToolsetError, WeakToolRegistry, WordSearch,
};
pub use toolwright_json::JsonText;
pub use visible::{visible, visible_line};
