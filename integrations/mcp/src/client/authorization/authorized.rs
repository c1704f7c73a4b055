//! The HTTP client of an authorised connection.

use std::{collections::HashMap, io, sync::Arc};

use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use reqwest::Url;
use rmcp::{
    model::{ClientJsonRpcMessage, ClientNotification},
    transport::streamable_http_client::{
        SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
        StreamableHttpResponseLimits,
    },
};

use super::{
    Authorization, AuthorizationError,
    renewal::{Refusal, Tried},
};
use crate::client::asking::Asking;

/// Sends requests with the token of an authorisation. What the server refuses is sent again with another token.
#[derive(Clone)]
pub(crate) struct Authorized {
    http: reqwest::Client,
    authorization: Authorization,
    server: Url,
    asking: Asking,
}

type Failure = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;
type Events = BoxStream<'static, Result<sse_stream::Sse, SseError>>;

impl Authorized {
    pub(crate) fn new(
        http: reqwest::Client,
        authorization: Authorization,
        asking: Asking,
    ) -> Result<Self, AuthorizationError> {
        let server = authorization.server()?;
        Ok(Self {
            http,
            authorization,
            server,
            asking,
        })
    }

    pub(crate) fn address(&self) -> &str {
        self.server.as_str()
    }

    async fn sent<T, F>(
        &self,
        may_ask: bool,
        send: impl Fn(Option<String>) -> F,
    ) -> Result<T, Failure>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let mut tried = Tried::default();
        let mut token = self.authorization.token().await.map_err(failure)?;
        loop {
            let error = match send(token.clone()).await {
                Ok(answer) => {
                    self.authorization.accepted();
                    return Ok(answer);
                }
                Err(error) => error,
            };
            let Some(refusal) = Refusal::of(&error, &self.server) else {
                return Err(error);
            };
            let asking = may_ask.then_some(&self.asking);
            let renewed = self
                .authorization
                .renew(token.as_deref(), &refusal, &mut tried, asking)
                .await;
            token = Some(renewed.map_err(failure)?);
        }
    }
}

/// `rmcp` has no place for an error of ours but this one.
fn failure(error: AuthorizationError) -> Failure {
    StreamableHttpError::Io(io::Error::other(error))
}

/// Whether the message waits for an answer, or begins: a person is not asked for what has a short limit.
fn may_ask(message: &ClientJsonRpcMessage) -> bool {
    match message {
        ClientJsonRpcMessage::Request(_) => true,
        ClientJsonRpcMessage::Notification(sent) => matches!(
            sent.notification,
            ClientNotification::InitializedNotification(_)
        ),
        _ => false,
    }
}

impl StreamableHttpClient for Authorized {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits)
            .await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _token: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        self.sent(may_ask(&message), |token| {
            let (uri, message) = (Arc::clone(&uri), message.clone());
            let (session, headers) = (session.clone(), headers.clone());
            self.http
                .post_message_with_response_limits(uri, message, session, token, headers, limits)
        })
        .await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        _token: Option<String>,
        headers: Headers,
    ) -> Result<(), Failure> {
        self.sent(false, |token| {
            let (uri, session) = (Arc::clone(&uri), Arc::clone(&session));
            self.http
                .delete_session(uri, session, token, headers.clone())
        })
        .await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<Events, Failure> {
        let most = StreamableHttpResponseLimits::default().max_sse_event_size;
        self.get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, most)
            .await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        _token: Option<String>,
        headers: Headers,
        most: usize,
    ) -> Result<Events, Failure> {
        self.sent(false, |token| {
            let (uri, session) = (Arc::clone(&uri), session.clone());
            let (last_event, headers) = (last_event.clone(), headers.clone());
            self.http
                .get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, most)
        })
        .await
    }
}
