//! Stores that fail, die and count.

use std::{
    future::{pending, poll_fn},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::Poll,
    time::Duration,
};

use toolwright::{
    run::{RunId, StoreError, StoreErrorKind},
    store::{
        Append, InboxItem, Lease, LoadedRun, MemoryStore, NewRun, Received, RunStatus, Scope, Store,
    },
    tool::CancellationToken,
};

use crate::kept_runs::delegated::{Done, delegated};

/// How a store ends at an append.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kept_runs) enum End {
    /// The process dies before it is written.
    DiesBefore,
    /// The process dies when it is written, and nobody was told.
    DiesAfter,
    /// The store says no.
    FailsBefore,
    /// The store says no, and has written it.
    FailsAfter,
    /// The store panics.
    Panics,
    /// The store never answers.
    Hangs,
}

/// A store in memory that ends at one append; the first is the creation of the run.
#[derive(Clone)]
pub(in crate::kept_runs) struct Failing {
    store: MemoryStore,
    end: End,
    left: Arc<AtomicUsize>,
    died: Arc<AtomicBool>,
    failed: Arc<AtomicBool>,
}

impl Failing {
    pub(in crate::kept_runs) fn new(store: MemoryStore, end: End, at: usize) -> Self {
        Self {
            store,
            end,
            left: Arc::new(AtomicUsize::new(at + 1)),
            died: Arc::default(),
            failed: Arc::default(),
        }
    }

    /// Waits until the process has died.
    pub(in crate::kept_runs) async fn died(&self) {
        poll_fn(|cx| {
            if self.died.load(Ordering::SeqCst) {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    pub(in crate::kept_runs) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
    }

    /// Does a write, or ends.
    async fn write<T>(
        &self,
        write: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let left = self.left.load(Ordering::SeqCst);
        self.left.store(left.saturating_sub(1), Ordering::SeqCst);
        if left != 1 {
            return if left == 0 {
                Err(refused())
            } else {
                write.await
            };
        }
        self.failed.store(true, Ordering::SeqCst);
        match self.end {
            End::Panics => panic!("the store is broken"),
            End::Hangs => pending().await,
            End::DiesBefore => {}
            End::FailsBefore => return Err(refused()),
            End::DiesAfter => drop(write.await?),
            End::FailsAfter => {
                write.await?;
                return Err(refused());
            }
        }
        self.died.store(true, Ordering::SeqCst);
        pending().await
    }
}

fn refused() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "the disk is full")
}

/// A question to a store.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kept_runs) enum Asked {
    Create,
    Inbox,
    Load,
}

/// A store in memory that answers no question of one kind from a time on.
#[derive(Clone)]
pub(in crate::kept_runs) struct Silent {
    store: MemoryStore,
    of: Asked,
    answers_no_more: Arc<AtomicBool>,
}

impl Silent {
    pub(in crate::kept_runs) fn new(store: MemoryStore, of: Asked) -> Self {
        Self {
            store,
            of,
            answers_no_more: Arc::default(),
        }
    }

    /// Answers no more.
    pub(in crate::kept_runs) fn begin(&self) {
        self.answers_no_more.store(true, Ordering::SeqCst);
    }

    async fn answer<T>(
        &self,
        asked: Asked,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        if asked == self.of && self.answers_no_more.load(Ordering::SeqCst) {
            pending::<()>().await;
        }
        answer.await
    }
}

/// A store in memory that counts appends, and how many of them are synced.
#[derive(Clone, Default)]
pub(in crate::kept_runs) struct Watched {
    store: MemoryStore,
    appends: Arc<AtomicUsize>,
    synced: Arc<AtomicUsize>,
}

impl Watched {
    pub(in crate::kept_runs) fn counts(&self) -> (usize, usize) {
        let count = |counted: &Arc<AtomicUsize>| counted.load(Ordering::SeqCst);
        (count(&self.appends), count(&self.synced))
    }
}

/// A store in memory that wakes nobody, and into whose inbox somebody puts an item when it has just been read.
#[derive(Clone, Default)]
pub(in crate::kept_runs) struct Interrupted {
    store: MemoryStore,
    says: Arc<Mutex<Option<InboxItem>>>,
}

impl Interrupted {
    pub(in crate::kept_runs) fn new(store: MemoryStore, says: Option<InboxItem>) -> Self {
        let says = Arc::new(Mutex::new(says));
        Self { store, says }
    }
}

