//! The only sockets: one request, one response, nothing tried again.

mod deadline;
mod failure;
mod gzip;
mod outgoing;
mod proxy;
mod reply;
#[cfg(any(feature = "tls-ring", feature = "tls-aws-lc"))]
mod tls;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use reqwest::{Client, Response, Url, header::HeaderMap, redirect};
use secrecy::SecretString;
use tokio::{runtime::Handle, time::timeout};
use toolwright_core::model::{ModelError, ModelErrorKind};

pub(crate) use deadline::Deadline;
pub use outgoing::OutgoingRequest;
pub(crate) use outgoing::{header, header_name, sensitive};
use proxy::Route;
pub(crate) use reply::Reply;
#[cfg(any(feature = "tls-ring", feature = "tls-aws-lc"))]
pub use tls::tls_config;

/// The HTTP client that sends requests. Its clones share its connections.
///
/// Redirects are not followed: the key would go along to whatever host the answer names. Dropping a
/// response, or the future of one, closes its connection; over HTTP/2, its stream.
#[derive(Debug, Clone)]
pub(crate) struct Transport {
    connect_timeout: Duration,
    /// How long the head of the response may take, from when the request is sent.
    pub(crate) first_byte_timeout: Duration,
    /// How long the server may be silent within the body.
    pub(crate) idle_timeout: Duration,
    /// How long all of an exchange may take.
    pub(crate) total_timeout: Duration,
    /// How long a whole body may be, in bytes.
    pub(crate) body_limit: usize,
    /// How long one event of a stream may be, in bytes.
    pub(crate) event_limit: usize,
    route: Route,
    /// The clients, made when they are first needed: one that goes through the proxy of the system,
    /// and one for this machine, which does not.
    clients: Arc<[OnceLock<Client>; 2]>,
}

/// The longest headers of a response over HTTP/2, in bytes.
const HEADER_LIST: u32 = 16 * 1024;

/// The time and the bytes that the end of a body may take, after the last event of its response.
const END_TIME: Duration = Duration::from_secs(1);
const END_BYTES: usize = 64 * 1024;

impl Transport {
    /// The compression that the body of a response may have.
    pub(crate) const ENCODINGS: &'static str = gzip::ENCODING;

    /// The limits: 10 s to connect, 600 s to the head of the response, 300 s from one byte to the next, an
    /// hour and 64 MiB for a whole response, 16 MiB for an event.
    pub(crate) fn new() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            // Responses that are not streamed are silent while the model writes. The providers' own
            // clients wait for 10 minutes too.
            first_byte_timeout: Duration::from_secs(600),
            idle_timeout: Duration::from_secs(300),
            total_timeout: Duration::from_secs(3600),
            body_limit: 64 * 1024 * 1024,
            event_limit: 16 * 1024 * 1024,
            route: Route::System,
            clients: Arc::default(),
        }
    }

    /// Sets how long connecting may take.
    pub(crate) fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self.reconnected()
    }

    /// Sends everything through a proxy.
    pub(crate) fn with_proxy(mut self, url: SecretString) -> Self {
        self.route = Route::Proxy(url);
        self.reconnected()
    }

    /// Sends nothing through a proxy, whatever the system says.
    pub(crate) fn without_proxy(mut self) -> Self {
        self.route = Route::Direct;
        self.reconnected()
    }

    /// The transport with connections of its own: nothing that is known of the others holds for them.
    fn reconnected(self) -> Self {
        Self {
            clients: Arc::default(),
            ..self
        }
    }

    /// Returns the secrets of the route that requests take.
    pub(crate) fn secrets(&self) -> Vec<SecretString> {
        self.route.secrets(self.clients[0].get())
    }

    /// The time of an exchange that begins now.
    pub(crate) fn deadline(&self, url: &Url) -> Deadline {
        Deadline::start(self.total_timeout, url.host_str().unwrap_or_default())
    }

    /// A request of JSON, ready to be looked at and to be sent.
    pub(crate) fn request(
        &self,
        url: Url,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<OutgoingRequest, ModelError> {
        let client = self.client(&url)?;
        let request = client.post(url).headers(headers).body(body).build();
        // The URL was parsed and the headers were made before: nothing is left that is wrong of them.
        let request = request.map_err(failure::not_made)?;
        Ok(OutgoingRequest::new(request))
    }

    /// Sends a request and waits for the head of the response, whatever its status.
    pub(crate) async fn send(
        &self,
        request: OutgoingRequest,
        deadline: Deadline,
    ) -> Result<Reply, ModelError> {
        let wait = self.first_byte_timeout;
        let sent = deadline.within(wait, self.execute(request)).await?;
        let host = deadline.host();
        let Some(sent) = sent else {
            return Err(failure::no_first_byte(host, wait));
        };
        let response = sent?.map_err(|error| failure::on_the_way(error, host, self))?;
        Ok(Reply::new(response, deadline, self))
    }

    /// Sends a request, over a connection that is there if one serves again.
    async fn execute(
        &self,
        request: OutgoingRequest,
    ) -> Result<reqwest::Result<Response>, ModelError> {
        let request = request.into_inner();
        let client = self.client(request.url())?;
        Ok(client.execute(request).await)
    }

    /// Reads the end of a body whose response is over, so that its connection serves again. Nobody waits.
    pub(crate) fn drain(mut reply: Reply) {
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let end = async move {
            let mut left = END_BYTES;
            while let Ok(Some(chunk)) = reply.chunk().await
                && let Some(after) = left.checked_sub(chunk.len())
            {
                left = after;
            }
        };
        runtime.spawn(timeout(END_TIME, end));
    }

    /// The client, made when it is first needed: making it can fail.
    fn client(&self, url: &Url) -> Result<&Client, ModelError> {
        #[cfg(not(any(feature = "tls-ring", feature = "tls-aws-lc")))]
        if url.scheme() == "https" {
            return Err(failure::without_tls());
        }
        let direct = self.route.is_direct(is_loopback(url));
        let slot = &self.clients[usize::from(direct)];
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        let mut builder = Client::builder()
            .connect_timeout(self.connect_timeout)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .http2_max_header_list_size(HEADER_LIST)
            .user_agent(concat!("toolwright/", env!("CARGO_PKG_VERSION")))
            // Responses are decompressed here, under the limit, also where another crate of the program
            // turns on the client's own way.
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate();
        if direct {
            builder = builder.no_proxy();
        } else if let Some(proxy) = self.route.proxy()? {
            builder = builder.proxy(proxy);
        }
        #[cfg(any(feature = "tls-ring", feature = "tls-aws-lc"))]
        let builder = tls::encrypt(builder)?;
        let client = builder.build().map_err(failure::not_made)?;
        Ok(slot.get_or_init(|| client))
    }
}

/// Parses a URL for HTTP. `what` names it in the error.
pub(crate) fn http_url(text: &str, what: &str) -> Result<Url, ModelError> {
    let invalid = |why: &str| {
        let message = format!("{what} is not valid: {why}");
        ModelError::new(ModelErrorKind::InvalidRequest, message)
    };
    let url = Url::parse(text).map_err(|error| invalid(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid("it begins with neither http:// nor https://"));
    }
    Ok(url)
}

/// Returns true if an address is on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// The error of a response that is longer than the limit.
fn too_long(limit: usize) -> ModelError {
    let message = format!("the response is longer than {limit} bytes (`with_body_limit`)");
    // The same request would be answered at the same length.
    ModelError::new(ModelErrorKind::MalformedResponse, message).with_retryable(false)
}
