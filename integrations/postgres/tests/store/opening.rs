//! Schemas that are opened, and those that are refused.

use std::{sync::Arc, time::Duration};

use toolwright::{
    run::RunId,
    store::{PostgresOptions, PostgresStore, RunFilter, Scope, Store, StoreError, StoreErrorKind},
};

use crate::{
    damaged,
    database::Database,
    postgres_server::Source,
    sample::{self, LONG},
};

async fn opened(database: &Database) -> Result<PostgresStore, StoreError> {
    let options = PostgresOptions::new().schema(database.schema());
    options.connect(database.url()).await
}

async fn refused(database: &Database) -> StoreError {
    let opened = opened(database).await;
    opened.expect_err("the schema cannot be used")
}

pub(crate) async fn many_open_a_new_schema_at_once(database: Arc<Database>) {
    for _ in 0..5 {
        let database = Arc::new(database.another());
        let opened = (0..8).map(|_| {
            let database = Arc::clone(&database);
            tokio::spawn(async move { opened(&database).await })
        });
        for (number, store) in opened.collect::<Vec<_>>().into_iter().enumerate() {
            let store = store.await.unwrap().unwrap();
            let run = sample::run(&number.to_string());
            store.create(&run, LONG).await.unwrap();
        }
        let runs = database
            .store()
            .await
            .list(Scope::All, &RunFilter::default())
            .await;
        assert_eq!(runs.unwrap().items.len(), 8);
    }
}

pub(crate) async fn an_empty_schema_is_used(database: Arc<Database>) {
    let client = database.client().await;
    let make = format!("CREATE SCHEMA {}", database.quoted());
    client.batch_execute(&make).await.unwrap();
    let store = opened(&database).await.unwrap();
    store.create(&sample::run("r"), LONG).await.unwrap();
}

pub(crate) async fn a_newer_version_is_refused(database: Arc<Database>) {
    let client = database.client().await;
    drop(database.store().await);
    let newer = "UPDATE toolwright SET version = 2";
    client.batch_execute(newer).await.unwrap();
    let error = refused(&database).await;
    assert_eq!(error.kind, StoreErrorKind::Newer);
    assert!(error.message.contains("version 2"), "{error}");
    let no_version = "UPDATE toolwright SET version = 0";
    client.batch_execute(no_version).await.unwrap();
    assert_eq!(refused(&database).await.kind, StoreErrorKind::Corrupt);
}

pub(crate) async fn tables_of_another_program_are_refused(database: Arc<Database>) {
    for table in [
        "orders (id int)",
        "runs (id int)",
        "toolwright (id int)",
        "toolwright (version int)",
    ] {
        let database = database.another();
        let client = database.client().await;
        let make = format!("CREATE SCHEMA {}; CREATE TABLE {table}", database.quoted());
        client.batch_execute(&make).await.unwrap();
        let error = refused(&database).await;
        assert_eq!(error.kind, StoreErrorKind::Corrupt, "{table}: {error}");
        let count = "SELECT count(*) FROM pg_class WHERE relnamespace = quote_ident(current_schema)::regnamespace";
        let row = client.query_one(count, &[]).await.unwrap();
        assert_eq!(row.get::<_, i64>(0), 1, "nothing is made beside {table}");
    }
}

pub(crate) async fn a_database_of_another_encoding_is_refused(database: Arc<Database>) {
    // On a server of somebody else no database is made.
    let Source::Programs(_) = database.source() else {
        return;
    };
    let client = database.client().await;
    let make = "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'";
    client.batch_execute(make).await.unwrap();
    let url = database.url().replace("/postgres?", "/latin?");
    let error = PostgresStore::connect(&url).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    assert!(error.message.contains("LATIN1"), "{error}");
}

pub(crate) async fn a_database_that_is_read_only_is_refused(database: Arc<Database>) {
    let sign = if database.url().contains('?') {
        '&'
    } else {
        '?'
    };
    let read_only = "options=-c%20default_transaction_read_only%3Don";
    let url = format!("{}{sign}{read_only}", database.url());
    for _ in 0..2 {
        let options = PostgresOptions::new().schema(database.schema());
        let error = options.connect(&url).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Unavailable);
        assert!(error.message.contains("read-only"), "{error}");
        // The second time the tables are there.
        drop(database.store().await);
    }
}

