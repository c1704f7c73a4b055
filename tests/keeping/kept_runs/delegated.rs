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
            &'a self, scope: toolwright::store::Scope<'a>,
            run: &'a toolwright::run::RunId,
            time: std::time::Duration,
        ) -> $crate::kept_runs::delegated::Done<'a, toolwright::store::Lease> {
            self.store.lease(scope, run, time)
        }
    };
    (@ inbox) => {
        fn inbox<'a>(
            &'a self, scope: toolwright::store::Scope<'a>,
            run: &'a toolwright::run::RunId,
            after: u64,
        ) -> $crate::kept_runs::delegated::Done<'a, Vec<toolwright::store::Received>> {
            self.store.inbox(scope, run, after)
        }
        fn wait_for_inbox<'a>(
            &'a self, scope: toolwright::store::Scope<'a>,
            run: &'a toolwright::run::RunId,
            after: u64,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.wait_for_inbox(scope, run, after)
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
            &'a self, scope: toolwright::store::Scope<'a>,
            run: &'a toolwright::run::RunId,
            from: u64,
        ) -> $crate::kept_runs::delegated::Done<'a, toolwright::store::LoadedRun> {
            self.store.load(scope, run, from)
        }
    };
    (@ conversation) => {
        fn conversation<'a>(
            &'a self, scope: toolwright::store::Scope<'a>,
            id: &'a toolwright::store::ConversationId,
            after: u64,
            up_to: Option<u64>,
        ) -> $crate::kept_runs::delegated::Done<'a, Vec<toolwright::store::ConversationVersion>> {
            self.store.conversation(scope, id, after, up_to)
        }
    };
    (@ others) => {
        $crate::kept_runs::delegated::delegated!(@ list);
        $crate::kept_runs::delegated::delegated!(@ rest);
    };
    (@ list) => {
        fn list<'a>(
            &'a self, scope: toolwright::store::Scope<'a>,
            filter: &'a toolwright::store::RunFilter,
        ) -> $crate::kept_runs::delegated::Done<
            'a,
            toolwright::store::Page<toolwright::store::RunSummary>,
        > {
            self.store.list(scope, filter)
        }
    };
    (@ rest) => {
        fn release<'a>(
            &'a self,
            lease: &'a toolwright::store::Lease,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.release(lease)
        }
        fn put<'a>(
            &'a self, scope: toolwright::store::Scope<'a>,
            run: &'a toolwright::run::RunId,
            item: &'a toolwright::store::InboxItem,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.put(scope, run, item)
        }
        fn abandon<'a>(
            &'a self, scope: toolwright::store::Scope<'a>,
            run: &'a toolwright::run::RunId,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.abandon(scope, run)
        }
        fn save_conversation<'a>(
            &'a self, scope: toolwright::store::Scope<'a>,
            id: &'a toolwright::store::ConversationId,
            version: &'a toolwright::store::ConversationVersion,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.save_conversation(scope, id, version)
        }
        fn conversations<'a>(
            &'a self, scope: toolwright::store::Scope<'a>,
            after: Option<&'a str>,
            limit: usize,
        ) -> $crate::kept_runs::delegated::Done<
            'a,
            toolwright::store::Page<toolwright::store::ConversationInfo>,
        > {
            self.store.conversations(scope, after, limit)
        }
        fn delete_run<'a>(
            &'a self, scope: toolwright::store::Scope<'a>,
            run: &'a toolwright::run::RunId,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.delete_run(scope, run)
        }
        fn delete_conversation<'a>(
            &'a self, scope: toolwright::store::Scope<'a>,
            id: &'a toolwright::store::ConversationId,
        ) -> $crate::kept_runs::delegated::Done<'a, ()> {
            self.store.delete_conversation(scope, id)
        }
    };
}

pub(super) use delegated;
