//! One request and its response.

use reqwest::{
    Url,
    header::{ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use toolwright_core::{
    message::{Opaque, Part},
    model::{ModelError, ModelRequest, ModelResponse, Warning},
};

use super::{ApiKey, HttpModel, address, secrets::Secrets};
use crate::{
    codec::{
        encode_input::EncodeInput, error_body, error_response::ErrorResponse, protocol::Codec,
    },
    transport::{self, Deadline, OutgoingRequest, Reply, Transport},
};

impl<C: Codec> HttpModel<C> {
    /// The whole response, unstreamed.
    pub(super) async fn whole_response(
        &self,
        request: &ModelRequest,
    ) -> Result<ModelResponse, ModelError> {
        let mut secrets = Secrets::default();
        let result = self.try_whole_reply(request, &mut secrets).await;
        result.map_err(|error| self.failed(error, secrets))
    }

    async fn try_whole_reply(
        &self,
        request: &ModelRequest,
        secrets: &mut Secrets,
    ) -> Result<ModelResponse, ModelError> {
        let reply = self.send(request, false, secrets).await?;
        let status = reply.status();
        let facts = Self::facts(&reply, secrets);
        let (body, failure) = reply.body().await;
        let decoded = match failure {
            None => self.codec.decode(&request.tools, &body),
            // What the provider reported wins over what the connection did then.
            Some(failure) => Err(self
                .codec
                .reported_error(&body)
                .unwrap_or_else(|| error_body::with_body(failure, &body))),
        };
        let provider = self.provider();
        let mut response = decoded.map_err(|error| {
            let error = error.with_status(status);
            error.with_headers(facts.clone())
        })?;
        if !facts.is_empty() {
            let name = ModelResponse::HEADERS.to_owned();
            response.metadata.insert(name, facts.into());
        }
        for part in response.parts.to_mut() {
            if let Part::Opaque(opaque) = part {
                mark(opaque, &provider);
            }
        }
        let warnings = self.warnings(request);
        response.warnings.splice(0..0, warnings);
        Ok(response)
    }

    /// The warnings about a request to the server of this model.
    pub(super) fn warnings(&self, request: &ModelRequest) -> Vec<Warning> {
        let server = address::host(&self.base_url);
        let input = EncodeInput::new(&self.model, request).with_server(&server);
        self.codec.warnings_at(input)
    }

    /// Sends a request and waits for the head of a response of success.
    pub(super) async fn send(
        &self,
        request: &ModelRequest,
        streamed: bool,
        secrets: &mut Secrets,
    ) -> Result<Reply, ModelError> {
        let codec = &self.codec;
        let path = codec.path(&self.model, streamed);
        let query = codec.query(streamed);
        let url = address::of(&self.base_url, codec.version(), &path, query)?;
        let deadline = self.http.transport.deadline(&url);
        let server = address::host(&self.base_url);
        let mut input = EncodeInput::new(&self.model, request).with_server(&server);
        input.streamed = streamed;
        let body = codec.encode(input)?;
        let request = self.outgoing(url, body, &deadline, secrets).await?;
        let reply = self.http.transport.send(request, deadline).await?;
        let (status, wait) = (reply.status(), reply.retry_after());
        if (200..300).contains(&status) {
            return Ok(reply);
        }
        let (should_retry, headers) = (reply.should_retry(), reply.headers());
        let facts = Self::facts(&reply, secrets);
        let body = reply.error_body().await;
        let refused = ErrorResponse::new(status, &body)
            .with_retry_after(wait)
            .with_headers(&headers);
        let error = codec.decode_error(&refused);
        // The server knows better than any table what it can answer later.
        let retryable = should_retry.unwrap_or(error.retryable);
        Err(error.with_retryable(retryable).with_headers(facts))
    }

    /// The headers of a response that are kept, without secrets.
    pub(super) fn facts(reply: &Reply, secrets: &Secrets) -> Map<String, Value> {
        let mut facts = reply.facts();
        secrets.hide_in(&mut facts);
        facts
    }

    /// The request with its key, as its hooks leave it.
    async fn outgoing(
        &self,
        url: Url,
        body: Vec<u8>,
        deadline: &Deadline,
        secrets: &mut Secrets,
    ) -> Result<OutgoingRequest, ModelError> {
        let key = deadline.end(self.key.key()).await??;
        let headers = self.headers(&key)?;
        secrets.add(key.into_secret());
        self.add_standing(secrets);
        let mut request = self.http.transport.request(url, headers, body)?;
        secrets.add_headers(&request);
        for hook in &self.http.hooks {
            request = deadline.end(hook.pass(request)).await??;
            secrets.add_headers(&request);
        }
        Ok(request)
    }

    /// Returns the name that marks the opaque parts of this server. Several servers have one protocol, and
    /// one refuses the opaque parts of another.
    pub(super) fn provider(&self) -> String {
        format!("{}:{}", C::PROVIDER, address::host(&self.base_url))
    }

    pub(super) fn headers(&self, key: &ApiKey) -> Result<HeaderMap, ModelError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            ACCEPT_ENCODING,
            HeaderValue::from_static(Transport::ENCODINGS),
        );
        for (name, value) in self.codec.headers() {
            let (name, mut value) = transport::header(name, value)?;
            value.set_sensitive(false);
            headers.insert(name, value);
        }
        if !key.text().is_empty() {
            let (name, value) = self.codec.key_header(key.text());
            let value = transport::sensitive(&value, "the key")?;
            headers.insert(transport::header_name(name)?, value);
        }
        for (name, value) in &self.http.headers {
            let (name, value) = transport::header(name, value.expose_secret())?;
            headers.insert(name, value);
        }
        Ok(headers)
    }

    /// Learns of an error what the model cannot do, and takes what must not be shown out of it: that of
    /// its request, and that of all.
    pub(super) fn failed(&self, error: ModelError, mut secrets: Secrets) -> ModelError {
        self.learned_capabilities.learn(&error);
        self.add_standing(&mut secrets);
        secrets.hide(error)
    }

    /// Adds the secrets of every request: those of the address and of the proxy.
    fn add_standing(&self, secrets: &mut Secrets) {
        let in_address = address::secrets(&self.base_url);
        let in_address = in_address.into_iter().map(SecretString::from);
        let all = in_address.chain(self.http.transport.secrets());
        all.for_each(|secret| secrets.add(secret));
    }
}

/// Says which server an opaque part came from.
pub(super) fn mark(opaque: &mut Opaque, provider: &str) {
    provider.clone_into(&mut opaque.provider);
}
