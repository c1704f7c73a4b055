//! Approvals that come from elsewhere.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use futures_core::Stream;
use serde::{Deserialize, Serialize};

use super::Approver;
use toolwright_core::tool::{ApprovalRequest, BoxFuture, Decision};

/// A queue of the requests for approval, for the person or program that answers them: at a terminal, on a web page,
/// in another service.
///
/// [`new`](Self::new) gives it beside the [`QueueApprover`] that is set as a runner's approver. Requests come out
/// of it as a stream, each once, and are answered by their id, in any order and from any thread: share
/// it in an `Arc`. A call waits until it is answered. Dropping the queue denies what is not answered,
/// and whatever is asked later.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use toolwright::{
///     ToolCall, approval::{ApprovalQueue, ApprovalRequest, Approver, Decision}, tool::Effects,
/// };
///
/// let (approver, queue) = ApprovalQueue::new();
/// let call = ToolCall::new("call_1", "pay", r#"{"cents":500}"#);
/// let asked = approver.decide(ApprovalRequest::new(call, Effects::Write));
/// let person = async {
///     let pending = queue.next().await.unwrap();
///     assert_eq!(pending.request.call.name, "pay");
///     queue.answer(pending.id, Decision::Approve).unwrap();
/// };
/// let (decision, ()) = tokio::join!(asked, person);
/// assert_eq!(decision, Decision::Approve);
/// # }
/// ```
pub struct ApprovalQueue {
    shared: Arc<Shared>,
}

/// Asks an [`ApprovalQueue`]: the approver that belongs to it.
pub struct QueueApprover {
    shared: Arc<Shared>,
}

/// The id of a request in a queue. No two requests of a queue have the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ApprovalId(u64);

/// A request that is not answered.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PendingApproval {
    /// The id by which the request is answered.
    pub id: ApprovalId,
    /// The request to approve a call.
    pub request: ApprovalRequest,
}

/// No request of this id waits for an answer: it was answered, its call was cancelled, or there never
/// was one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no request {0} waits for an answer: it was answered already, or its call was cancelled")]
pub struct NotPending(pub ApprovalId);

type Shared = Mutex<State>;

#[derive(Default)]
struct State {
    next_id: u64,
    waiting: BTreeMap<ApprovalId, Waiting>,
    /// The requests that the queue has not given out.
    unseen: VecDeque<ApprovalId>,
    readers: Vec<Waker>,
    /// True if the queue is dropped.
    is_closed: bool,
    /// True if no more requests can come.
    is_done: bool,
}

struct Waiting {
    request: ApprovalRequest,
    decision: Option<Decision>,
    asker: Option<Waker>,
}

impl ApprovalQueue {
    /// Creates a queue, and the approver that sends its requests there.
    pub fn new() -> (QueueApprover, Self) {
        let shared = Arc::<Shared>::default();
        let approver = QueueApprover {
            shared: Arc::clone(&shared),
        };
        (approver, Self { shared })
    }

    /// Returns the next request, each once, in the order of arrival; `None` when no more can come. Requests whose
    /// calls were cancelled are left out.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub async fn next(&self) -> Option<PendingApproval> {
        poll_fn(|cx| self.poll(cx)).await
    }

    /// All requests that wait for an answer, also those that were given out.
    pub fn pending(&self) -> Vec<PendingApproval> {
        let state = lock(&self.shared);
        let open = state
            .waiting
            .iter()
            .filter(|(_, waiting)| waiting.decision.is_none());
        open.map(|(id, waiting)| PendingApproval {
            id: *id,
            request: waiting.request.clone(),
        })
        .collect()
    }

    /// Answers a request.
    ///
    /// # Errors
    ///
    /// When no request of this id waits for an answer. The first answer stands.
    pub fn answer(&self, id: ApprovalId, decision: Decision) -> Result<(), NotPending> {
        let mut state = lock(&self.shared);
        let waiting = state.waiting.get_mut(&id).ok_or(NotPending(id))?;
        if waiting.decision.is_some() {
            return Err(NotPending(id));
        }
        waiting.decision = Some(decision);
        let asker = waiting.asker.take();
        drop(state);
        asker.into_iter().for_each(Waker::wake);
        Ok(())
    }

    fn poll(&self, cx: &Context<'_>) -> Poll<Option<PendingApproval>> {
        let mut state = lock(&self.shared);
        while let Some(id) = state.unseen.pop_front() {
            let open = state.waiting.get(&id);
            if let Some(waiting) = open.filter(|waiting| waiting.decision.is_none()) {
                let request = waiting.request.clone();
                return Poll::Ready(Some(PendingApproval { id, request }));
            }
        }
        if state.is_done {
            return Poll::Ready(None);
        }
        if !state
            .readers
            .iter()
            .any(|reader| reader.will_wake(cx.waker()))
        {
            state.readers.push(cx.waker().clone());
        }
        Poll::Pending
    }
}

