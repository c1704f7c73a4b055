//! OpenAI Responses, and the servers that speak it.
//!
//! [`encode`] and [`decode`] are the codec, [`StreamDecoder`] its streaming half. [`tools`],
//! [`calls`] and [`results`] serve a program that has its own client and its own items:
//!
//! ```
//! use serde_json::{Value, json};
//! use toolwright::{ToolResult, Toolset, provider::openai_responses};
//!
//! # fn send(_: &Value) -> Value {
//! #     json!({"status": "completed", "output": [{"type": "function_call", "id": "fc_1",
//! #         "call_id": "call_1", "name": "look", "arguments": "{}", "status": "completed"}]})
//! # }
//! let tools = Toolset::new();
//! let mut input = vec![json!({"role": "user", "content": "What do you see?"})];
//! let body = json!({"model": "gpt-5.1", "input": input, "tools": openai_responses::tools(&tools)});
//! let reply = send(&body);
//!
//! let calls = openai_responses::calls(&reply)?;
//! input.extend(reply["output"].as_array().cloned().unwrap_or_default());
//! let answers: Vec<_> = calls.iter().map(|call| ToolResult::success(&call.id, "a cat")).collect();
//! input.extend(openai_responses::results(&answers));
//! assert_eq!(
//!     input[2],
//!     json!({"type": "function_call_output", "call_id": "call_1", "output": "a cat"})
//! );
//! # Ok::<(), toolwright::ModelError>(())
//! ```
//!
//! A server that accepts another part of JSON Schema than OpenAI has a [`Dialect`].
//!
//! The server is asked to store nothing, as OpenAI's guide to
//! [conversation state](https://platform.openai.com/docs/guides/conversation-state) describes it: each
//! request holds the whole conversation, and reasoning goes back encrypted. Items that only the server
//! can read (reasoning, tools that it runs itself and their output, compactions) are stored in opaque
//! parts and sent back unchanged in their place. So are the fields of a message or a call other than its
//! text and its arguments: the phase of a message, its citations, the program that made a call and the
//! namespace of its tool. The ids of messages and calls do not go back: a server that stores nothing
//! does not know them. A call is identified by its `call_id`.
//!
//! A response with items that ask the program itself for something ends with
//! [`FinishReason::ActionRequired`](toolwright_core::FinishReason::ActionRequired): a call of the provider's
//! shell, of its patches or of a computer, and a request to approve a call of an MCP server. The items are
//! opaque parts, and their answers are items that the program writes as opaque parts of the user. A run cannot
//! act on them, and fails. A response that is made in the background ends with
//! [`FinishReason::Pending`](toolwright_core::FinishReason::Pending).
//!
//! To let the server run tools of its own, write the whole array of tools into the field `tools` of
//! [`ModelSettings::extra`](toolwright_core::ModelSettings::extra): those of [`tools`], and the server's. A call
//! of a custom tool is a call whose arguments are the string that the model wrote, and not JSON.

pub(in crate::provider) mod activity;
mod codec;
mod event;
pub(super) mod input;
mod item;
#[cfg(feature = "http")]
pub(super) mod model;
mod reply;
mod request;
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
pub const PROVIDER: &str = "openai_responses";

/// Writes the body of a request for a whole response, as JSON.
///
/// A round whose results are missing is left out, ids of calls are made unique with
/// [`wire::call_ids`](crate::wire::call_ids), and opaque parts of other providers are left out, as is
/// reasoning that led to nothing.
///
/// - `store` is `false`, and `include` asks for `reasoning.encrypted_content`. A model that does not
///   reason may refuse that: send `include` as an empty array in
///   [`extra`](toolwright_core::ModelSettings::extra).
/// - [`reasoning_effort`](toolwright_core::ModelSettings::reasoning_effort) is `reasoning.effort`. Other
///   fields of `reasoning`, such as `summary`, go into the field `reasoning` of
///   [`extra`](toolwright_core::ModelSettings::extra) and are sent together with the effort.
/// - [`tool_choice`](toolwright_core::ModelRequest::tool_choice) and
///   [`parallel_tool_calls`](toolwright_core::ModelSettings::parallel_tool_calls) are sent only beside
///   tools. A choice of another form, such as `allowed_tools`, goes into the field `tool_choice` of
///   `extra`.
/// - [`answer_schema`](toolwright_core::ModelRequest::answer_schema) is `text.format`. Other fields of `text`,
///   such as `verbosity`, go into the field `text` of `extra` and are sent together with it; a `format` there
///   wins.
///
/// Parts of a request without a field in the API are listed by [`warnings`].
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
/// Returns an error if the body is an error in spite of its status, is not JSON, or holds no output.
pub fn decode(body: &[u8]) -> Result<ModelResponse, ModelError> {
    Dialect::default().decode(&ToolDefinitions::default(), body)
}

/// Returns the `tools` of a request, rendered once for a set.
///
/// A tool that is [`strict`](toolwright_core::ToolDefinition::strict) by the rules of OpenAI, or by those that
/// all providers share, is sent with `strict: true` and the schema of that profile: read its calls
/// with [`calls_for`]. Every other one is sent with `strict: false`, since this API is strict by
/// itself.
///
/// In a `serde_json::Value`, as `json!` makes it, the properties of the schemas are sorted by
/// name. In a struct that is serialised, and in [`encode`], they keep their order, which is part
/// of what a model reads.
pub fn tools(tools: &Toolset) -> JsonText {
    Dialect::default().tools(tools)
}

/// Returns the calls of a whole response, in order, by their `call_id`.
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

/// Returns warnings about the parts of a request that this API has no field for: a seed, and stop sequences; and
/// about a schema of the answer that is not enforced.
/// The model of the feature `http` adds them to its responses.
pub fn warnings(request: &ModelRequest) -> Vec<Warning> {
    Dialect::default().warnings(request)
}

/// The items that answer calls of functions: one for each result, in order.
pub fn results(results: &[ToolResult]) -> Vec<Value> {
    let ids = results.iter().map(|result| result.call_id.as_str());
    values(input::of_results(
        results,
        ids,
        results.iter().map(|_| None),
        ResultForms::default(),
    ))
}
