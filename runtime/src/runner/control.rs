//! Controls a run that is in progress.

use std::{
    collections::{BTreeMap, VecDeque, btree_map::Entry},
    fmt,
    sync::{Arc, MutexGuard},
    task::{Context, Poll, Waker},
};

use toolwright_core::{
    ToolError, UserMessage,
    driver::Mutex,
    run::{CallId, PendingCall, Resolution, RunId},
    tool::{CancellationToken, Decision, ToolOutput},
};

use crate::store::{InboxContent, InboxItem};

/// Controls a running run from any task. Cheap to clone.
///
/// [`RunHandle::control`](super::RunHandle::control) returns it.
#[derive(Clone)]
pub struct RunControl {
    id: RunId,
    inbox: Inbox,
    cancellation: CancellationToken,
}

/// The run is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the run is over")]
#[non_exhaustive]
pub struct RunIsOver;

/// A call waits for no decision, or for no answer, or not for this one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("call {call} does not wait for this: {}", unfit.as_deref().unwrap_or(DECIDED))]
#[non_exhaustive]
pub struct NotWaiting {
    /// The id of the call.
    pub call: CallId,
    /// The place and the reason why the answer to its question does not fit. The call still waits.
    pub unfit: Option<String>,
}

const DECIDED: &str = "it was decided already, or the run no longer waits";

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

    /// Sends the model a message with the next request, after the results of the current round. If the model answers
    /// before that, it is asked again, and the answer to the message is the answer of the run. A message that is too
    /// late to be sent is in [`RunOutcome::unread`](toolwright_core::RunOutcome::unread).
    ///
    /// # Errors
    ///
    /// When the run is over.
    pub fn push(&self, message: impl Into<UserMessage>) -> Result<(), RunIsOver> {
        self.inbox.say(InboxContent::Message(message.into()))
    }

    /// Cancels the run: running work is stopped, finished work stays in the outcome, and every call gets a result. The
    /// run then ends with [`Finish::Cancelled`](toolwright_core::Finish::Cancelled). A run that is over stays as it is.
    /// If the run is just being suspended, or its store does not answer, the cancel goes to its inbox if possible, and
    /// takes effect when the run is resumed.
    pub fn cancel(&self) {
        self.cancellation.cancel();
    }

    /// Cancels the run after the current round: its calls run to their ends, and no other request is sent. A response
    /// that has begun is awaited. If it is the answer, the run ends with it.
    ///
    /// # Errors
    ///
    /// When the run is over.
    pub fn cancel_after_round(&self) -> Result<(), RunIsOver> {
        self.inbox.say(InboxContent::CancelAfterRound)
    }

    /// Approves a call that waits, of a run that [suspends](super::RunnerBuilder::suspend_after): it runs.
    ///
    /// # Errors
    ///
    /// When the call does not wait for an approval: it was decided about already, or the run was suspended or is over.
    pub fn approve(&self, call: CallId) -> Result<(), NotWaiting> {
        self.decide(call, Decision::Approve)
    }

    /// Denies a call that waits: it does not run, and the model receives the reason.
    ///
    /// # Errors
    ///
    /// As [`approve`](Self::approve).
    pub fn deny(&self, call: CallId, reason: impl Into<String>) -> Result<(), NotWaiting> {
        self.decide(call, Decision::deny(reason))
    }

    /// Decides about a call that waits, or answers its [question](toolwright_core::ToolContext::ask): the arguments of
    /// [`Decision::ApproveWith`] are the filled form then.
    ///
    /// # Errors
    ///
    /// As [`approve`](Self::approve), and when an answer does not [fit](NotWaiting::unfit): the call waits on then.
    pub fn decide(&self, call: CallId, decision: Decision) -> Result<(), NotWaiting> {
        let said = |pending: &PendingCall| pending.decide(decision);
        self.inbox.resolve(call, PendingCall::awaits_decision, said)
    }

    /// Answers a call of an [external](toolwright_core::ToolPolicy::external) tool: its result, or the error that the model
    /// receives.
    ///
    /// # Errors
    ///
    /// When the call does not wait for an answer: it has one already, or the run was suspended or is over.
    pub fn answer_call(
        &self,
        call: CallId,
        outcome: Result<ToolOutput, ToolError>,
    ) -> Result<(), NotWaiting> {
        let said = |pending: &PendingCall| pending.resolve_with(outcome);
        let is_answered = |pending: &PendingCall| !pending.awaits_decision();
        self.inbox.resolve(call, is_answered, said)
    }
}

impl RunControl {
    /// Returns the control of a [sub-agent](super::SubAgent)'s run below this one, at any depth, by its id, which
    /// [`RunEvent::Nested`](super::RunEvent::Nested) has. Use it to decide about a waiting call of the sub-agent.
    /// `None` if no such run is running in this process.
    pub fn below(&self, run: &RunId) -> Option<Self> {
        let below = self.inbox.below();
        let found = below.iter().find(|control| control.id == *run).cloned();
        found.or_else(|| below.iter().find_map(|control| control.below(run)))
    }
}

impl fmt::Debug for RunControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunControl")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// The inbox items on their way to the driver of a run: from this process, and from the store.
#[derive(Clone, Default)]
pub(super) struct Inbox(Arc<Mutex<Waiting>>);

