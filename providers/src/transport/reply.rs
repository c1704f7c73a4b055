//! A response whose body is still to come.

use std::{
    io,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use reqwest::{Response, header::CONTENT_ENCODING};
use serde_json::{Map, Value};
use tokio::time::timeout;
use toolwright_core::{driver::REQUEST_IDS, model::ModelError};

use super::{
    Deadline, Transport, failure,
    gzip::{self, Gzip},
    too_long,
};
use crate::wire;

/// A response whose body is still to come.
#[derive(Debug)]
pub(crate) struct Reply {
    response: Response,
    deadline: Deadline,
    idle_timeout: Duration,
    body_limit: usize,
    /// The number of bytes so far, as they came and decompressed.
    came: [usize; 2],
    gzip: Option<Box<Gzip>>,
    /// The compression of the body, if this client cannot read it.
    unreadable: Option<String>,
}

/// Of the body of an error no more than this is read.
const ERROR_BODY_BYTES: usize = 64 * 1024;

/// The body of an error is waited for no longer than this.
const ERROR_BODY_WAIT: Duration = Duration::from_secs(5);

/// The most headers that are kept of a response, and their longest value.
const FACTS: usize = 32;
const FACT_BYTES: usize = 256;

/// Returns true for a header that names a request or tells of a rate limit.
///
/// platform.openai.com/docs/api-reference/debugging-requests, docs.anthropic.com/en/api/rate-limits, and
/// learn.microsoft.com/azure/api-management (`apim-request-id`).
fn is_fact(name: &str) -> bool {
    let limits = [
        "x-ratelimit-",
        "ratelimit-",
        "anthropic-ratelimit-",
        "retry-after",
    ];
    REQUEST_IDS.contains(&name) || limits.iter().any(|start| name.starts_with(start))
}

impl Reply {
    pub(super) fn new(response: Response, deadline: Deadline, transport: &Transport) -> Self {
        let encoding = response.headers().get(CONTENT_ENCODING);
        let encoding = encoding.map(|encoding| String::from_utf8_lossy(encoding.as_bytes()));
        let encoding = encoding.as_deref().map_or("", str::trim);
        let is_gzip = encoding.eq_ignore_ascii_case(gzip::ENCODING);
        let is_readable = is_gzip || matches!(encoding, "" | "identity");
        Self {
            gzip: is_gzip.then(|| Box::new(Gzip::new())),
            unreadable: (!is_readable).then(|| format!("{encoding:.40}")),
            response,
            deadline,
            idle_timeout: transport.idle_timeout,
            body_limit: transport.body_limit,
            came: [0; 2],
        }
    }

    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// Returns the time to wait that the headers ask for.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let headers = self.response.headers();
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        wire::retry_after(|name| headers.get(name)?.to_str().ok(), now)
    }

    /// Returns true or false if the headers say that the request is, or is not, to be sent again.
    pub(crate) fn should_retry(&self) -> Option<bool> {
        let headers = self.response.headers();
        wire::should_retry(|name| headers.get(name)?.to_str().ok())
    }

    /// Returns the names and values of the headers, except for values that are no text.
    pub(crate) fn headers(&self) -> Vec<(String, String)> {
        let headers = self.response.headers().iter();
        let texts = headers.filter_map(|(name, value)| {
            let value = value.to_str().ok()?.to_owned();
            Some((name.as_str().to_owned(), value))
        });
        texts.collect()
    }

    /// Returns the headers that name the request and the rate limits. Others may hold what is nobody else's business,
    /// such as cookies.
    pub(crate) fn facts(&self) -> Map<String, Value> {
        let headers = self.response.headers().iter();
        let facts = headers.filter_map(|(name, value)| {
            let value = value.to_str().ok()?;
            let is_kept = is_fact(name.as_str()) && value.len() <= FACT_BYTES;
            is_kept.then(|| (name.as_str().to_owned(), value.into()))
        });
        facts.take(FACTS).collect()
    }

    /// The next bytes of the body; `None` at its end.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing comes in time, more comes than is allowed, or the body breaks off.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, ModelError> {
        if let Some(encoding) = &self.unreadable {
            let why = format!(
                "it has the encoding `{encoding}`, but `{}` was requested",
                gzip::ENCODING
            );
            return Err(failure::not_compressed(self.deadline.host(), &why));
        }
        loop {
            if let Some(gzip) = &mut self.gzip
                && let Some(piece) = gzip.next().map_err(|error| self.not_compressed(&error))?
            {
                self.count(1, piece.len())?;
                return Ok(Some(Bytes::from(piece)));
            }
            let came = self
                .deadline
                .within(self.idle_timeout, self.response.chunk());
            let Some(came) = came.await? else {
                return Err(failure::idle(self.deadline.host(), self.idle_timeout));
            };
            let came = came.map_err(|error| failure::within(error, self.deadline.host()))?;
            if let Some(came) = &came {
                self.count(0, came.len())?;
            }
            match (came, &mut self.gzip) {
                (Some(came), Some(gzip)) => gzip.feed(came),
                (Some(came), None) => return Ok(Some(came)),
                (None, gzip) => {
                    if let Some(gzip) = gzip
                        && self.came[0] > 0
                    {
                        gzip.finish().map_err(|error| self.not_compressed(&error))?;
                    }
                    return Ok(None);
                }
            }
        }
    }

    /// The whole body, or what came of it before the failure.
    pub(crate) async fn body(mut self) -> (Vec<u8>, Option<ModelError>) {
        let mut body = Vec::new();
        loop {
            match self.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => return (body, None),
                Err(failure) => return (body, Some(failure)),
            }
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

    fn not_compressed(&self, error: &io::Error) -> ModelError {
        failure::not_compressed(self.deadline.host(), &error.to_string())
    }

    /// Counts what came, as it came (0) or decompressed (1): neither may be longer than the limit.
    fn count(&mut self, what: usize, bytes: usize) -> Result<(), ModelError> {
        let came = &mut self.came[what];
        *came = came.saturating_add(bytes);
        if *came > self.body_limit {
            return Err(too_long(self.body_limit));
        }
        Ok(())
    }
}
