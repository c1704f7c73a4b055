//! A protocol over the transport: what is the same in every provider's model.

mod address;
mod model;
mod streaming;
#[cfg(test)]
mod tests;

use std::{env, fmt, marker::PhantomData, sync::Arc};

use futures_util::stream;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use crate::{
    message::{Opaque, Part},
    model::{ModelError, ModelErrorKind, ModelRequest, ModelResponse, ModelStream, Warning},
    profile::Profile,
    transport::{Reply, Transport},
    wire::{
        error_body::decode_error,
        protocol::{Asked, Protocol},
        quirks::Quirks,
        reply_reader::whole_reply,
        sent_tools::SentTools,
    },
};
pub(super) use model::remote_model;
use streaming::Streaming;

/// Where a protocol is spoken.
pub(super) trait Endpoint: Protocol + 'static {
    /// The base URL of the provider itself.
    const BASE_URL: &'static str;
    /// The environment variables that hold the key and another base URL.
    const VARIABLES: Variables;
    /// Other environment variables that the key may be in.
    const OTHER_KEYS: &'static [&'static str] = &[];
    /// The version of the API, which stands before the path unless the base URL has one anywhere.
    const VERSION: Option<&'static str> = None;
    /// Whether a server that is not on this machine needs a key.
    const NEEDS_KEY: bool = true;

    /// The base URL that the variable holds.
    fn base_url(set: &str) -> Result<String, ModelError> {
        Ok(set.to_owned())
    }

    /// What follows the base URL. A version that the base URL ends with is not repeated.
    fn path(model: &str, streamed: bool) -> String;

    /// What is asked for in the query.
    fn query(_streamed: bool) -> Option<(&'static str, &'static str)> {
        None
    }

    /// The header that the key goes in.
    fn key_header(key: &str) -> (HeaderName, String);

    /// Other headers of every request.
    fn headers() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// What of a request the provider cannot do, and what is done instead.
    fn warnings(_request: &ModelRequest) -> Vec<Warning> {
        Vec::new()
    }

    /// The same, of a server with quirks.
    fn warnings_of(request: &ModelRequest, _quirks: &Quirks) -> Vec<Warning> {
        Self::warnings(request)
    }
}

