//! How many requests of a client are open at once.

use std::{io, mem};

use futures_util::FutureExt as _;
use rmcp::{
    ErrorData, RoleServer,
    model::{ClientNotification, JsonRpcMessage},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::io::{AsyncRead, AsyncWrite};
use toolwright_core::tool::BoxFuture;

use crate::requests::{Requests, answered};

/// The largest number of requests of a client that are open.
const MAX_OPEN: usize = 1_024;

/// A pipe to a client that refuses what is too much. It reads no further until the client has read the refusal.
pub(super) struct Bounded<R: AsyncRead, W: AsyncWrite> {
    pipe: AsyncRwTransport<RoleServer, R, W>,
    requests: Requests,
    refusal: Option<BoxFuture<'static, ()>>,
    /// Set when the others have had their turn since the last message.
    is_turn: bool,
}

impl<R, W> Bounded<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(reader: R, writer: W) -> Self {
        Self {
            pipe: AsyncRwTransport::new(reader, writer),
            requests: Requests::default(),
            refusal: None,
            is_turn: false,
        }
    }

    /// Counts a message. It gives why it is refused.
    fn note(
        &self,
        received: &RxJsonRpcMessage<RoleServer>,
    ) -> Option<TxJsonRpcMessage<RoleServer>> {
        let request = match received {
            JsonRpcMessage::Request(request) => request,
            JsonRpcMessage::Notification(sent) => {
                if let ClientNotification::CancelledNotification(cancelled) = &sent.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // It gets no answer.
                    self.requests.cancel(id);
                }
                return None;
            }
            _ => return None,
        };
        let why = if self.requests.len() >= MAX_OPEN {
            format!("{MAX_OPEN} requests are open already: wait for their answers")
        } else if !self.requests.begin(&request.id) {
            "a request of this id is open already".to_owned()
        } else {
            return None;
        };
        let error = ErrorData::invalid_request(why, None);
        Some(JsonRpcMessage::error(error, Some(request.id.clone())))
    }
}

impl<R, W> Transport<RoleServer> for Bounded<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answered = answered::<RoleServer>(&item);
        let answering = answered.map(|id| self.requests.answer(&id));
        let sending = self.pipe.send(item);
        async move {
            let sent = sending.await;
            drop(answering);
            sent
        }
    }

    /// # Cancel safety
    ///
    /// Dropped, it loses nothing: `rmcp` drops it for whatever happens besides.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(refusal) = &mut self.refusal {
                refusal.await;
                self.refusal = None;
            }
            // Answers come to `send` between two messages: before that, they do not count where their request was cancelled.
            if !mem::replace(&mut self.is_turn, true) {
                tokio::task::yield_now().await;
            }
            let received = self.pipe.receive().await?;
            self.is_turn = false;
            let Some(refusal) = self.note(&received) else {
                return Some(received);
            };
            self.refusal = Some(Box::pin(self.pipe.send(refusal).map(drop)));
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.pipe.close().await
    }
}
