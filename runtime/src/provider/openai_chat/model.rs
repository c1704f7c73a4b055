//! The codec over the transport.

mod address;
mod streaming;

use std::{env, fmt, time::Duration};

use futures_util::stream;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use super::{Dialect, PROVIDER, decode_error};
use crate::{
    message::Part,
    model::{ChatModel, ModelError, ModelErrorKind, ModelRequest, ModelResponse, ModelStream},
    profile::Profile,
    tool::BoxFuture,
    transport::{Reply, Transport},
};
use streaming::Streaming;

/// A model that speaks OpenAI Chat Completions: OpenAI's own, or that of any compatible server.
///
/// It needs a tokio runtime. Nothing is sent twice: [`ModelError`] says whether sending again is
/// safe. Redirects are not followed. The key never stands in `Debug` or in an error.
///
/// ```no_run
/// use toolwright_runtime::{ChatModel, Message, ModelRequest, provider::OpenAiChat};
///
/// # async fn run() -> Result<(), toolwright_runtime::ModelError> {
/// let model = OpenAiChat::from_env("gpt-5.1-mini")?;
/// let local = OpenAiChat::new("qwen3", "").with_base_url("http://localhost:11434/v1");
///
/// let request = ModelRequest::new([Message::user("Hello!")]);
/// println!("{}", local.complete(&request).await?.text);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct OpenAiChat {
    model: String,
    api_key: String,
    base_url: String,
    headers: Vec<(String, String)>,
    dialect: Dialect,
    transport: Transport,
}

const OPENAI: &str = "https://api.openai.com/v1";

impl OpenAiChat {
    /// A model of OpenAI's, by its name and a key. An empty key is not sent.
    pub fn new(model: impl Into<String>, api_key: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            api_key: api_key.into(),
            base_url: OPENAI.to_owned(),
            headers: Vec::new(),
            dialect: Dialect::default(),
            transport: Transport::new(),
        }
    }

    /// A model by its name, with the key in `OPENAI_API_KEY` and, if it is set, the base URL in
    /// `OPENAI_BASE_URL`. A server on this machine needs no key.
    ///
    /// # Errors
    ///
    /// `Authentication`, when a key is needed and there is none.
    pub fn from_env(model: impl Into<String>) -> Result<Self, ModelError> {
        Self::from_variables(model.into(), |name| env::var(name).ok())
    }

    fn from_variables(
        model: String,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let set = |name| variable(name).filter(|value| !value.trim().is_empty());
        let base_url = set("OPENAI_BASE_URL").unwrap_or_else(|| OPENAI.to_owned());
        let api_key = match set("OPENAI_API_KEY") {
            Some(key) => key.trim().to_owned(),
            None if address::is_on_this_machine(&base_url) => String::new(),
            None => {
                let message = "no key: set the environment variable OPENAI_API_KEY";
                return Err(ModelError::new(ModelErrorKind::Authentication, message));
            }
        };
        Ok(Self::new(model, api_key).with_base_url(base_url))
    }

    /// Sets where the API is, up to and without `/chat/completions`. A query is kept.
    pub fn with_base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }

    /// Adds a header to every request, or replaces one that is sent anyway. Values are treated like
    /// the key: they are not shown.
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets what the server takes of a schema, for one that takes another part than OpenAI: how all
    /// tools are sent, and how their arguments come back. See [`Dialect`].
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.dialect = Dialect::new(profile);
        self
    }

    /// Sets how long connecting may take; 10 s by default.
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.transport = self.transport.with_connect_timeout(timeout);
        self
    }

    /// Sets how long the server may be silent, before its reply and within it; 300 s by default.
    /// Replies that are not streamed are silent while the model writes.
    pub fn with_read_timeout(mut self, timeout: Duration) -> Self {
        self.transport = self.transport.with_read_timeout(timeout);
        self
    }

    /// Sets how long a whole reply may take, however much comes of it; an hour by default.
    pub fn with_total_timeout(mut self, timeout: Duration) -> Self {
        self.transport = self.transport.with_total_timeout(timeout);
        self
    }

    /// Sets how long a reply may be, in bytes; 64 MiB by default.
    pub fn with_body_limit(mut self, bytes: usize) -> Self {
        self.transport = self.transport.with_body_limit(bytes);
        self
    }

    /// Sends a body and waits for the head of a reply of success.
    async fn send(&self, body: Vec<u8>) -> Result<Reply, ModelError> {
        let url = address::completions(&self.base_url)?;
        let headers = self.headers()?;
        let reply = self.transport.post(url, headers, body).await?;
        let (status, wait) = (reply.status(), reply.retry_after());
        if (200..300).contains(&status) {
            return Ok(reply);
        }
        Err(decode_error(status, wait, &reply.error_body().await))
    }

    /// What the opaque parts of this server are marked with: many servers speak this protocol, and
    /// one refuses what another has sent.
    fn provider(&self) -> String {
        format!("{PROVIDER}:{}", address::host(&self.base_url))
    }

    async fn whole_reply(&self, request: &ModelRequest) -> Result<ModelResponse, ModelError> {
        let provider = self.provider();
        let body = self.dialect.body(&self.model, request, &provider);
        let body = body.into_json();
        let reply = self.send(body).await?;
        let status = reply.status();
        let body = self.transport.body(reply).await?;
        let decoded = self.dialect.decode(&request.tools, &body);
        let mut response = decoded.map_err(|error| error.with_status(status))?;
        for part in &mut response.parts {
            if let Part::Opaque(opaque) = part {
                opaque.provider.clone_from(&provider);
            }
        }
        Ok(response)
    }

    fn headers(&self) -> Result<HeaderMap, ModelError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if !self.api_key.is_empty() {
            let value = HeaderValue::from_str(&format!("Bearer {}", self.api_key));
            headers.insert(AUTHORIZATION, secret(value.ok(), "the key")?);
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

impl ChatModel for OpenAiChat {
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
        Box::pin(async {
            let result = self.whole_reply(request).await;
            result.map_err(|error| self.hide_secrets(error))
        })
    }
}

impl fmt::Debug for OpenAiChat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("OpenAiChat")
            .field("model", &self.model)
            .field("base_url", &address::without_secrets(&self.base_url))
            .field("headers", &headers)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
