//! The store.

mod operations;
#[cfg(test)]
mod tests;

use std::{fmt, path::PathBuf, sync::Arc};

use rusqlite::Connection;
use toolwright_core::{run::RunId, tool::BoxFuture};
use toolwright_runtime::store::{StoreError, StoreErrorKind};

use crate::{
    connection::{Change, Order, Readers, Target, WriterThread, ended, task},
    failure::Failure,
    holders::Holders,
    options::SqliteOptions,
};

#[doc = include_str!("store.md")]
#[derive(Clone)]
pub struct SqliteStore(Arc<Parts>);

struct Parts {
    writer: WriterThread,
    /// `None` for a database in memory, which has one connection.
    readers: Option<Readers>,
    holders: Holders,
}

/// Whether a change survives a loss of power, when its answer comes.
#[derive(Clone, Copy, PartialEq)]
enum Durable {
    /// It does.
    Full,
    /// It does once a later change does. It survives the end of the process at once.
    Later,
}

impl SqliteStore {
    /// Opens the store in a file, and creates the file if it does not exist. Its folder must exist.
    ///
    /// # Errors
    ///
    /// When the file is of another program or damaged ([`StoreErrorKind::Corrupt`]), has a newer version
    /// ([`StoreErrorKind::Newer`]), or cannot be opened and written ([`StoreErrorKind::Unavailable`]).
    ///
    /// [`StoreErrorKind::Corrupt`]: toolwright_runtime::store::StoreErrorKind::Corrupt
    /// [`StoreErrorKind::Newer`]: toolwright_runtime::store::StoreErrorKind::Newer
    /// [`StoreErrorKind::Unavailable`]: toolwright_runtime::store::StoreErrorKind::Unavailable
    pub async fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        SqliteOptions::new().open(path).await
    }

    /// Opens a store in memory, for tests. It ends with its last clone.
    ///
    /// # Errors
    ///
    /// When there is no memory, or no thread can be started.
    pub async fn in_memory() -> Result<Self, StoreError> {
        SqliteOptions::new().in_memory().await
    }

    /// Gives the space of what was deleted back to the disk, and overwrites it. Without it, that space is used again
    /// for what is stored next. The whole file is rewritten meanwhile, and nothing else is written.
    ///
    /// # Errors
    ///
    /// When there is no room for a second copy of the file, or another connection reads or writes for too long.
    ///
    /// # Cancel safety
    ///
    /// It continues if the future is dropped.
    pub async fn vacuum(&self) -> Result<(), StoreError> {
        let (job, answer) = task(|connection| {
            connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
            Ok(())
        });
        self.0.writer.order(Order::Alone(job));
        answer.await.unwrap_or_else(|_| Err(ended()))
    }

    /// Makes a change in a transaction.
    fn write<'a, T: Send + 'static>(
        &'a self,
        run: Option<&'a RunId>,
        durable: Durable,
        work: impl Fn(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        self.change(run, durable, false, work)
    }

    fn change<'a, T: Send + 'static>(
        &'a self,
        run: Option<&'a RunId>,
        durable: Durable,
        wakes: bool,
        work: impl Fn(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move {
            let (job, answer) = task(work);
            let synced = durable == Durable::Full;
            self.0
                .writer
                .order(Order::Write(Change { job, synced, wakes }));
            about(run, answer.await.unwrap_or_else(|_| Err(ended())))
        })
    }

    fn read<'a, T: Send + 'static>(
        &'a self,
        run: Option<&'a RunId>,
        work: impl Fn(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move {
            let (job, answer) = task(work);
            match &self.0.readers {
                Some(readers) => readers.read(job),
                None => self.0.writer.order(Order::Alone(job)),
            }
            about(run, answer.await.unwrap_or_else(|_| Err(ended())))
        })
    }
}

impl SqliteOptions {
    /// Opens a store, as [`SqliteStore::open`] does.
    ///
    /// # Errors
    ///
    /// As [`SqliteStore::open`].
    pub async fn open(self, path: impl Into<PathBuf>) -> Result<SqliteStore, StoreError> {
        self.open_target(Some(path.into())).await
    }

    /// Opens a store in memory, as [`SqliteStore::in_memory`] does.
    ///
    /// # Errors
    ///
    /// As [`SqliteStore::in_memory`].
    pub async fn in_memory(self) -> Result<SqliteStore, StoreError> {
        self.open_target(None).await
    }

    async fn open_target(self, path: Option<PathBuf>) -> Result<SqliteStore, StoreError> {
        let Self {
            busy_timeout,
            clock,
        } = self;
        let target = Target { path, busy_timeout };
        let (writer, opened) = WriterThread::open(target).await?;
        let (readers, holders) = match opened {
            None => (None, Holders::in_memory()),
            Some((readers, path)) => {
                let holders = match clock {
                    None => Holders::of(&path),
                    Some(clock) => Holders::apart(&path, clock),
                };
                (Some(readers), holders)
            }
        };
        Ok(SqliteStore(Arc::new(Parts {
            writer,
            readers,
            holders,
        })))
    }
}

/// Names the run in an error that names none, unless that is about a conversation.
fn about<T>(run: Option<&RunId>, result: Result<T, StoreError>) -> Result<T, StoreError> {
    result.map_err(|error| match (run, &error.run_id) {
        (Some(run), None) => match error.kind {
            StoreErrorKind::NotFound | StoreErrorKind::ConversationBusy => error,
            _ => error.with_run(run),
        },
        _ => error,
    })
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").finish_non_exhaustive()
    }
}