/// Where a server is.
#[derive(Debug)]
pub(super) struct Place {
    /// Empty if only its variable can tell.
    pub(super) base_url: &'static str,
    pub(super) variables: Variables,
    /// Whether a server that is not on this machine needs a key.
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
pub(super) struct Remote<P> {
    protocol: PhantomData<fn() -> P>,
    profile: Option<Arc<Profile>>,
    quirks: Quirks,
    key_header: KeyHeader,
    model: String,
    api_key: String,
    base_url: String,
    headers: Vec<(String, String)>,
    transport: Transport,
}

impl<P: Endpoint> Remote<P> {
    pub(super) fn new(model: String, api_key: String) -> Self {
        Self {
            protocol: PhantomData,
            profile: None,
            quirks: Quirks::NONE,
            key_header: P::key_header,
            model,
            api_key,
            base_url: P::BASE_URL.to_owned(),
            headers: Vec::new(),
            transport: Transport::new(),
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
            Some(key) => key.trim().to_owned(),
            None if !needs_key => String::new(),
            None if address::is_on_this_machine(&base_url) => String::new(),
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
        self.base_url = url;
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

    pub(super) fn with_api_key(mut self, key: String) -> Self {
        self.api_key = key;
        self
    }

    pub(super) fn with_header(mut self, name: String, value: String) -> Self {
        self.headers.push((name, value));
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

    /// The events of a reply as they come.
    pub(super) fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let streaming = Streaming::new(self, request);
        Box::pin(stream::unfold(streaming, |mut streaming| async {
            let event = streaming.next().await?;
            Some((event, streaming))
        }))
    }

    /// The whole reply, unstreamed.
    pub(super) async fn complete(
        &self,
        request: &ModelRequest,
    ) -> Result<ModelResponse, ModelError> {
        let result = self.whole_reply(request).await;
        result.map_err(|error| self.hide_secrets(error))
    }

    async fn whole_reply(&self, request: &ModelRequest) -> Result<ModelResponse, ModelError> {
        let provider = self.provider();
        let tools = self.tools(request);
        let reply = self.send(request, &tools, &provider, false).await?;
        let status = reply.status();
        let body = self.transport.body(reply).await?;
        let decoded = whole_reply::<P::Reply>(tools, &body);
        let mut response = decoded.map_err(|error| error.with_status(status))?;
        for part in &mut response.parts {
            if let Part::Opaque(opaque) = part {
                mark(opaque, &provider);
            }
        }
        let warnings = P::warnings_of(request, &self.quirks);
        response.warnings.splice(0..0, warnings);
        Ok(response)
    }

    /// Sends a request and waits for the head of a reply of success.
    async fn send(
        &self,
        request: &ModelRequest,
        tools: &SentTools,
        provider: &str,
        streamed: bool,
    ) -> Result<Reply, ModelError> {
        let path = P::path(&self.model, streamed);
        let url = address::of(&self.base_url, P::VERSION, &path, P::query(streamed))?;
        let headers = self.headers()?;
        let body = P::encode(Asked {
            model: &self.model,
            request,
            tools,
            provider,
            quirks: &self.quirks,
            streamed,
        });
        let reply = self.transport.post(url, headers, body).await?;
        let (status, wait) = (reply.status(), reply.retry_after());
        if (200..300).contains(&status) {
            return Ok(reply);
        }
        Err(decode_error(status, wait, &reply.error_body().await))
    }

    /// The tools of a request, as they are sent.
    fn tools(&self, request: &ModelRequest) -> Arc<SentTools> {
        SentTools::of::<P::Form>(&request.tools, self.profile.as_deref())
    }

    /// What the opaque parts of this server are marked with: several servers speak one protocol, and
    /// one refuses what another has sent.
    fn provider(&self) -> String {
        format!("{}:{}", P::PROVIDER, address::host(&self.base_url))
    }

    fn headers(&self) -> Result<HeaderMap, ModelError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in P::headers() {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        if !self.api_key.is_empty() {
            let (name, value) = (self.key_header)(&self.api_key);
            headers.insert(name, secret(HeaderValue::try_from(value).ok(), "the key")?);
        }
        for (name, value) in &self.headers {
            let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
                let message = format!("`{name}` is no name of a header");
                ModelError::new(ModelErrorKind::InvalidRequest, message)
            })?;
            let value = HeaderValue::from_str(value).ok();
            headers.insert(header, secret(value, &format!("the header `{name}`"))?);
        }
        Ok(headers)
    }

    /// Takes what must not be shown out of an error: servers quote what they were sent.
    fn hide_secrets(&self, error: ModelError) -> ModelError {
        let in_headers = self.headers.iter().map(|(_, value)| value.clone());
        let in_address = address::secrets(&self.base_url);
        let secrets = in_headers.chain(in_address).chain([self.api_key.clone()]);
        secrets
            .filter(|secret| secret.len() >= SHORTEST_SECRET)
            .fold(error, |error, secret| error.without(&secret))
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

/// Says which server an opaque part came from.
fn mark(opaque: &mut Opaque, provider: &str) {
    provider.clone_into(&mut opaque.provider);
}

/// What is shorter is no secret, and stands in many texts by chance.
const SHORTEST_SECRET: usize = 8;

/// A header value that is not shown.
fn secret(value: Option<HeaderValue>, what: &str) -> Result<HeaderValue, ModelError> {
    let Some(mut value) = value else {
        let message = format!("{what} holds characters that no header can carry");
        return Err(ModelError::new(ModelErrorKind::InvalidRequest, message));
    };
    value.set_sensitive(true);
    Ok(value)
}
