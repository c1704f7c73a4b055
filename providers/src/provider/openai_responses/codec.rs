//! The codec: what differs from those of other APIs.

use serde_json::Value;
use toolwright_core::{
    model::Warning,
    tool::{ToolCall, ToolResult},
};
use toolwright_json::raw::values;

use super::{continuation, input::of_results, reply::Reply, request};
use crate::codec::{
    answer_schema::{AnswerRules, AnswerSupport},
    api::{Api, Replies},
    body_input::BodyInput,
    dialect::Dialect,
    encode_input::EncodeInput,
    imported::ResultForms,
    quirks::{Owner, Quirks},
    server::Server,
};
use crate::profile::Profile;

/// The codec of OpenAI Responses, and of the servers that speak it.
///
/// With a client and items of your own, use [`tools`](crate::provider::Codec::tools), [`calls`](crate::provider::Codec::calls) and
/// [`results`](crate::provider::Codec::results):
///
/// ```
/// use serde_json::{Value, json};
/// use toolwright::{ToolResult, Toolset, provider::{Codec, OpenAiResponsesCodec}};
///
/// # fn send(_: &Value) -> Value {
/// #     json!({"status": "completed", "output": [{"type": "function_call", "id": "fc_1",
/// #         "call_id": "call_1", "name": "look", "arguments": "{}", "status": "completed"}]})
/// # }
/// let (codec, tools) = (OpenAiResponsesCodec::new(), Toolset::new());
/// let mut input = vec![json!({"role": "user", "content": "What do you see?"})];
/// let body = json!({"model": "gpt-5.1", "input": input, "tools": codec.tools(&tools)});
/// let reply = send(&body);
///
/// let calls = codec.calls(&tools, &reply)?;
/// input.extend(reply["output"].as_array().cloned().unwrap_or_default());
/// let answers: Vec<_> = calls.iter().map(|call| ToolResult::success(&call.id, "a cat")).collect();
/// input.extend(codec.results(&calls, &answers));
/// assert_eq!(
///     input[2],
///     json!({"type": "function_call_output", "call_id": "call_1", "output": "a cat"})
/// );
/// # Ok::<(), toolwright::ModelError>(())
/// ```
///
/// # Requests
///
/// The server is asked to store nothing, as OpenAI's guide to
/// [conversation state](https://platform.openai.com/docs/guides/conversation-state) describes it: each
/// request holds the whole conversation, and reasoning goes back encrypted. Items that only the server
/// can read (reasoning, tools that it runs itself and their output, compactions) are stored in opaque
/// parts and sent back unchanged in their place. So are the fields of a message or a call other than its
/// text and its arguments: the phase of a message, its citations, the program that made a call and the
/// namespace of its tool. The ids of messages and calls do not go back: a server that stores nothing
/// does not know them. A call is identified by its `call_id`.
///
/// A round whose results are missing is left out, ids of calls are made unique with
/// [`wire::call_ids`](crate::wire::call_ids), and opaque parts of other providers are left out, as is
/// reasoning that led to nothing.
///
/// - `store` is `false`, and `include` asks for `reasoning.encrypted_content`, except of OpenAI's models that do
///   not reason, which refuse it. At OpenAI it also asks for the sources of a web search, for the output of code and
///   for the results of a file search, where such a tool is on. An array `include` in
///   [`extra`](toolwright_core::ModelSettings::extra) is added to it; `null` there leaves it out.
/// - `previous_response_id` and `conversation` in `extra` stand for what the server has stored: a request holds only
///   what comes after it. One that also holds an earlier response, which would be there twice, is refused.
/// - [`reasoning_effort`](toolwright_core::ModelSettings::reasoning_effort) is `reasoning.effort`,
///   and the closest effort that the model takes; a model that does not reason gets none. While a model of OpenAI
///   reasons, no [`temperature`](toolwright_core::ModelSettings::temperature) is sent, which it refuses. Other
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
/// A seed and stop sequences have no field in the API: [`warnings`](crate::provider::Codec::warnings) lists them.
///
/// # Tools
///
/// A tool that is [`strict`](toolwright_core::ToolDefinition::strict) by the rules of OpenAI, or by those that
/// all providers share, is sent with `strict: true` and the schema of that profile. Every other one is sent with
/// `strict: false`, since this API is strict by itself. [Results](crate::provider::Codec::results) are one item for each.
///
/// Other tools that the server runs go as an array, in the form of the API, into the field `tools` of
/// [`ModelSettings::extra`](toolwright_core::ModelSettings::extra). They are sent beside those of the request, and
/// replace one of the same name. A call
/// of a custom tool is a call whose arguments are the string that the model wrote, and not JSON.
///
/// # Responses
///
/// A message of the phase `commentary`, such as "Let me look." before a call, is not part of the text: it is reasoning in
/// words, streamed as it comes, and goes back as the message that it was. The text is the answer alone.
///
/// A response with items that ask the program itself for something ends with
/// [`FinishReason::ActionRequired`](toolwright_core::FinishReason::ActionRequired): a call of the provider's
/// shell, of its patches or of a computer, and a request to approve a call of an MCP server. The items are
/// opaque parts, and their answers are items that the program writes as opaque parts of the user. A run cannot
/// act on them, and fails. A response that is made in the background ends with
/// [`FinishReason::Pending`](toolwright_core::FinishReason::Pending).
pub type OpenAiResponsesCodec = Dialect<Responses>;

