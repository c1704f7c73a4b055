//! A pointer to a store is a store.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use super::{
    Append, ConversationId, ConversationInfo, ConversationVersion, Deleted, InboxItem, Lease,
    LoadedRun, NewRun, Page, Received, RunFilter, RunSummary, Scope, Store, StoreError,
};
use toolwright_core::{run::RunId, tool::BoxFuture};

/// Gives every method of the trait to a macro.
macro_rules! every_method {
    ($with:ident! $($for:ident)*) => {
        $($with! { $for:
            fn create(run: &'a NewRun, lease_time: Duration) -> Lease;
            fn lease(scope: Scope<'a>, run: &'a RunId, lease_time: Duration) -> Lease;
            fn renew(lease: &'a Lease, lease_time: Duration) -> Lease;
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
            fn delete_with_below(scope: Scope<'a>, run: &'a RunId) -> ();
            fn delete_conversation(scope: Scope<'a>, id: &'a ConversationId) -> ();
            fn delete_before(time: SystemTime) -> Deleted;
        })*
    };
}

/// Forwards the methods, also those that have a default: the store behind the pointer may have its own.
macro_rules! forward {
    ($pointer:ident: $(fn $method:ident($($name:ident: $type:ty),*) -> $output:ty;)*) => {
        #[expect(clippy::elidable_lifetime_names, reason = "most methods need it for more than `self`")]
        impl<S: Store + ?Sized> Store for $pointer<S> {
            $(fn $method<'a>(&'a self, $($name: $type),*) -> BoxFuture<'a, Result<$output, StoreError>> {
                (**self).$method($($name),*)
            })*
        }
    };
}

every_method! { forward! Arc Box }

#[cfg(test)]
mod tests;
