//! The codecs of this crate: the part that all APIs share.

use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{
    Toolset,
    model::{ModelError, ModelErrorKind, ModelRequest, ModelResponse, Warning},
    tool::{ToolCall, ToolDefinition, ToolDefinitions, ToolResult},
};
use toolwright_json::JsonText;

use super::{
    answer_schema::SentAnswer,
    api::Api,
    body_input::BodyInput,
    encode_input::EncodeInput,
    protocol::Codec,
    quirks::{Quirks, is_claude},
    response_reader::{reported_error, whole_response},
    stream_reader::StreamDecoder,
    tool_list::{ToolList, lost_grammars},
};
use crate::profile::Profile;

/// A protocol as one server speaks it, with its rules for schemas: a codec of this crate.
///
/// Each codec is one by a name of its own, such as [`OpenAiChatCodec`](crate::provider::OpenAiChatCodec).
///
/// With a [`Profile`] all tools are sent in the form of that profile, and their arguments come back in the form of the
/// tools. The profile alone decides which tools are strict: the setting of a tool does not count. A tool that the
/// profile refuses is sent in the profile's fallback, or else unchanged, and every response has the warning
/// `not_in_profile`.
///
/// ```
/// use toolwright::{profile::Profile, provider::OllamaCodec};
///
/// let codec = OllamaCodec::new().with_profile(Profile::portable());
/// ```
///
/// Cheap to clone. Tools are rendered once for a set and a profile, whichever codec has it.
#[derive(Debug, Clone, Default)]
pub struct Dialect<A> {
    pub(crate) profile: Option<Arc<Profile>>,
    pub(crate) api: A,
}

#[expect(private_bounds, reason = "only the APIs of this crate have a dialect")]
impl<A: Api> Dialect<A> {
    /// Creates the codec of the vendor's own server.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the profile of what the server accepts of a schema.
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = Some(Arc::new(profile));
        self
    }

    /// The body of a request.
    pub(crate) fn body(&self, input: EncodeInput<'_>) -> Vec<u8> {
        let provider = input.mark(A::NAME);
        let quirks = self.quirks(input);
        // Beside tools of its own OpenAI takes no list of allowed ones (github.com/openai/openai-python/issues/2537).
        let settings = &input.request.settings;
        let is_told = quirks.takes_allowed_tools()
            && settings.provider_tools.is_empty()
            && !settings.extra.contains_key("tools");
        let narrowed = narrowed(input.request).filter(|_| !is_told);
        let request = narrowed.as_ref().unwrap_or(input.request);
        let tools = self.sent_to(&request.tools, &quirks);
        let (answer, _) = self.answer(input.model, request);
        A::body(BodyInput {
            model: input.model,
            request,
            tools: &tools,
            answer: answer.as_ref(),
            provider: &provider,
            quirks: &quirks,
            streamed: input.streamed,
        })
    }

    fn quirks(&self, input: EncodeInput<'_>) -> Quirks {
        self.api.quirks(input.server).of_model(input.model)
    }

    /// The schema of the answer to a request, as it is sent, and a warning if that is less than is asked for.
    fn answer<'r>(
        &self,
        model: &str,
        request: &'r ModelRequest,
    ) -> (Option<SentAnswer<'r>>, Option<Warning>) {
        SentAnswer::of(request, || {
            self.api.answer_rules(model, self.profile.as_deref())
        })
    }

    /// The tools of a request, as they are sent to any server.
    fn sent(&self, tools: &ToolDefinitions) -> Arc<ToolList> {
        ToolList::of::<A>(tools, self.profile.as_deref(), false)
    }

    /// The tools of a request, as they are sent to a server.
    fn sent_to(&self, tools: &ToolDefinitions, quirks: &Quirks) -> Arc<ToolList> {
        ToolList::of::<A>(tools, self.profile.as_deref(), quirks.has_custom_tools())
    }
}

/// Returns the reason why a request is refused whose extra fields would replace its conversation.
fn own_messages<A: Api>(request: &ModelRequest) -> Option<String> {
    let is_set = request.settings.extra.contains_key(A::MESSAGES);
    is_set.then(|| {
        let name = A::MESSAGES;
        format!("the extra field `{name}` would replace the conversation; leave it out, and put its messages into the request")
    })
}

