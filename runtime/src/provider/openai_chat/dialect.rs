//! The protocol as one server speaks it.

use std::sync::Arc;

use serde_json::Value;

use super::{
    PROVIDER, StreamDecoder, decode_sent,
    request::Body,
    runnable_calls,
    tools::{Sent, sent, sent_in},
};
use crate::{
    json_text::JsonText,
    model::{ModelError, ModelRequest, ModelResponse},
    profile::Profile,
    tool::{ToolCall, ToolDefinitions},
    toolset::Toolset,
};

/// The protocol as one server speaks it: what it takes of a schema.
///
/// [`default`](Self::default) is that of OpenAI, which the functions of [this module](super) speak. With
/// a [`Profile`] all tools are sent in the form of that profile, and their arguments come back as the
/// tools take them. The profile alone decides what is strict: what a tool says of it does not count. A
/// tool that the profile refuses is sent in the profile's fallback, or else as it is, and every reply
/// says so with the warning `not_in_profile`.
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever dialect has it.
///
/// ```
/// use toolwright_runtime::{Toolset, profile::Profile, provider::openai_chat::Dialect};
///
/// let dialect = Dialect::new(Profile::ollama());
/// assert_eq!(dialect.tools(&Toolset::new()).to_value(), serde_json::json!([]));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Dialect {
    profile: Option<Arc<Profile>>,
}

impl Dialect {
    /// That of a server that takes what a profile says.
    pub fn new(profile: Profile) -> Self {
        Self {
            profile: Some(Arc::new(profile)),
        }
    }

    /// The `tools` of a request, as [`tools`](super::tools) gives them.
    pub fn tools(&self, tools: &Toolset) -> JsonText {
        self.sent(tools.shared_definitions()).json.clone()
    }

    /// The calls of a whole reply to a request with these tools, in order, with the arguments that the
    /// tools take.
    ///
    /// # Errors
    ///
    /// Those of [`calls`](super::calls).
    pub fn calls(&self, tools: &Toolset, reply: &Value) -> Result<Vec<ToolCall>, ModelError> {
        let body = reply.to_string();
        runnable_calls(self.decode(tools.shared_definitions(), body.as_bytes())?)
    }

    /// The body of a request for a whole reply, as [`encode`](super::encode) writes it.
    pub fn encode(&self, model: &str, request: &ModelRequest) -> Vec<u8> {
        self.body(model, request, PROVIDER).into_json()
    }

    /// The body of a request for a streamed reply, as [`encode_stream`](super::encode_stream) writes it.
    pub fn encode_stream(&self, model: &str, request: &ModelRequest) -> Vec<u8> {
        self.body(model, request, PROVIDER).streamed().into_json()
    }

    /// Decodes the body of a whole reply to a request with these tools.
    ///
    /// # Errors
    ///
    /// Those of [`decode`](super::decode).
    pub fn decode(
        &self,
        tools: &ToolDefinitions,
        body: &[u8],
    ) -> Result<ModelResponse, ModelError> {
        decode_sent(self.sent(tools), body)
    }

    /// A decoder of a streamed reply to a request with these tools.
    pub fn stream_decoder(&self, tools: &ToolDefinitions) -> StreamDecoder {
        StreamDecoder::new().with_sent(self.sent(tools))
    }

    /// The body of a request. `provider` names the opaque parts that go along.
    pub(super) fn body<'a>(
        &self,
        model: &'a str,
        request: &'a ModelRequest,
        provider: &str,
    ) -> Body<'a> {
        Body::new(model, request, self.sent(&request.tools), provider)
    }

    fn sent(&self, tools: &ToolDefinitions) -> Arc<Sent> {
        match &self.profile {
            Some(profile) => sent_in(tools, profile),
            None => sent(tools),
        }
    }
}