/// The requests, as [`ApprovalQueue::next`] gives them.
impl Stream for ApprovalQueue {
    type Item = PendingApproval;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<PendingApproval>> {
        self.poll(cx)
    }
}

impl Drop for ApprovalQueue {
    fn drop(&mut self) {
        let mut state = lock(&self.shared);
        state.is_closed = true;
        let askers: Vec<_> = state
            .waiting
            .values_mut()
            .filter_map(|waiting| waiting.asker.take())
            .collect();
        drop(state);
        askers.into_iter().for_each(Waker::wake);
    }
}

impl Approver for QueueApprover {
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'_, Decision> {
        // It is in the queue from here on, and no longer than the future lives.
        let asked = Asked::new(&self.shared, request);
        Box::pin(poll_fn(move |cx| asked.poll(cx)))
    }
}

impl Drop for QueueApprover {
    fn drop(&mut self) {
        let mut state = lock(&self.shared);
        state.is_done = true;
        let readers = std::mem::take(&mut state.readers);
        drop(state);
        readers.into_iter().for_each(Waker::wake);
    }
}

/// A request in the queue, which it leaves with the call.
struct Asked<'a> {
    id: ApprovalId,
    shared: &'a Shared,
}

impl<'a> Asked<'a> {
    fn new(shared: &'a Shared, request: ApprovalRequest) -> Self {
        let mut state = lock(shared);
        let id = ApprovalId(state.next_id);
        state.next_id += 1;
        let waiting = Waiting {
            request,
            decision: None,
            asker: None,
        };
        state.waiting.insert(id, waiting);
        state.unseen.push_back(id);
        let readers = std::mem::take(&mut state.readers);
        drop(state);
        readers.into_iter().for_each(Waker::wake);
        Self { id, shared }
    }

    fn poll(&self, cx: &Context<'_>) -> Poll<Decision> {
        let mut state = lock(self.shared);
        let is_closed = state.is_closed;
        let Some(waiting) = state.waiting.get_mut(&self.id) else {
            unreachable!("a request stays in the queue for as long as it is asked");
        };
        match waiting.decision.take() {
            // It stays decided for whoever answers twice, until the call has gone on.
            Some(decision) => {
                waiting.decision = Some(decision.clone());
                Poll::Ready(decision)
            }
            None if is_closed => Poll::Ready(Decision::deny("nobody is there to approve it")),
            None => {
                waiting.asker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        let mut state = lock(self.shared);
        state.waiting.remove(&self.id);
        // Requests that were dropped unseen would pile up where nobody reads.
        if state.unseen.len() > 2 * state.waiting.len() {
            let State {
                unseen, waiting, ..
            } = &mut *state;
            unseen.retain(|id| waiting.contains_key(id));
        }
    }
}

/// A panic elsewhere leaves the requests as they were.
fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Display for ApprovalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for ApprovalQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = lock(&self.shared).waiting.len();
        f.debug_struct("ApprovalQueue")
            .field("waiting", &waiting)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for QueueApprover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueueApprover").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
