//! The codec: what differs from those of other APIs.

use serde_json::Value;
use toolwright_core::{
    model::Warning,
    tool::{ToolCall, ToolResult},
};
use toolwright_json::raw::values;

use super::{generation, message::of_results, reply::Reply, request, settings};
use crate::codec::{
    answer_schema::{AnswerRules, AnswerSupport},
    api::{Api, Replies},
    body_input::BodyInput,
    dialect::Dialect,
    encode_input::EncodeInput,
    imported::ResultForms,
    server::Server,
};
use crate::profile::{Names, Profile};

/// The fields for the form of the answer, of which the API takes one schema.
const ANSWER_FIELDS: [&str; 3] = ["responseMimeType", "responseSchema", "responseJsonSchema"];

/// The codec of Google's `generateContent`: Gemini, on AI Studio and on Vertex AI, and the servers that speak it.
///
/// With a client and messages of your own, use [`tools`](crate::provider::Codec::tools), [`calls`](crate::provider::Codec::calls) and
/// [`results`](crate::provider::Codec::results):
///
/// ```
/// use serde_json::{Value, json};
/// use toolwright::{ToolResult, Toolset, provider::{Codec, GeminiCodec}};
///
/// # fn send(_: &Value) -> Value {
/// #     json!({"candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [
/// #         {"functionCall": {"name": "look", "args": {}}, "thoughtSignature": "c2ln"}]}}]})
/// # }
/// let (codec, tools) = (GeminiCodec::new(), Toolset::new());
/// let mut contents = vec![json!({"role": "user", "parts": [{"text": "What do you see?"}]})];
/// let body = json!({"contents": contents, "tools": codec.tools(&tools)});
/// let reply = send(&body);
///
/// let calls = codec.calls(&tools, &reply)?;
/// contents.push(reply["candidates"][0]["content"].clone());
/// let answers: Vec<_> = calls.iter().map(|call| ToolResult::success(&call.id, "a cat")).collect();
/// contents.push(json!({"role": "user", "parts": codec.results(&calls, &answers)}));
/// assert_eq!(
///     contents[2]["parts"][0],
///     json!({"functionResponse": {"name": "look", "response": {"output": "a cat"}}})
/// );
/// # Ok::<(), toolwright::ModelError>(())
/// ```
///
/// # Requests
///
/// The name of the model is not in the body; it decides how some of it is sent, since the generations of Gemini
/// differ. A streamed request has the same body: only the address differs, `streamGenerateContent?alt=sse`.
///
/// A round whose results are missing is left out, as are opaque parts of other providers, and
/// reasoning without a signature, which is a summary for people. A call and its result have an id
/// where the call came with one, and are matched by position and by name where it did not. From Gemini
/// 3 on, a response whose calls nobody signed, as that of another provider, is sent with the value that
/// Google documents for it in the place of a signature: `skip_thought_signature_validator`. Content that only the server
/// can read (the signatures of thoughts, code that the server ran and its output, its own tools) is stored in opaque
/// parts and sent back in its place.
///
/// - Images in results stand in `functionResponse.parts` from Gemini 3 on, else after all results,
///   with a line that says where they are from.
/// - [`reasoning_effort`](toolwright_core::ModelSettings::reasoning_effort): `none` is a thinking budget of 0,
///   or the least that a model takes which always thinks; a number, such as `4096`, is a budget in tokens; any other
///   word, such as `high`, is a thinking level, for models before Gemini 3 the budget that Google gives
///   for it: 1,024 for `low`, 8,192 for `medium`, 24,576 for `high`. What a model does not take is replaced by the
///   closest that it takes, and a [warning](crate::provider::Codec::warnings) says so. Unless thinking is off, summaries
///   of the thoughts are asked for.
/// - The choice of tools is sent only beside tools. A named tool is `ANY` with that name alone. Where
///   the model decides and one of the tools is strict, the mode is `VALIDATED`.
/// - `generationConfig` and `toolConfig` of [`extra`](toolwright_core::ModelSettings::extra) do not
///   replace those that are sent: their fields go in among the others, and win.
/// - [`answer_schema`](toolwright_core::ModelRequest::answer_schema) is `responseJsonSchema` of
///   `generationConfig`, or `responseSchema` in the profile [`gemini`](crate::profile::Profile::gemini). Models before
///   Gemini 3 refuse it beside tools ("Tool use with a response mime type: 'application/json' is unsupported").
///
/// A response of one call at most, a seed of more than 32 bits and more than five stop sequences are among the
/// [`warnings`](crate::provider::Codec::warnings).
///
/// # Tools
///
/// [`tools`](crate::provider::Codec::tools) is one object with all `functionDeclarations`, or nothing for an empty set. The schema of a tool
/// stands in `parametersJsonSchema`, which Gemini takes from 2.5 on, in the profile
/// [`gemini_json_schema`](crate::profile::Profile::gemini_json_schema). With
/// [`Profile::gemini`](crate::profile::Profile::gemini), the subset of `OpenAPI`, it stands in `parameters`, with any other
/// profile in `parametersJsonSchema`. A tool that the profile refuses is sent as it is.
///
/// [Results](crate::provider::Codec::results) are one part for each, and after them the images among them, which every generation of
/// Gemini takes there. The role of their content is `user`.
///
/// Other tools that the server runs go as an array, in the form of the API, into the field `tools` of
/// [`ModelSettings::extra`](toolwright_core::ModelSettings::extra). They are sent beside those of the request, and
/// replace one of the same name.
///
/// # Responses
///
/// A request that the server blocks has a response: it is empty, its finish reason is `ContentFilter`, and
/// the warning `prompt_blocked` says why. Thoughts are added to the output tokens of the usage, which the
/// API counts without them. Grounding, citations, safety ratings and `promptFeedback` are in
/// [`ModelResponse::metadata`](toolwright_core::ModelResponse::metadata), under the names that they come by.
///
/// These facts about the API are from its reference and its guides at <https://ai.google.dev> (of
/// functions, thought signatures and thinking), from the `google-genai` SDK, and from recordings.
pub type GeminiCodec = Dialect<GenerateContent>;

