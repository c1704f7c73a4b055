//! A protocol over the transport: what is the same in every provider's model.

mod address;
mod hook;
mod key;
mod learned_capabilities;
mod model;
mod secrets;
mod sending;
mod streaming;
#[cfg(test)]
mod tests;

use std::{env, fmt, marker::PhantomData, sync::Arc};

use reqwest::header::HeaderName;
use secrecy::SecretString;
use toolwright_runtime::model::{
    ModelCapabilities, ModelError, ModelErrorKind, ModelRequest, Warning,
};

use crate::{
    codec::{protocol::Protocol, quirks::Quirks},
    profile::Profile,
    transport::{OutgoingRequest, Transport},
};
use hook::Hook;
pub use key::ApiKey;
use key::{Failed, KeySource};
use learned_capabilities::LearnedCapabilities;
pub(super) use model::http_model;

/// The addresses and headers of a protocol.
pub(super) trait Endpoint: Protocol + 'static {
    /// The base URL of the provider itself.
    const BASE_URL: &'static str;
    /// The environment variables that hold the key and another base URL.
    const VARIABLES: Variables;
    /// Other environment variables that the key may be in.
    const OTHER_KEYS: &'static [&'static str] = &[];
    /// The version of the API, which stands before the path unless the base URL has one anywhere.
    const VERSION: Option<&'static str> = None;
    /// True if a server that is not on this machine needs a key.
    const NEEDS_KEY: bool = true;

    /// The base URL that the variable holds.
    fn base_url(set: &str) -> Result<String, ModelError> {
        Ok(set.to_owned())
    }

    /// Returns the path after the base URL. A version that the base URL ends with is not repeated.
    fn path(model: &str, streamed: bool) -> String;

    /// Returns the query of the URL.
    fn query(_streamed: bool) -> Option<(&'static str, &'static str)> {
        None
    }

    /// The header that the key goes in.
    fn key_header(key: &str) -> (HeaderName, String);

    /// Other headers of every request.
    fn headers() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns true if the server at a base URL sends reasoning after the output that it led to, and accepts
    /// it back in that order.
    fn has_reasoning_last(_base_url: &str) -> bool {
        false
    }

    /// Returns warnings about the parts of a request that the provider does not support, and about what is
    /// done instead.
    fn warnings(_request: &ModelRequest) -> Vec<Warning> {
        Vec::new()
    }

    /// Returns the warnings for a server with quirks.
    fn warnings_of(request: &ModelRequest, _quirks: &Quirks) -> Vec<Warning> {
        Self::warnings(request)
    }
}

/// The location of a server.
#[derive(Debug)]
pub(super) struct Place {
    /// Empty if only its variable can tell.
    pub(super) base_url: &'static str,
    pub(super) variables: Variables,
    /// True if a server that is not on this machine needs a key.
    pub(super) needs_key: bool,
}

/// The header that a key goes in.
type KeyHeader = fn(&str) -> (HeaderName, String);

/// The environment variables of a provider.
#[derive(Debug)]
pub(super) struct Variables {
    pub(super) key: &'static str,
    pub(super) base_url: &'static str,
}

/// A protocol over the transport.
#[derive(Clone)]
pub(super) struct HttpModel<P> {
    protocol: PhantomData<fn() -> P>,
    profile: Option<Arc<Profile>>,
    quirks: Quirks,
    key_header: KeyHeader,
    model: String,
    key: KeySource,
    base_url: String,
    headers: Vec<(String, SecretString)>,
    hooks: Vec<Hook>,
    transport: Transport,
    learned_capabilities: LearnedCapabilities,
}

impl<P: Endpoint> HttpModel<P> {
    pub(super) fn new(model: String, api_key: ApiKey) -> Self {
        Self {
            protocol: PhantomData,
            profile: None,
            quirks: Quirks::NONE,
            key_header: P::key_header,
            model,
            key: KeySource::Fixed(api_key),
            base_url: P::BASE_URL.to_owned(),
            headers: Vec::new(),
            hooks: Vec::new(),
            transport: Transport::new(),
            learned_capabilities: LearnedCapabilities::default(),
        }
    }

