//! From argument text to a typed value, with errors that say where.

use serde::de::DeserializeOwned;

use crate::ToolError;

/// Decodes argument text. Empty text and `null` are read as `{}`.
///
/// # Errors
///
/// `InvalidArguments`.
pub(crate) fn decode<T: DeserializeOwned>(text: &str) -> Result<T, ToolError> {
    serde_json::from_str(text).map_err(|error| ToolError::invalid_arguments(error.to_string()))
}
