//! `async-openai`, Responses: the items of a reply go back among those of the request.

use std::error::Error;

use async_openai::types::responses::{InputItem, Response, Tool};
use toolwright::{
    Dispatch, Toolset,
    provider::{Codec, OpenAiResponsesCodec},
};

/// The tools of a request.
///
/// # Errors
///
/// None but those of a type that does not take what the protocol has.
pub fn tools(tools: &Toolset) -> serde_json::Result<Vec<Tool>> {
    serde_json::from_str(OpenAiResponsesCodec::new().tools(tools).as_str())
}

/// Runs the calls of a reply, and adds its items and the results to the input. Whether there were any.
///
/// # Errors
///
/// Those of [`Codec::calls`]: the calls of a reply that was cut off must not run.
pub async fn answer_calls(
    tools: &Toolset,
    input: &mut Vec<InputItem>,
    reply: Response,
) -> Result<bool, Box<dyn Error + Send + Sync>> {
    let calls = OpenAiResponsesCodec::new().calls(tools, &serde_json::to_value(&reply)?)?;
    if calls.is_empty() {
        return Ok(false);
    }
    let results = tools.dispatch(&calls).await;
    // Reasoning goes back with the calls that it led to.
    input.extend(reply.output.into_iter().map(InputItem::from));
    for result in OpenAiResponsesCodec::new().results(&calls, &results) {
        input.push(serde_json::from_value(result)?);
    }
    Ok(true)
}
