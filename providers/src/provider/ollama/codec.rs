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

/// The protocol as one server speaks it: what it takes of a schema.
///
/// [`default`](Self::default) is that of Ollama, which the functions of [this module](super) speak. With
/// a [`Profile`] all tools are sent in the form of that profile, and their arguments come back as the
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

    fn path(&self, _model: &str, _streamed: bool) -> String {
        "api/chat".to_owned()
    }

    fn warnings(&self, request: &ModelRequest) -> Vec<Warning> {
        super::warnings(request)
    }

    fn base_url(&self) -> &'static str {
        "http://127.0.0.1:11434"
    }

    fn base_url_variable(&self) -> &'static str {
        "OLLAMA_HOST"
    }

    #[cfg(feature = "http")]
    fn read_base_url(&self, variable: &str) -> Result<String, ModelError> {
        super::host::base_url(variable)
    }

    fn key_variables(&self) -> Vec<&'static str> {
        vec!["OLLAMA_API_KEY"]
    }

    fn needs_key(&self) -> bool {
        false
    }
}

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
