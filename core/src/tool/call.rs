//! A model's request to run a tool.

use serde::{Deserialize, Serialize};

/// A model's request to run a tool. Elsewhere called `tool_use`, `functionCall` or
/// `function_call`.
#[doc(alias("tool_use", "function_call"))]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id of the call. It may be empty, and ids of different responses may be equal:
    /// results are matched by position.
    pub id: String,
    /// The name of the tool, as the model wrote it.
    pub name: String,
    /// The arguments: the model's own JSON text, byte for byte. It need not be valid.
    pub arguments: String,
}

impl ToolCall {
    /// A call from its three parts.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        }
    }
}
