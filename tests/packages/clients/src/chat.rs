//! `async-openai`, Chat Completions: its types are the JSON of the protocol.

use std::error::Error;

use async_openai::types::chat::{
    ChatCompletionRequestMessage, ChatCompletionTools, CreateChatCompletionRequest,
    CreateChatCompletionResponse,
};
use toolwright::{
    Dispatch, Toolset,
    provider::{Codec, OpenAiChatCodec},
};

/// The tools of a request.
///
/// # Errors
///
/// None but those of a type that does not take what the protocol has.
pub fn tools(tools: &Toolset) -> serde_json::Result<Vec<ChatCompletionTools>> {
    serde_json::from_str(OpenAiChatCodec::new().tools(tools).as_str())
}

/// Runs the calls of a reply, and adds the reply and the results to the request. Whether there were any.
///
/// # Errors
///
/// Those of [`Codec::calls`]: the calls of a reply that was cut off must not run.
pub async fn answer_calls(
    tools: &Toolset,
    request: &mut CreateChatCompletionRequest,
    reply: &CreateChatCompletionResponse,
) -> Result<bool, Box<dyn Error + Send + Sync>> {
    let reply = serde_json::to_value(reply)?;
    let calls = OpenAiChatCodec::new().calls(tools, &reply)?;
    if calls.is_empty() {
        return Ok(false);
    }
    let results = tools.dispatch(&calls).await;
    let mut messages = vec![reply["choices"][0]["message"].clone()];
    messages.extend(OpenAiChatCodec::new().results(&calls, &results));
    let messages: Vec<ChatCompletionRequestMessage> = serde_json::from_value(messages.into())?;
    request.messages.extend(messages);
    Ok(true)
}
