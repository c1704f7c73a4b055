//! What a store does, each as one transaction.

use std::time::{Duration, SystemTime};

use toolwright_core::{run::RunId, tool::BoxFuture};
use toolwright_runtime::store::{
    Append, ConversationId, ConversationInfo, ConversationVersion, Deleted, InboxItem, Lease,
    LoadedRun, NewRun, Page, Received, RunFilter, RunSummary, Scope, Store, StoreError,
};

use super::PostgresStore;
use crate::data::{conversations, inbox, listing, log, runs};

/// How much is deleted in one transaction.
const AT_ONCE: i64 = 100;

impl Store for PostgresStore {
    fn create<'a>(
        &'a self,
        run: &'a NewRun,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(async move {
            let holder = self.0.holder.key().await;
            self.change(Some(&run.info.run_id), move |session| async move {
                log::create(&session, run, lease_time, holder).await
            })
            .await
        })
    }

    fn lease<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(async move {
            let holder = self.0.holder.key().await;
            self.change(Some(run), move |session| async move {
                runs::lease(&session, (scope, run), lease_time, holder).await
            })
            .await
        })
    }

    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(async move {
            let holder = self.0.holder.key().await;
            self.change(Some(&lease.run_id), move |session| async move {
                runs::renew(&session, lease, lease_time, holder).await
            })
            .await
        })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(Some(&lease.run_id), move |session| async move {
            runs::release(&session, lease).await
        })
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        append: &'a Append,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let appended = self.change(Some(&lease.run_id), move |session| async move {
                log::append(&session, lease, append).await
            });
            self.tell(appended.await?);
            Ok(())
        })
    }

    fn load<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<LoadedRun, StoreError>> {
        self.read(Some(run), move |session| async move {
            log::load(&session, (scope, run), from).await
        })
    }

    fn list<'a>(
        &'a self,
        scope: Scope<'a>,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Page<RunSummary>, StoreError>> {
        self.read(None, move |session| async move {
            listing::runs(&session, scope, filter).await
        })
    }

    fn put<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        item: &'a InboxItem,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let put = self.change(Some(run), move |session| async move {
                inbox::put(&session, (scope, run), item).await
            });
            if let Some(run) = put.await? {
                self.tell(run);
            }
            Ok(())
        })
    }

    fn inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<Vec<Received>, StoreError>> {
        self.read(Some(run), move |session| async move {
            inbox::list(&session, (scope, run), after).await
        })
    }

    fn wait_for_inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.until(run, move |session| async move {
            inbox::news(&session, (scope, run), after).await
        })
    }

    fn wait_for_entries<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.until(run, move |session| async move {
            log::news(&session, (scope, run), from).await
        })
    }

    fn abandon<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let abandoned = self.change(Some(run), move |session| async move {
                runs::abandon(&session, (scope, run)).await
            });
            self.tell(abandoned.await?);
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
        self.read(None, move |session| async move {
            conversations::load(&session, (scope, id), after, up_to).await
        })
    }

    fn save_conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        version: &'a ConversationVersion,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(None, move |session| async move {
            conversations::save_free(&session, (scope, id), version).await
        })
    }

    fn conversations<'a>(
        &'a self,
        scope: Scope<'a>,
        after: Option<&'a str>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Page<ConversationInfo>, StoreError>> {
        self.read(None, move |session| async move {
            listing::conversations(&session, scope, after, limit).await
        })
    }

    fn delete_run<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(Some(run), move |session| async move {
            runs::delete(&session, (scope, run)).await
        })
    }

    fn delete_conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.change(None, move |session| async move {
            conversations::delete(&session, (scope, id)).await
        })
    }
    fn delete_before(&self, time: SystemTime) -> BoxFuture<'_, Result<Deleted, StoreError>> {
        Box::pin(async move {
            let mut deleted = Deleted::default();
            loop {
                let some = self.change(None, move |session| async move {
                    runs::delete_before(&session, time, AT_ONCE).await
                });
                match some.await? {
                    0 => break,
                    runs => deleted.runs += runs,
                }
            }
            loop {
                let some = self.change(None, move |session| async move {
                    conversations::delete_before(&session, time, AT_ONCE).await
                });
                let (conversations, has_more) = some.await?;
                deleted.conversations += conversations;
                if !has_more {
                    return Ok(deleted);
                }
            }
        })
    }
}
