//! The tables, and whose they are.

use tokio_postgres::types::Type;
use toolwright_runtime::store::{StoreError, StoreErrorKind};

use crate::{
    failure::{Failure, column, unavailable},
    session::Session,
};

/// The version of the tables that is written, and the newest that is read.
const VERSION: i32 = 1;

/// The oldest PostgreSQL that has what the statements use, as its `server_version_num`.
const OLDEST_SERVER: i32 = 120_000;

/// The tables of version 1. `PostgresStore` documents them.
///
/// - Ids may be longer than an entry of a B-tree, so those of runs and conversations are kept unique by an index of
///   hashes, and what is searched for has an index of its hash.
/// - What every append changes is in a row of its own, which is short and in no index but that of its key: PostgreSQL
///   rewrites a whole row for each change.
const TABLES: &str = r#"
CREATE TABLE runs (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    runner text COLLATE "C" NOT NULL,
    owner text COLLATE "C",
    created_us bigint NOT NULL,
    unfinished boolean NOT NULL,
    ended timestamptz,
    status text NOT NULL,
    pending text NOT NULL,
    info text NOT NULL,
    CONSTRAINT runs_id EXCLUDE USING hash (id WITH =)
);
CREATE INDEX runs_by_time ON runs (created_us, key);
CREATE INDEX runs_by_owner ON runs (hashtextextended(owner, 0), created_us, key);
CREATE INDEX runs_unfinished ON runs (hashtextextended(runner, 0), created_us, key) WHERE unfinished;
CREATE INDEX runs_ended ON runs (ended) WHERE ended IS NOT NULL;
CREATE TABLE leases (
    run bigint PRIMARY KEY,
    token bigint NOT NULL,
    until timestamptz,
    holder bigint,
    is_over boolean NOT NULL,
    entries bigint NOT NULL,
    items bigint NOT NULL,
    taken bigint NOT NULL,
    conversation bigint
) WITH (fillfactor = 50);
CREATE TABLE labels (
    run bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL
);
CREATE INDEX labels_by_run ON labels (run);
CREATE INDEX labels_by_value ON labels (hashtextextended(value, hashtextextended(name, 0)), run);
CREATE TABLE entries (
    run bigint NOT NULL,
    sequence bigint NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (run, sequence)
);
CREATE TABLE inbox (
    run bigint NOT NULL,
    place bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (run, place)
);
CREATE INDEX inbox_by_id ON inbox (run, hashtextextended(id, 0));
CREATE TABLE conversations (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    owner text COLLATE "C",
    version bigint NOT NULL,
    saved timestamptz NOT NULL,
    run bigint,
    CONSTRAINT conversations_id EXCLUDE USING hash (id WITH =)
);
CREATE INDEX conversations_by_time ON conversations (saved, key);
CREATE INDEX conversations_by_owner ON conversations (hashtextextended(owner, 0), saved, key);
CREATE TABLE versions (
    conversation bigint NOT NULL,
    version bigint NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (conversation, version)
);
CREATE TABLE toolwright (version integer NOT NULL);
"#;

/// What a schema says of itself.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// Nothing: it is not there, or empty.
    Empty,
    /// It is ours, and of this version.
    Current,
}

/// Opens the schema of a name, which the connection looks into. It makes the tables of a new one.
///
/// # Errors
///
/// When it is of another program, or of a newer version.
pub(crate) async fn open(session: &Session, schema: &str) -> Result<(), Failure> {
    if find(session, schema).await? == Found::Current {
        // It may be that nothing can be written.
        return session
            .batch("UPDATE leases SET token = token WHERE FALSE")
            .await;
    }
    let [] = session.begin([]).await?;
    // Another process may make them at the same time: so it is looked again, under a lock.
    let lock = "SELECT pg_advisory_xact_lock(hashtextextended('toolwright ' || $1, 0))";
    session.query_once(lock, &[(&schema, Type::TEXT)]).await?;
    match find(session, schema).await {
        Ok(Found::Empty) => {}
        Ok(Found::Current) => return session.commit().await,
        Err(failure) => return session.refuse(failure).await,
    }
    let name = quoted(schema);
    let version = format!("INSERT INTO toolwright VALUES ({VERSION});");
    session
        .batch(&format!(
            "DO $$ BEGIN IF to_regnamespace({literal}) IS NULL THEN CREATE SCHEMA {name}; END IF; END $$; {TABLES}{version}",
            literal = literal(&name),
        ))
        .await?;
    session.commit().await
}

/// A name as a part of a statement.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as a part of a statement. `standard_conforming_strings` is on: `Target` sets it.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

async fn find(session: &Session, schema: &str) -> Result<Found, Failure> {
    let about = "SELECT current_setting('server_version_num')::integer,
            current_setting('server_encoding'),
            to_regclass(quote_ident($1) || '.toolwright') IS NOT NULL,
            EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident($1)))";
    let rows = session.query_once(about, &[(&schema, Type::TEXT)]).await?;
    let row = rows.first().ok_or_else(of_another_program)?;
    let (server, encoding): (i32, &str) = (column(row, 0)?, column(row, 1)?);
    let (is_ours, has_more): (bool, bool) = (column(row, 2)?, column(row, 3)?);
    if server < OLDEST_SERVER {
        let why = "the server is older than PostgreSQL 12: use a newer one";
        return Err(unavailable(why).into());
    }
    if encoding != "UTF8" {
        let why =
            format!("the database has the encoding {encoding}: create it with the encoding UTF8");
        return Err(unavailable(why).into());
    }
    match (is_ours, has_more) {
        (false, false) => Ok(Found::Empty),
        (false, true) => Err(of_another_program()),
        (true, _) => check_version(session, schema).await,
    }
}

async fn check_version(session: &Session, schema: &str) -> Result<Found, Failure> {
    let version = format!(
        "SELECT max(version)::integer FROM {}.toolwright",
        quoted(schema)
    );
    let rows = session.query_once(&version, &[]).await?;
    let version: Option<i32> = rows.first().map_or(Ok(None), |row| column(row, 0))?;
    match version {
        Some(VERSION) => Ok(Found::Current),
        Some(newer) if newer > VERSION => {
            let message = format!(
                "the tables have version {newer}, and this program reads up to {VERSION}: use a newer one"
            );
            Err(StoreError::new(StoreErrorKind::Newer, message).into())
        }
        Some(other) => Err(Failure::corrupt(&format!(
            "the tables have the unknown version {other}"
        ))),
        None => Err(of_another_program()),
    }
}

fn of_another_program() -> Failure {
    Failure::corrupt("the schema has tables of another program: choose another schema")
}
