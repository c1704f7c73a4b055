//! Anthropic Messages, and the servers that speak it.
//!
//! [`encode`] and [`decode`] are the codec, [`StreamDecoder`] its streaming half. [`tools`],
//! [`calls`] and [`results`] serve a program that has its own client and its own messages:
//!
//! ```
//! use serde_json::{Value, json};
//! use toolwright::{ToolResult, Toolset, provider::anthropic};
//!
//! # fn send(_: &Value) -> Value {
//! #     json!({"role": "assistant", "stop_reason": "tool_use", "content": [
//! #         {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}]})
//! # }
//! let tools = Toolset::new();
//! let mut messages = vec![json!({"role": "user", "content": "What do you see?"})];
//! let body = json!({"model": "claude-sonnet-4-6", "max_tokens": 1024, "messages": messages,
//!     "tools": anthropic::tools(&tools)});
//! let reply = send(&body);
//!
//! let calls = anthropic::calls(&reply)?;
//! messages.push(json!({"role": "assistant", "content": reply["content"]}));
//! let answers: Vec<_> = calls.iter().map(|call| ToolResult::success(&call.id, "a cat")).collect();
//! messages.push(json!({"role": "user", "content": anthropic::results(&answers)}));
//! assert_eq!(
//!     messages[2]["content"][0],
//!     json!({"type": "tool_result", "tool_use_id": "toolu_1",
//!         "content": [{"type": "text", "text": "a cat"}]})
//! );
//! # Ok::<(), toolwright::ModelError>(())
//! ```
//!
//! A server that accepts another part of JSON Schema than Anthropic has a [`Dialect`].
//!
//! Content that only the server can read (signatures of thinking, redacted thinking, tools that the
//! server runs and their results, citations) is stored in opaque parts and sent back in its place. To let
//! the server run tools of its own, write the whole array of tools into the field `tools` of
//! [`ModelSettings::extra`](toolwright_core::ModelSettings::extra): those of [`tools`], and the server's.

pub(in crate::provider) mod activity;
mod cache;
mod codec;
mod container;
mod event;
pub(super) mod message;
#[cfg(feature = "http")]
pub(super) mod model;
mod opaque;
mod provider_tools;
mod reply;
mod request;
mod settings;
mod tools;
mod usage;

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

pub use crate::codec::error_body::decode_error;

/// The name of this codec in [`Opaque::provider`](toolwright_core::message::Opaque::provider).
pub const PROVIDER: &str = "anthropic";

/// The maximum number of output tokens if no other is set: 8,192. The API has no default of its own, and all
/// its models since Claude 3.5 accept this number. Thinking is counted in addition: its budget, or as much
/// again.
pub const DEFAULT_MAX_TOKENS: u32 = 8_192;

/// Writes the body of a request for a whole response, as JSON.
///
/// Messages of one side that follow each other become one, and the results of a round stand in one
/// message. A round whose results are missing is left out, ids of calls are made unique and such as
/// the API takes, and opaque parts of other providers are left out, as is reasoning without its
/// signature.
///
/// - [`max_output_tokens`](toolwright_core::ModelSettings::max_output_tokens) is needed; without it
///   [`DEFAULT_MAX_TOKENS`] is sent.
/// - [`reasoning_effort`](toolwright_core::ModelSettings::reasoning_effort): `none` turns thinking off;
///   a number, such as `4096`, is a budget in tokens, for models before Claude 4.6; any other word, such as
///   `high`, asks for adaptive thinking with that effort.
/// - [`prompt_caching`](toolwright_core::ModelSettings::prompt_caching) marks the tools, the system text
///   and the last message.
/// - [`parallel_tool_calls`](toolwright_core::ModelSettings::parallel_tool_calls) and the choice of tools are
///   sent only beside tools.
/// - [`answer_schema`](toolwright_core::ModelRequest::answer_schema) is `output_config.format`, in the form
///   of strict tools. One that has no such form is left out. Other fields of `output_config` in
///   [`extra`](toolwright_core::ModelSettings::extra) are sent together with it, and win.
///
/// Unsupported parts of a request are listed by [`warnings`].
pub fn encode(model: &str, request: &ModelRequest) -> Vec<u8> {
    Dialect::default().body(EncodeInput::new(model, request))
}

/// Writes the body of a request for a streamed response, as JSON.
pub fn encode_stream(model: &str, request: &ModelRequest) -> Vec<u8> {
    Dialect::default().body(EncodeInput::new(model, request).streamed())
}

/// Decodes the body of a whole response, sent with a status of success. For other statuses there is
/// [`decode_error`].
///
/// # Errors
///
/// Returns an error if the body is an error in spite of its status, is not JSON, or holds no message.
pub fn decode(body: &[u8]) -> Result<ModelResponse, ModelError> {
    Dialect::default().decode(&ToolDefinitions::default(), body)
}

/// Returns the `tools` of a request, rendered once for a set.
///
/// A tool that is [`strict`](toolwright_core::ToolDefinition::strict) by the rules of Anthropic, or by those
/// that all providers share, is sent with `strict: true` and the schema of that profile, as long as
/// the request has room for it: read its calls with [`calls_for`]. One that the profile refuses is sent
/// without.
///
/// In a `serde_json::Value`, as `json!` makes it, the properties of the schemas are sorted by
/// name. In a struct that is serialised, and in [`encode`], they keep their order, which is part
/// of what a model reads.
pub fn tools(tools: &Toolset) -> JsonText {
    Dialect::default().tools(tools)
}

/// Returns the calls of a whole response, in order.
///
/// # Errors
///
/// The errors of [`decode`]; and [`MalformedResponse`](toolwright_core::ModelErrorKind::MalformedResponse) for
/// a response that was cut off or refused and still holds calls, since these must not run.
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

/// Returns warnings about the parts of a request that this API does not support, and about what is done
/// instead: a seed, a forced choice together with thinking, a schema that it cannot enforce, and the like. The model of the feature `http`
/// adds them to its responses.
pub fn warnings(request: &ModelRequest) -> Vec<Warning> {
    Dialect::default().warnings(request)
}

/// The content of the message that answers calls: one block for each result, in order. They belong
/// into one message of the user, before anything else in it.
pub fn results(results: &[ToolResult]) -> Vec<Value> {
    let ids = results.iter().map(|result| result.call_id.as_str());
    values(message::of_results(results, ids, ResultForms::default()))
}
