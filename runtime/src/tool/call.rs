//! A model's request to run a tool.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{ToolError, arguments};

/// A model's request to run a tool. Elsewhere called `tool_use`, `functionCall` or
/// `function_call`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id of the call. It may be empty, and ids of different replies may be equal:
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

    /// Decodes the arguments into a type. Empty text and `null` are read as `{}`.
    ///
    /// ```
    /// use toolwright_runtime::ToolCall;
    ///
    /// #[derive(Debug, serde::Deserialize)]
    /// struct Range {
    ///     start: i64,
    /// }
    ///
    /// let call = ToolCall::new("call_1", "list_events", r#"{"start": "tomorrow"}"#);
    /// let error = call.decode::<Range>().unwrap_err();
    /// assert_eq!(error.message, "arguments.start: expected an integer, got \"tomorrow\"");
    /// assert_eq!(error.details["tool"], "list_events");
    /// ```
    ///
    /// # Errors
    ///
    /// `InvalidArguments`, with the path, what was expected and what came, and the names of the
    /// tool and the call among the details.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        arguments::decode(&self.arguments).map_err(|error| arguments::of_call(error, self))
    }
}
