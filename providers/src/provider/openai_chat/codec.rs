//! The codec: what differs from those of other APIs.

use std::sync::Arc;

use toolwright_core::model::{ModelRequest, Warning};

use super::{Vendor, message::media::is_sent, reply::Reply, request, settings::Settings};
use crate::codec::{
    answer_schema::AnswerRules,
    api::{Api, Replies},
    body_input::BodyInput,
    dialect, media, provider_tools,
    quirks::{Owner, Quirks},
    server::Server,
    stream_reader,
};
use crate::profile::Profile;

/// The protocol of one server: its rules for schemas, and its differences from OpenAI's protocol.
///
/// [`default`](Self::default) is that of OpenAI, which the functions of [this module](super) speak. With
/// a [`Profile`](crate::profile::Profile) all tools are sent in the form of that profile, and their arguments come back in
/// the form of the tools. The profile alone decides which tools are strict: the setting of a tool does not
/// count. A tool that the profile refuses is sent in the profile's fallback, or else unchanged, and every response
/// has the warning `not_in_profile`.
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever dialect has it.
///
/// ```
/// use toolwright::{Toolset, profile::Profile, provider::openai_chat::Dialect};
///
/// let dialect = Dialect::new(Profile::ollama());
/// assert_eq!(dialect.tools(&Toolset::new()).to_value(), serde_json::json!([]));
/// ```
pub type Dialect = dialect::Dialect<ChatCompletions>;

/// Decodes a streamed response, however its bytes are cut.
///
/// Feed it what comes, then [`finish`](crate::provider::DecodeStream::finish) it at the end of the stream or as soon as it
/// [is done](crate::provider::DecodeStream::is_done).
///
/// ```
/// use toolwright::{ModelResponse, provider::{DecodeStream, openai_chat::StreamDecoder}};
///
/// let mut events = Vec::new();
/// let mut decoder = StreamDecoder::new();
/// for bytes in [
///     &b"data: {\"choices\": [{\"delta\": {\"content\": \"Hel"[..],
///     b"lo\"}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n",
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

impl Dialect {
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

    fn answer_rules(&self, _: &str, chosen: Option<&Profile>) -> AnswerRules {
        let quirks = self.vendor.quirks();
        let profile = match chosen {
            // What it drops of a tool, its grammar for an answer enforces.
            Some(profile) if *profile == Profile::ollama() => Profile::grammar(),
            Some(profile) => profile.clone(),
            None => Profile::openai_strict(),
        };
        AnswerRules {
            server: quirks.name,
            support: quirks.answers,
            profile,
            has_own: |extra| extra.contains_key("response_format"),
        }
    }

    fn body(input: BodyInput<'_>) -> Vec<u8> {
        request::body(input)
    }

    fn warnings(&self, request: &ModelRequest, _: &str) -> Vec<Warning> {
        let quirks = self.vendor.quirks();
        let mut warnings = Settings::of(request, &quirks, &|_| false).warnings;
        let server = format!("Chat Completions of {}", quirks.name);
        warnings.extend(media::warnings(request, self.vendor.name(), is_sent));
        warnings.extend(provider_tools::warnings(
            request,
            server,
            provider_tools::none,
        ));
        warnings
    }
}
