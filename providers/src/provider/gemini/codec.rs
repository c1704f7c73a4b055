//! The codec: the protocol of one server.

use std::sync::Arc;

use toolwright_json::JsonText;
use toolwright_runtime::{
    Toolset,
    model::{ModelError, ModelRequest, ModelResponse, Warning},
    tool::ToolDefinitions,
};

use super::{PROVIDER, reply::Reply, request, tools::Form};
use crate::{
    codec::{
        body_input::BodyInput,
        encode_input::EncodeInput,
        protocol::Codec,
        quirks::Quirks,
        response_reader::{reported_error, whole_reply},
        stream_reader,
        tool_list::ToolList,
    },
    profile::Profile,
};

/// The protocol as one server speaks it: what it takes of a schema, and in which field.
///
/// [`default`](Self::default) sends JSON Schema in `parametersJsonSchema`, which Gemini takes from 2.5
/// on, and which the functions of [this module](super) speak. With a [`Profile`] all tools are sent in
/// the form of that profile, and their arguments come back as the tools take them: with
/// [`Profile::gemini`], the subset of `OpenAPI`, they are sent in `parameters`, with any other in
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
#[derive(Debug, Clone, Default)]
pub struct Dialect {
    profile: Option<Arc<Profile>>,
}

impl Dialect {
    /// Creates a dialect for a server that accepts the schemas of a profile.
    pub fn new(profile: Profile) -> Self {
        Self::default().with_profile(profile)
    }

    /// Sets the profile of what the server accepts of a schema.
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = Some(Arc::new(profile));
        self
    }

    /// Returns the `tools` of a request, as [`tools`](super::tools) does.
    pub fn tools(&self, tools: &Toolset) -> JsonText {
        self.sent(tools.shared_definitions()).json.clone()
    }

    /// The body of a request.
    pub(super) fn body(&self, input: EncodeInput<'_>) -> Vec<u8> {
        let provider = input.mark(PROVIDER);
        let tools = self.sent(&input.request.tools);
        request::body(BodyInput::new(input, &provider, &tools, &Quirks::NONE))
    }

    /// The tools of a request, as they are sent.
    fn sent(&self, tools: &ToolDefinitions) -> Arc<ToolList> {
        ToolList::of::<Form>(tools, self.profile.as_deref())
    }
}

impl Codec for Dialect {
    const PROVIDER: &'static str = PROVIDER;

    type Stream = StreamDecoder;

    fn encode(&self, input: EncodeInput<'_>) -> Result<Vec<u8>, ModelError> {
        Ok(self.body(input))
    }

    fn decode(&self, tools: &ToolDefinitions, body: &[u8]) -> Result<ModelResponse, ModelError> {
        whole_reply::<Reply>(self.sent(tools), body)
    }

    fn reported_error(&self, body: &[u8]) -> Option<ModelError> {
        reported_error::<Reply>(body)
    }

    fn stream_decoder(&self, tools: &ToolDefinitions) -> StreamDecoder {
        StreamDecoder::for_tools(self.sent(tools))
    }

    fn path(&self, model: &str, streamed: bool) -> String {
        let folder = if model.contains('/') { "" } else { "models/" };
        let method = if streamed {
            "streamGenerateContent"
        } else {
            "generateContent"
        };
        format!("{folder}{model}:{method}")
    }

    fn warnings(&self, request: &ModelRequest) -> Vec<Warning> {
        super::warnings(request)
    }

    fn base_url(&self) -> &'static str {
        "https://generativelanguage.googleapis.com/v1beta"
    }

    fn base_url_variable(&self) -> &'static str {
        "GEMINI_BASE_URL"
    }

    fn key_variables(&self) -> Vec<&'static str> {
        vec!["GEMINI_API_KEY", "GOOGLE_API_KEY"]
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-goog-api-key", key.to_owned())
    }

    fn version(&self) -> Option<&'static str> {
        Some("v1beta")
    }

    fn query(&self, streamed: bool) -> Option<(&'static str, &'static str)> {
        // Without it a stream is one list, of which nobody can read the beginning.
        streamed.then_some(("alt", "sse"))
    }
}

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
