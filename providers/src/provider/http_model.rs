//! A codec over the transport: what is the same in every provider's model.

mod address;
mod key;
mod learned_capabilities;
mod model;
mod secrets;
mod sending;
mod streaming;
#[cfg(test)]
mod tests;

use std::{env, fmt};

use futures_util::stream;
use toolwright_core::{
    model::{
        ChatModel, ModelCapabilities, ModelError, ModelErrorKind, ModelRequest, ModelResponse,
        ModelStream,
    },
    tool::BoxFuture,
};

use super::{application_error::Failed, http_options::HttpOptions};
use crate::codec::{encode_input::EncodeInput, protocol::Codec, quirks::Owner};
pub use key::ApiKey;
use key::KeySource;
use learned_capabilities::LearnedCapabilities;
pub(super) use model::http_model;
use streaming::Streaming;

/// A model of any [`Codec`], over HTTP.
///
/// It needs a tokio runtime. No request is sent twice: [`ModelError`] says if sending it again is safe.
/// Redirects are not followed. The key never appears in `Debug` or in an error.
///
/// The models beside it, such as [`OpenAiChat`](super::OpenAiChat), hold one with a codec of this crate.
/// With a codec of your own:
///
/// ```no_run
/// use toolwright::provider::{Codec, HttpModel};
///
/// fn model(codec: impl Codec) -> HttpModel<impl Codec> {
///     HttpModel::new(codec, "lantern-2", "the key").with_base_url("https://lantern.example")
/// }
/// ```
#[derive(Clone)]
pub struct HttpModel<C> {
    codec: C,
    model: String,
    key: KeySource,
    base_url: String,
    http: HttpOptions,
    learned_capabilities: LearnedCapabilities,
}

impl<C: Codec> HttpModel<C> {
    /// Creates a model of the server that the codec names, from the model's name and a key. An empty key is
    /// not sent.
    pub fn new(codec: C, model: impl Into<String>, api_key: impl Into<ApiKey>) -> Self {
        Self {
            model: model.into(),
            key: KeySource::Fixed(api_key.into()),
            base_url: codec.base_url().to_owned(),
            http: HttpOptions::new(),
            learned_capabilities: LearnedCapabilities::default(),
            codec,
        }
    }

    /// Creates a model from its name, with the key and, if it is set, the base URL in the environment
    /// variables that the codec names. A server on this machine needs no key.
    ///
    /// # Errors
    ///
    /// Returns `Authentication` if a key is needed and there is none; `InvalidRequest` if there is no base
    /// URL.
    pub fn from_env(codec: C, model: impl Into<String>) -> Result<Self, ModelError> {
        Self::from_variables(codec, model.into(), |name| env::var(name).ok())
    }

    fn from_variables(
        codec: C,
        model: String,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let set = |name: &str| {
            let is_named = !name.is_empty();
            let value = is_named.then(|| variable(name)).flatten();
            value.filter(|value| !value.trim().is_empty())
        };
        let base_url = match set(codec.base_url_variable()) {
            Some(set) => codec.read_base_url(&set)?,
            None => codec.base_url().to_owned(),
        };
        if base_url.is_empty() {
            let message = match codec.base_url_variable() {
                "" => "no base URL".to_owned(),
                name => format!("no base URL: set the environment variable {name}"),
            };
            return Err(ModelError::new(ModelErrorKind::InvalidRequest, message));
        }
        let names = codec.key_variables();
        let api_key = match names.iter().find_map(|name| set(name)) {
            Some(key) => ApiKey::from(key.trim()),
            None if !codec.needs_key() => ApiKey::from(""),
            None if address::is_on_this_machine(&base_url) => ApiKey::from(""),
            None => {
                let names = names.join(" or ");
                let message = format!("no key: set the environment variable {names}");
                return Err(ModelError::new(ModelErrorKind::Authentication, message));
            }
        };
        Ok(Self::new(codec, model, api_key).with_base_url(base_url))
    }

