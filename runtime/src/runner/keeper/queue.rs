//! Runs that wait for their conversation, in the order in which they came.

use std::{
    collections::{BTreeMap, HashMap},
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::{Poll, Waker},
    time::Duration,
};

use futures_util::future::{Either, select};

use super::KeptRuns;
use crate::{RunnerBuilder, dispatch::wait, store::ConversationId};
use toolwright_core::{
    driver::Mutex,
    run::{StoreError, StoreErrorKind},
};

/// The time between two looks at a conversation that a run of another process may have.
const LOOKS: Duration = Duration::from_millis(500);

/// What becomes of a run [within a conversation](crate::RunRequest::within) of the store that another run continues.
///
/// In both cases the new run first resumes the other one to its end if that was left: its process has died or its
/// handle was dropped, and its lease has expired. The left run has the tools and the model of the runner as it was
/// built. It does not get the [extensions](crate::Runner::with_extension) of the new one, and a cancel of the new one
/// does not stop it.
///
/// A left run stays as it is if a runner of another name began it, if it had extensions and nothing
/// [restores](RunnerBuilder::restore_extensions) them, if its tools [have changed](RunnerBuilder::on_changed_tools), if it is
/// damaged, or if it is suspended or parked. It is tried again when its log, its lease or its status has changed. It also stays for a new
/// run that is to continue a [version](crate::store::ConversationRef): that would be outdated by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum WhenBusy {
    /// It fails with [`StoreErrorKind::ConversationBusy`](toolwright_core::run::StoreErrorKind::ConversationBusy), which names the
    /// other run.
    #[default]
    Refuse,
    /// It begins when the other run is over: finished or abandoned, here or in another process. It continues what that
    /// has saved. Runs of one runner and its clones that have the same owner begin in the order in which they were polled
    /// first. Runs of others look twice a second, in no order.
    ///
    /// A run that continues a fixed version does not wait: it fails as with [`Refuse`](Self::Refuse).
    ///
    /// The wait has no time limit: a run that is suspended or parked, or a left one that cannot be resumed, holds its
    /// conversation until it is resumed or abandoned. A tool that starts a run in the conversation of its own run waits
    /// for ever, as do all runs behind a handle that is no longer polled. The time of the wait is not the run's
    /// ([`Limits::max_time`](toolwright_core::Limits::max_time)). The run is in no store by then, and has no events. A
    /// cancel ends it with [`Finish::Cancelled`](toolwright_core::Finish::Cancelled), and pushed messages are taken
    /// when it begins.
    Wait,
}

impl RunnerBuilder {
    /// Sets what becomes of a run [within a conversation](crate::RunRequest::within) of the store that another run continues;
    /// it is refused by default. Two runs never continue a conversation at once. Without a [store](Self::store) it says nothing.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, runner::WhenBusy, testing::ScriptedModel};
    /// use toolwright::store::{ConversationId, MemoryStore};
    ///
    /// let model = ScriptedModel::new(["one", "two"].map(ModelResponse::from_text));
    /// let runner = Runner::builder(model)
    ///     .store("chat", MemoryStore::new())
    ///     .when_busy(WhenBusy::Wait)
    ///     .build()?;
    /// let chat = |question| runner.request(question).within(ConversationId::new("chat 42"));
    /// let (first, second) = tokio::join!(chat("Count.").run(), chat("Go on.").run());
    /// assert_eq!((&*first?.text, &*second?.text), ("one", "two"));
    /// # Ok(()) }
    /// ```
    pub fn when_busy(mut self, when_busy: WhenBusy) -> Self {
        self.keeping.when_busy = when_busy;
        self
    }
}

/// The queues of the conversations for which runs of a runner wait. Each owner has a separate queue: no run waits
/// behind runs of another owner.
#[derive(Default)]
pub(in crate::runner) struct Queues(Mutex<HashMap<Key, Queue>>);

