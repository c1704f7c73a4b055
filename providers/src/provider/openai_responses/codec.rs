//! The codec: what differs from those of other APIs.

use serde_json::Value;
use toolwright_core::model::{ModelRequest, Warning};

use super::{reply::Reply, request};
use crate::codec::{
    answer_schema::{AnswerRules, AnswerSupport},
    api::{Api, Replies},
    body_input::BodyInput,
    dialect,
    quirks::{Owner, Quirks},
    server::Server,
    stream_reader,
};
use crate::profile::Profile;

/// The protocol of one server, with its rules for schemas.
///
/// [`default`](Self::default) is that of OpenAI, which the functions of [this module](super) speak. With
/// a [`Profile`](crate::profile::Profile) all tools are sent in the form of that profile, and their arguments come back in
/// the form of the tools. The profile alone decides which tools are strict: the setting of a tool does not
/// count. A tool that the profile refuses is sent in the profile's fallback, or else unchanged, and every response
/// has the warning `not_in_profile`. A schema is always sent: the API takes no tool without.
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever dialect has it.
///
/// ```
/// use toolwright::{Toolset, profile::Profile, provider::openai_responses::Dialect};
///
/// let dialect = Dialect::new(Profile::grammar());
/// assert_eq!(dialect.tools(&Toolset::new()).to_value(), serde_json::json!([]));
/// ```
pub type Dialect = dialect::Dialect<Responses>;

/// Decodes a streamed response, however its bytes are cut.
///
/// Feed it what comes, then [`finish`](crate::provider::DecodeStream::finish) it at the end of the stream or as soon as it
/// [is done](crate::provider::DecodeStream::is_done).
///
/// ```
/// use toolwright::{ModelResponse, provider::{DecodeStream, openai_responses::StreamDecoder}};
///
/// let mut events = Vec::new();
/// let mut decoder = StreamDecoder::new();
/// for bytes in [
///     &b"data: {\"type\": \"response.output_text.delta\", \"output_index\": 0, \"delta\": \"Hel"[..],
///     b"lo\"}\n\ndata: {\"type\": \"response.completed\", \"response\": {\"status\": \"completed\"}}\n\n",
/// ] {
///     decoder.feed(bytes, &mut events)?;
/// }
/// assert!(decoder.is_done());
/// decoder.finish(&mut events)?;
///
/// let reply: ModelResponse = events.into_iter().collect();
/// assert_eq!(reply.text, "Hello");
/// # Ok::<(), toolwright::ModelError>(())
/// ```
///
/// A server that answers with a whole response although a stream was asked for is understood too.
pub type StreamDecoder = stream_reader::StreamDecoder<Reply>;

/// The API of one server, which a [`Dialect`] speaks.
#[derive(Debug, Clone, Default)]
pub struct Responses {
    reasoning_last: bool,
}

impl Dialect {
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
            has_own: |extra| match extra.get("text") {
                Some(Value::Object(text)) => text.contains_key("format"),
                other => other.is_some(),
            },
        }
    }

    fn body(input: BodyInput<'_>) -> Vec<u8> {
        request::body(input)
    }

    fn warnings(&self, request: &ModelRequest, host: &str) -> Vec<Warning> {
        request::warnings(request, &self.quirks(host))
    }
}
