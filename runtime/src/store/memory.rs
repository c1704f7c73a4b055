//! A store in memory.

mod conversations;
mod runs;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    fmt,
    future::poll_fn,
    mem::take,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
    time::{Duration, SystemTime},
};

use super::{
    Append, ConversationId, ConversationInfo, ConversationVersion, Deleted, InboxItem, Lease,
    LoadedRun, NewRun, Page, Received, RunFilter, RunSummary, Store, StoreError,
};
use crate::{run::RunId, tool::BoxFuture};
use conversations::Conversations;
use runs::Runs;

/// A store in memory: for tests, and for programs whose runs need to survive no process. Clones share what it holds.
///
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    runs: Runs,
    conversations: Conversations,
    /// Those who wait for something in an inbox, or for entries of a log.
    waiting: BTreeMap<u64, Waker>,
    /// The number of the next who waits.
    next: u64,
}

impl MemoryStore {
    /// A store that holds nothing.
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Nothing inside the lock leaves it half-changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A future that does its work when it is polled, and wakes those who wait.
    fn change<'a, T: Send + 'a>(
        &'a self,
        work: impl FnOnce(&mut Kept) -> Result<T, StoreError> + Send + 'a,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move {
            let (changed, waiting) = {
                let mut kept = self.lock();
                let changed = work(&mut kept)?;
                (changed, take(&mut kept.waiting))
            };
            // The lock is free when they come.
            waiting.into_values().for_each(Waker::wake);
            Ok(changed)
        })
    }

    /// Waits until something is there, or an error.
    fn until<'a>(
        &'a self,
        is_there: impl Fn(&mut Runs) -> Result<bool, StoreError> + Send + 'a,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let mut seat = Seat {
            store: self,
            number: None,
        };
        Box::pin(poll_fn(move |cx| {
            let mut kept = self.lock();
            match is_there(&mut kept.runs) {
                Ok(false) => {}
                Ok(true) => return Poll::Ready(Ok(())),
                Err(error) => return Poll::Ready(Err(error)),
            }
            seat.take(&mut kept, cx.waker());
            Poll::Pending
        }))
    }

    /// A future that does its work when it is polled.
    fn with<'a, T: Send + 'a>(
        &'a self,
        work: impl FnOnce(&mut Kept) -> Result<T, StoreError> + Send + 'a,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move { work(&mut self.lock()) })
    }
}

/// The place of somebody who waits, which is free when this is dropped.
struct Seat<'a> {
    store: &'a MemoryStore,
    number: Option<u64>,
}

impl Seat<'_> {
    fn take(&mut self, kept: &mut Kept, waker: &Waker) {
        let number = *self.number.get_or_insert_with(|| {
            kept.next += 1;
            kept.next
        });
        kept.waiting.insert(number, waker.clone());
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.store.lock().waiting.remove(&number);
        }
    }
}

impl Store for MemoryStore {
    fn create<'a>(
        &'a self,
        run: &'a NewRun,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.with(move |kept| {
            kept.runs.check_new(&run.info.run_id)?;
            if let Some(continued) = &run.info.conversation {
                kept.conversations.lock(continued, &run.info.run_id)?;
            }
            Ok(kept.runs.create(run, SystemTime::now(), lease_time))
        })
    }

    fn lease<'a>(
        &'a self,
        run: &'a RunId,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.with(move |kept| kept.runs.lease(run, SystemTime::now(), lease_time))
    }

    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.with(move |kept| kept.runs.renew(lease, SystemTime::now(), lease_time))
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(move |kept| kept.runs.release(lease))
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        append: &'a Append,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(move |kept| {
            let info = kept.runs.check_append(lease, append)?;
            let (owner, continued) = (info.owner.clone(), info.conversation.clone());
            if let Some(continued) = &continued {
                if let Some(version) = &append.conversation {
                    let now = SystemTime::now();
                    (kept.conversations).save(&continued.id, owner.as_deref(), version, now)?;
                }
                if append
                    .status
                    .as_ref()
                    .is_some_and(super::RunStatus::is_over)
                {
                    kept.conversations.unlock(&continued.id, &lease.run_id);
                }
            }
            kept.runs.append(&lease.run_id, append, SystemTime::now());
            Ok(())
        })
    }

    fn load<'a>(
        &'a self,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<LoadedRun, StoreError>> {
        self.with(move |kept| kept.runs.load(run, from))
    }

    fn list<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Page<RunSummary>, StoreError>> {
        self.with(move |kept| Ok(kept.runs.list(filter, SystemTime::now())))
    }

    fn put<'a>(
        &'a self,
        run: &'a RunId,
        item: &'a InboxItem,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(move |kept| kept.runs.put(run, item))
    }

    fn inbox<'a>(
        &'a self,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<Vec<Received>, StoreError>> {
        self.with(move |kept| kept.runs.inbox(run, after))
    }

    fn wait_for_inbox<'a>(
        &'a self,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.until(move |runs| runs.has_more(run, after))
    }

    fn wait_for_entries<'a>(
        &'a self,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.until(move |runs| runs.has_news(run, from))
    }

    fn abandon<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(move |kept| {
            let abandoned = kept.runs.abandon(run, SystemTime::now())?;
            let continued = abandoned.conversation.clone();
            if let Some(continued) = continued {
                kept.conversations.unlock(&continued.id, run);
            }
            Ok(())
        })
    }

    fn conversation<'a>(
        &'a self,
        id: &'a ConversationId,
        up_to: Option<u64>,
    ) -> BoxFuture<'a, Result<Vec<ConversationVersion>, StoreError>> {
        self.with(move |kept| Ok(kept.conversations.load(id, up_to)))
    }

    fn save_conversation<'a>(
        &'a self,
        id: &'a ConversationId,
        owner: Option<&'a str>,
        version: &'a ConversationVersion,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(move |kept| {
            kept.conversations.check_free(id)?;
            (kept.conversations).save(id, owner, version, SystemTime::now())
        })
    }

    fn conversations<'a>(
        &'a self,
        owner: Option<&'a str>,
        after: Option<&'a str>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Page<ConversationInfo>, StoreError>> {
        self.with(move |kept| Ok(kept.conversations.list(owner, after, limit)))
    }

    fn delete_run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(move |kept| kept.runs.delete(run))
    }

    fn delete_conversation<'a>(
        &'a self,
        id: &'a ConversationId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(move |kept| kept.conversations.delete(id))
    }

    fn delete_before(&self, time: SystemTime) -> BoxFuture<'_, Result<Deleted, StoreError>> {
        self.change(move |kept| {
            let runs = kept.runs.delete_before(time);
            Ok(Deleted::new(runs, kept.conversations.delete_before(time)))
        })
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").finish_non_exhaustive()
    }
}
