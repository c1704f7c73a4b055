//! What may fail in the database, and what the caller reads of it.

use std::time::Duration;

use rusqlite::{Error, ErrorCode, ffi};
use toolwright_runtime::store::{StoreError, StoreErrorKind};

/// Why an operation failed: SQLite, or a rule of the store.
#[derive(Debug)]
pub(crate) enum Failure {
    Sqlite(Error),
    Store(StoreError),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Failure {
    /// What is stored is damaged.
    pub(crate) fn corrupt(why: &str) -> Self {
        Self::Store(StoreError::new(StoreErrorKind::Corrupt, why))
    }

    /// The error that the caller reads. `waited` is how long was waited for locks.
    pub(crate) fn into_error(self, waited: Duration) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::Sqlite(error) => told(&error, waited),
        }
    }

    /// True if a sync has failed: what was written before it may never reach the disk, and no later sync says so.
    pub(crate) fn is_failed_sync(&self) -> bool {
        let codes = [ffi::SQLITE_IOERR_FSYNC, ffi::SQLITE_IOERR_DIR_FSYNC];
        matches!(self, Self::Sqlite(Error::SqliteFailure(error, _)) if codes.contains(&error.extended_code))
    }
}

/// True if another connection holds a lock.
pub(crate) fn is_busy(error: &Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// The store cannot be read or written now.
pub(crate) fn unavailable(why: impl Into<String>) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, why)
}

fn told(error: &Error, waited: Duration) -> StoreError {
    let (kind, why) = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            let why = format!(
                "another connection has locked the database for longer than {waited:?}: try again, or close that connection"
            );
            return unavailable(why);
        }
        Some(ErrorCode::DiskFull) => (
            StoreErrorKind::Unavailable,
            "the disk or the database is full: free some space",
        ),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => (
            StoreErrorKind::Unavailable,
            "the database is read-only: make the file and its folder writable",
        ),
        Some(ErrorCode::CannotOpen) => (
            StoreErrorKind::Unavailable,
            "the database cannot be opened: its folder must exist, readable and writable",
        ),
        Some(ErrorCode::NotADatabase) => (
            StoreErrorKind::Corrupt,
            "the file is not an SQLite database: choose another file",
        ),
        Some(ErrorCode::DatabaseCorrupt) => (
            StoreErrorKind::Corrupt,
            "the database is damaged: restore it from a copy, or repair it with `sqlite3 .recover`",
        ),
        // A table that is missing, a row that breaks a rule, a column of another type.
        Some(ErrorCode::Unknown | ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => (
            StoreErrorKind::Corrupt,
            "the database does not have the form that this store created",
        ),
        Some(_) => (
            StoreErrorKind::Unavailable,
            "the database cannot be read or written",
        ),
        None => (
            StoreErrorKind::Corrupt,
            "the database has a value that this store did not write",
        ),
    };
    StoreError::new(kind, format!("{why} ({error})"))
}