/// What waits for the driver.
#[derive(Default)]
struct Waiting {
    /// With their places in the store, if they came through that.
    items: VecDeque<(Option<u64>, InboxItem)>,
    /// The calls without a decision or an answer yet.
    pending: BTreeMap<CallId, PendingCall>,
    /// The driver, while it waits for what happens.
    driver: Option<Waker>,
    /// True if the run is over.
    is_closed: bool,
    /// The controls of the runs below that are in progress.
    below: Vec<RunControl>,
}

/// Adds an item, and wakes the driver when the lock is free.
fn add(mut waiting: MutexGuard<'_, Waiting>, place: Option<u64>, item: InboxItem) {
    waiting.items.push_back((place, item));
    let driver = waiting.driver.take();
    drop(waiting);
    if let Some(driver) = driver {
        driver.wake();
    }
}

/// An inbox that is closed when its run ends or is dropped.
pub(super) struct OpenInbox(pub(super) Inbox);

impl Inbox {
    /// Adds an item of this process. It is in no store: it is durable by the record that follows from it.
    pub(super) fn say(&self, content: InboxContent) -> Result<(), RunIsOver> {
        self.put(None, InboxItem::new(content))
    }

    /// Adds an item, with its place in the store if it came through that.
    pub(super) fn put(&self, place: Option<u64>, item: InboxItem) -> Result<(), RunIsOver> {
        let waiting = self.lock();
        if waiting.is_closed {
            return Err(RunIsOver);
        }
        add(waiting, place, item);
        Ok(())
    }

    /// A call is decided about or answered: once, and only while it waits.
    fn resolve(
        &self,
        call: CallId,
        is_awaited: impl FnOnce(&PendingCall) -> bool,
        said: impl FnOnce(&PendingCall) -> Resolution,
    ) -> Result<(), NotWaiting> {
        let mut waiting = self.lock();
        let pending = match waiting.pending.entry(call) {
            Entry::Occupied(pending) if is_awaited(pending.get()) => pending,
            _ => return Err(NotWaiting { call, unfit: None }),
        };
        let resolution = said(pending.get());
        let decision = resolution.decision();
        if let Some(Err(error)) = decision.map(|decision| pending.get().check(decision)) {
            let unfit = Some(error.message);
            return Err(NotWaiting { call, unfit });
        }
        pending.remove();
        let item = InboxItem::new(InboxContent::Resolution(resolution));
        add(waiting, None, item);
        Ok(())
    }

    /// Marks a call as waiting for a decision or an answer.
    pub(super) fn expect(&self, call: PendingCall) {
        self.lock().pending.insert(call.id, call);
    }

    /// A call waits no longer. Returns false if it has a decision or an answer already.
    pub(super) fn expect_no_more(&self, call: CallId) -> bool {
        self.lock().pending.remove(&call).is_some()
    }

    /// No call waits any longer.
    pub(super) fn expect_nothing(&self) {
        self.lock().pending.clear();
    }

    /// The oldest item, with its place in the store if it came through that.
    pub(super) fn take(&self) -> Option<(Option<u64>, InboxItem)> {
        self.lock().items.pop_front()
    }

    /// Returns `Ready` if there is an item. If not, the task is woken by the next one.
    pub(super) fn poll_filled(&self, cx: &Context<'_>) -> Poll<()> {
        let mut waiting = self.lock();
        if !waiting.items.is_empty() {
            return Poll::Ready(());
        }
        waiting.driver = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Closes the inbox, unless it has an item that the run has not taken.
    pub(super) fn close_if_silent(&self) -> bool {
        let mut waiting = self.lock();
        waiting.is_closed = waiting.items.is_empty();
        if waiting.is_closed {
            waiting.pending.clear();
        }
        waiting.is_closed
    }

    /// Adds the control of a run below.
    pub(super) fn add_below(&self, control: RunControl) {
        self.lock().below.push(control);
    }

    /// Removes the control of a run below.
    pub(super) fn remove_below(&self, run: &RunId) {
        let mut waiting = self.lock();
        let place = waiting.below.iter().position(|control| control.id == *run);
        let removed = place.map(|place| waiting.below.swap_remove(place));
        drop(waiting);
        drop(removed);
    }

    /// The controls of the runs below.
    fn below(&self) -> Vec<RunControl> {
        self.lock().below.clone()
    }

    /// Opens the inbox again.
    pub(super) fn reopen(&self) {
        self.lock().is_closed = false;
    }

    /// Closes the inbox, and returns the messages of this process that came too late.
    pub(super) fn close(&self) -> Vec<UserMessage> {
        let mut waiting = self.lock();
        waiting.is_closed = true;
        waiting.pending.clear();
        let late = std::mem::take(&mut waiting.items).into_iter();
        let said_here = late.filter(|(place, _)| place.is_none());
        let messages = said_here.filter_map(|(_, item)| match item.into_content() {
            InboxContent::Message(message) => Some(message),
            _ => None,
        });
        messages.collect()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock()
    }
}

impl Drop for OpenInbox {
    fn drop(&mut self) {
        self.0.close();
    }
}