/// The API of one server, which a [`OpenAiResponsesCodec`] speaks.
#[derive(Debug, Clone, Default)]
pub struct Responses {
    reasoning_last: bool,
}

impl OpenAiResponsesCodec {
    /// Sends reasoning back at the position where it came, also after a message or a call.
    ///
    /// OpenAI refuses reasoning that nothing follows, so that it is left out unless this is set.
    /// OpenRouter sends that of some vendors' models last, and takes it back so.
    pub fn with_reasoning_last(mut self) -> Self {
        self.api.reasoning_last = true;
        self
    }
}

/// Returns true if a server sends reasoning after the output that it led to, and accepts it back in that
/// order.
fn has_reasoning_last(server: &str) -> bool {
    let host = server.split(':').next().unwrap_or_default();
    host == "openrouter.ai" || host.ends_with(".openrouter.ai")
}

impl Replies for Responses {
    type Reply = Reply;
}

impl Api for Responses {
    fn server(&self) -> Server<'_> {
        Server {
            base_url: "https://api.openai.com/v1",
            base_url_variable: "OPENAI_BASE_URL",
            key_variables: &["OPENAI_API_KEY"],
            ..Server::PLAIN
        }
    }

    fn path(_model: &str, _streamed: bool) -> String {
        "responses".to_owned()
    }

    const TAKES_ALLOWED_TOOLS: bool = true;

    fn quirks(&self, host: &str) -> Quirks {
        Quirks {
            reasoning_last: self.reasoning_last || has_reasoning_last(host),
            owner: Owner::of(host),
            ..Quirks::NONE
        }
    }

    /// From `gpt-5.4` on (developers.openai.com, "Tool search").
    fn searches_tools(model: &str) -> bool {
        let version = model.strip_prefix("gpt-").unwrap_or_default();
        let version = version.split('-').next().unwrap_or_default();
        let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
        match (major.parse::<u32>(), minor.parse::<u32>()) {
            (Ok(major), Ok(minor)) => (major, minor) >= (5, 4),
            _ => false,
        }
    }

    fn answer_rules(&self, _: &str, chosen: Option<&Profile>) -> AnswerRules {
        AnswerRules {
            server: "OpenAI",
            support: AnswerSupport::Yes,
            profile: chosen.cloned().unwrap_or_else(Profile::openai_strict),
            needs_strict: true,
            has_own: |extra| match extra.get("text") {
                Some(Value::Object(text)) => text.contains_key("format"),
                other => other.is_some(),
            },
        }
    }

    const MESSAGES: &'static str = "input";

    fn refuses(input: EncodeInput<'_>) -> Option<String> {
        continuation::refuses(input.request)
    }

    fn body(input: BodyInput<'_>) -> Vec<u8> {
        request::body(input)
    }

    fn results(_calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value> {
        let ids = results.iter().map(|result| result.call_id.as_str());
        let calls = results.iter().map(|_| None);
        values(of_results(results, ids, calls, ResultForms::default()))
    }

    fn warnings(&self, input: EncodeInput<'_>) -> Vec<Warning> {
        request::warnings(input, &self.quirks(input.server))
    }
}
