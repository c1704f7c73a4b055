//! Requests that have no answer yet.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use rmcp::{
    model::{CancelledNotification, CancelledNotificationParam, JsonRpcMessage, RequestId},
    service::{Peer, RequestHandle, ServiceRole, TxJsonRpcMessage},
};
use tokio::sync::Notify;
use toolwright_core::driver::Mutex;

/// The requests of the other side that have no answer yet: `rmcp` keeps a task for each, and for each answer that is not read.
#[derive(Clone, Default)]
pub(crate) struct Requests(Arc<Open>);

#[derive(Default)]
struct Open {
    ids: Mutex<HashSet<RequestId>>,
    /// The number of those whose answer is being sent.
    answering: AtomicUsize,
    answered: Notify,
}

impl Requests {
    /// Adds one. It gives `false` if one of this id is open: an answer could not say to which it belongs.
    pub(crate) fn begin(&self, id: &RequestId) -> bool {
        self.0.ids.lock().insert(id.clone())
    }

    /// Removes one that was cancelled. If its answer is being sent, it stays: `rmcp` holds that until it is read.
    pub(crate) fn cancel(&self, id: &RequestId) {
        self.0.ids.lock().remove(id);
        self.0.answered.notify_one();
    }

    /// Counts one as open until its answer is sent.
    pub(crate) fn answer(&self, id: &RequestId) -> Answering {
        let mut ids = self.0.ids.lock();
        ids.remove(id);
        self.0.answering.fetch_add(1, Relaxed);
        Answering(self.clone())
    }

    pub(crate) fn len(&self) -> usize {
        let ids = self.0.ids.lock();
        ids.len() + self.0.answering.load(Relaxed)
    }

    /// Waits until fewer than this number are open.
    pub(crate) async fn below(&self, max: usize) {
        while self.len() >= max {
            self.0.answered.notified().await;
        }
    }
}

/// An answer that is being sent, until it is dropped.
pub(crate) struct Answering(Requests);

impl Drop for Answering {
    fn drop(&mut self) {
        let Requests(open) = &self.0;
        open.answering.fetch_sub(1, Relaxed);
        open.answered.notify_one();
    }
}

/// A request to the other side. Dropped without an answer, because the call was cancelled or is late, it tells the other side.
pub(crate) struct Unanswered<R: ServiceRole>(Option<(Peer<R>, RequestId)>);

impl<R: ServiceRole> Unanswered<R> {
    pub(crate) fn new(handle: &RequestHandle<R>) -> Self {
        Self(Some((handle.peer.clone(), handle.id.clone())))
    }

    /// Nobody waits for an answer any more.
    pub(crate) fn end(mut self) {
        self.0 = None;
    }
}

impl<R: ServiceRole> Drop for Unanswered<R> {
    fn drop(&mut self) {
        let Some((peer, id)) = self.0.take() else {
            return;
        };
        let reason = Some("the call was cancelled".to_owned());
        let params = CancelledNotificationParam::new(Some(id), reason);
        // Dropped by the end of the runtime, there is nobody to send it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let sent = CancelledNotification::new(params);
            runtime.spawn(async move { peer.send_notification(sent.into()).await });
        }
    }
}

/// The request that a message answers.
pub(crate) fn answered<R: ServiceRole>(message: &TxJsonRpcMessage<R>) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Response(answer) => Some(answer.id.clone()),
        JsonRpcMessage::Error(answer) => answer.id.clone(),
        _ => None,
    }
}
