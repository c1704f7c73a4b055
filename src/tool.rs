//! What a tool is made of: its traits, its definition, its policy, what it is given and what it returns.
//!
//! [`Tool`](crate::Tool), [`ToolCall`](crate::ToolCall), [`ToolResult`](crate::ToolResult) and the others that every
//! program names are at the root of the crate.

pub use toolwright_runtime::JsonText;
pub use toolwright_runtime::tool::{
    Backoff, BoxFuture, Call, CallUpdate, CancellationToken, Cancelled, Capabilities, Declared,
    Deliver, Effects, Extension, ExtensionRef, FromContext, IntoToolOutput, Jitter, Json,
    OutputPart, Progress, ProgressReport, StaticTool, Strict, ToolDefinitions, ToolHints,
    ToolPolicy, Updates,
};
#[cfg(feature = "fingerprint")]
pub use toolwright_runtime::tool::{Fingerprint, FingerprintError};
