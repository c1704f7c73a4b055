//! Calls one tool as a model would.

use serde_json::Value;

use crate::Dispatch as _;
use toolwright_core::testing::context;
use toolwright_core::{
    ToolError, Toolset,
    tool::{ToolCall, ToolOutput},
};

/// Calls one tool of a set by its name, with arguments as JSON, as a model would.
///
/// [`check`](toolwright_core::testing::check) looks at what no single call shows: the examples and defaults of all tools.
///
/// # Errors
///
/// The errors of the call: an unknown tool, arguments that do not fit, the tool's own.
pub async fn call(tools: &Toolset, name: &str, arguments: Value) -> Result<ToolOutput, ToolError> {
    let call = ToolCall::new(context().call_id(), name, arguments.to_string());
    let outcome = tools.call(&call, &context()).await.outcome;
    outcome.map_err(|error| *error)
}
