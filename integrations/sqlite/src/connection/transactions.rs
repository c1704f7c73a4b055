//! The connection that writes, and its transactions.

use std::time::Duration;

use rusqlite::Connection;
use toolwright_runtime::store::StoreError;

use super::{
    job::{Job, Verdict},
    place::Place,
    setup::Target,
};
use crate::failure::{Failure, unavailable};

/// A change that is part of a transaction.
pub(crate) struct Change {
    pub(crate) job: Box<dyn Job>,
    /// True if it survives a loss of power.
    pub(crate) synced: bool,
    /// True if a reader may wait for it in an inbox.
    pub(crate) wakes: bool,
}

/// The connection that writes.
pub(super) struct Transactions {
    connection: Connection,
    place: Option<Place>,
    /// How long is waited for locks.
    waited: Duration,
    /// True if commits are synced now.
    is_synced: bool,
    /// The sync that failed.
    broken: Option<StoreError>,
}

impl Transactions {
    pub(super) fn open(target: &Target) -> Result<Self, StoreError> {
        let opened = target.open_writer();
        let (connection, place) =
            opened.map_err(|failure| failure.into_error(target.busy_timeout))?;
        Ok(Self {
            connection,
            place,
            waited: target.busy_timeout,
            is_synced: true,
            broken: None,
        })
    }

    /// The files; `None` for a database in memory.
    pub(super) fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// A number that changes with what other connections write; `None` if it cannot be read.
    pub(super) fn version(&self) -> Option<i64> {
        let version = self.connection.prepare_cached("PRAGMA data_version");
        let version = version.and_then(|mut version| version.query_row([], |row| row.get(0)));
        version.ok().filter(|_| self.missing().is_none())
    }

    /// Does something that is no part of a transaction.
    pub(super) fn alone(&self, mut job: Box<dyn Job>) {
        job.run(&self.connection);
        job.answer(&self.verdict(None));
    }

    /// Makes changes in one transaction. One that breaks a rule is undone alone. Returns true if a
    /// change was made that a reader may wait for.
    pub(super) fn write(&mut self, mut batch: Vec<Change>) -> bool {
        if let Err(error) = self.begin(&batch) {
            return self.answer(batch, Some(error));
        }
        let done = self.transact(&mut batch);
        if !self.connection.is_autocommit() {
            // If this fails as well, it is tried again before the next transaction.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        let Err(failure) = done else {
            return self.answer(batch, None);
        };
        if failure.is_failed_sync() {
            let why = "a sync failed, and earlier changes may be lost: open the store again";
            self.broken = Some(unavailable(why));
        } else if batch.len() > 1 {
            // Such as a full disk: SQLite undoes all for the sake of one. The others are made without it.
            let made = batch.into_iter().map(|change| self.write(vec![change]));
            return made.fold(false, |wakes, made| wakes | made);
        }
        self.answer(batch, Some(failure.into_error(self.waited)))
    }

    fn answer(&self, batch: Vec<Change>, failed: Option<StoreError>) -> bool {
        let wakes = failed.is_none() && batch.iter().any(|change| change.wakes);
        // After the commit: what was written before the files were gone is gone as well.
        let verdict = self.verdict(failed);
        for change in batch {
            change.job.answer(&verdict);
        }
        wakes
    }

    fn begin(&mut self, batch: &[Change]) -> Result<(), StoreError> {
        if let Some(broken) = &self.broken {
            return Err(broken.clone());
        }
        if !self.connection.is_autocommit() {
            // The transaction before could not be undone.
            let undone = self.run("ROLLBACK");
            undone.map_err(|failure| failure.into_error(self.waited))?;
        }
        let begun = self
            .set_synced(batch.iter().any(|change| change.synced))
            .and_then(|()| self.run("BEGIN IMMEDIATE"));
        begun.map_err(|failure| failure.into_error(self.waited))
    }

    fn set_synced(&mut self, synced: bool) -> Result<(), Failure> {
        if synced != self.is_synced {
            // Not prepared ahead: it takes effect while it is being prepared.
            let level = if synced { "FULL" } else { "NORMAL" };
            (self.connection).execute_batch(&format!("PRAGMA synchronous = {level}"))?;
            self.is_synced = synced;
        }
        Ok(())
    }

    fn transact(&self, batch: &mut [Change]) -> Result<(), Failure> {
        if let [only] = batch {
            if !only.job.run(&self.connection) {
                return Ok(());
            }
        } else {
            for change in batch {
                self.run("SAVEPOINT change")?;
                if !change.job.run(&self.connection) {
                    // An error if SQLite has undone the whole transaction.
                    self.run("ROLLBACK TO change")?;
                }
                self.run("RELEASE change")?;
            }
        }
        self.run("COMMIT")
    }

    fn run(&self, sql: &str) -> Result<(), Failure> {
        self.connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    }

    /// Says whether what was done counts.
    fn verdict(&self, failed: Option<StoreError>) -> Verdict {
        Verdict {
            failed,
            missing: self.missing(),
            waited: self.waited,
        }
    }

    /// The error of files that are not there any more.
    fn missing(&self) -> Option<StoreError> {
        self.place.as_ref().and_then(|place| place.check().err())
    }
}
