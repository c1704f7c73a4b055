//! OpenAI Chat Completions, and the many servers that speak it.
//!
//! [`encode`] and [`decode`] are the codec, [`StreamDecoder`] its streaming half. [`tools`],
//! [`calls`] and [`results`] serve a program that has its own client and its own messages:
//!
//! ```
//! use serde_json::{Value, json};
//! use toolwright::{ToolResult, Toolset, provider::openai_chat};
//!
//! # fn send(_: &Value) -> Value {
//! #     json!({"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [
//! #         {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]}}]})
//! # }
//! let tools = Toolset::new();
//! let mut messages = vec![json!({"role": "user", "content": "What do you see?"})];
//! let body = json!({"model": "gpt-5.1", "messages": messages, "tools": openai_chat::tools(&tools)});
//! let reply = send(&body);
//!
//! let calls = openai_chat::calls(&reply)?;
//! messages.push(reply["choices"][0]["message"].clone());
//! let answers: Vec<_> = calls.iter().map(|call| ToolResult::success(&call.id, "a cat")).collect();
//! messages.extend(openai_chat::results(&answers));
//! assert_eq!(messages[2], json!({"role": "tool", "tool_call_id": "call_1", "content": "a cat"}));
//! # Ok::<(), toolwright::ModelError>(())
//! ```
//!
//! A server that accepts another part of JSON Schema than OpenAI has a [`Dialect`]. The servers of known
//! [vendors](Vendor) are a table.

mod chunk;
mod codec;
pub(super) mod message;
#[cfg(feature = "http")]
pub(super) mod model;
mod reasoning;
mod reply;
mod request;
mod settings;
mod tools;
mod usage;
mod vendor;

#[cfg(test)]
mod tests;

use serde_json::Value;
use toolwright_core::{
    Toolset,
    model::{ModelError, ModelRequest, ModelResponse, Warning},
    tool::{ToolCall, ToolDefinitions, ToolResult},
};
use toolwright_json::{JsonText, raw::values};

use crate::codec::{encode_input::EncodeInput, imported::ResultForms, protocol::Codec};

pub use codec::{Dialect, StreamDecoder};
pub use vendor::{KeyHeader, Vendor};

pub use crate::codec::error_body::decode_error;

/// The name of this codec in [`Opaque::provider`](toolwright_core::message::Opaque::provider).
pub const PROVIDER: &str = "openai_chat";

/// Writes the body of a request for a whole response, as JSON.
///
/// A round whose results are missing is left out, ids of calls are made unique with
/// [`wire::call_ids`](crate::wire::call_ids), and opaque parts of other providers are left out.
/// `tool_choice` and `parallel_tool_calls` are sent only beside tools: OpenAI refuses them alone.
/// [`answer_schema`](toolwright_core::ModelRequest::answer_schema) is `response_format`: with `strict: true` where what fits
/// the strict form fits the schema too, else with `strict: false`.
pub fn encode(model: &str, request: &ModelRequest) -> Vec<u8> {
    Dialect::default().body(EncodeInput::new(model, request))
}

/// Writes the body of a request for a streamed response, as JSON. It also asks for the usage, which is
/// otherwise not streamed.
pub fn encode_stream(model: &str, request: &ModelRequest) -> Vec<u8> {
    Dialect::default().body(EncodeInput::new(model, request).streamed())
}

/// Decodes the body of a whole response, sent with a status of success. For other statuses there is
/// [`decode_error`].
///
/// # Errors
///
/// Returns an error if the body is an error in spite of its status, is not JSON, or holds no completion.
pub fn decode(body: &[u8]) -> Result<ModelResponse, ModelError> {
    Dialect::default().decode(&ToolDefinitions::default(), body)
}

/// Returns the `tools` of a request, rendered once for a set.
///
/// A tool that is [`strict`](toolwright_core::ToolDefinition::strict) by the rules of OpenAI, or by those that
/// all providers share, is sent with `strict: true` and the schema of that profile: read its calls
/// with [`calls_for`]. One that the profile refuses is sent without.
///
/// In a `serde_json::Value`, as `json!` makes it, the properties of the schemas are sorted by
/// name. In a struct that is serialised, and in [`encode`], they keep their order, which is part
/// of what a model reads.
pub fn tools(tools: &Toolset) -> JsonText {
    Dialect::default().tools(tools)
}

/// Returns the calls of a whole response, in order. Calls without an id have an empty one.
///
/// # Errors
///
/// The errors of [`decode`]; and [`MalformedResponse`](toolwright_core::ModelErrorKind::MalformedResponse) for
/// a response that was cut off, filtered or refused and still holds calls, since these must not run.
pub fn calls(reply: &Value) -> Result<Vec<ToolCall>, ModelError> {
    calls_for(&Toolset::new(), reply)
}

/// Returns the calls of a whole response to a request with these tools, in order. Arguments in the form
/// of the provider are turned back into those of the tools.
///
/// # Errors
///
/// The errors of [`calls`].
pub fn calls_for(tools: &Toolset, reply: &Value) -> Result<Vec<ToolCall>, ModelError> {
    Dialect::default().calls(tools, reply)
}

/// Returns warnings about the parts of a request that OpenAI does not support, and about what is done
/// instead. The model of the feature `http` adds them to its responses.
pub fn warnings(request: &ModelRequest) -> Vec<Warning> {
    Dialect::default().warnings(request)
}

/// The messages that answer calls: one of the role `tool` for each result, in order, and after them
/// the images among the results as a message of the user, since results are text here.
pub fn results(results: &[ToolResult]) -> Vec<Value> {
    let ids = results.iter().map(|result| result.call_id.as_str());
    values(message::of_results(results, ids, ResultForms::default()))
}
