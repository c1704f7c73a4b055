//! A place that is opened several times.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use super::Place;
use toolwright::{
    run::RunId,
    store::{
        Append, ConversationId, ConversationInfo, ConversationVersion, InboxItem, Lease, LoadedRun,
        NewRun, Page, Received, RunFilter, RunSummary, Scope, Store, StoreError,
    },
    tool::BoxFuture,
};

/// Opens a store for each call.
pub(super) struct Anew<P>(pub(super) P);

/// Gives each call to the next one of several stores of a place.
pub(super) struct InTurn<P: Place> {
    stores: [P::Store; 3],
    next: AtomicUsize,
    /// A place may be gone when it is dropped: a folder for the time of a test.
    _place: P,
}

impl<P: Place> InTurn<P> {
    pub(super) async fn new(place: P) -> Self {
        Self {
            stores: [place.open().await, place.open().await, place.open().await],
            next: AtomicUsize::new(0),
            _place: place,
        }
    }

    fn next(&self) -> &P::Store {
        &self.stores[self.next.fetch_add(1, Ordering::Relaxed) % self.stores.len()]
    }
}

/// Hands every method on to a store.
macro_rules! by_another {
    ($store:ident: $holder:ident => $inner:expr; $(fn $method:ident($($name:ident: $type:ty),*) -> $output:ty;)*) => {
        impl<P: Place> Store for $holder<P> {
            $(fn $method<'a>(&'a self, $($name: $type),*) -> BoxFuture<'a, Result<$output, StoreError>> {
                Box::pin(async move {
                    let $store = self;
                    let inner = $inner;
                    inner.$method($($name),*).await
                })
            })*
        }
    };
}

/// Every method of a store.
macro_rules! every_method_by {
    ($store:ident: $holder:ident => $inner:expr) => {
        by_another! { $store: $holder => $inner;
            fn create(run: &'a NewRun, time: Duration) -> Lease;
            fn lease(scope: Scope<'a>, run: &'a RunId, time: Duration) -> Lease;
            fn renew(lease: &'a Lease, time: Duration) -> Lease;
            fn release(lease: &'a Lease) -> ();
            fn append(lease: &'a Lease, append: &'a Append) -> ();
            fn load(scope: Scope<'a>, run: &'a RunId, from: u64) -> LoadedRun;
            fn list(scope: Scope<'a>, filter: &'a RunFilter) -> Page<RunSummary>;
            fn put(scope: Scope<'a>, run: &'a RunId, item: &'a InboxItem) -> ();
            fn inbox(scope: Scope<'a>, run: &'a RunId, after: u64) -> Vec<Received>;
            fn wait_for_inbox(scope: Scope<'a>, run: &'a RunId, after: u64) -> ();
            fn wait_for_entries(scope: Scope<'a>, run: &'a RunId, from: u64) -> ();
            fn abandon(scope: Scope<'a>, run: &'a RunId) -> ();
            fn conversation(scope: Scope<'a>, id: &'a ConversationId, after: u64, up_to: Option<u64>) -> Vec<ConversationVersion>;
            fn save_conversation(scope: Scope<'a>, id: &'a ConversationId, version: &'a ConversationVersion) -> ();
            fn conversations(scope: Scope<'a>, after: Option<&'a str>, limit: usize) -> Page<ConversationInfo>;
            fn delete_run(scope: Scope<'a>, run: &'a RunId) -> ();
            fn delete_conversation(scope: Scope<'a>, id: &'a ConversationId) -> ();
        }
    };
}

every_method_by! { store: Anew => store.0.open().await }
every_method_by! { store: InTurn => store.next() }
