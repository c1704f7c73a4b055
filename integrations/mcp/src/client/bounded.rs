//! What a server may ask for at once.

use std::error::Error;

use futures_util::TryFutureExt;

use rmcp::{
    RoleClient,
    model::{ClientRequest, JsonRpcMessage, RequestId, ServerNotification},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, streamable_http_client::StreamableHttpError},
};
use toolwright_core::{CancellationToken, tool::BoxFuture};

use super::listener::Listener;
use crate::requests::{self, Requests};

/// A transport that reads no further while too many requests of the server are unanswered. (Lines, events and bodies are
/// bounded by `rmcp`.)
pub(crate) struct Bounded {
    inner: Box<dyn Inner>,
    asked: Requests,
    end: End,
    probe: Probe,
}

/// The question whether the server speaks the newer protocol. `rmcp` waits 10 seconds for the answer, then begins as the older
/// one has it, and takes a late answer for an error: a program that starts slowly gives one.
#[derive(Default)]
struct Probe {
    id: Option<RequestId>,
    is_given_up: bool,
}

impl Probe {
    fn sent(&mut self, item: &Sent) {
        if let JsonRpcMessage::Request(sent) = item {
            match sent.request {
                ClientRequest::DiscoverRequest(_) => self.id = Some(sent.id.clone()),
                ClientRequest::InitializeRequest(_) => self.is_given_up = true,
                _ => {}
            }
        }
    }

    /// Returns true if nobody waits for this answer any more.
    fn is_late(&mut self, received: &Received) -> bool {
        let answered = match received {
            JsonRpcMessage::Response(answer) => Some(&answer.id),
            JsonRpcMessage::Error(answer) => answer.id.as_ref(),
            _ => None,
        };
        let is_its = answered.is_some_and(|answered| self.id.as_ref() == Some(answered));
        if is_its {
            self.id = None;
        }
        is_its && self.is_given_up
    }
}

/// A transport as a value.
trait Inner: Send {
    fn send(&mut self, item: Sent) -> BoxFuture<'static, Result<(), Failed>>;
    fn receive(&mut self) -> BoxFuture<'_, Option<Received>>;
    fn close(&mut self) -> BoxFuture<'_, Result<(), Failed>>;
}

type Sent = TxJsonRpcMessage<RoleClient>;
type Received = RxJsonRpcMessage<RoleClient>;

/// The failure of a transport.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Failed(#[source] Box<dyn Error + Send + Sync>);

impl Failed {
    /// Returns true if the server does not know the session any more.
    fn ends_session(&self) -> bool {
        let error = self.0.downcast_ref::<StreamableHttpError<reqwest::Error>>();
        matches!(error, Some(StreamableHttpError::SessionExpired))
    }
}

impl<T: Transport<RoleClient>> Inner for T {
    fn send(&mut self, item: Sent) -> BoxFuture<'static, Result<(), Failed>> {
        Box::pin(Transport::send(self, item).map_err(|error| Failed(error.into())))
    }

    fn receive(&mut self) -> BoxFuture<'_, Option<Received>> {
        Box::pin(Transport::receive(self))
    }

    fn close(&mut self) -> BoxFuture<'_, Result<(), Failed>> {
        Box::pin(Transport::close(self).map_err(|error| Failed(error.into())))
    }
}

/// The end of a connection.
#[derive(Clone)]
struct End {
    /// Cancelled when the server has gone.
    over: CancellationToken,
    listener: Listener,
}

/// The largest number of requests of a server that are open.
const MAX_ASKED: usize = 64;

impl Bounded {
    pub(crate) fn new(
        inner: impl Transport<RoleClient> + 'static,
        (over, listener): (CancellationToken, Listener),
    ) -> Self {
        Self {
            inner: Box::new(inner),
            asked: Requests::default(),
            end: End { over, listener },
            probe: Probe::default(),
        }
    }
}

impl End {
    fn come(&self) {
        if !self.over.is_cancelled() {
            self.over.cancel();
            // The next one may have other tools.
            self.listener.change();
        }
    }
}

/// Counts what was received. It gives `false` where the connection is at its end.
fn note(asked: &Requests, received: Option<&Received>) -> bool {
    match received {
        Some(JsonRpcMessage::Request(request)) => {
            let is_new = asked.begin(&request.id);
            if !is_new {
                tracing::warn!(id = %request.id, "the server asks twice by one id, and is left");
            }
            return is_new;
        }
        Some(JsonRpcMessage::Notification(sent)) => {
            if let ServerNotification::CancelledNotification(cancelled) = &sent.notification
                && let Some(id) = &cancelled.params.request_id
            {
                // It gets no answer.
                asked.cancel(id);
            }
        }
        _ => {}
    }
    received.is_some()
}

impl Transport<RoleClient> for Bounded {
    type Error = Failed;

    fn send(&mut self, item: Sent) -> impl Future<Output = Result<(), Failed>> + Send + 'static {
        self.probe.sent(&item);
        let answered = requests::answered::<RoleClient>(&item);
        let answering = answered.map(|id| self.asked.answer(&id));
        let end = self.end.clone();
        let sending = self.inner.send(item);
        async move {
            let sent = sending.await;
            if sent.as_ref().is_err_and(Failed::ends_session) {
                end.come();
            }
            drop(answering);
            sent
        }
    }

    async fn receive(&mut self) -> Option<Received> {
        self.asked.below(MAX_ASKED).await;
        loop {
            let received = self.inner.receive().await;
            if !note(&self.asked, received.as_ref()) {
                self.end.come();
                return None;
            }
            if !received.as_ref().is_some_and(|it| self.probe.is_late(it)) {
                return received;
            }
        }
    }

    async fn close(&mut self) -> Result<(), Failed> {
        self.end.come();
        self.inner.close().await
    }
}
