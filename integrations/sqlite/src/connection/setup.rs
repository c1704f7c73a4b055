//! How a connection is opened and set.

use std::{
    path::{self, Path, PathBuf},
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::place::Place;
use crate::{
    data::schema::{self, Found},
    failure::{Failure, is_busy, unavailable},
};

/// The number of statements that a connection keeps prepared: more than there are.
const STATEMENTS: usize = 64;

/// What to open, and how.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// The file; `None` for a database in memory.
    pub(crate) path: Option<PathBuf>,
    /// How long to wait for locks of other connections.
    pub(crate) busy_timeout: Duration,
}

impl Target {
    /// Opens the connection that writes. It makes the tables of a new database, and refuses the database of
    /// another program.
    pub(super) fn open_writer(&self) -> Result<(Connection, Option<Place>), Failure> {
        let Some(path) = &self.path else {
            let mut connection = Connection::open_in_memory()?;
            self.set(&connection)?;
            make_tables(&mut connection)?;
            return Ok((connection, None));
        };
        if path == Path::new(":memory:") {
            let why = "a path names a file: `SqliteStore::in_memory` opens a database in memory";
            return Err(unavailable(why).into());
        }
        let path = path::absolute(path)
            .map_err(|error| unavailable(format!("the path cannot be used: {error}")))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&path, flags)?;
        self.set(&connection)?;
        // Before anything is changed: the file may belong to another program. In one transaction, because another
        // process may be making the tables.
        let looking = connection.transaction()?;
        schema::find(&looking)?;
        looking.finish()?;
        self.write_ahead(&connection)?;
        connection.execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
             PRAGMA journal_size_limit = 16777216;",
        )?;
        make_tables(&mut connection)?;
        let place = Place::of_open(&path)?;
        Ok((connection, Some(place)))
    }

    /// Opens a connection that reads, beside the one that writes.
    pub(super) fn open_reader(&self, place: &Place) -> Result<Connection, Failure> {
        // Without writing SQLite cannot say to others what it reads. It does not make a file that is gone.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(place.path(), flags)?;
        self.set(&connection)?;
        connection.execute_batch("PRAGMA query_only = ON;")?;
        Ok(connection)
    }

    fn set(&self, connection: &Connection) -> Result<(), Failure> {
        connection.busy_timeout(self.busy_timeout)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.execute_batch("PRAGMA trusted_schema = OFF;")?;
        Ok(())
    }

    /// Switches to a write-ahead log. Two that open a new file at once may meet here, and SQLite does not wait then.
    fn write_ahead(&self, connection: &Connection) -> Result<(), Failure> {
        let begun = Instant::now();
        let mode: String = loop {
            let mode = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
            match mode {
                Err(error) if is_busy(&error) && begun.elapsed() < self.busy_timeout => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                mode => break mode?,
            }
        };
        if mode == "wal" {
            Ok(())
        } else {
            let why = format!(
                "SQLite cannot use a write-ahead log there, only the journal mode {mode:?}: choose a local disk"
            );
            Err(unavailable(why).into())
        }
    }
}

fn make_tables(connection: &mut Connection) -> Result<(), Failure> {
    // Another process may make them at the same time: so it is looked again, under the lock.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if schema::find(&transaction)? == Found::Empty {
        schema::create(&transaction)?;
    }
    schema::check_writable(&transaction)?;
    Ok(transaction.commit()?)
}