    /// Returns the codec.
    pub fn codec(&self) -> &C {
        &self.codec
    }

    /// Changes the codec, and nothing else.
    pub(super) fn map_codec(mut self, change: impl FnOnce(C) -> C) -> Self {
        self.codec = change(self.codec);
        self
    }

    /// Sets where the API is, up to and without the [path](Codec::path) of the codec. A query is kept.
    pub fn with_base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self.learned_capabilities = self.learned_capabilities.elsewhere();
        self
    }

    /// Sets the key. It replaces an earlier key or key source. An empty key is not sent.
    pub fn with_api_key(mut self, key: impl Into<ApiKey>) -> Self {
        self.key = KeySource::Fixed(key.into());
        self
    }

    /// Sets the source of the key: `source` is called at each request, and replaces an earlier key. It
    /// should cache a key for as long as the key is valid, and then fetch another. Its time is part of the
    /// [total](HttpOptions::with_total_timeout).
    ///
    /// Its error becomes one of the kind `Authentication`, with its message; a [`ModelError`] is returned
    /// unchanged. Its keys are hidden in errors.
    pub fn with_key_source<F, G, K>(mut self, source: F) -> Self
    where
        F: Fn() -> G + Send + Sync + 'static,
        G: Future<Output = Result<K, Failed>> + Send + 'static,
        K: Into<ApiKey>,
    {
        self.key = KeySource::asked(source);
        self
    }

    /// Sets the connections, limits, headers and hooks of requests. They replace all that were set before.
    pub fn with_http(mut self, http: HttpOptions) -> Self {
        self.http = http;
        self
    }

    /// Sets the capabilities of the model. Without this they are those of the codec, and learnt from errors:
    /// after the server has answered that the model supports no tools, the model and its clones report
    /// that.
    pub fn with_capabilities(mut self, capabilities: ModelCapabilities) -> Self {
        self.learned_capabilities = LearnedCapabilities::fixed(capabilities);
        self
    }

    /// Shows what is no secret, under the name of the provider's model.
    pub(super) fn fmt_as(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("model", &self.model)
            .field("base_url", &address::without_secrets(&self.base_url))
            .field("http", &self.http)
            .finish_non_exhaustive()
    }
}

impl<C: Codec> ChatModel for HttpModel<C> {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let streaming = Streaming::new(self, request);
        Box::pin(stream::unfold(streaming, |mut streaming| async {
            let event = streaming.next().await?;
            Some((event, streaming))
        }))
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(self.whole_response(request))
    }

    fn name(&self) -> Option<&str> {
        Some(&self.model)
    }

    fn provider(&self) -> Option<&str> {
        Some(C::PROVIDER)
    }

    fn capabilities(&self) -> ModelCapabilities {
        let assumed = self.codec.capabilities();
        // Other servers of the protocol seldom have what its owner added last. Azure serves it (learn.microsoft.com/azure/
        // foundry/openai/how-to/responses, "Tool search"), for a deployment that is named as its model.
        let host = address::host(&self.base_url);
        let is_own = self.base_url.trim_end_matches('/') == self.codec.base_url()
            || Owner::of(&host) == Owner::OpenAi;
        let tool_search = is_own && self.codec.searches_tools(&self.model);
        let allowed_tools = is_own && self.codec.takes_allowed_tools();
        let assumed = assumed
            .with_tool_search(assumed.tool_search || tool_search)
            .with_allowed_tools(assumed.allowed_tools || allowed_tools);
        self.learned_capabilities.known(assumed)
    }

    fn takes_answer_schema(&self, request: &ModelRequest) -> bool {
        let server = address::host(&self.base_url);
        let input = EncodeInput::new(&self.model, request).with_server(&server);
        self.codec.takes_answer_schema(input)
    }
}

impl<C: Codec> fmt::Debug for HttpModel<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_as("HttpModel", f)
    }
}
