//! Parts of a tool: its traits, definition, policy, context and output.
//!
//! [`Tool`](crate::Tool), [`ToolCall`](crate::ToolCall), [`ToolResult`](crate::ToolResult) and other items that every
//! program names are at the root of the crate.

pub use toolwright_core::JsonText;
pub use toolwright_core::tool::{
    Backoff, BoxFuture, Call, CallUpdate, CancellationToken, Cancelled, Capabilities, Declared,
    Effects, Extension, ExtensionRef, ExtensionType, FromContext, Grammar, IntoToolOutput, Jitter,
    Json, OutputPart, Progress, ProgressReport, Question, QuestionWay, Strict, TextInput,
    ToolDefinitions, ToolHints, ToolPolicy, Unasked, Updates,
};
pub use toolwright_core::tool::{Fingerprint, FingerprintError};
// What the macros implement.
#[doc(hidden)]
pub use toolwright_core::tool::{Deliver, Shared, StaticTool};
