//! One request and its reply.

use std::sync::Arc;

use futures_util::stream;
use reqwest::{
    Url,
    header::{ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use secrecy::{ExposeSecret, SecretString};
use toolwright_runtime::{
    message::{Opaque, Part},
    model::{ModelError, ModelRequest, ModelResponse, ModelStream},
};

use super::{ApiKey, Endpoint, HttpModel, address, secrets::Secrets, streaming::Streaming};
use crate::{
    codec::{
        error_body::{self, decode_error},
        protocol::BodyInput,
        response_reader::{reported_error, whole_reply},
        tool_list::ToolList,
    },
    transport::{self, Deadline, OutgoingRequest, Reply, Transport},
};

impl<P: Endpoint> HttpModel<P> {
    /// The events of a reply as they come.
    pub(in crate::provider) fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let streaming = Streaming::new(self, request);
        Box::pin(stream::unfold(streaming, |mut streaming| async {
            let event = streaming.next().await?;
            Some((event, streaming))
        }))
    }

    /// The whole reply, unstreamed.
    pub(in crate::provider) async fn complete(
        &self,
        request: &ModelRequest,
    ) -> Result<ModelResponse, ModelError> {
        let mut secrets = Secrets::default();
        let result = self.whole_reply(request, &mut secrets).await;
        result.map_err(|error| self.failed(error, secrets))
    }

    async fn whole_reply(
        &self,
        request: &ModelRequest,
        secrets: &mut Secrets,
    ) -> Result<ModelResponse, ModelError> {
        let provider = self.provider();
        let tools = self.tools(request);
        let sent = self.send(request, &tools, &provider, false, secrets);
        let reply = sent.await?;
        let status = reply.status();
        let (body, failure) = reply.body().await;
        let decoded = match failure {
            None => whole_reply::<P::Reply>(tools, &body),
            // What the provider reported wins over what the connection did then.
            Some(failure) => Err(reported_error::<P::Reply>(&body)
                .unwrap_or_else(|| error_body::with_body(failure, &body))),
        };
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
    pub(super) async fn send(
        &self,
        request: &ModelRequest,
        tools: &ToolList,
        provider: &str,
        streamed: bool,
        secrets: &mut Secrets,
    ) -> Result<Reply, ModelError> {
        let path = P::path(&self.model, streamed);
        let url = address::of(&self.base_url, P::VERSION, &path, P::query(streamed))?;
        let deadline = self.transport.deadline(&url);
        let body = P::encode(BodyInput {
            model: &self.model,
            request,
            tools,
            provider,
            quirks: &self.quirks,
            streamed,
        });
        let request = self.outgoing(url, body, &deadline, secrets).await?;
        let reply = self.transport.send(request, deadline).await?;
        let (status, wait) = (reply.status(), reply.retry_after());
        if (200..300).contains(&status) {
            return Ok(reply);
        }
        let should_retry = reply.should_retry();
        let error = decode_error(status, wait, &reply.error_body().await);
        // The server knows better than any table what it can answer later.
        let retryable = should_retry.unwrap_or(error.retryable);
        Err(error.with_retryable(retryable))
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
        let mut request = self.transport.request(url, headers, body)?;
        secrets.add_headers(&request);
        for hook in &self.hooks {
            request = deadline.end(hook.pass(request)).await??;
            secrets.add_headers(&request);
        }
        Ok(request)
    }

    /// The tools of a request, as they are sent.
    pub(super) fn tools(&self, request: &ModelRequest) -> Arc<ToolList> {
        ToolList::of::<P::Form>(&request.tools, self.profile.as_deref())
    }

    /// Returns the name that marks the opaque parts of this server. Several servers have one protocol, and
    /// one refuses the opaque parts of another.
    pub(super) fn provider(&self) -> String {
        format!("{}:{}", P::PROVIDER, address::host(&self.base_url))
    }

    pub(super) fn headers(&self, key: &ApiKey) -> Result<HeaderMap, ModelError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            ACCEPT_ENCODING,
            HeaderValue::from_static(Transport::ENCODINGS),
        );
        for (name, value) in P::headers() {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        if !key.text().is_empty() {
            let (name, value) = (self.key_header)(key.text());
            headers.insert(name, transport::sensitive(&value, "the key")?);
        }
        for (name, value) in &self.headers {
            let (name, value) = transport::header(name, value.expose_secret())?;
            headers.insert(name, value);
        }
        Ok(headers)
    }

    /// Learns of an error what the model cannot do, and takes what must not be shown out of it: that of
    /// its request, and that of all.
    pub(super) fn failed(&self, error: ModelError, mut secrets: Secrets) -> ModelError {
        self.learned_capabilities.learn(&error);
        let in_address = address::secrets(&self.base_url);
        let in_address = in_address.into_iter().map(SecretString::from);
        let all = in_address.chain(self.transport.secrets());
        all.for_each(|secret| secrets.add(secret));
        secrets.hide(error)
    }
}

/// Says which server an opaque part came from.
pub(super) fn mark(opaque: &mut Opaque, provider: &str) {
    provider.clone_into(&mut opaque.provider);
}