pub(crate) async fn a_server_that_is_not_there_is_told(database: Arc<Database>) {
    let nowhere = std::env::temp_dir().join(database.schema());
    let nowhere = format!(
        "postgresql:///postgres?user=toolwright&host={}",
        nowhere.display()
    );
    for url in [
        &*nowhere,
        "postgresql://toolwright@127.0.0.1:1/postgres",
        "postgresql://toolwright:secret@localhost/postgres?sslmode=maybe",
        "no url",
        "",
    ] {
        let options = PostgresOptions::new().timeout(Duration::from_secs(5));
        let error = options.connect(url).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
        assert!(!error.message.contains("secret"), "{error}");
        assert!(!error.message.contains("may have been made"), "{error}");
    }
}

pub(crate) async fn a_name_that_is_none_is_refused(database: Arc<Database>) {
    for name in ["", "a\0", &"x".repeat(64)] {
        let options = PostgresOptions::new().schema(name);
        let error = options.connect(database.url()).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Unavailable, "{name:?}");
    }
}

/// A log with a hole, and one that is shorter than it was.
pub(crate) async fn a_record_that_is_missing_is_named(database: Arc<Database>) {
    let (store, client) = (database.store().await, database.client().await);
    let run = RunId::new("r");
    let lease = store.create(&sample::run("r"), LONG).await.unwrap();
    for place in 1..5 {
        let append = sample::append(place, "more");
        store.append(&lease, &append).await.unwrap();
    }
    for (missing, from) in [(4_i64, 0), (4, 4), (2, 0), (2, 1), (0, 0)] {
        let delete = "DELETE FROM entries WHERE sequence = $1";
        client.execute(delete, &[&missing]).await.unwrap();
        let error = store.load(Scope::All, &run, from).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Corrupt, "{error}");
        assert_eq!(error.run_id.as_ref(), Some(&run));
        assert_eq!(error.sequence, Some(missing.unsigned_abs()));
    }
    assert!(
        store
            .load(Scope::All, &run, 5)
            .await
            .unwrap()
            .entries
            .is_empty()
    );
}

/// A damaged run takes no other with it, and has a place in the pages.
pub(crate) async fn a_damaged_run_is_listed_beside_the_others(database: Arc<Database>) {
    let (store, client) = (database.store().await, database.client().await);
    for run in damaged::three_runs() {
        store.create(&run, LONG).await.unwrap();
    }
    for damage in [
        "UPDATE runs SET info = '{}' WHERE id = 'r'",
        "UPDATE runs SET status = 'open' WHERE id = 'r'",
    ] {
        client.batch_execute(damage).await.unwrap();
        damaged::is_listed_beside_the_others(&store, &RunId::new("r"), damage).await;
    }
    store.abandon(Scope::All, &RunId::new("r")).await.unwrap();
    store
        .delete_run(Scope::All, &RunId::new("r"))
        .await
        .unwrap();
}

pub(crate) async fn tables_that_are_gone_are_told(database: Arc<Database>) {
    let (store, client) = (database.store().await, database.client().await);
    let lease = store.create(&sample::run("r"), LONG).await.unwrap();
    let gone = format!("DROP SCHEMA {} CASCADE", database.quoted());
    client.batch_execute(&gone).await.unwrap();
    for error in [
        store
            .append(&lease, &sample::append(1, "more"))
            .await
            .unwrap_err(),
        store.load(Scope::All, &lease.run_id, 0).await.unwrap_err(),
        store
            .wait_for_inbox(Scope::All, &lease.run_id, 0)
            .await
            .unwrap_err(),
    ] {
        assert_eq!(error.kind, StoreErrorKind::Corrupt, "{error}");
        assert_eq!(error.run_id.as_ref(), Some(&lease.run_id));
    }
}
