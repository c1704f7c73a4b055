//! A store in memory that counts what it is asked for, and holds back or refuses what a test says.

use std::{collections::BTreeMap, time::Duration};

use futures_util::future::BoxFuture;
use tokio::sync::watch;
use toolwright::{
    run::{RunId, StoreError, StoreErrorKind},
    store::{
        Append, ConversationId, ConversationInfo, ConversationVersion, InboxItem, Lease, LoadedRun,
        MemoryStore, NewRun, Page, Received, RunFilter, RunSummary, Scope, Store,
    },
};

type Done<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// What a store is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asked {
    Append,
    Conversation,
    Inbox,
    /// A run without its entries.
    Look,
    /// A run with its entries.
    Load,
    List,
    Put,
    Save,
    DeleteRun,
    DeleteConversation,
}

#[derive(Default)]
struct State {
    held: Option<Asked>,
    /// The number of operations until all fail.
    left: Option<usize>,
    counts: BTreeMap<Asked, usize>,
}

/// A store in memory that is watched.
#[derive(Clone)]
pub(crate) struct WatchedStore {
    store: MemoryStore,
    state: watch::Sender<State>,
}

impl WatchedStore {
    pub(crate) fn new() -> Self {
        Self {
            store: MemoryStore::new(),
            state: watch::Sender::default(),
        }
    }

    /// Holds back what is asked for from now on, and lets everything else go on.
    pub(crate) fn hold(&self, held: Option<Asked>) {
        self.state.send_modify(|state| state.held = held);
    }

    /// Lets all operations fail after so many.
    pub(crate) fn fail_after(&self, left: Option<usize>) {
        self.state.send_modify(|state| state.left = left);
    }

    /// How often something was asked for.
    pub(crate) fn count(&self, asked: Asked) -> usize {
        let state = self.state.borrow();
        state.counts.get(&asked).copied().unwrap_or_default()
    }

    /// Waits until something was asked for so often.
    pub(crate) async fn asked(&self, asked: Asked, often: usize) {
        let mut state = self.state.subscribe();
        let is_asked = |state: &State| state.counts.get(&asked).is_some_and(|it| *it >= often);
        state.wait_for(is_asked).await.expect("it is not gone");
    }

    async fn pass(&self, asked: Asked) -> Result<(), StoreError> {
        let mut fails = false;
        self.state.send_modify(|state| {
            *state.counts.entry(asked).or_default() += 1;
            fails = state.left == Some(0);
            state.left = state.left.map(|left| left.saturating_sub(1));
        });
        if fails {
            let error = StoreError::new(StoreErrorKind::Unavailable, "it has failed");
            return Err(error);
        }
        let mut state = self.state.subscribe();
        let is_let = |state: &State| state.held != Some(asked);
        state.wait_for(is_let).await.expect("it is not gone");
        Ok(())
    }
}

impl Store for WatchedStore {
    fn create<'a>(&'a self, run: &'a NewRun, time: Duration) -> Done<'a, Lease> {
        self.store.create(run, time)
    }

    fn lease<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, time: Duration) -> Done<'a, Lease> {
        self.store.lease(scope, run, time)
    }

    fn renew<'a>(&'a self, lease: &'a Lease, time: Duration) -> Done<'a, Lease> {
        self.store.renew(lease, time)
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> Done<'a, ()> {
        self.store.release(lease)
    }

    fn append<'a>(&'a self, lease: &'a Lease, append: &'a Append) -> Done<'a, ()> {
        Box::pin(async move {
            self.pass(Asked::Append).await?;
            self.store.append(lease, append).await
        })
    }

    fn load<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, from: u64) -> Done<'a, LoadedRun> {
        let asked = match from {
            u64::MAX => Asked::Look,
            _ => Asked::Load,
        };
        Box::pin(async move {
            self.pass(asked).await?;
            self.store.load(scope, run, from).await
        })
    }

    fn list<'a>(&'a self, scope: Scope<'a>, filter: &'a RunFilter) -> Done<'a, Page<RunSummary>> {
        Box::pin(async move {
            self.pass(Asked::List).await?;
            self.store.list(scope, filter).await
        })
    }

    fn put<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, item: &'a InboxItem) -> Done<'a, ()> {
        Box::pin(async move {
            self.pass(Asked::Put).await?;
            self.store.put(scope, run, item).await
        })
    }

    fn inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> Done<'a, Vec<Received>> {
        Box::pin(async move {
            self.pass(Asked::Inbox).await?;
            self.store.inbox(scope, run, after).await
        })
    }

    fn wait_for_inbox<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, after: u64) -> Done<'a, ()> {
        self.store.wait_for_inbox(scope, run, after)
    }

    fn wait_for_entries<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, from: u64) -> Done<'a, ()> {
        self.store.wait_for_entries(scope, run, from)
    }

    fn abandon<'a>(&'a self, scope: Scope<'a>, run: &'a RunId) -> Done<'a, ()> {
        self.store.abandon(scope, run)
    }

    fn conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        after: u64,
        up_to: Option<u64>,
    ) -> Done<'a, Vec<ConversationVersion>> {
        Box::pin(async move {
            self.pass(Asked::Conversation).await?;
            self.store.conversation(scope, id, after, up_to).await
        })
    }

    fn save_conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        version: &'a ConversationVersion,
    ) -> Done<'a, ()> {
        Box::pin(async move {
            self.pass(Asked::Save).await?;
            self.store.save_conversation(scope, id, version).await
        })
    }

    fn conversations<'a>(
        &'a self,
        scope: Scope<'a>,
        after: Option<&'a str>,
        limit: usize,
    ) -> Done<'a, Page<ConversationInfo>> {
        self.store.conversations(scope, after, limit)
    }

    fn delete_run<'a>(&'a self, scope: Scope<'a>, run: &'a RunId) -> Done<'a, ()> {
        Box::pin(async move {
            self.pass(Asked::DeleteRun).await?;
            self.store.delete_run(scope, run).await
        })
    }

    fn delete_conversation<'a>(&'a self, scope: Scope<'a>, id: &'a ConversationId) -> Done<'a, ()> {
        Box::pin(async move {
            self.pass(Asked::DeleteConversation).await?;
            self.store.delete_conversation(scope, id).await
        })
    }
}
