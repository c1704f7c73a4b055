//! The codec: what differs from those of other APIs.

use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{
    model::Warning,
    tool::{ToolCall, ToolResult},
};
use toolwright_json::raw::values;

use super::{
    Vendor,
    message::{media::is_sent, of_results},
    reply::Reply,
    request,
    settings::Settings,
};
use crate::codec::{
    answer_schema::AnswerRules,
    api::{Api, Replies},
    body_input::BodyInput,
    dialect::Dialect,
    encode_input::EncodeInput,
    imported::ResultForms,
    media::{self, Media},
    provider_tools,
    quirks::{Owner, Quirks},
    server::Server,
};
use crate::profile::Profile;

/// The codec of OpenAI Chat Completions, and of the many servers that speak it.
///
/// [`new`](Dialect::new) is OpenAI's own form, [`of`](OpenAiChatCodec::of) that of another [vendor](Vendor), and
/// [`with_profile`](Dialect::with_profile) that of a server that accepts other schemas. With a client and messages of your
/// own, use [`tools`](crate::provider::Codec::tools), [`calls`](crate::provider::Codec::calls) and [`results`](crate::provider::Codec::results):
///
/// ```
/// use serde_json::{Value, json};
/// use toolwright::{ToolResult, Toolset, provider::{Codec, OpenAiChatCodec}};
///
/// # fn send(_: &Value) -> Value {
/// #     json!({"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [
/// #         {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]}}]})
/// # }
/// let (codec, tools) = (OpenAiChatCodec::new(), Toolset::new());
/// let mut messages = vec![json!({"role": "user", "content": "What do you see?"})];
/// let body = json!({"model": "gpt-5.1", "messages": messages, "tools": codec.tools(&tools)});
/// let reply = send(&body);
///
/// let calls = codec.calls(&tools, &reply)?;
/// messages.push(reply["choices"][0]["message"].clone());
/// let answers: Vec<_> = calls.iter().map(|call| ToolResult::success(&call.id, "a cat")).collect();
/// messages.extend(codec.results(&calls, &answers));
/// assert_eq!(messages[2], json!({"role": "tool", "tool_call_id": "call_1", "content": "a cat"}));
/// # Ok::<(), toolwright::ModelError>(())
/// ```
///
/// # Requests
///
/// A round whose results are missing is left out, ids of calls are made unique with
/// [`wire::call_ids`](crate::wire::call_ids), and opaque parts of other providers are left out.
/// `tool_choice` and `parallel_tool_calls` are sent only beside tools: OpenAI refuses them alone.
/// [`answer_schema`](toolwright_core::ModelRequest::answer_schema) is `response_format`: with `strict: true` where what fits
/// the strict form fits the schema too, else with `strict: false`. A streamed request also asks for the usage, which is
/// otherwise not streamed.
///
/// # Tools
///
/// A tool that is [`strict`](toolwright_core::ToolDefinition::strict) by the rules of OpenAI, or by those that
/// all providers share, is sent with `strict: true` and the schema of that profile. One that the profile refuses is sent
/// without.
///
/// [Results](crate::provider::Codec::results) are one message of the role `tool` for each, and after them the images among them as a
/// message of the user, since results are text here.
pub type OpenAiChatCodec = Dialect<ChatCompletions>;

/// The API of one server, which a [`OpenAiChatCodec`] speaks.
#[derive(Debug, Clone)]
pub struct ChatCompletions {
    vendor: Vendor,
}

impl Default for ChatCompletions {
    fn default() -> Self {
        Self {
            vendor: Vendor::OPENAI,
        }
    }
}

impl OpenAiChatCodec {
    /// Creates the dialect of a vendor.
    pub fn of(vendor: Vendor) -> Self {
        Self {
            profile: vendor.profile().map(Arc::new),
            api: ChatCompletions { vendor },
        }
    }
}

impl Replies for ChatCompletions {
    type Reply = Reply;
}

impl Api for ChatCompletions {
    fn server(&self) -> Server<'_> {
        self.vendor.server()
    }

    fn path(_model: &str, _streamed: bool) -> String {
        "chat/completions".to_owned()
    }

    const TAKES_ALLOWED_TOOLS: bool = true;

    fn quirks(&self, host: &str) -> Quirks {
        Quirks {
            owner: Owner::of(host),
            ..self.vendor.quirks()
        }
    }

    fn answer_rules(&self, model: &str, chosen: Option<&Profile>) -> AnswerRules {
        let quirks = self.vendor.quirks();
        let profile = match chosen {
            // The rules for tools are not all that the server has for answers.
            Some(profile)
                if (quirks.strict_answers)(model)
                    && Some(profile) == self.vendor.profile().as_ref() =>
            {
                Profile::openai_strict()
            }
            // What it drops of a tool, its grammar for an answer enforces.
            Some(profile) if *profile == Profile::ollama() => Profile::grammar(),
            Some(profile) => profile.clone(),
            None => Profile::openai_strict(),
        };
        AnswerRules {
            server: quirks.name,
            support: quirks.answers,
            profile,
            needs_strict: true,
            has_own: |extra| extra.contains_key("response_format"),
        }
    }

    const MESSAGES: &'static str = "messages";

    fn body(input: BodyInput<'_>) -> Vec<u8> {
        request::body(input)
    }

    fn results(_calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value> {
        let ids = results.iter().map(|result| result.call_id.as_str());
        values(of_results(
            results,
            ids,
            ResultForms::default(),
            &Quirks::NONE,
        ))
    }

    fn warnings(&self, input: EncodeInput<'_>) -> Vec<Warning> {
        let request = input.request;
        let quirks = self.vendor.quirks();
        let mut warnings = Settings::of(input.model, request, &quirks, &|_| false).warnings;
        let server = format!("Chat Completions of {}", quirks.name);
        let is_sent = |media: Media<'_>| is_sent(media, &quirks);
        warnings.extend(media::warnings(request, self.vendor.name(), is_sent));
        warnings.extend(provider_tools::warnings(
            request,
            server,
            provider_tools::none,
        ));
        warnings
    }
}