/// The API of one server, which a [`GeminiCodec`] speaks.
#[derive(Debug, Clone, Default)]
pub struct GenerateContent;

impl Replies for GenerateContent {
    type Reply = Reply;
}

impl Api for GenerateContent {
    fn server(&self) -> Server<'_> {
        Server {
            base_url: "https://generativelanguage.googleapis.com/v1beta",
            base_url_variable: "GEMINI_BASE_URL",
            key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            key_header: Some("x-goog-api-key"),
            version: Some("v1beta"),
            // Without it a stream is one list, whose beginning cannot be read alone.
            stream_query: Some(("alt", "sse")),
            ..Server::PLAIN
        }
    }

    fn path(model: &str, streamed: bool) -> String {
        let folder = if model.contains('/') { "" } else { "models/" };
        let method = if streamed {
            "streamGenerateContent"
        } else {
            "generateContent"
        };
        format!("{folder}{model}:{method}")
    }

    fn answer_rules(&self, model: &str, chosen: Option<&Profile>) -> AnswerRules {
        let profile = chosen.cloned();
        AnswerRules {
            server: "Gemini",
            // "Function calling with a response mime type: 'application/json' is unsupported", and so is "Tool use".
            support: if generation::is_before_3(model) {
                AnswerSupport::Alone
            } else {
                AnswerSupport::Yes
            },
            profile: Profile {
                // It is not sent.
                tool_names: Names::ANY,
                ..profile.unwrap_or_else(Profile::gemini_json_schema)
            },
            needs_strict: false,
            has_own: |extra| match extra.get("generationConfig") {
                Some(Value::Object(config)) => ANSWER_FIELDS
                    .iter()
                    .any(|field| config.contains_key(*field)),
                other => other.is_some(),
            },
        }
    }

    fn refuses(input: EncodeInput<'_>) -> Option<String> {
        settings::refuses(input)
    }

    const MESSAGES: &'static str = "contents";

    fn body(input: BodyInput<'_>) -> Vec<u8> {
        request::body(input)
    }

    fn results(calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value> {
        let calls = calls.iter().map(|call| (call, call.id.as_str().into()));
        let answers = calls.zip(results);
        values(of_results(answers, false, ResultForms::default()))
    }

    fn warnings(&self, input: EncodeInput<'_>) -> Vec<Warning> {
        settings::warnings(input)
    }
}
