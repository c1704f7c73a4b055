//! The tables, and whose file it is.

use rusqlite::Connection;
use toolwright_runtime::store::{StoreError, StoreErrorKind};

use crate::failure::Failure;

/// Says in the file whose it is: the letters `twrt`.
const APPLICATION: i32 = 0x7477_7274;
/// The version of the tables that is written, and the newest that is read.
const VERSION: i32 = 1;

/// The tables of version 1. `SqliteStore` documents them.
///
/// The log is a table with an index, and not one without row ids: measured with texts of 300 to 6,000 bytes, an append
/// takes half the time and the file half the space, because a row of more than 1,000 bytes would be kept on a page of
/// its own.
const TABLES: &str = "
CREATE TABLE runs (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    runner TEXT NOT NULL,
    owner TEXT,
    conversation TEXT,
    created_us INTEGER NOT NULL,
    unfinished INTEGER NOT NULL,
    is_over INTEGER NOT NULL,
    token INTEGER NOT NULL,
    held_until_us INTEGER,
    lease_us INTEGER NOT NULL,
    holder TEXT,
    taken INTEGER NOT NULL,
    ended_us INTEGER,
    status TEXT NOT NULL,
    pending TEXT NOT NULL,
    info TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_time ON runs (created_us, id);
CREATE INDEX runs_by_owner ON runs (owner, created_us, id);
CREATE INDEX runs_unfinished ON runs (runner, created_us, id) WHERE unfinished = 1;
CREATE INDEX runs_held ON runs (key) WHERE held_until_us IS NOT NULL;
CREATE INDEX runs_ended ON runs (ended_us) WHERE ended_us IS NOT NULL;
CREATE UNIQUE INDEX runs_conversation ON runs (conversation) WHERE is_over = 0 AND conversation IS NOT NULL;
CREATE TABLE labels (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    run INTEGER NOT NULL,
    PRIMARY KEY (name, value, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
    run INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (run, sequence)
) STRICT;
CREATE TABLE inbox (
    run INTEGER NOT NULL,
    place INTEGER NOT NULL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (run, place),
    UNIQUE (run, id)
) STRICT;
CREATE TABLE conversations (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT,
    version INTEGER NOT NULL,
    saved_us INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_by_time ON conversations (saved_us, id);
CREATE INDEX conversations_by_owner ON conversations (owner, saved_us, id);
CREATE TABLE versions (
    conversation INTEGER NOT NULL,
    version INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (conversation, version)
) STRICT;
";

/// What a file says of itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing: it is new.
    Empty,
    /// It is ours, and of this version.
    Current,
}

/// Says what a database holds.
///
/// # Errors
///
/// When it is of another program, or of a newer version.
pub(crate) fn find(connection: &Connection) -> Result<Found, Failure> {
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i32>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    if application == APPLICATION {
        return match version {
            VERSION => Ok(Found::Current),
            newer if newer > VERSION => Err(newer_than_this(newer).into()),
            other => Err(Failure::corrupt(&format!(
                "the tables have the unknown version {other}"
            ))),
        };
    }
    if application == 0 && version == 0 && number("SELECT count(*) FROM sqlite_schema")? == 0 {
        return Ok(Found::Empty);
    }
    Err(Failure::corrupt(
        "the file is the database of another program: choose another file",
    ))
}

/// Makes the tables of a database that holds nothing. It is part of a transaction.
pub(crate) fn create(connection: &Connection) -> Result<(), Failure> {
    connection.execute_batch(TABLES)?;
    connection.execute_batch(&format!(
        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
    ))?;
    Ok(())
}

/// Checks that a database can be written. SQLite opens one that is read-only without an error.
pub(crate) fn check_writable(connection: &Connection) -> Result<(), Failure> {
    Ok(connection.execute_batch("UPDATE runs SET key = key WHERE FALSE")?)
}

fn newer_than_this(version: i32) -> StoreError {
    let message = format!(
        "the tables have version {version}, and this program reads up to {VERSION}: use a newer one"
    );
    StoreError::new(StoreErrorKind::Newer, message)
}
