//! The codec: what differs from those of other APIs.

use serde_json::Value;
use toolwright_core::{
    model::Warning,
    tool::{ToolCall, ToolResult},
};
use toolwright_json::raw::values;

use super::{
    generation,
    message::{is_sent, of_results},
    provider_tools::provider_tool,
    reply::Reply,
    request,
    settings::Settings,
};
use crate::codec::{
    answer_schema::{AnswerRules, AnswerSupport},
    api::{Api, Replies},
    body_input::BodyInput,
    dialect::Dialect,
    encode_input::EncodeInput,
    imported::ResultForms,
    media, provider_tools,
    server::Server,
};
use crate::profile::{Names, Profile};

/// The codec of Anthropic Messages, and of the servers that speak it.
///
/// With a client and messages of your own, use [`tools`](crate::provider::Codec::tools), [`calls`](crate::provider::Codec::calls) and
/// [`results`](crate::provider::Codec::results):
///
/// ```
/// use serde_json::{Value, json};
/// use toolwright::{ToolResult, Toolset, provider::{AnthropicCodec, Codec}};
///
/// # fn send(_: &Value) -> Value {
/// #     json!({"role": "assistant", "stop_reason": "tool_use", "content": [
/// #         {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}]})
/// # }
/// let (codec, tools) = (AnthropicCodec::new(), Toolset::new());
/// let mut messages = vec![json!({"role": "user", "content": "What do you see?"})];
/// let body = json!({"model": "claude-sonnet-4-6", "max_tokens": 1024, "messages": messages,
///     "tools": codec.tools(&tools)});
/// let reply = send(&body);
///
/// let calls = codec.calls(&tools, &reply)?;
/// messages.push(json!({"role": "assistant", "content": reply["content"]}));
/// let answers: Vec<_> = calls.iter().map(|call| ToolResult::success(&call.id, "a cat")).collect();
/// messages.push(json!({"role": "user", "content": codec.results(&calls, &answers)}));
/// assert_eq!(
///     messages[2]["content"][0],
///     json!({"type": "tool_result", "tool_use_id": "toolu_1",
///         "content": [{"type": "text", "text": "a cat"}]})
/// );
/// # Ok::<(), toolwright::ModelError>(())
/// ```
///
/// # Requests
///
/// Messages of one side that follow each other become one, and the results of a round stand in one
/// message. A round whose results are missing is left out, ids of calls are made unique and such as
/// the API takes, and opaque parts of other providers are left out, as is reasoning without its
/// signature. Content that only the server can read (signatures of thinking, redacted thinking, tools that the
/// server runs and their results, citations) is stored in opaque parts and sent back in its place.
///
/// - [`max_output_tokens`](toolwright_core::ModelSettings::max_output_tokens) is needed; without it 8,192 is sent,
///   which all models since Claude 3.5 accept. Thinking is counted in addition.
/// - [`reasoning_effort`](toolwright_core::ModelSettings::reasoning_effort): `none` turns thinking off; a number,
///   such as `4096`, is a budget in tokens; any other word, such as `high`, is an effort of adaptive thinking. Each is
///   sent in the form of the model's generation: before Claude 4.6 a word is a budget (1,024 for `low`, 8,192 for
///   `medium`, 16,384 for `high`, 23,552 for more), from 4.7 on a budget is an effort, and a model that always thinks
///   gets the effort `low` for `none`. From Claude 4.7 on no [`temperature`](toolwright_core::ModelSettings::temperature)
///   other than 1 is sent, and from 5.5 on no call is forced.
/// - [`prompt_caching`](toolwright_core::ModelSettings::prompt_caching) marks the tools, the system text
///   and the last message.
/// - [`parallel_tool_calls`](toolwright_core::ModelSettings::parallel_tool_calls) and the choice of tools are
///   sent only beside tools.
/// - [`answer_schema`](toolwright_core::ModelRequest::answer_schema) is `output_config.format`, in the form
///   of strict tools. One that has no such form is left out. Other fields of `output_config` in
///   [`extra`](toolwright_core::ModelSettings::extra) are sent together with it, and win.
///
/// A seed, a forced choice together with thinking, and a schema that cannot be enforced are among the
/// [`warnings`](crate::provider::Codec::warnings).
///
/// # Tools
///
/// A tool that is [`strict`](toolwright_core::ToolDefinition::strict) by the rules of Anthropic, or by those
/// that all providers share, is sent with `strict: true` and the schema of that profile, as long as
/// the request has room for it. One that the profile refuses is sent without. A schema is always sent: the API takes no
/// tool without.
///
/// [Results](crate::provider::Codec::results) are one block for each. They belong into one message of the user, before anything else in it.
///
/// Other tools that the server runs go as an array, in the form of the API, into the field `tools` of
/// [`ModelSettings::extra`](toolwright_core::ModelSettings::extra). They are sent beside those of the request, and
/// replace one of the same name.
pub type AnthropicCodec = Dialect<Messages>;

/// The API of one server, which a [`AnthropicCodec`] speaks.
#[derive(Debug, Clone, Default)]
pub struct Messages;

impl Replies for Messages {
    type Reply = Reply;
}

impl Api for Messages {
    const CACHES_ON_REQUEST: bool = true;

    fn server(&self) -> Server<'_> {
        Server {
            base_url: "https://api.anthropic.com",
            base_url_variable: "ANTHROPIC_BASE_URL",
            key_variables: &["ANTHROPIC_API_KEY"],
            key_header: Some("x-api-key"),
            headers: &[("anthropic-version", "2023-06-01")],
            ..Server::PLAIN
        }
    }

    fn path(_model: &str, _streamed: bool) -> String {
        "v1/messages".to_owned()
    }

    fn searches_tools(model: &str) -> bool {
        generation::searches_tools(model)
    }

    fn answer_rules(&self, _: &str, chosen: Option<&Profile>) -> AnswerRules {
        // A schema is always enforced, and its name is not sent.
        let chosen = chosen.filter(|profile| profile.strict).cloned();
        let profile = chosen.unwrap_or_else(Profile::anthropic_strict);
        AnswerRules {
            server: "Anthropic",
            support: AnswerSupport::Yes,
            profile: Profile {
                tool_names: Names::ANY,
                fallback: None,
                ..profile
            },
            needs_strict: false,
            has_own: |extra| {
                let is_in_config = match extra.get("output_config") {
                    Some(Value::Object(config)) => config.contains_key("format"),
                    other => other.is_some(),
                };
                // The name of the field while it was in beta.
                is_in_config || extra.contains_key("output_format")
            },
        }
    }

    const MESSAGES: &'static str = "messages";

    fn body(input: BodyInput<'_>) -> Vec<u8> {
        request::body(input)
    }

    fn results(_calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value> {
        let ids = results.iter().map(|result| result.call_id.as_str());
        values(of_results(results, ids, ResultForms::default()))
    }

    fn warnings(&self, input: EncodeInput<'_>) -> Vec<Warning> {
        let request = input.request;
        let mut warnings = Settings::of(input.model, request).warnings;
        warnings.extend(media::warnings(request, "Anthropic", is_sent));
        warnings.extend(provider_tools::warnings(
            request,
            "Anthropic",
            provider_tool,
        ));
        warnings
    }
}
