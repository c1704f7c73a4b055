//! The settings of connections and requests, which all models over HTTP share.

mod hook;

use std::{fmt, time::Duration};

use secrecy::SecretString;

use super::application_error::Failed;
use crate::transport::{OutgoingRequest, Transport};
use hook::Hook;

/// The settings of connections and requests: time limits, limits of size, a proxy, headers and hooks. Every model over
/// HTTP takes them: [`HttpModel::with_http`](crate::provider::HttpModel::with_http),
/// [`OpenAiChat::with_http`](crate::provider::OpenAiChat::with_http) and the others.
///
/// Cheap to clone. Models that take clones of one value share its connections, unless a clone changes its time limit
/// for connecting or its proxy.
///
/// ```
/// use std::time::Duration;
/// use toolwright::{Anthropic, OpenAiChat, provider::HttpOptions};
///
/// let http = HttpOptions::new()
///     .with_connect_timeout(Duration::from_secs(3))
///     .with_total_timeout(Duration::from_secs(120))
///     .with_header("x-team", "library");
/// let fast = OpenAiChat::new("gpt-5.1-mini", "a key").with_http(http.clone());
/// let careful = Anthropic::new("claude-sonnet-4-5", "a key").with_http(http);
/// ```
#[derive(Clone)]
pub struct HttpOptions {
    pub(super) transport: Transport,
    pub(super) headers: Vec<(String, SecretString)>,
    pub(super) hooks: Vec<Hook>,
}

impl HttpOptions {
    /// The defaults, with connections of their own.
    pub fn new() -> Self {
        Self {
            transport: Transport::new(),
            headers: Vec::new(),
            hooks: Vec::new(),
        }
    }

    /// Adds a header to every request, or replaces one that is sent anyway. Values are treated like the key: they are
    /// not shown.
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into().into()));
        self
    }

    /// Adds a hook that receives each complete request just before it is sent, and returns it. The hook may sign the
    /// request, set its headers, or only inspect it. Several hooks run in the order in which they were added; their
    /// time is part of the [total](Self::with_total_timeout).
    ///
    /// If it returns an error, the request is not sent. The error becomes one of the kind `InvalidRequest`, with its
    /// message; a [`ModelError`](toolwright_core::ModelError) is returned unchanged. The headers that the hook sets
    /// are hidden in errors.
    ///
    /// ```
    /// use toolwright::provider::HttpOptions;
    ///
    /// # fn signature(_: &str, _: &[u8]) -> String { String::new() }
    /// let http = HttpOptions::new().with_request_hook(async |mut request| {
    ///     let signature = signature(request.url(), request.body());
    ///     request.set_header("x-signature", &signature)?;
    ///     Ok(request)
    /// });
    /// ```
    pub fn with_request_hook<F, G>(mut self, hook: F) -> Self
    where
        F: Fn(OutgoingRequest) -> G + Send + Sync + 'static,
        G: Future<Output = Result<OutgoingRequest, Failed>> + Send + 'static,
    {
        self.hooks.push(Hook::new(hook));
        self
    }

    /// Sends every request through a proxy, also one to this machine: `http://` or `https://`, with user and password
    /// if it needs them, which are not shown. The proxies of the environment are then ignored.
    ///
    /// Without this, and without [`without_proxy`](Self::without_proxy), requests go as the system and the environment
    /// say (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`), and those to this machine go directly. An invalid
    /// address is an error of each request.
    pub fn with_proxy(mut self, url: impl Into<String>) -> Self {
        self.transport = self.transport.with_proxy(url.into().into());
        self
    }

    /// Sends every request directly. Proxies of the system and the environment are ignored.
    pub fn without_proxy(mut self) -> Self {
        self.transport = self.transport.without_proxy();
        self
    }

    /// Sets the time limit for connecting, to the end of the TLS handshake; 10 s by default.
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.transport = self.transport.with_connect_timeout(timeout);
        self
    }

    /// Sets the time limit for the beginning of a response: from the start of the request, connecting included, to the
    /// end of the response's head; 600 s by default. If a response is not streamed, the server sends nothing while the
    /// model writes it.
    pub fn with_first_byte_timeout(mut self, timeout: Duration) -> Self {
        self.transport.first_byte_timeout = timeout;
        self
    }

    /// Sets the longest time without data after a response has begun; 300 s by default.
    pub fn with_idle_timeout(mut self, timeout: Duration) -> Self {
        self.transport.idle_timeout = timeout;
        self
    }

    /// Sets the time limit of a whole request, from the fetching of its key to the end of the response, even if data
    /// keeps coming; an hour by default.
    pub fn with_total_timeout(mut self, timeout: Duration) -> Self {
        self.transport.total_timeout = timeout;
        self
    }

    /// Sets the maximum length of a response in bytes, both as it comes and decompressed; 64 MiB by default.
    pub fn with_body_limit(mut self, bytes: usize) -> Self {
        self.transport.body_limit = bytes;
        self
    }

    /// Sets the maximum length of one event of a streamed response in bytes; 16 MiB by default, enough for an image in
    /// base64.
    pub fn with_event_limit(mut self, bytes: usize) -> Self {
        self.transport.event_limit = bytes;
        self
    }
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for HttpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("HttpOptions")
            .field("headers", &headers)
            .finish_non_exhaustive()
    }
}
