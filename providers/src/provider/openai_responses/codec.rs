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

/// The protocol of one server, with its rules for schemas.
///
/// [`default`](Self::default) is that of OpenAI, which the functions of [this module](super) speak. With
/// a [`Profile`] all tools are sent in the form of that profile, and their arguments come back in
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
#[derive(Debug, Clone, Default)]
pub struct Dialect {
    profile: Option<Arc<Profile>>,
    reasoning_last: bool,
}

impl Dialect {
    /// Creates a dialect for a server that accepts the schemas of a profile.
    pub fn new(profile: Profile) -> Self {
        Self::default().with_profile(profile)
    }

    /// Sends reasoning back at the position where it came, also after a message or a call.
    ///
    /// OpenAI refuses reasoning that nothing follows, so that it is left out unless this is set.
    /// OpenRouter sends that of some vendors' models last, and takes it back so.
    pub fn with_reasoning_last(mut self) -> Self {
        self.reasoning_last = true;
        self
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
        let quirks = Quirks {
            reasoning_last: self.reasoning_last || has_reasoning_last(input.server),
            ..Quirks::NONE
        };
        request::body(BodyInput::new(input, &provider, &tools, &quirks))
    }

    /// The tools of a request, as they are sent.
    fn sent(&self, tools: &ToolDefinitions) -> Arc<ToolList> {
        ToolList::of::<Form>(tools, self.profile.as_deref())
    }
}

/// Returns true if a server sends reasoning after the output that it led to, and accepts it back in that
/// order.
fn has_reasoning_last(server: &str) -> bool {
    let host = server.split(':').next().unwrap_or_default();
    host == "openrouter.ai" || host.ends_with(".openrouter.ai")
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
        "responses".to_owned()
    }

    fn warnings(&self, request: &ModelRequest) -> Vec<Warning> {
        super::warnings(request)
    }

    fn base_url(&self) -> &'static str {
        "https://api.openai.com/v1"
    }

    fn base_url_variable(&self) -> &'static str {
        "OPENAI_BASE_URL"
    }

    fn key_variables(&self) -> Vec<&'static str> {
        vec!["OPENAI_API_KEY"]
    }
}

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
