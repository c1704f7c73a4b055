//! The codec: what differs from those of other APIs.

use toolwright_core::model::{ModelRequest, Warning};

use super::{reply::Reply, request, settings::Settings};
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
/// [`default`](Self::default) is that of Ollama, which the functions of [this module](super) speak. With
/// a [`Profile`](crate::profile::Profile) all tools are sent in the form of that profile, and their arguments come back as the
/// tools take them: for a server that reads more of a schema, or for a model that does better with
/// another form. A tool that the profile refuses is sent in the profile's fallback, or else as it is, and
/// every response says so with the warning `not_in_profile`.
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever dialect has it.
///
/// ```
/// use toolwright::{Toolset, profile::Profile, provider::ollama::Dialect};
///
/// let dialect = Dialect::new(Profile::portable());
/// assert_eq!(dialect.tools(&Toolset::new()).to_value(), serde_json::json!([]));
/// ```
pub type Dialect = dialect::Dialect<Chat>;

/// Decodes a streamed response, an object a line, however its bytes are cut.
///
/// Feed it what comes, then [`finish`](crate::provider::DecodeStream::finish) it at the end of the stream or as soon as it
/// [is done](crate::provider::DecodeStream::is_done).
///
/// ```
/// use toolwright::{ModelResponse, provider::{DecodeStream, ollama::StreamDecoder}};
///
/// let mut events = Vec::new();
/// let mut decoder = StreamDecoder::new();
/// for bytes in [
///     &b"{\"message\": {\"content\": \"Hel"[..],
///     b"lo\"}, \"done\": false}\n{\"done\": true, \"done_reason\": \"stop\"}\n",
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
/// A server that answers with a whole response although a stream was asked for is understood too, if the
/// response is one line.
pub type StreamDecoder = stream_reader::StreamDecoder<Reply>;

/// The API of one server, which a [`Dialect`] speaks.
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
            has_own: |extra| extra.contains_key("format"),
        }
    }

    fn body(input: BodyInput<'_>) -> Vec<u8> {
        request::body(input)
    }

    fn warnings(&self, request: &ModelRequest, _: &str) -> Vec<Warning> {
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
