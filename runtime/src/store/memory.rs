//! A store in memory.

mod conversations;
mod runs;
#[cfg(test)]
mod tests;
mod waiting;

use std::{
    fmt,
    future::poll_fn,
    sync::Arc,
    task::Poll,
    time::{Duration, SystemTime},
};

use super::{
    Append, ConversationId, ConversationInfo, ConversationVersion, Deleted, InboxItem, Lease,
    LoadedRun, NewRun, Page, Received, RunFilter, RunStatus, RunSummary, Store, StoreError,
};
use conversations::Conversations;
use runs::Runs;
use toolwright_core::{driver::Mutex, run::RunId, tool::BoxFuture};
use waiting::{News, Seat, Waiting};

/// A store in memory: for tests, and for programs whose runs may end with the process. Clones share its contents.
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    runs: Runs,
    conversations: Conversations,
    waiting: Waiting,
}

impl MemoryStore {
    /// A store that holds nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// A future that does its work when it is polled, and wakes those who wait for this of a run.
    fn change<'a, T: Send + 'a>(
        &'a self,
        run: &'a RunId,
        news: &'static [News],
        work: impl FnOnce(&mut Kept) -> Result<T, StoreError> + Send + 'a,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move {
            let (changed, waiting) = {
                let mut kept = self.0.lock();
                let changed = work(&mut kept)?;
                (changed, kept.waiting.take(run, news))
            };
            // The lock is free when they come.
            for waker in waiting {
                waker.wake();
            }
            Ok(changed)
        })
    }

    /// Waits until something of a run is there, or an error.
    fn until<'a>(
        &'a self,
        run: &'a RunId,
        news: News,
        is_there: impl Fn(&mut Runs) -> Result<bool, StoreError> + Send + 'a,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let mut seat = Seat::new(self, run, news);
        Box::pin(poll_fn(move |cx| {
            let mut kept = self.0.lock();
            match is_there(&mut kept.runs) {
                Ok(false) => {}
                Ok(true) => return Poll::Ready(Ok(())),
                Err(error) => return Poll::Ready(Err(error)),
            }
            seat.take(&mut kept.waiting, cx.waker());
            Poll::Pending
        }))
    }

    /// A future that does its work when it is polled.
    fn with<'a, T: Send + 'a>(
        &'a self,
        work: impl FnOnce(&mut Kept) -> Result<T, StoreError> + Send + 'a,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move { work(&mut self.0.lock()) })
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
        let is_over = append.status.as_ref().is_some_and(RunStatus::is_over);
        let news = if is_over { News::ALL } else { &[News::Entries] };
        self.change(&lease.run_id, news, move |kept| {
            let info = kept.runs.check_append(lease, append)?;
            let (owner, continued) = (info.owner.clone(), info.conversation.clone());
            if let Some(continued) = &continued {
                if let Some(version) = &append.conversation {
                    let now = SystemTime::now();
                    (kept.conversations).save(&continued.id, owner.as_deref(), version, now)?;
                }
                if is_over {
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
        self.change(run, &[News::Items], move |kept| kept.runs.put(run, item))
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
        self.until(run, News::Items, move |runs| runs.has_more(run, after))
    }

    fn wait_for_entries<'a>(
        &'a self,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.until(run, News::Entries, move |runs| runs.has_news(run, from))
    }

    fn abandon<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(run, News::ALL, move |kept| {
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
        after: u64,
        up_to: Option<u64>,
    ) -> BoxFuture<'a, Result<Vec<ConversationVersion>, StoreError>> {
        self.with(move |kept| Ok(kept.conversations.load(id, after, up_to)))
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
        // Those who waited for it were woken by its end.
        self.with(move |kept| kept.runs.delete(run))
    }

    fn delete_conversation<'a>(
        &'a self,
        id: &'a ConversationId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(move |kept| kept.conversations.delete(id))
    }

    fn delete_before(&self, time: SystemTime) -> BoxFuture<'_, Result<Deleted, StoreError>> {
        self.with(move |kept| {
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
