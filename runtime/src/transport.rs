//! The only sockets: one request, one reply, nothing tried again.

use std::{
    error::Error,
    ops::Deref,
    sync::OnceLock,
    time::{Duration, SystemTime},
};

use reqwest::{Client, Url, header::HeaderMap, redirect};

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
    body_limit: usize,
    client: OnceLock<Client>,
}

/// A reply whose body is still to come.
#[derive(Debug)]
pub(crate) struct Reply {
    response: reqwest::Response,
    host: String,
}

/// Of the body of an error no more than this is read.
const ERROR_BODY_BYTES: usize = 64 * 1024;

impl Transport {
    /// The limits: 10 s to connect, 300 s from one byte to the next, 64 MiB for a whole body.
    pub(crate) fn new() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_mins(5),
            body_limit: 64 * 1024 * 1024,
            client: OnceLock::new(),
        }
    }

    /// Sets how long connecting may take.
    pub(crate) fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self.client = OnceLock::new();
        self
    }

    /// Sets how long the server may be silent, before the reply and within it.
    pub(crate) fn with_read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = timeout;
        self.client = OnceLock::new();
        self
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
        let sent = client.post(url).headers(headers).body(body).send().await;
        match sent {
            Ok(response) => Ok(Reply { response, host }),
            Err(error) => Err(failed(error, &host)),
        }
    }

    /// The client, made when it is first needed: making it can fail.
    fn client(&self, on_this_machine: bool) -> Result<&Client, ModelError> {
        if let Some(client) = self.client.get() {
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
        Ok(self.client.get_or_init(|| client))
    }

    /// Reads the whole body of a reply.
    pub(crate) async fn body(&self, mut reply: Reply) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        loop {
            match reply.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() > self.body_limit => {
                    return Err(ModelError::new(
                        ModelErrorKind::MalformedReply,
                        format!("the reply is longer than {} bytes", self.body_limit),
                    ));
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
        let chunk = self.response.chunk().await;
        chunk.map_err(|error| failed(error, &self.host))
    }

    /// The beginning of the body of an error, as far as it comes.
    pub(crate) async fn error_body(mut self) -> Vec<u8> {
        let mut body = Vec::new();
        while body.len() < ERROR_BODY_BYTES
            && let Ok(Some(chunk)) = self.chunk().await
        {
            let room = ERROR_BODY_BYTES - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        }
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
