//! A request that is about to be sent.

use std::fmt;

use reqwest::{
    Request,
    header::{HeaderName, HeaderValue},
};
use toolwright_core::{
    driver::REQUEST_IDS,
    model::{ModelError, ModelErrorKind},
};

/// A request that is about to be sent, for a hook that signs it or inspects it: see `HttpOptions::with_request_hook`
/// of a model.
///
/// Headers that the connection adds later are missing: `host`, `content-length`, `user-agent` and `accept`.
pub struct OutgoingRequest {
    request: Request,
}

impl OutgoingRequest {
    pub(super) fn new(request: Request) -> Self {
        Self { request }
    }

    pub(super) fn into_inner(self) -> Request {
        self.request
    }

    /// Returns the method, `POST`.
    pub fn method(&self) -> &str {
        self.request.method().as_str()
    }

    /// Returns the whole URL, with its query, which may hold a key.
    pub fn url(&self) -> &str {
        self.request.url().as_str()
    }

    /// Returns the headers by their names in lower case, in no order. They include that of the key.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let headers = self.request.headers().iter();
        headers.map(|(name, value)| (name.as_str(), value.as_bytes()))
    }

    /// Returns the value of a header, if the header is present and its value is a string. The case of the
    /// name does not matter.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.request.headers().get(name)?.to_str().ok()
    }

    /// Returns the bytes of the body, as they are sent.
    pub fn body(&self) -> &[u8] {
        let body = self.request.body().and_then(|body| body.as_bytes());
        body.unwrap_or_default()
    }

    /// Sets a header, and replaces any header of that name. Its value is not shown, like the key,
    /// except for a header that names the request, such as `x-request-id`.
    ///
    /// # Errors
    ///
    /// Returns `InvalidRequest` if the name is not valid, or the value holds characters that no header can carry.
    pub fn set_header(&mut self, name: &str, value: &str) -> Result<(), ModelError> {
        let (name, value) = header(name, value)?;
        self.request.headers_mut().insert(name, value);
        Ok(())
    }

    /// The values of headers that must not be shown.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        let values = self.request.headers().values();
        values.filter_map(|value| value.to_str().ok().filter(|_| value.is_sensitive()))
    }
}

/// Shows what is no secret.
impl fmt::Debug for OutgoingRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = self.request.url();
        f.debug_struct("OutgoingRequest")
            .field("method", self.request.method())
            .field("host", &url.host_str())
            .field("path", &url.path())
            .field("headers", self.request.headers())
            .field("body_bytes", &self.body().len())
            .finish()
    }
}

/// A header whose value is not shown, unless it names the request: who chose that name looks for it in what the server
/// sends back.
pub(crate) fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), ModelError> {
    let header = header_name(name)?;
    let mut value = sensitive(value, &format!("the header `{name}`"))?;
    value.set_sensitive(!REQUEST_IDS.contains(&header.as_str()));
    Ok((header, value))
}

/// The name of a header.
pub(crate) fn header_name(name: &str) -> Result<HeaderName, ModelError> {
    HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
        let message = format!("invalid header name `{name}`");
        ModelError::new(ModelErrorKind::InvalidRequest, message)
    })
}

/// The value of a header, which is not shown.
pub(crate) fn sensitive(value: &str, what: &str) -> Result<HeaderValue, ModelError> {
    let mut value = HeaderValue::from_str(value).map_err(|_| {
        let message = format!("{what} has characters that a header cannot contain");
        ModelError::new(ModelErrorKind::InvalidRequest, message)
    })?;
    value.set_sensitive(true);
    Ok(value)
}
