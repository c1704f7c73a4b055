//! Google's `generateContent`: Gemini, on AI Studio and on Vertex AI, and the servers that speak it.
//!
//! [`encode`] and [`decode`] are the codec, [`StreamDecoder`] its streaming half. [`tools`],
//! [`calls`] and [`results`] serve a program that has its own client and its own messages:
//!
//! ```
//! use serde_json::{Value, json};
//! use toolwright::{ToolResult, Toolset, provider::gemini};
//!
//! # fn send(_: &Value) -> Value {
//! #     json!({"candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [
//! #         {"functionCall": {"name": "look", "args": {}}, "thoughtSignature": "c2ln"}]}}]})
//! # }
//! let tools = Toolset::new();
//! let mut contents = vec![json!({"role": "user", "parts": [{"text": "What do you see?"}]})];
//! let body = json!({"contents": contents, "tools": gemini::tools(&tools)});
//! let reply = send(&body);
//!
//! let calls = gemini::calls(&reply)?;
//! contents.push(reply["candidates"][0]["content"].clone());
//! let answers: Vec<_> = calls.iter().map(|call| ToolResult::success(&call.id, "a cat")).collect();
//! contents.push(json!({"role": "user", "parts": gemini::results(&calls, &answers)}));
//! assert_eq!(
//!     contents[2]["parts"][0],
//!     json!({"functionResponse": {"name": "look", "response": {"output": "a cat"}}})
//! );
//! # Ok::<(), toolwright::ModelError>(())
//! ```
//!
//! A server that accepts another part of JSON Schema than Gemini has a [`Dialect`].
//!
//! Content that only the server can read (the signatures of thoughts, code that the server ran and its
//! output, its own tools) is stored in opaque parts and sent back in its place. To let the server run
//! tools of its own, write the whole array of tools into the field `tools` of
//! [`ModelSettings::extra`](toolwright_core::ModelSettings::extra): those of [`tools`], and the server's.
//! Grounding, citations, safety ratings and `promptFeedback` are in
//! [`ModelResponse::metadata`](toolwright_core::ModelResponse::metadata), under the names that they come by.
//!
//! These facts about the API are from its reference and its guides at <https://ai.google.dev> (of
//! functions, thought signatures and thinking), from the `google-genai` SDK, and from recordings.

pub(in crate::provider) mod activity;
mod chunk;
mod codec;
mod generation;
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

use crate::codec::{encode_input::EncodeInput, imported::ResultForms, protocol::Codec};

pub use codec::{Dialect, StreamDecoder};

pub use crate::codec::error_body::decode_error;

/// The name of this codec in [`Opaque::provider`](toolwright_core::message::Opaque::provider).
pub const PROVIDER: &str = "gemini";

/// Writes the body of a request for a whole response, as JSON. The name of the model is not in it; it decides how
/// some of it is sent, since the generations of Gemini differ.
///
/// A round whose results are missing is left out, as are opaque parts of other providers, and
/// reasoning without a signature, which is a summary for people. A call and its result have an id
/// where the call came with one, and are matched by position and by name where it did not. From Gemini
/// 3 on, a response whose calls nobody signed, as that of another provider, is sent with the value that
/// Google documents for it in the place of a signature: `skip_thought_signature_validator`.
///
/// - Images in results stand in `functionResponse.parts` from Gemini 3 on, else after all results,
///   with a line that says where they are from.
/// - [`reasoning_effort`](toolwright_core::ModelSettings::reasoning_effort): `none` is a thinking budget of 0,
///   which models that always think refuse; a number, such as `4096`, is a budget in tokens; any other
///   word, such as `high`, is a thinking level, for models before Gemini 3 the budget that Google gives
///   for it: 1,024 for `low`, 8,192 for `medium`, 24,576 for `high`. Except with `none`, summaries of
///   the thoughts are asked for.
/// - The choice of tools is sent only beside tools. A named tool is `ANY` with that name alone. Where
///   the model decides and one of the tools is strict, the mode is `VALIDATED`.
/// - `generationConfig` and `toolConfig` of [`extra`](toolwright_core::ModelSettings::extra) do not
///   replace those that are sent: their fields go in among the others, and win.
/// - [`answer_schema`](toolwright_core::ModelRequest::answer_schema) is `responseJsonSchema` of
///   `generationConfig`, or `responseSchema` in the profile [`gemini`](crate::profile::Profile::gemini). Models before
///   Gemini 3 refuse it beside tools ("Tool use with a response mime type: 'application/json' is unsupported").
///
/// Unsupported parts of a request are listed by [`warnings`].
pub fn encode(model: &str, request: &ModelRequest) -> Vec<u8> {
    Dialect::default().body(EncodeInput::new(model, request))
}

/// Writes the body of a request for a streamed response, as JSON. It is the same as that of
/// [`encode`]. Only the address differs: `streamGenerateContent?alt=sse`.
pub fn encode_stream(model: &str, request: &ModelRequest) -> Vec<u8> {
    Dialect::default().body(EncodeInput::new(model, request).streamed())
}

/// Decodes the body of a whole response, sent with a status of success, or of a stream that is a list.
/// For other statuses there is [`decode_error`].
///
/// A request that the server blocks has a response: it is empty, its finish reason is `ContentFilter`, and
/// the warning `prompt_blocked` says why. Thoughts are not among the output tokens of the usage, as the
/// API counts them.
///
/// # Errors
///
/// Returns an error if the body is an error in spite of its status, is not JSON, or holds no candidate.
pub fn decode(body: &[u8]) -> Result<ModelResponse, ModelError> {
    Dialect::default().decode(&ToolDefinitions::default(), body)
}

/// Returns the `tools` of a request, rendered once for a set: one object with all `functionDeclarations`, or
/// nothing for an empty set.
///
/// The schema of a tool stands in `parametersJsonSchema`, in the profile
/// [`gemini_json_schema`](crate::profile::Profile::gemini_json_schema): read its calls with
/// [`calls_for`]. A tool that the profile refuses is sent as it is.
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
/// a response that was cut off or filtered, or calls a tool that was not declared, and still holds calls,
/// since these must not run.
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
/// instead: a response of one call at most, a seed of more than 32 bits, more than five stop sequences. The
/// model of the feature `http` adds them to its responses.
pub fn warnings(request: &ModelRequest) -> Vec<Warning> {
    Dialect::default().warnings(request)
}

/// The parts of the content that answers calls: one for each call and its result, in order, and after
/// them the images among the results, which every generation of Gemini takes there. The calls are
/// needed because a result goes by the name of its call. The content's role is `user`.
pub fn results(calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value> {
    let calls = calls.iter().map(|call| (call, call.id.as_str().into()));
    values(message::of_results(
        calls.zip(results),
        false,
        ResultForms::default(),
    ))
}
