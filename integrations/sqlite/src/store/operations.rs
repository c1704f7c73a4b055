//! What a store does, each as one transaction.

use std::time::{Duration, SystemTime};

use tokio::time::timeout;
use toolwright_core::{run::RunId, tool::BoxFuture};
use toolwright_runtime::store::{
    Append, ConversationId, ConversationInfo, ConversationVersion, Deleted, InboxItem, Lease,
    LoadedRun, NewRun, Page, Received, RunFilter, RunStatus, RunSummary, Scope, Store, StoreError,
};

use super::{Durable, SqliteStore};
use crate::{
    connection::ended,
    data::{conversations, inbox, listing, log, runs},
};

/// How often a log is polled that a reader waits for.
const LOOKS: Duration = Duration::from_millis(500);
/// How much is deleted in one transaction, so that others write in between.
const AT_ONCE: u32 = 50;

/// What is asked for, in the scope of the operation, for a thread.
struct Asked<T> {
    owner: Option<String>,
    what: T,
}

impl<T> Asked<T> {
    fn new(scope: Scope<'_>, what: T) -> Self {
        let owner = scope.owner().map(str::to_owned);
        Self { owner, what }
    }

    fn parts(&self) -> (Scope<'_>, &T) {
        (self.owner.as_deref().into(), &self.what)
    }
}

impl Store for SqliteStore {
    fn create<'a>(
        &'a self,
        run: &'a NewRun,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        let (new, holders) = (run.clone(), self.0.holders.clone());
        self.write(Some(&run.info.run_id), Durable::Later, move |connection| {
            log::create(connection, &new, lease_time, &holders)
        })
    }

    fn lease<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        let (asked, holders) = (Asked::new(scope, run.clone()), self.0.holders.clone());
        self.write(Some(run), Durable::Later, move |connection| {
            runs::lease(connection, asked.parts(), lease_time, &holders)
        })
    }

    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        let (held, holders) = (lease.clone(), self.0.holders.clone());
        self.write(Some(&lease.run_id), Durable::Later, move |connection| {
            runs::renew(connection, &held, lease_time, &holders)
        })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), StoreError>> {
        let held = lease.clone();
        self.write(Some(&lease.run_id), Durable::Later, move |connection| {
            runs::release(connection, &held)
        })
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        append: &'a Append,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let (held, append) = (lease.clone(), append.clone());
        let durable = if append.synced {
            Durable::Full
        } else {
            Durable::Later
        };
        let is_end = append.status.as_ref().is_some_and(RunStatus::is_over);
        self.change(Some(&lease.run_id), durable, is_end, move |connection| {
            log::append(connection, &held, &append)
        })
    }

    fn load<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<LoadedRun, StoreError>> {
        let (asked, holders) = (Asked::new(scope, run.clone()), self.0.holders.clone());
        self.read(Some(run), move |connection| {
            log::load(connection, asked.parts(), from, &holders)
        })
    }

    fn list<'a>(
        &'a self,
        scope: Scope<'a>,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Page<RunSummary>, StoreError>> {
        let (asked, holders) = (Asked::new(scope, filter.clone()), self.0.holders.clone());
        self.read(None, move |connection| {
            listing::runs(connection, asked.parts(), &holders)
        })
    }

    fn put<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        item: &'a InboxItem,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let (asked, item) = (Asked::new(scope, run.clone()), item.clone());
        self.change(Some(run), Durable::Full, true, move |connection| {
            inbox::put(connection, asked.parts(), &item)
        })
    }

    fn inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<Vec<Received>, StoreError>> {
        let asked = Asked::new(scope, run.clone());
        self.read(Some(run), move |connection| {
            inbox::list(connection, asked.parts(), after)
        })
    }

    fn wait_for_inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let mut changes = self.0.writer.changes()?;
            loop {
                let asked = Asked::new(scope, run.clone());
                let has_more = self.read(Some(run), move |connection| {
                    inbox::has_more(connection, asked.parts(), after)
                });
                if has_more.await? {
                    return Ok(());
                }
                changes.changed().await.map_err(|_| ended())?;
            }
        })
    }

    fn wait_for_entries<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let mut changes = self.0.writer.changes()?;
            loop {
                let asked = Asked::new(scope, run.clone());
                let has_news = self.read(Some(run), move |connection| {
                    log::has_news(connection, asked.parts(), from)
                });
                if has_news.await? {
                    return Ok(());
                }
                // An append of this store wakes no waiter: there are many appends, and few waiters.
                if let Ok(told) = timeout(LOOKS, changes.changed()).await {
                    told.map_err(|_| ended())?;
                }
            }
        })
    }

    fn abandon<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let asked = Asked::new(scope, run.clone());
        self.change(Some(run), Durable::Full, true, move |connection| {
            runs::abandon(connection, asked.parts())
        })
    }

    fn conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        after: u64,
        up_to: Option<u64>,
    ) -> BoxFuture<'a, Result<Vec<ConversationVersion>, StoreError>> {
        let asked = Asked::new(scope, id.clone());
        self.read(None, move |connection| {
            conversations::load(connection, asked.parts(), after, up_to)
        })
    }

    fn save_conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        version: &'a ConversationVersion,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let (asked, version) = (Asked::new(scope, id.clone()), version.clone());
        self.write(None, Durable::Full, move |connection| {
            conversations::save_free(connection, asked.parts(), &version)
        })
    }

    fn conversations<'a>(
        &'a self,
        scope: Scope<'a>,
        after: Option<&'a str>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Page<ConversationInfo>, StoreError>> {
        let asked = Asked::new(scope, after.map(str::to_owned));
        self.read(None, move |connection| {
            let (scope, after) = asked.parts();
            listing::conversations(connection, scope, after.as_deref(), limit)
        })
    }

    fn delete_run<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let asked = Asked::new(scope, run.clone());
        self.change(Some(run), Durable::Full, true, move |connection| {
            runs::delete(connection, asked.parts())
        })
    }

    fn delete_conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let asked = Asked::new(scope, id.clone());
        self.write(None, Durable::Full, move |connection| {
            conversations::delete(connection, asked.parts())
        })
    }

    fn delete_before(&self, time: SystemTime) -> BoxFuture<'_, Result<Deleted, StoreError>> {
        Box::pin(async move {
            let mut deleted = Deleted::default();
            loop {
                let some = self.change(None, Durable::Full, true, move |connection| {
                    runs::delete_before(connection, time, AT_ONCE)
                });
                match some.await? {
                    0 => break,
                    runs => deleted.runs += runs,
                }
            }
            loop {
                let some = self.write(None, Durable::Full, move |connection| {
                    conversations::delete_before(connection, time, AT_ONCE)
                });
                match some.await? {
                    0 => return Ok(deleted),
                    conversations => deleted.conversations += conversations,
                }
            }
        })
    }
}
