//! Chunks about a call.

use super::{chunk::UiMessageChunk, client_json};
use crate::{output::of_output, reading::arguments_of};
use toolwright_core::tool::ToolResult;

/// The arguments of a call, or that they are no JSON, which its result says.
pub(super) fn known(
    tool_call_id: &str,
    tool_name: &str,
    arguments: &str,
    result: Option<&ToolResult>,
) -> UiMessageChunk {
    let (tool_call_id, tool_name) = (tool_call_id.to_owned(), tool_name.to_owned());
    match arguments_of(arguments) {
        Some(input) => UiMessageChunk::ToolInputAvailable {
            tool_call_id,
            tool_name,
            input: client_json::readable(input),
            provider_executed: None,
        },
        None => UiMessageChunk::ToolInputError {
            tool_call_id,
            tool_name,
            input: arguments.to_owned(),
            error_text: result
                .map_or_else(String::new, |result| result.to_user_text().into_owned()),
        },
    }
}

/// The result of a call.
pub(super) fn outcome(
    tool_call_id: String,
    result: &ToolResult,
    is_denied: bool,
) -> UiMessageChunk {
    match &result.outcome {
        Ok(output) => UiMessageChunk::ToolOutputAvailable {
            tool_call_id,
            output: client_json::readable(of_output(output)),
            preliminary: None,
            provider_executed: None,
        },
        Err(_) if is_denied => UiMessageChunk::ToolOutputDenied { tool_call_id },
        Err(error) => UiMessageChunk::ToolOutputError {
            tool_call_id,
            error_text: error.to_user_text(),
            provider_executed: None,
        },
    }
}