/// A store in memory whose appends take until they are let through.
#[derive(Clone, Default)]
pub(in crate::kept_runs) struct Slow {
    store: MemoryStore,
    open: CancellationToken,
}

impl Slow {
    /// Lets appends through from now on.
    pub(in crate::kept_runs) fn open(&self) {
        self.open.cancel();
    }
}

/// A store in memory whose inbox panics once a run is over.
#[derive(Clone, Default)]
pub(in crate::kept_runs) struct PanicsAtEnd {
    store: MemoryStore,
    is_over: Arc<AtomicBool>,
}

impl Store for PanicsAtEnd {
    fn append<'a>(&'a self, lease: &'a Lease, append: &'a Append) -> Done<'a, ()> {
        if append.status.as_ref().is_some_and(RunStatus::is_over) {
            self.is_over.store(true, Ordering::SeqCst);
        }
        self.store.append(lease, append)
    }

    fn inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> Done<'a, Vec<Received>> {
        assert!(!self.is_over.load(Ordering::SeqCst), "the store is broken");
        self.store.inbox(scope, run, after)
    }

    delegated!(create lease renew load conversation others);
}

/// A store in memory that panics when it is asked this, before there is a future.
#[derive(Clone)]
pub(in crate::kept_runs) struct PanicsAtOnce {
    pub(in crate::kept_runs) store: MemoryStore,
    pub(in crate::kept_runs) at: &'static str,
}

impl Store for PanicsAtOnce {
    fn create<'a>(&'a self, run: &'a NewRun, time: Duration) -> Done<'a, Lease> {
        assert!(self.at != "create", "the store is broken");
        self.store.create(run, time)
    }

    fn renew<'a>(&'a self, lease: &'a Lease, time: Duration) -> Done<'a, Lease> {
        assert!(self.at != "renew", "the store is broken");
        self.store.renew(lease, time)
    }

    fn append<'a>(&'a self, lease: &'a Lease, append: &'a Append) -> Done<'a, ()> {
        assert!(self.at != "append", "the store is broken");
        self.store.append(lease, append)
    }

    delegated!(lease inbox load conversation others);
}

impl Store for Failing {
    fn create<'a>(&'a self, run: &'a NewRun, time: Duration) -> Done<'a, Lease> {
        Box::pin(self.write(self.store.create(run, time)))
    }

    fn append<'a>(&'a self, lease: &'a Lease, append: &'a Append) -> Done<'a, ()> {
        Box::pin(self.write(self.store.append(lease, append)))
    }

    delegated!(lease inbox renew load conversation others);
}

impl Store for Silent {
    fn create<'a>(&'a self, run: &'a NewRun, time: Duration) -> Done<'a, Lease> {
        Box::pin(self.answer(Asked::Create, self.store.create(run, time)))
    }

    fn load<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, from: u64) -> Done<'a, LoadedRun> {
        Box::pin(self.answer(Asked::Load, self.store.load(scope, run, from)))
    }

    fn inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> Done<'a, Vec<Received>> {
        Box::pin(self.answer(Asked::Inbox, self.store.inbox(scope, run, after)))
    }

    fn wait_for_inbox<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, after: u64) -> Done<'a, ()> {
        self.store.wait_for_inbox(scope, run, after)
    }

    delegated!(append lease renew conversation others);
}

impl Store for Watched {
    fn append<'a>(&'a self, lease: &'a Lease, append: &'a Append) -> Done<'a, ()> {
        self.appends.fetch_add(1, Ordering::SeqCst);
        self.synced
            .fetch_add(usize::from(append.synced), Ordering::SeqCst);
        self.store.append(lease, append)
    }

    delegated!(create lease inbox renew load conversation others);
}

impl Store for Slow {
    fn append<'a>(&'a self, lease: &'a Lease, append: &'a Append) -> Done<'a, ()> {
        Box::pin(async move {
            self.open.cancelled().await;
            self.store.append(lease, append).await
        })
    }

    delegated!(create lease inbox renew load conversation others);
}

impl Store for Interrupted {
    fn inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> Done<'a, Vec<Received>> {
        Box::pin(async move {
            let items = self.store.inbox(scope, run, after).await?;
            let says = self.says.lock().expect("nothing panics").take();
            if let Some(says) = says {
                self.store.put(scope, run, &says).await?;
            }
            Ok(items)
        })
    }

    fn wait_for_inbox<'a>(&'a self, _: Scope<'a>, _: &'a RunId, _: u64) -> Done<'a, ()> {
        Box::pin(pending())
    }

    delegated!(create append lease renew load conversation others);
}
