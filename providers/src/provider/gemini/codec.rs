//! The codec: what differs from those of other APIs.

use serde_json::Value;
use toolwright_core::model::{ModelRequest, Warning};

use super::{generation, reply::Reply, request, settings};
use crate::codec::{
    answer_schema::{AnswerRules, AnswerSupport},
    api::{Api, Replies},
    body_input::BodyInput,
    dialect,
    encode_input::EncodeInput,
    server::Server,
    stream_reader,
};
use crate::profile::{Names, Profile};

/// The fields for the form of the answer, of which the API takes one schema.
const ANSWER_FIELDS: [&str; 3] = ["responseMimeType", "responseSchema", "responseJsonSchema"];

/// The protocol as one server speaks it: what it takes of a schema, and in which field.
///
/// [`default`](Self::default) sends JSON Schema in `parametersJsonSchema`, which Gemini takes from 2.5
/// on, and which the functions of [this module](super) speak. With a [`Profile`](crate::profile::Profile) all tools are sent in
/// the form of that profile, and their arguments come back as the tools take them: with
/// [`Profile::gemini`](crate::profile::Profile::gemini), the subset of `OpenAPI`, they are sent in `parameters`, with any other in
/// `parametersJsonSchema`. The profile alone decides what is strict: what a tool says of it does not
/// count. A tool that the profile refuses is sent in the profile's fallback, or else as it is, and
/// every response says so with the warning `not_in_profile`.
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever dialect has it.
///
/// ```
/// use toolwright::{Toolset, profile::Profile, provider::gemini::Dialect};
///
/// let dialect = Dialect::new(Profile::gemini());
/// assert_eq!(dialect.tools(&Toolset::new()).to_value(), serde_json::json!([]));
/// ```
pub type Dialect = dialect::Dialect<GenerateContent>;

/// Decodes a streamed response, however its bytes are cut.
///
/// Feed it what comes, then [`finish`](crate::provider::DecodeStream::finish) it at the end of the stream: nothing in it says
/// that no more comes.
///
/// ```
/// use toolwright::{ModelResponse, provider::{DecodeStream, gemini::StreamDecoder}};
///
/// let mut events = Vec::new();
/// let mut decoder = StreamDecoder::new();
/// for bytes in [
///     &b"data: {\"candidates\": [{\"content\": {\"parts\": [{\"te"[..],
///     b"xt\": \"Hello\"}]}, \"finishReason\": \"STOP\"}]}\r\n\r\n",
/// ] {
///     decoder.feed(bytes, &mut events)?;
/// }
/// assert!(decoder.is_complete());
/// decoder.finish(&mut events)?;
///
/// let reply: ModelResponse = events.into_iter().collect();
/// assert_eq!(reply.text, "Hello");
/// # Ok::<(), toolwright::ModelError>(())
/// ```
///
/// A whole response, or the list of events that the API sends without `alt=sse`, is understood too, once
/// all of it has come.
pub type StreamDecoder = stream_reader::StreamDecoder<Reply>;

/// The API of one server, which a [`Dialect`] speaks.
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

    fn body(input: BodyInput<'_>) -> Vec<u8> {
        request::body(input)
    }

    fn warnings(&self, request: &ModelRequest, _: &str) -> Vec<Warning> {
        settings::warnings(request)
    }
}
