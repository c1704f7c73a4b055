//! What somebody says to a run that is under way.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use crate::{
    UserMessage,
    run::{RunId, Signal},
    tool::CancellationToken,
};

/// A way to steer a run that is under way, from any task: cheap to clone, and of use for as long as the run goes on.
///
/// [`RunHandle::control`](super::RunHandle::control) gives it.
#[derive(Clone)]
pub struct RunControl {
    id: RunId,
    inbox: Inbox,
    cancellation: CancellationToken,
}

/// The run is over, and hears nothing any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the run is over")]
#[non_exhaustive]
pub struct RunIsOver;

impl RunControl {
    pub(super) fn new(id: RunId, inbox: Inbox, cancellation: CancellationToken) -> Self {
        Self {
            id,
            inbox,
            cancellation,
        }
    }

    /// The run's id.
    pub fn id(&self) -> &RunId {
        &self.id
    }

    /// Says more to the model. It receives the message with the next request: after the results of the round under way.
    /// If it answers meanwhile, it is asked again, and the answer to the message is the answer of the run. A message
    /// that comes too late to be sent is in [`RunOutcome::unread`](crate::RunOutcome::unread).
    ///
    /// # Errors
    ///
    /// When the run is over.
    pub fn push(&self, message: impl Into<UserMessage>) -> Result<(), RunIsOver> {
        self.inbox.put(Signal::MessagePushed(message.into()))
    }

    /// Cancels the run: what runs is stopped, finished work is kept, and every call is answered. The
    /// run then ends with [`Finish::Cancelled`](crate::Finish::Cancelled). A run that is over stays as it is.
    pub fn cancel(&self) {
        self.cancellation.cancel();
    }

    /// Cancels the run when the round under way is over: its calls run to their ends, and nothing more is asked. A
    /// response that is coming is waited for. If that is the answer, the run ends with it.
    ///
    /// # Errors
    ///
    /// When the run is over.
    pub fn cancel_after_round(&self) -> Result<(), RunIsOver> {
        self.inbox.put(Signal::CancelAfterRound)
    }
}

impl fmt::Debug for RunControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunControl")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// The signals on their way to the driver.
#[derive(Clone, Default)]
pub(super) struct Inbox(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    signals: VecDeque<Signal>,
    /// The driver, while it waits for what happens.
    driver: Option<Waker>,
    /// True if the run is over.
    is_closed: bool,
}

/// An inbox that is closed when its run ends or is dropped.
pub(super) struct OpenInbox(pub(super) Inbox);

impl Inbox {
    fn put(&self, signal: Signal) -> Result<(), RunIsOver> {
        let mut waiting = self.lock();
        if waiting.is_closed {
            return Err(RunIsOver);
        }
        waiting.signals.push_back(signal);
        let driver = waiting.driver.take();
        // The lock is free when the driver comes.
        drop(waiting);
        if let Some(driver) = driver {
            driver.wake();
        }
        Ok(())
    }

    /// The oldest signal.
    pub(super) fn take(&self) -> Option<Signal> {
        self.lock().signals.pop_front()
    }

    /// Returns `Ready` if there is a signal. If not, the task is woken when there is one.
    pub(super) fn poll_filled(&self, cx: &Context<'_>) -> Poll<()> {
        let mut waiting = self.lock();
        if !waiting.signals.is_empty() {
            return Poll::Ready(());
        }
        waiting.driver = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Says that the run is over, and gives what came too late.
    pub(super) fn close(&self) -> VecDeque<Signal> {
        let mut waiting = self.lock();
        waiting.is_closed = true;
        std::mem::take(&mut waiting.signals)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing inside the lock leaves the inbox half-changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenInbox {
    fn drop(&mut self) {
        self.0.close();
    }
}