type Key = (Option<String>, ConversationId);

#[derive(Default)]
struct Queue {
    /// Those who wait, by their numbers. The first may begin.
    waiting: BTreeMap<u64, Option<Waker>>,
    /// The number of the one who came last.
    last: u64,
    /// How often a run of this runner was over that had the conversation.
    freed: u64,
}

/// The place of a run in the queue of its conversation, until it begins or is dropped.
pub(in crate::runner) struct Turn {
    queues: Arc<Queues>,
    key: Key,
    number: u64,
}

impl Queues {
    /// Says that a run of an owner is over that had this conversation.
    pub(super) fn freed(&self, owner: Option<&str>, conversation: &ConversationId) {
        let mut queues = self.0.lock();
        let Some(queue) = queues.get_mut(&key(owner, conversation)) else {
            return;
        };
        queue.freed += 1;
        let first = queue.first_waker();
        // The lock is free when it comes.
        drop(queues);
        first.into_iter().for_each(Waker::wake);
    }
}

fn key(owner: Option<&str>, conversation: &ConversationId) -> Key {
    (owner.map(str::to_owned), conversation.clone())
}

impl Queue {
    fn first_waker(&mut self) -> Option<Waker> {
        self.waiting.first_entry()?.get_mut().take()
    }
}

impl Turn {
    pub(super) fn new(
        queues: &Arc<Queues>,
        owner: Option<&str>,
        conversation: &ConversationId,
    ) -> Self {
        let (mut all, key) = (queues.0.lock(), key(owner, conversation));
        let queue = all.entry(key.clone()).or_default();
        queue.last += 1;
        queue.waiting.insert(queue.last, None);
        Self {
            queues: Arc::clone(queues),
            key,
            number: queue.last,
        }
    }

    /// Waits until it is first.
    pub(in crate::runner) async fn is_first(&self) {
        self.until(|queue| queue.waiting.keys().next() == Some(&self.number))
            .await;
    }

    /// How often the conversation was freed by now.
    pub(in crate::runner) fn freed(&self) -> u64 {
        let queues = self.queues.0.lock();
        queues.get(&self.key).map_or(0, |it| it.freed)
    }

    /// Waits until it is time for another look at the conversation, and gives `true` if that was freed since it was freed so
    /// often.
    pub(super) async fn is_freed(&self, freed: u64) -> bool {
        let freed = pin!(self.until(|queue| queue.freed != freed));
        matches!(select(freed, pin!(wait(LOOKS))).await, Either::Left(_))
    }

    /// Waits until something holds of the queue. Who changes that wakes the first of it.
    async fn until(&self, holds: impl Fn(&Queue) -> bool) {
        poll_fn(|cx| {
            let mut queues = self.queues.0.lock();
            let Some(queue) = queues.get_mut(&self.key) else {
                return Poll::Ready(());
            };
            if holds(queue) {
                return Poll::Ready(());
            }
            queue.waiting.insert(self.number, Some(cx.waker().clone()));
            Poll::Pending
        })
        .await;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut queues = self.queues.0.lock();
        let Some(queue) = queues.get_mut(&self.key) else {
            return;
        };
        queue.waiting.remove(&self.number);
        let next = queue.first_waker();
        if queue.waiting.is_empty() {
            queues.remove(&self.key);
        }
        drop(queues);
        next.into_iter().for_each(Waker::wake);
    }
}

impl KeptRuns {
    /// Returns true if the run that has a conversation, as the error says, may be over.
    pub(super) async fn may_be_over(&self, busy: &StoreError) -> bool {
        let Some(run) = &busy.run_id else { return true };
        // Its status alone: no entry has this place.
        match self.store.load(run, u64::MAX).await {
            Ok(run) => run.status.is_over(),
            // It may wait for days, and a store that cannot be reached for a while says nothing of the conversation.
            Err(error) => error.kind != StoreErrorKind::Unavailable,
        }
    }
}
