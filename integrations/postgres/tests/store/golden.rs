//! A script of each version of the tables is kept, and read for ever. `pg_dump --inserts` has made it, of a schema `golden`.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::Command,
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use tokio_postgres::Client;
use toolwright::{
    run::RunId,
    store::{
        Append, ConversationId, ConversationRef, ConversationVersion, InboxContent, InboxItem,
        NewRun, PostgresOptions, PostgresStore, RunFilter, RunInfo, RunStatus, Store,
    },
};

use crate::{
    database::Database,
    postgres_server::{Server, Source},
    sample::{self, LONG},
};

const VERSION_1: &str = include_str!("golden/version_1.sql");

/// Makes the schema of a script.
async fn made(database: &Database, script: &str) -> Client {
    let client = database.client().await;
    let (schema, qualified) = (database.quoted(), format!("{}.", database.quoted()));
    let script = script.replace("SCHEMA golden", &format!("SCHEMA {schema}"));
    let script = script.replace("golden.", &qualified);
    let made = client.batch_execute(&script).await;
    made.expect("the script is whole");
    client
}

/// The run of the golden script.
fn run() -> NewRun {
    let created = UNIX_EPOCH + Duration::from_nanos(1_795_000_000_123_456_789);
    let mut info = RunInfo::new(RunId::new("r/1 \u{e9}\0"), "weather", created);
    info.owner = Some("ada".to_owned());
    info.labels = BTreeMap::from([("team".to_owned(), "north".to_owned())]);
    info.conversation = Some(ConversationRef::new("talk", 1));
    NewRun::new(info, vec!["zero".to_owned(), "one\0".to_owned()])
}

fn versions() -> [ConversationVersion; 2] {
    [
        ConversationVersion::new(1, "hello"),
        ConversationVersion::new(2, "and more"),
    ]
}

fn parked() -> RunStatus {
    RunStatus::Parked {
        reason: "no progress".to_owned(),
    }
}

pub(crate) async fn version_1_is_read(database: Arc<Database>) {
    made(&database, VERSION_1).await;
    let store = database.store().await;
    let (expected, talk) = (run(), ConversationId::new("talk"));
    let id = &expected.info.run_id;

    let loaded = store.load(id, 0).await.unwrap();
    assert_eq!(loaded.info, expected.info);
    assert_eq!(loaded.entries, ["zero", "one\0", "two"]);
    assert_eq!((loaded.taken, loaded.held_until), (1, None));
    assert_eq!(loaded.status, parked());

    let mut filter = RunFilter::default();
    filter.owner = Some("ada".to_owned());
    filter.labels = expected.info.labels.clone();
    let listed = store.list(&filter).await.unwrap();
    assert_eq!(listed.items[0].info, expected.info);
    assert_eq!((listed.items[0].entries, listed.items[0].ended), (3, None));
    let items = store.inbox(id, 0).await.unwrap();
    let item = InboxItem::with_id("stop", InboxContent::CancelAfterRound);
    assert_eq!(items[0].item, item);
    assert_eq!(store.conversation(&talk, None).await.unwrap(), versions());
    let talks = store.conversations(Some("ada"), None, 10).await.unwrap();
    assert_eq!((&talks.items[0].id, talks.items[0].version), (&talk, 2));

    // And goes on as any other: with the next token, and a conversation that is still its own.
    store.put(id, &item).await.unwrap();
    assert_eq!(store.inbox(id, 0).await.unwrap().len(), 1);
    store.delete_conversation(&talk).await.unwrap_err();
    let lease = store.lease(id, LONG).await.unwrap();
    assert_eq!(lease.token, 2);
    let mut end = Append::new(3, vec!["three".to_owned()]);
    end.status = Some(RunStatus::Finished);
    store.append(&lease, &end).await.unwrap();
    store.delete_run(id).await.unwrap();
    store.delete_conversation(&talk).await.unwrap();
    store.create(&expected, LONG).await.unwrap_err();
    store.create(&sample::run("next"), LONG).await.unwrap();
}

/// Other tables need another version, and a golden script of it.
pub(crate) async fn version_1_has_the_tables_that_are_made_today(database: Arc<Database>) {
    const COLUMNS: &str = "SELECT concat_ws(' ', relname, attnum, attname, format_type(atttypid, atttypmod),
            attnotnull, attidentity, collname, reloptions)
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
            LEFT JOIN pg_collation ON pg_collation.oid = attcollation
        WHERE relnamespace = quote_ident(current_schema)::regnamespace AND relkind = 'r' AND attnum > 0";
    const RULES: &str =
        "SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = quote_ident(current_schema)::regnamespace";
    const INDEXES: &str = "SELECT replace(indexdef, quote_ident(schemaname) || '.', '')
        FROM pg_indexes WHERE schemaname = current_schema";
    let golden = database.another();
    let (old, new) = (made(&golden, VERSION_1).await, database.client().await);
    let store = database.store().await;
    for query in [COLUMNS, RULES, INDEXES] {
        let lines = async |client: &Client| {
            let rows = client.query(query, &[]).await.unwrap();
            let mut lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
            lines.sort();
            assert!(lines.len() > 7, "{lines:?}");
            lines
        };
        assert_eq!(lines(&old).await, lines(&new).await);
    }
    drop(store);
}

/// Writes the golden script of the version of today.
pub(crate) async fn write_the_golden_script(database: Arc<Database>) {
    let Source::Programs(_) = database.source() else {
        panic!("a server of its own is needed");
    };
    let server = Server::of(database.source());
    let options = PostgresOptions::new().schema("golden");
    fill(&options.connect(server.url()).await.unwrap()).await;
    let mut dump = Command::new("pg_dump");
    dump.args([
        "--inserts",
        "--no-owner",
        "--no-privileges",
        "--schema=golden",
    ]);
    let dump = dump.arg(server.url()).output().unwrap();
    let script = String::from_utf8(dump.stdout).unwrap();
    // Settings of the connection, comments, and commands of `psql`.
    let other = ["SET ", "SELECT pg_catalog.set_config(", "--", "\\"];
    let lines = script
        .lines()
        .filter(|line| !line.is_empty() && !other.iter().any(|begin| line.starts_with(begin)));
    let script: String = lines.flat_map(|line| [line, "\n"]).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/golden/version_1.sql");
    fs::write(path, script).unwrap();
}

async fn fill(store: &PostgresStore) {
    let (run, talk, [first, second]) = (run(), ConversationId::new("talk"), versions());
    let saved = store.save_conversation(&talk, Some("ada"), &first).await;
    saved.expect("the conversation is new");
    let lease = store.create(&run, LONG).await.expect("the run is new");
    let item = InboxItem::with_id("stop", InboxContent::CancelAfterRound);
    let put = store.put(&lease.run_id, &item).await;
    put.expect("the run is there");
    let mut append = Append::new(2, vec!["two".to_owned()]);
    append.taken = 1;
    append.status = Some(parked());
    append.conversation = Some(second);
    let appended = store.append(&lease, &append).await;
    appended.expect("the lease is held");
}
