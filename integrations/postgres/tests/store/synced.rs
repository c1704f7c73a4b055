//! What has reached the disk when its answer comes, by how far the server has flushed its log.

use std::sync::Arc;

use tokio_postgres::Client;
use toolwright::{
    run::RunId,
    store::{Append, InboxContent, InboxItem, PostgresStore, RunStatus, Scope, Store},
};

use crate::{
    database::{self, Database},
    postgres_server::{Server, Source},
    sample::{self, LONG},
};

/// The server as it tells of its log.
struct Log(Client);

impl Log {
    /// A place in the log, in bytes.
    async fn at(&self, place: &str) -> i64 {
        let bytes = format!("SELECT ({place} - '0/0')::bigint");
        self.0.query_one(&bytes, &[]).await.unwrap().get(0)
    }

    /// Says whether something that is written meanwhile is flushed.
    async fn is_flushed<T>(&self, written: impl Future<Output = T>) -> (T, bool) {
        let begun = self.at("pg_current_wal_insert_lsn()").await;
        let done = written.await;
        (done, self.at("pg_current_wal_flush_lsn()").await > begun)
    }
}

/// A server of its own: on another one others would flush what this test writes.
pub(crate) async fn a_change_is_flushed_where_it_must_survive_a_loss_of_power(
    database: Arc<Database>,
) {
    let Source::Programs(_) = database.source() else {
        return;
    };
    let server = Server::of(database.source());
    let store = PostgresStore::connect(server.url()).await.unwrap();
    let log = Log(database::client(server.url()).await);
    let (run, item) = (
        RunId::new("r"),
        InboxItem::with_id("a", InboxContent::Cancel),
    );

    let first = sample::run("r");
    let (lease, is_flushed) = log.is_flushed(store.create(&first, LONG)).await;
    assert!(is_flushed, "a run that was created");
    let lease = lease.unwrap();
    for (place, synced) in (1..).zip([true, false, false, true, true, false]) {
        let mut append = sample::append(place, "more");
        append.synced = synced;
        let (appended, is_flushed) = log.is_flushed(store.append(&lease, &append)).await;
        appended.unwrap();
        assert_eq!(is_flushed, synced, "append {place}");
    }
    let (renewed, is_flushed) = log.is_flushed(store.renew(&lease, LONG)).await;
    assert!(renewed.is_ok() && !is_flushed, "a lease that was renewed");
    let (put, is_flushed) = log.is_flushed(store.put(Scope::All, &run, &item)).await;
    assert!(put.is_ok() && is_flushed, "an item of an inbox");
    let (released, is_flushed) = log.is_flushed(store.release(&lease)).await;
    assert!(
        released.is_ok() && !is_flushed,
        "a lease that was given back"
    );
    // Otherwise a server that crashes could give one token to two drivers.
    let (lease, is_flushed) = log.is_flushed(store.lease(Scope::All, &run, LONG)).await;
    assert!(is_flushed, "a lease that was taken");
    let lease = lease.unwrap();
    for (synced, status) in [(false, None), (true, sample::end().status)] {
        let mut end = Append::default();
        (end.synced, end.status) = (synced, status.or(Some(RunStatus::Open)));
        let (ended, is_flushed) = log.is_flushed(store.append(&lease, &end)).await;
        ended.unwrap();
        assert_eq!(is_flushed, synced, "a status");
    }
    let (deleted, is_flushed) = log.is_flushed(store.delete_run(Scope::All, &run)).await;
    assert!(deleted.is_ok() && is_flushed, "a run that was deleted");
}
