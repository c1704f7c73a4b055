//! Ollama's own chat, `POST /api/chat`.
//!
//! [`encode`] and [`decode`] are the codec, [`StreamDecoder`] its streaming half. [`tools`],
//! [`calls`] and [`results`] serve a program that has its own client and its own messages:
//!
//! ```
//! use serde_json::{Value, json};
//! use toolwright::{ToolResult, Toolset, provider::ollama};
//!
//! # fn send(_: &Value) -> Value {
//! #     json!({"message": {"role": "assistant", "content": "", "tool_calls": [
//! #         {"function": {"name": "look", "arguments": {}}}]}, "done": true, "done_reason": "stop"})
//! # }
//! let tools = Toolset::new();
//! let mut messages = vec![json!({"role": "user", "content": "What do you see?"})];
//! let body = json!({"model": "qwen3", "stream": false, "messages": messages,
//!     "tools": ollama::tools(&tools)});
//! let reply = send(&body);
//!
//! let calls = ollama::calls(&reply)?;
//! messages.push(reply["message"].clone());
//! let answers: Vec<_> = calls.iter().map(|call| ToolResult::success(&call.id, "a cat")).collect();
//! messages.extend(ollama::results(&calls, &answers));
//! assert_eq!(messages[2], json!({"role": "tool", "tool_name": "look", "content": "a cat"}));
//! # Ok::<(), toolwright::ModelError>(())
//! ```
//!
//! The sources are Ollama's documentation of its API (`docs/api.md`), the types of its server
//! (`api/types.go`) and recordings. Ollama also speaks the protocol of
//! [`openai_chat`](super::openai_chat); its own says more of reasoning, of models that are loaded, and
//! of options such as the length of the context.

mod chunk;
mod codec;
#[cfg(feature = "http")]
mod host;
pub(super) mod message;
#[cfg(feature = "http")]
pub(super) mod model;
mod opaque;
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

use crate::codec::{encode_input::EncodeInput, protocol::Codec};

pub use codec::{Dialect, StreamDecoder};

pub use crate::codec::error_body::decode_error;

/// The name of this codec in [`Opaque::provider`](toolwright_core::message::Opaque::provider).
pub const PROVIDER: &str = "ollama";

/// Writes the body of a request for a whole response, as JSON.
///
/// A round whose results are missing is left out. Results go by the name of their tool and stand in
/// the order of the calls; ids of calls are not sent. Reasoning goes back as `thinking`. Images are
/// sent in base64, in messages and in results.
///
/// - [`reasoning_effort`](toolwright_core::ModelSettings::reasoning_effort) is `think`: `none` and
///   `false` turn thinking off, `true` turns it on, and any other word is a level of the model's own, such
///   as `low`, `medium` and `high`. A model that cannot think refuses all but the first two.
/// - [`temperature`](toolwright_core::ModelSettings::temperature),
///   [`max_output_tokens`](toolwright_core::ModelSettings::max_output_tokens) (`num_predict`), `stop`
///   and `seed` are `options`. The members of an extra field `options` are added to them, and win.
/// - [`tool_choice`](toolwright_core::ModelRequest::tool_choice) and
///   [`parallel_tool_calls`](toolwright_core::ModelSettings::parallel_tool_calls) have no field here.
///   Tools that may not be called are not sent; what must be called is said in the system text.
/// - [`answer_schema`](toolwright_core::ModelRequest::answer_schema) is `format`, in the form of
///   [`Profile::grammar`](crate::profile::Profile::grammar). It is left out beside tools that may be called: with it
///   the server makes no calls (ollama#8095, ollama#13750).
/// - `keep_alive` and the rest are [extra fields](toolwright_core::ModelSettings::extra). The
///   context of a model is short by default: `with_extra("options", json!({"num_ctx": 32768}))`.
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

/// Returns the `tools` of a request, rendered once for a set, in the form of
/// [`Profile::ollama`](crate::profile::Profile::ollama): what the server would drop of a schema is told
/// in its descriptions. Arguments are never enforced, so that `strict` is not sent.
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
/// a response that was cut off and still holds calls, since these must not run.
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
/// instead: a choice of tools, the enforcement of a schema, an image by its address. The model of the feature
/// `http` adds them to its responses.
pub fn warnings(request: &ModelRequest) -> Vec<Warning> {
    Dialect::default().warnings(request)
}

/// The messages that answer calls: one of the role `tool` for each result, in order. The calls are
/// needed besides, since a result goes by the name of its tool here.
pub fn results(calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value> {
    values(message::of_results(calls, results))
}
