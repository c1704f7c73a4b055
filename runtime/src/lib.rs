//! What runs behind [toolwright](https://docs.rs/toolwright): tools and their schemas, calls and
//! results, models, and the loop between them.
//!
//! Depend on `toolwright`, which re-exports this crate beside its macros, unless you write tools by
//! hand and want no macro.

#[cfg(feature = "dynamic")]
pub mod dynamic;
pub mod message;
pub mod model;
pub mod run;
pub mod schema;
#[cfg(feature = "runtime")]
pub mod store;
pub mod testing;
pub mod tool;

#[doc(hidden)]
pub mod __private;
mod arguments;
mod attachment;
mod budget;
mod conversation;
#[cfg(feature = "runtime")]
mod dispatch;
mod error;
#[cfg(feature = "runtime")]
mod fallback;
#[cfg(feature = "runtime")]
mod guarded;
mod image;
mod millis;
mod panics;
#[cfg(feature = "runtime")]
mod random;
#[cfg(feature = "runtime")]
mod retry;
#[cfg(feature = "runtime")]
mod runner;
mod schedule;
mod toolset;

pub use arguments::{Leniency, Prepared, Repaired, Unrepairable, repair_json, schema_takes};
pub use conversation::{Compaction, Conversation, ConversationError, ResultCut};
#[cfg(feature = "runtime")]
pub use dispatch::{
    Admission, ApprovalId, ApprovalQueue, Approver, CallOptions, Credentials, DispatchEvent,
    DispatchOptions, DispatchStream, NotPending, OversizedOutput, PendingApproval, QueueApprover,
    RateLimiter, Redact, Reservation, Secrets, dispatch_fn, dispatch_stream_fn, redact_fn,
};
#[cfg(all(feature = "runtime", feature = "regex"))]
pub use dispatch::{PatternError, RedactPatterns};
#[cfg(feature = "dynamic")]
pub use dynamic::{DefinitionError, DynamicTool, DynamicToolBuilder};
pub use error::{ErrorCategory, ToolError};
#[cfg(feature = "runtime")]
pub use fallback::Fallback;
#[cfg(feature = "runtime")]
pub use guarded::Guarded;
pub use message::{Message, Part, ToolRound, UserMessage};
pub use model::{
    ChatModel, FinishReason, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse,
    ModelSettings, PromptCaching, ToolChoice, Usage, Warning,
};
#[cfg(feature = "runtime")]
pub use retry::Retry;
pub use run::{
    Delay, Failure, Finish, Limit, Limits, OnLimit, Record, Run, RunConfig, RunError, RunOutcome,
};
#[cfg(feature = "runtime")]
pub use runner::{
    Agent, AgentError, Answer, AnswerError, AnswerHandle, BuildError, ConversationTurn,
    DetachedRun, NextRequest, NotWaiting, Printer, RunControl, RunEvent, RunHandle, RunIsOver,
    RunOptions, Runner, RunnerBuilder, SharedConversation, SubAgent, SubAgentError,
};
#[cfg(feature = "runtime")]
pub use runner::{Durability, OnChanged, Recovered, RunReader, WhenBusy};
pub use schedule::{CallState, Schedule};
pub use schema::{Schema, ToolInput};
pub use tool::{
    ApprovalPolicy, ApprovalRequest, ArgumentChange, Backoff, Call, CallUpdate, CancellationToken,
    Capabilities, ChangeKind, Decision, Deliver, Effects, Execute, Extension, ExtensionRef,
    FromContext, IntoToolOutput, Json, Middleware, Next, OnExcess, Progress, ProgressReport,
    RateLimit, StaticTool, Strict, Tool, ToolCall, ToolContext, ToolDefinition, ToolDefinitions,
    ToolHints, ToolOutput, ToolPolicy, ToolResult, Updates, middleware,
};
pub use tool::{Fingerprint, FingerprintError};
pub use toolset::{ToolRegistry, Toolset, ToolsetError};
pub use toolwright_json::JsonText;
