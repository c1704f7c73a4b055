//! What a server may ask for at once.

use std::{collections::HashSet, error::Error, sync::Arc};

use futures_util::TryFutureExt;

use rmcp::{
    RoleClient,
    model::{JsonRpcMessage, RequestId, ServerNotification},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, streamable_http_client::StreamableHttpError},
};
use tokio::sync::Notify;
use toolwright_core::{CancellationToken, driver::Mutex, tool::BoxFuture};

use super::listener::Listener;

/// A transport that reads no further while too many requests of the server are unanswered: `rmcp` keeps a task for each,
/// and for each answer that the server does not read. (Lines, events and bodies are bounded by `rmcp`.)
pub(crate) struct Bounded {
    inner: Box<dyn Inner>,
    asked: Arc<Asked>,
    end: End,
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

#[derive(Default)]
struct Asked {
    open: Mutex<HashSet<RequestId>>,
    answered: Notify,
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
            asked: Arc::default(),
            end: End { over, listener },
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

impl Asked {
    /// Counts what was received. It gives `false` where the connection is at its end.
    fn note(&self, received: Option<&Received>) -> bool {
        match received {
            Some(JsonRpcMessage::Request(request)) => {
                let is_new = self.open.lock().insert(request.id.clone());
                if !is_new {
                    // An answer could not say to which it belongs.
                    tracing::warn!(id = %request.id, "the server asks twice by one id, and is left");
                }
                return is_new;
            }
            Some(JsonRpcMessage::Notification(sent)) => {
                if let ServerNotification::CancelledNotification(cancelled) = &sent.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // It gets no answer.
                    self.end(id);
                }
            }
            _ => {}
        }
        received.is_some()
    }

    fn end(&self, id: &RequestId) {
        self.open.lock().remove(id);
        self.answered.notify_one();
    }

    /// Waits until there is room.
    async fn room(&self) {
        while self.open.lock().len() >= MAX_ASKED {
            self.answered.notified().await;
        }
    }
}

impl Transport<RoleClient> for Bounded {
    type Error = Failed;

    fn send(&mut self, item: Sent) -> impl Future<Output = Result<(), Failed>> + Send + 'static {
        let answers = match &item {
            JsonRpcMessage::Response(answer) => Some(answer.id.clone()),
            JsonRpcMessage::Error(answer) => answer.id.clone(),
            _ => None,
        };
        let (asked, end) = (Arc::clone(&self.asked), self.end.clone());
        let sending = self.inner.send(item);
        async move {
            let sent = sending.await;
            if sent.as_ref().is_err_and(Failed::ends_session) {
                end.come();
            }
            if let Some(id) = answers {
                asked.end(&id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<Received> {
        self.asked.room().await;
        let received = self.inner.receive().await;
        if !self.asked.note(received.as_ref()) {
            self.end.come();
            return None;
        }
        received
    }

    async fn close(&mut self) -> Result<(), Failed> {
        self.end.come();
        self.inner.close().await
    }
}