    pub(super) fn from_env(model: String) -> Result<Self, ModelError> {
        let place = Place {
            base_url: P::BASE_URL,
            variables: P::VARIABLES,
            needs_key: P::NEEDS_KEY,
        };
        Self::from_place(model, &place)
    }

    pub(super) fn from_place(model: String, place: &Place) -> Result<Self, ModelError> {
        Self::from_variables(model, place, |name| env::var(name).ok())
    }

    fn from_variables(
        model: String,
        place: &Place,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let Place {
            base_url,
            variables,
            needs_key,
        } = place;
        let set = |name| variable(name).filter(|value| !value.trim().is_empty());
        let base_url = match set(variables.base_url) {
            Some(set) => P::base_url(&set)?,
            None if base_url.is_empty() => {
                let name = variables.base_url;
                let message = format!("no base URL: set the environment variable {name}");
                return Err(ModelError::new(ModelErrorKind::InvalidRequest, message));
            }
            None => (*base_url).to_owned(),
        };
        let names = [variables.key]
            .into_iter()
            .chain(P::OTHER_KEYS.iter().copied());
        let api_key = match names.clone().find_map(set) {
            Some(key) => ApiKey::from(key.trim()),
            None if !needs_key => ApiKey::from(""),
            None if address::is_on_this_machine(&base_url) => ApiKey::from(""),
            None => {
                let names: Vec<_> = names.collect();
                let names = names.join(" or ");
                let message = format!("no key: set the environment variable {names}");
                return Err(ModelError::new(ModelErrorKind::Authentication, message));
            }
        };
        Ok(Self::new(model, api_key).with_base_url(base_url))
    }

    pub(super) fn with_base_url(mut self, url: String) -> Self {
        self.quirks.reasoning_last |= P::has_reasoning_last(&url);
        self.base_url = url;
        self.learned_capabilities = self.learned_capabilities.elsewhere();
        self
    }

    /// Sends reasoning back where it came, after a message or a call as well.
    pub(super) fn with_reasoning_last(mut self) -> Self {
        self.quirks.reasoning_last = true;
        self
    }

    /// Speaks as a server does that has quirks.
    pub(super) fn with_quirks(
        mut self,
        quirks: Quirks,
        profile: Option<Profile>,
        key_header: KeyHeader,
    ) -> Self {
        self.quirks = quirks;
        self.profile = profile.map(Arc::new);
        self.key_header = key_header;
        self
    }

    pub(super) fn with_api_key(mut self, key: ApiKey) -> Self {
        self.key = KeySource::Fixed(key);
        self
    }

    pub(super) fn with_key_source<F, G, K>(mut self, source: F) -> Self
    where
        F: Fn() -> G + Send + Sync + 'static,
        G: Future<Output = Result<K, Failed>> + Send + 'static,
        K: Into<ApiKey>,
    {
        self.key = KeySource::asked(source);
        self
    }

    pub(super) fn with_header(mut self, name: String, value: String) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(super) fn with_request_hook<F, G>(mut self, hook: F) -> Self
    where
        F: Fn(OutgoingRequest) -> G + Send + Sync + 'static,
        G: Future<Output = Result<OutgoingRequest, Failed>> + Send + 'static,
    {
        self.hooks.push(Hook::new(hook));
        self
    }

    pub(super) fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = Some(Arc::new(profile));
        self
    }

    pub(super) fn with_transport(mut self, change: impl FnOnce(Transport) -> Transport) -> Self {
        self.transport = change(self.transport);
        self
    }

    pub(super) fn with_capabilities(mut self, capabilities: ModelCapabilities) -> Self {
        self.learned_capabilities = LearnedCapabilities::fixed(capabilities);
        self
    }

    /// Returns the capabilities of the model, as far as they are known.
    pub(super) fn capabilities(&self) -> ModelCapabilities {
        self.learned_capabilities.known()
    }

    /// Shows what is no secret, under the name of the provider's model.
    pub(super) fn fmt_as(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct(name)
            .field("model", &self.model)
            .field("base_url", &address::without_secrets(&self.base_url))
            .field("headers", &headers)
            .finish_non_exhaustive()
    }
}
