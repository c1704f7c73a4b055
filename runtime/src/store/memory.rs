//! A store in memory.

mod conversations;
mod order;
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
    LoadedRun, NewRun, Page, Received, RunFilter, RunStatus, RunSummary, Scope, Store, StoreError,
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
            kept.runs.check_new(&run.info)?;
            kept.conversations.lock(&run.info)?;
            Ok(kept.runs.create(run, lease_time))
        })
    }

    fn lease<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.with(move |kept| kept.runs.lease(scope, run, lease_time))
    }

    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.with(move |kept| kept.runs.renew(lease, lease_time))
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
                    kept.conversations
                        .check_newest(&continued.id, version.version)?;
                    let now = SystemTime::now();
                    (kept.conversations).save(owner.as_deref(), &continued.id, version, now);
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
        scope: Scope<'a>,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<LoadedRun, StoreError>> {
        self.with(move |kept| kept.runs.load(scope, run, from))
    }

    fn list<'a>(
        &'a self,
        scope: Scope<'a>,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Page<RunSummary>, StoreError>> {
        self.with(move |kept| Ok(kept.runs.list(scope, filter)))
    }

    fn put<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        item: &'a InboxItem,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(run, &[News::Items], move |kept| {
            kept.runs.put(scope, run, item)
        })
    }

    fn inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<Vec<Received>, StoreError>> {
        self.with(move |kept| kept.runs.inbox(scope, run, after))
    }

    fn wait_for_inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.until(run, News::Items, move |runs| {
            runs.has_more(scope, run, after)
        })
    }

    fn wait_for_entries<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.until(run, News::Entries, move |runs| {
            runs.has_news(scope, run, from)
        })
    }

    fn abandon<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(run, News::ALL, move |kept| {
            let abandoned = kept.runs.abandon(scope, run, SystemTime::now())?;
            let continued = abandoned.conversation.clone();
            if let Some(continued) = continued {
                kept.conversations.unlock(&continued.id, run);
            }
            Ok(())
        })
    }

    fn conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        after: u64,
        up_to: Option<u64>,
    ) -> BoxFuture<'a, Result<Vec<ConversationVersion>, StoreError>> {
        self.with(move |kept| Ok(kept.conversations.load(scope, id, after, up_to)))
    }

    fn save_conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        version: &'a ConversationVersion,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(move |kept| {
            kept.conversations.check_next(scope, id, version.version)?;
            (kept.conversations).save(scope.owner(), id, version, SystemTime::now());
            Ok(())
        })
    }

    fn conversations<'a>(
        &'a self,
        scope: Scope<'a>,
        after: Option<&'a str>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Page<ConversationInfo>, StoreError>> {
        self.with(move |kept| Ok(kept.conversations.list(scope, after, limit)))
    }

    fn delete_run<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        // Those who waited for it were woken by its end.
        self.with(move |kept| kept.runs.delete(scope, run))
    }

    fn delete_conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(move |kept| kept.conversations.delete(scope, id))
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
