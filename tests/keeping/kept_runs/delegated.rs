//! The methods of a store that another one does.

use futures_util::future::BoxFuture;
use toolwright::run::StoreError;

pub(super) type Done<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Has methods of a `Store` done by the field `store`.
macro_rules! delegated {
    ($($method:ident)*) => {
        $($crate::kept_runs::delegated::delegated!(@ $method);)*
    };
    (@ create) => {
        fn create<'a>(
            &'a self,
            run: &'a toolwright::store::NewRun,
            time: std::time::Duration,
        ) -> $crate::kept_runs::delegated::Done<'a, toolwright::store::Lease> {
            self.store.create(run, time)
        }
    };
    (@ append) => {
        fn append<'a>(
            &'a self,
            lease: &'a toolwright::store::Lease,
            append: &'a toolwright::store::Append,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.append(lease, append)
        }
    };
    (@ lease) => {
        fn lease<'a>(
            &'a self,
            run: &'a toolwright::run::RunId,
            time: std::time::Duration,
        ) -> $crate::kept_runs::delegated::Done<'a, toolwright::store::Lease> {
            self.store.lease(run, time)
        }
    };
    (@ inbox) => {
        fn inbox<'a>(
            &'a self,
            run: &'a toolwright::run::RunId,
            after: u64,
        ) -> $crate::kept_runs::delegated::Done<'a, Vec<toolwright::store::Received>> {
            self.store.inbox(run, after)
        }
        fn wait_for_inbox<'a>(
            &'a self,
            run: &'a toolwright::run::RunId,
            after: u64,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.wait_for_inbox(run, after)
        }
    };
    (@ renew) => {
        fn renew<'a>(
            &'a self,
            lease: &'a toolwright::store::Lease,
            time: std::time::Duration,
        ) -> $crate::kept_runs::delegated::Done<'a, toolwright::store::Lease> {
            self.store.renew(lease, time)
        }
    };
    (@ load) => {
        fn load<'a>(
            &'a self,
            run: &'a toolwright::run::RunId,
            from: u64,
        ) -> $crate::kept_runs::delegated::Done<'a, toolwright::store::LoadedRun> {
            self.store.load(run, from)
        }
    };
    (@ conversation) => {
        fn conversation<'a>(
            &'a self,
            id: &'a toolwright::store::ConversationId,
            after: u64,
            up_to: Option<u64>,
        ) -> $crate::kept_runs::delegated::Done<'a, Vec<toolwright::store::ConversationVersion>> {
            self.store.conversation(id, after, up_to)
        }
    };
    (@ others) => {
        fn release<'a>(
            &'a self,
            lease: &'a toolwright::store::Lease,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.release(lease)
        }
        fn list<'a>(
            &'a self,
            filter: &'a toolwright::store::RunFilter,
        ) -> $crate::kept_runs::delegated::Done<
            'a,
            toolwright::store::Page<toolwright::store::RunSummary>,
        > {
            self.store.list(filter)
        }
        fn put<'a>(
            &'a self,
            run: &'a toolwright::run::RunId,
            item: &'a toolwright::store::InboxItem,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.put(run, item)
        }
        fn abandon<'a>(
            &'a self,
            run: &'a toolwright::run::RunId,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.abandon(run)
        }
        fn save_conversation<'a>(
            &'a self,
            id: &'a toolwright::store::ConversationId,
            owner: Option<&'a str>,
            version: &'a toolwright::store::ConversationVersion,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.save_conversation(id, owner, version)
        }
        fn conversations<'a>(
            &'a self,
            owner: Option<&'a str>,
            after: Option<&'a str>,
            limit: usize,
        ) -> $crate::kept_runs::delegated::Done<
            'a,
            toolwright::store::Page<toolwright::store::ConversationInfo>,
        > {
            self.store.conversations(owner, after, limit)
        }
        fn delete_run<'a>(
            &'a self,
            run: &'a toolwright::run::RunId,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.delete_run(run)
        }
        fn delete_conversation<'a>(
            &'a self,
            id: &'a toolwright::store::ConversationId,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.delete_conversation(id)
        }
    };
}

pub(super) use delegated;