/// The request with the tools alone that may be called; `None` if those are all.
fn narrowed(request: &ModelRequest) -> Option<ModelRequest> {
    let allowed = request.allowed_tools.as_ref()?;
    let is_allowed = |tool: &&ToolDefinition| allowed.iter().any(|name| *name == tool.name);
    let mut narrowed = request.clone();
    narrowed.tools = request.tools.iter().filter(is_allowed).cloned().collect();
    narrowed.allowed_tools = None;
    Some(narrowed)
}

impl<A: Api> Codec for Dialect<A> {
    const PROVIDER: &'static str = A::NAME;

    type Stream = StreamDecoder<A::Reply>;

    fn encode(&self, input: EncodeInput<'_>) -> Result<Vec<u8>, ModelError> {
        let why = own_messages::<A>(input.request).or_else(|| A::refuses(input));
        match why {
            Some(why) => Err(ModelError::new(ModelErrorKind::InvalidRequest, why)),
            None => Ok(self.body(input)),
        }
    }

    fn stream_decoder(&self, tools: &ToolDefinitions) -> Self::Stream {
        StreamDecoder::for_tools(self.sent(tools))
    }

    fn path(&self, model: &str, streamed: bool) -> String {
        A::path(model, streamed)
    }

    fn decode(&self, tools: &ToolDefinitions, body: &[u8]) -> Result<ModelResponse, ModelError> {
        whole_response::<A::Reply>(self.sent(tools), body)
    }

    fn tools(&self, tools: &Toolset) -> JsonText {
        self.sent(tools.shared_definitions()).json.clone()
    }

    fn results(&self, calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value> {
        A::results(calls, results)
    }

    fn reported_error(&self, body: &[u8]) -> Option<ModelError> {
        reported_error::<A::Reply>(body)
    }

    fn warnings(&self, request: &ModelRequest) -> Vec<Warning> {
        self.warnings_at(EncodeInput::new("", request))
    }

    fn warnings_at(&self, input: EncodeInput<'_>) -> Vec<Warning> {
        let request = input.request;
        let mut warnings = self.api.warnings(input);
        warnings.extend(self.answer(input.model, request).1);
        if request.settings.prompt_caching.is_some()
            && !A::CACHES_ON_REQUEST
            && is_claude(input.model)
            && !(self.quirks(input).takes_cache_mark)(input.model)
        {
            let message = format!(
                "`prompt_caching` is not sent by {}: the prompt is cached only if the server does so by itself, or if \
                 `extra` says so in its words",
                A::NAME
            );
            warnings.push(Warning::new("prompt_caching_ignored", message));
        }
        if !self.quirks(input).has_custom_tools() || self.profile.is_some() {
            warnings.extend(lost_grammars(&request.tools));
        }
        warnings
    }

    fn takes_answer_schema(&self, input: EncodeInput<'_>) -> bool {
        self.answer(input.model, input.request).0.is_some()
    }

    fn searches_tools(&self, model: &str) -> bool {
        A::searches_tools(model)
    }

    fn takes_allowed_tools(&self) -> bool {
        A::TAKES_ALLOWED_TOOLS
    }

    fn base_url(&self) -> &'static str {
        self.api.server().base_url
    }

    fn base_url_variable(&self) -> &'static str {
        self.api.server().base_url_variable
    }

    fn read_base_url(&self, variable: &str) -> Result<String, ModelError> {
        (self.api.server().read_base_url)(variable)
    }

    fn key_variables(&self) -> Vec<&'static str> {
        self.api.server().key_variables.to_vec()
    }

    fn needs_key(&self) -> bool {
        self.api.server().needs_key
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        match self.api.server().key_header {
            Some(header) => (header, key.to_owned()),
            None => ("authorization", format!("Bearer {key}")),
        }
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        self.api.server().headers
    }

    fn version(&self) -> Option<&'static str> {
        self.api.server().version
    }

    fn query(&self, streamed: bool) -> Option<(&'static str, &'static str)> {
        self.api.server().stream_query.filter(|_| streamed)
    }
}
