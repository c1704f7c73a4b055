//! The only sockets: one request, one reply, nothing tried again.

use std::{
    error::Error,
    ops::Deref,
    sync::{Arc, OnceLock},
    time::{Duration, SystemTime},
};

use reqwest::{Client, Url, header::HeaderMap, redirect};
use tokio::time::timeout;

use crate::{
    model::{ModelError, ModelErrorKind},
    wire,
};

/// How requests are sent. The connections are shared by its clones.
///
/// Redirects are not followed: the key would go along to whatever host the answer names. Dropping a
/// reply, or the future of one, closes its connection.
#[derive(Debug, Clone)]
pub(crate) struct Transport {
    connect_timeout: Duration,
    read_timeout: Duration,
    total_timeout: Duration,
    body_limit: usize,
    /// The clients, made when they are first needed: one that goes through the proxy, and one for
    /// this machine, which does not.
    clients: Arc<[OnceLock<Client>; 2]>,
}

/// A reply whose body is still to come.
#[derive(Debug)]
pub(crate) struct Reply {
    response: reqwest::Response,
    host: String,
}

/// Of the body of an error no more than this is read.
const ERROR_BODY_BYTES: usize = 64 * 1024;

/// The body of an error is waited for no longer than this.
const ERROR_BODY_WAIT: Duration = Duration::from_secs(5);

impl Transport {
    /// The limits: 10 s to connect, 300 s from one byte to the next, an hour and 64 MiB for a whole
    /// reply.
    pub(crate) fn new() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_mins(5),
            total_timeout: Duration::from_hours(1),
            body_limit: 64 * 1024 * 1024,
            clients: Arc::default(),
        }
    }

    /// Sets how long connecting may take.
    pub(crate) fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self.clients = Arc::default();
        self
    }

    /// Sets how long the server may be silent, before the reply and within it.
    pub(crate) fn with_read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = timeout;
        self.clients = Arc::default();
        self
    }

    /// Sets how long a whole reply may take.
    pub(crate) fn with_total_timeout(mut self, timeout: Duration) -> Self {
        self.total_timeout = timeout;
        self
    }

    /// The longest body, in bytes.
    pub(crate) fn body_limit(&self) -> usize {
        self.body_limit
    }

    /// Sets how long a whole body may be, in bytes.
    pub(crate) fn with_body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    /// Sends JSON and waits for the head of the reply, whatever its status.
    pub(crate) async fn post(
        &self,
        url: Url,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<Reply, ModelError> {
        let host = url.host_str().unwrap_or_default().to_owned();
        let client = self.client(is_loopback(&url))?;
        let request = client.post(url).headers(headers).body(body);
        let sent = request.timeout(self.total_timeout).send().await;
        match sent {
            Ok(response) => Ok(Reply { response, host }),
            Err(error) => Err(failed(error, &host)),
        }
    }

    /// The client, made when it is first needed: making it can fail.
    fn client(&self, on_this_machine: bool) -> Result<&Client, ModelError> {
        let slot = &self.clients[usize::from(on_this_machine)];
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        let mut builder = Client::builder()
            .connect_timeout(self.connect_timeout)
            .read_timeout(self.read_timeout)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .user_agent(concat!("toolwright/", env!("CARGO_PKG_VERSION")));
        if on_this_machine {
            builder = builder.no_proxy();
        }
        let client = builder
            .build()
            .map_err(|error| failed(error, "this machine"))?;
        Ok(slot.get_or_init(|| client))
    }

    /// The error of a reply that is longer than the limit.
    pub(crate) fn too_long(&self) -> ModelError {
        ModelError::new(
            ModelErrorKind::MalformedReply,
            format!("the reply is longer than {} bytes", self.body_limit),
        )
    }

    /// Reads the whole body of a reply.
    pub(crate) async fn body(&self, mut reply: Reply) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        loop {
            match reply.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() > self.body_limit => {
                    return Err(self.too_long());
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => return Ok(body),
                Err(error) => return Err(error.with_body(&String::from_utf8_lossy(&body))),
            }
        }
    }
}

impl Reply {
    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// How long the headers ask to wait.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let headers = self.response.headers();
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        wire::retry_after(|name| headers.get(name)?.to_str().ok(), now)
    }

    /// The next bytes of the body; `None` at its end.
    pub(crate) async fn chunk(
        &mut self,
    ) -> Result<Option<impl Deref<Target = [u8]> + use<>>, ModelError> {
        self.chunk_within(Duration::MAX).await
    }

    /// The next bytes of the body; `None` at its end, and if nothing comes in time.
    pub(crate) async fn chunk_within(
        &mut self,
        wait: Duration,
    ) -> Result<Option<impl Deref<Target = [u8]> + use<>>, ModelError> {
        match timeout(wait, self.response.chunk()).await {
            Ok(chunk) => chunk.map_err(|error| failed(error, &self.host)),
            Err(_) => Ok(None),
        }
    }

    /// The beginning of the body of an error, as far as it comes in time: the status says most.
    pub(crate) async fn error_body(mut self) -> Vec<u8> {
        let mut body = Vec::new();
        let read = async {
            while body.len() < ERROR_BODY_BYTES
                && let Ok(Some(chunk)) = self.chunk().await
            {
                let room = ERROR_BODY_BYTES - body.len();
                body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            }
        };
        let _ = timeout(ERROR_BODY_WAIT, read).await;
        body
    }
}

/// Whether an address is on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// A failure on the way. Its text names the host and the innermost cause, never the URL, whose query
/// may hold a key.
fn failed(error: reqwest::Error, host: &str) -> ModelError {
    let what = if error.is_builder() {
        let message = format!("the request cannot be made: {}", root_cause(&error));
        return ModelError::new(ModelErrorKind::InvalidRequest, message);
    } else if error.is_connect() && error.is_timeout() {
        "connecting took too long"
    } else if error.is_connect() {
        "connecting failed"
    } else if error.is_timeout() {
        "the server was silent for too long"
    } else if error.is_body() || error.is_decode() {
        "the connection broke off in the middle of the reply"
    } else {
        "the connection broke off before the reply"
    };
    let cause = root_cause(&error.without_url());
    ModelError::new(
        ModelErrorKind::Transport,
        format!("{host}: {what} ({cause})"),
    )
}

fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
