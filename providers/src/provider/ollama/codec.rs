//! The codec: what differs from those of other APIs.

use serde_json::Value;
use toolwright_core::{
    model::Warning,
    tool::{ToolCall, ToolResult},
};
use toolwright_json::raw::values;

use super::{message::of_results, reply::Reply, request, settings::Settings};
use crate::codec::{
    answer_schema::{AnswerRules, AnswerSupport},
    api::{Api, Replies},
    body_input::BodyInput,
    dialect::Dialect,
    encode_input::EncodeInput,
    media, provider_tools,
    server::Server,
};
use crate::profile::{Names, Profile};

/// The codec of Ollama's own chat, `POST /api/chat`.
///
/// With a client and messages of your own, use [`tools`](crate::provider::Codec::tools), [`calls`](crate::provider::Codec::calls) and
/// [`results`](crate::provider::Codec::results):
///
/// ```
/// use serde_json::{Value, json};
/// use toolwright::{ToolResult, Toolset, provider::{Codec, OllamaCodec}};
///
/// # fn send(_: &Value) -> Value {
/// #     json!({"message": {"role": "assistant", "content": "", "tool_calls": [
/// #         {"function": {"name": "look", "arguments": {}}}]}, "done": true, "done_reason": "stop"})
/// # }
/// let (codec, tools) = (OllamaCodec::new(), Toolset::new());
/// let mut messages = vec![json!({"role": "user", "content": "What do you see?"})];
/// let body = json!({"model": "qwen3", "stream": false, "messages": messages,
///     "tools": codec.tools(&tools)});
/// let reply = send(&body);
///
/// let calls = codec.calls(&tools, &reply)?;
/// messages.push(reply["message"].clone());
/// let answers: Vec<_> = calls.iter().map(|call| ToolResult::success(&call.id, "a cat")).collect();
/// messages.extend(codec.results(&calls, &answers));
/// assert_eq!(messages[2], json!({"role": "tool", "tool_name": "look", "content": "a cat"}));
/// # Ok::<(), toolwright::ModelError>(())
/// ```
///
/// The sources are Ollama's documentation of its API (`docs/api.md`), the types of its server
/// (`api/types.go`) and recordings. Ollama also speaks the protocol of
/// [`OpenAiChatCodec`](crate::provider::OpenAiChatCodec); its own says more of reasoning, of models that are loaded, and
/// of options such as the length of the context.
///
/// # Requests
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
/// A choice of tools, the enforcement of a schema and an image by its address are among the
/// [`warnings`](crate::provider::Codec::warnings).
///
/// # Tools
///
/// Tools are sent in the form of [`Profile::ollama`](crate::profile::Profile::ollama): what the server would drop of a
/// schema stands in its descriptions. Arguments are never enforced, so that `strict` is not sent.
/// [Results](crate::provider::Codec::results) are one message of the role `tool` for each.
pub type OllamaCodec = Dialect<Chat>;

/// The API of one server, which a [`OllamaCodec`] speaks.
#[derive(Debug, Clone, Default)]
pub struct Chat;

impl Replies for Chat {
    type Reply = Reply;
}

impl Api for Chat {
    fn server(&self) -> Server<'_> {
        Server {
            base_url: "http://127.0.0.1:11434",
            base_url_variable: "OLLAMA_HOST",
            #[cfg(feature = "http")]
            read_base_url: super::host::base_url,
            key_variables: &["OLLAMA_API_KEY"],
            needs_key: false,
            ..Server::PLAIN
        }
    }

    fn path(_model: &str, _streamed: bool) -> String {
        "api/chat".to_owned()
    }

    fn answer_rules(&self, _: &str, chosen: Option<&Profile>) -> AnswerRules {
        // What it drops of a tool, its grammar for an answer enforces.
        let chosen = chosen.filter(|profile| **profile != Profile::ollama());
        let profile = chosen.cloned().unwrap_or_else(Profile::grammar);
        AnswerRules {
            server: "Ollama",
            // ollama#8095, ollama#13750: with a schema the array of calls stays empty.
            support: AnswerSupport::WithoutTools,
            profile: Profile {
                // It is not sent.
                tool_names: Names::ANY,
                ..profile
            },
            needs_strict: false,
            has_own: |extra| extra.contains_key("format"),
        }
    }

    const MESSAGES: &'static str = "messages";

    fn body(input: BodyInput<'_>) -> Vec<u8> {
        request::body(input)
    }

    fn results(calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value> {
        values(of_results(calls, results))
    }

    fn warnings(&self, input: EncodeInput<'_>) -> Vec<Warning> {
        let request = input.request;
        let mut warnings = Settings::of(request).warnings;
        warnings.extend(media::warnings(request, "Ollama", |_| false));
        warnings.extend(provider_tools::warnings(
            request,
            "Ollama",
            provider_tools::none,
        ));
        warnings
    }
}
