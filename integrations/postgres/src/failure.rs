//! What may fail in the database, and what the caller reads of it.

use std::time::Duration;

use tokio_postgres::{
    Error, Row,
    error::{DbError, SqlState},
    types::FromSql,
};
use toolwright_runtime::store::{StoreError, StoreErrorKind};

/// Why an operation failed: PostgreSQL, or a rule of the store.
#[derive(Debug)]
pub(crate) enum Failure {
    Postgres(Error),
    Store(StoreError),
    /// No answer came in this time.
    TimedOut(Duration),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Postgres(error)
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

    /// True if others changed the same rows meanwhile: nothing was changed, and it can be tried again.
    pub(crate) fn is_conflict(&self) -> bool {
        let conflicts = [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
        ];
        matches!(self, Self::Postgres(error) if error.code().is_some_and(|code| conflicts.contains(code)))
    }

    /// True if the connection is lost, or its next answer is not known.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            Self::Postgres(error) => match error.as_db_error() {
                Some(error) => is_end(error.code()),
                None => true,
            },
            Self::Store(_) => false,
            Self::TimedOut(_) => true,
        }
    }

    /// The error of something that changes nothing, or had not begun to.
    pub(crate) fn into_error(self) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::Postgres(error) => match error.as_db_error() {
                Some(error) => told(error),
                None => unavailable(format!(
                    "the connection to PostgreSQL failed ({})",
                    causes(&error)
                )),
            },
            Self::TimedOut(time) => {
                unavailable(format!("PostgreSQL has not answered within {time:?}"))
            }
        }
    }

    /// The error of a change. It says whether the change may have been made.
    pub(crate) fn into_error_of_change(self) -> StoreError {
        let is_lost = self.is_lost();
        let mut error = self.into_error();
        if is_lost {
            error.message.push_str(
                ": the change may or may not have been made: load the run or conversation to see",
            );
        }
        error
    }
}

/// The store cannot be read or written now.
pub(crate) fn unavailable(why: impl Into<String>) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, why)
}

/// The value of a column.
pub(crate) fn column<'a, T: FromSql<'a>>(row: &'a Row, index: usize) -> Result<T, Failure> {
    row.try_get(index).map_err(|error| {
        let why = format!(
            "the database has a value that this store did not write ({})",
            causes(&error)
        );
        Failure::corrupt(&why)
    })
}

/// True if the server ends the connection.
fn is_end(code: &SqlState) -> bool {
    code.code().starts_with("08")
        || [
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::CANNOT_CONNECT_NOW,
            SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
        ]
        .contains(code)
}

fn told(error: &DbError) -> StoreError {
    let (code, unavailable, corrupt) = (
        error.code().clone(),
        StoreErrorKind::Unavailable,
        StoreErrorKind::Corrupt,
    );
    let (kind, why) = match code.code() {
        _ if is_end(&code) => (unavailable, "PostgreSQL has closed the connection"),
        "40001" | "40P01" => (
            unavailable,
            "other transactions change the same rows: try again",
        ),
        "53100" => (
            unavailable,
            "the disk of the server is full: free some space",
        ),
        "53300" => (
            unavailable,
            "the server has too many connections: raise its limit, or lower the one of the store",
        ),
        "25006" => (
            unavailable,
            "the database is read-only: connect to a server that accepts writes",
        ),
        "42501" => (
            unavailable,
            "the role lacks privileges that the store needs: grant them",
        ),
        "3D000" => (unavailable, "the database does not exist: create it"),
        "57014" | "55P03" => (
            unavailable,
            "PostgreSQL took too long: another session holds a lock, or the server is slow",
        ),
        code if code.starts_with("28") => {
            (unavailable, "PostgreSQL rejected the login of the role")
        }
        // A table or a column that is missing, a row that breaks a rule, a page that is damaged.
        code if ["42", "3F", "23", "22", "XX"]
            .iter()
            .any(|class| code.starts_with(class)) =>
        {
            (
                corrupt,
                "the tables do not have the form that this store created",
            )
        }
        _ => (unavailable, "the database cannot be read or written"),
    };
    let (code, message) = (code.code(), error.message());
    StoreError::new(kind, format!("{why} ({code}: {message})"))
}

/// What an error says, with its causes.
fn causes(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
