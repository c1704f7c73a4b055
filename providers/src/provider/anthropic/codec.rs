//! The codec: what differs from those of other APIs.

use serde_json::Value;
use toolwright_core::model::{ModelRequest, Warning};

use super::{
    message::is_sent, provider_tools::provider_tool, reply::Reply, request, settings::Settings,
};
use crate::codec::{
    answer_schema::{AnswerRules, AnswerSupport},
    api::{Api, Replies},
    body_input::BodyInput,
    dialect, media, provider_tools,
    server::Server,
    stream_reader,
};
use crate::profile::{Names, Profile};

/// The protocol as one server speaks it: what it takes of a schema.
///
/// [`default`](Self::default) is that of Anthropic, which the functions of [this module](super) speak.
/// With a [`Profile`](crate::profile::Profile) all tools are sent in the form of that profile, and their arguments come back as
/// the tools take them. The profile alone decides what is strict: what a tool says of it does not
/// count. A tool that the profile refuses is sent in the profile's fallback, or else as it is, and
/// every response says so with the warning `not_in_profile`. A schema is always sent: the API takes no
/// tool without.
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever dialect has it.
///
/// ```
/// use toolwright::{Toolset, profile::Profile, provider::anthropic::Dialect};
///
/// let dialect = Dialect::new(Profile::openai_strict());
/// assert_eq!(dialect.tools(&Toolset::new()).to_value(), serde_json::json!([]));
/// ```
pub type Dialect = dialect::Dialect<Messages>;

/// Decodes a streamed response, however its bytes are cut.
///
/// Feed it what comes, then [`finish`](crate::provider::DecodeStream::finish) it at the end of the stream or as soon as it
/// [is done](crate::provider::DecodeStream::is_done).
///
/// ```
/// use toolwright::{ModelResponse, provider::{DecodeStream, anthropic::StreamDecoder}};
///
/// let mut events = Vec::new();
/// let mut decoder = StreamDecoder::new();
/// for bytes in [
///     &b"data: {\"type\": \"message_start\", \"message\": {\"content\": [{\"type\": \"text\", \"te"[..],
///     b"xt\": \"Hello\"}]}}\n\ndata: {\"type\": \"message_stop\"}\n\n",
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
pub struct Messages;

impl Replies for Messages {
    type Reply = Reply;
}

impl Api for Messages {
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

    /// From version 4.5 on, whose names have the version behind the family.
    fn searches_tools(model: &str) -> bool {
        let mut words = model.split('-');
        let is_named = words.next() == Some("claude");
        let is_family = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
        let family = words.next().is_some_and(is_family);
        // What is longer than a version is a date.
        let mut number = || {
            words
                .next()?
                .parse()
                .ok()
                .filter(|number: &u32| *number < 100)
        };
        let (major, minor) = (number(), number());
        let version = major.map(|major| (major, minor.unwrap_or_default()));
        is_named && family && version.is_some_and(|version| version >= (4, 5))
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

    fn body(input: BodyInput<'_>) -> Vec<u8> {
        request::body(input)
    }

    fn warnings(&self, request: &ModelRequest, _: &str) -> Vec<Warning> {
        let mut warnings = Settings::of(request).warnings;
        warnings.extend(media::warnings(request, "Anthropic", is_sent));
        warnings.extend(provider_tools::warnings(
            request,
            "Anthropic",
            provider_tool,
        ));
        warnings
    }
}
