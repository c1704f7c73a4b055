//! `genai`, whose types are its own: they are made of definitions, calls and results, which are data.

use genai::chat::{ChatMessage, ChatResponse, StopReason, Tool, ToolResponse};
use serde_json::Value;
use toolwright::{Dispatch, ToolCall, Toolset};

/// The tools of a request.
#[must_use]
pub fn tools(tools: &Toolset) -> Vec<Tool> {
    tools
        .definitions()
        .map(|tool| {
            Tool::new(&*tool.name)
                .with_description(&*tool.description)
                .with_schema(tool.input_schema.to_value())
        })
        .collect()
}

/// The calls of a reply; none of one that was cut off or filtered, since these must not run.
#[must_use]
pub fn calls(reply: &ChatResponse) -> Vec<ToolCall> {
    if let Some(StopReason::MaxTokens(_) | StopReason::ContentFilter(_)) = reply.stop_reason {
        return Vec::new();
    }
    let calls = reply.tool_calls().into_iter();
    calls
        .map(|call| {
            // Text that is no JSON comes as a text.
            let arguments = match &call.fn_arguments {
                Value::String(text) => text.clone(),
                json => json.to_string(),
            };
            ToolCall::new(&call.call_id, &call.fn_name, arguments)
        })
        .collect()
}

/// Runs the calls of a reply, and gives the messages to add: the reply, and the results. None if there
/// were no calls.
pub async fn answer_calls(tools: &Toolset, reply: ChatResponse) -> Vec<ChatMessage> {
    let calls = calls(&reply);
    if calls.is_empty() {
        return Vec::new();
    }
    let results = tools.dispatch(&calls).await;
    let answers: Vec<ToolResponse> = calls
        .iter()
        .zip(&results)
        .map(|(call, result)| {
            ToolResponse::new(&call.id, result.to_model_text()).with_fn_name(&call.name)
        })
        .collect();
    // With the signatures of thoughts, which go back beside the calls.
    let mut messages = Vec::from_iter(reply.into_assistant_message_for_tool_use());
    messages.push(ChatMessage::from(answers));
    messages
}
