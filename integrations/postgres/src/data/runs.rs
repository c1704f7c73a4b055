//! Who drives a run, and its end.
//!
//! A statement that changes a lease locks its row first, and decides by what is in the row then. All that is decided about
//! is in that row, because the rest of the statement sees the tables as they were before it waited for the lock.

use std::time::{Duration, SystemTime};

use tokio_postgres::Row;
use toolwright_core::run::RunId;
use toolwright_runtime::store::{Lease, RunStatus, Scope, StoreError};

use super::{
    columns::{Time, clock_micros, from_column, lease_micros, to_column},
    json, text,
};
use crate::{
    failure::{Failure, column},
    session::Session,
};

/// True if nobody holds a row: its lease was given back or its time is over, by the clock of the server, or nobody has the lock
/// of its holder.
macro_rules! is_free {
    ($row:literal) => {
        concat!(
            "CASE WHEN ",
            $row,
            "until IS NULL OR ",
            $row,
            "until <= clock_timestamp() THEN TRUE WHEN ",
            $row,
            "holder IS NOT NULL THEN pg_try_advisory_xact_lock_shared(",
            $row,
            "holder) ELSE FALSE END"
        )
    };
}
pub(super) use is_free;

const LEASE: &str = concat!(
    "
WITH found AS MATERIALIZED (
    SELECT run, token, until, holder, is_over FROM leases
    WHERE run = (SELECT key FROM runs WHERE id = $1 AND ($3::text IS NULL OR owner = $3)) FOR UPDATE
), done AS (
    UPDATE leases SET token = found.token + 1, holder = $4,
        until = clock_timestamp() + $2::bigint * interval '1 microsecond'
    FROM found
    WHERE leases.run = found.run AND NOT found.is_over
        AND ",
    is_free!("found."),
    "
    RETURNING leases.token, leases.until
)
SELECT found.is_over, found.until, done.token, done.until FROM found LEFT JOIN done ON TRUE"
);

/// Takes the lease of a run. It survives a loss of power, so that no token is given a second time.
pub(crate) async fn lease(
    session: &Session,
    (scope, run): (Scope<'_>, &RunId),
    lease_time: Duration,
    holder: Option<i64>,
) -> Result<Lease, Failure> {
    let (id, owner) = text::of_run(scope, run);
    let rows = session
        .change(LEASE, &[&id, &lease_micros(lease_time), &owner, &holder])
        .await?;
    let row = rows.first().ok_or_else(|| StoreError::no_run(run))?;
    if let (Some(token), Some(Time(until))) = (column(row, 2)?, column(row, 3)?) {
        return Ok(Lease::new(run.clone(), from_column(token), until));
    }
    match (column(row, 0)?, column(row, 1)?) {
        (false, Some(Time(until))) => Err(StoreError::held(run, until).into()),
        _ => Err(StoreError::over(run).into()),
    }
}

const RENEW: &str = "
WITH found AS MATERIALIZED (
    SELECT run, token, until, is_over, set_config('synchronous_commit', 'off', TRUE) FROM leases
    WHERE run = (SELECT key FROM runs WHERE id = $1) FOR UPDATE
), done AS (
    UPDATE leases SET holder = $4,
        until = clock_timestamp() + $3::bigint * interval '1 microsecond'
    FROM found
    WHERE leases.run = found.run AND found.token = $2 AND NOT found.is_over AND found.until IS NOT NULL
    RETURNING leases.until
)
SELECT found.token = $2, found.is_over, done.until FROM found LEFT JOIN done ON TRUE";

pub(crate) async fn renew(
    session: &Session,
    lease: &Lease,
    lease_time: Duration,
    holder: Option<i64>,
) -> Result<Lease, Failure> {
    let (run, token) = (&lease.run_id, to_column(lease.token));
    let id = text::to_column(run.as_str());
    let rows = session
        .change(RENEW, &[&id, &token, &lease_micros(lease_time), &holder])
        .await?;
    let row = held(run, &rows)?;
    if let Some(Time(until)) = column(row, 2)? {
        return Ok(Lease::new(run.clone(), lease.token, until));
    }
    let is_over = column(row, 1)?;
    let error = if is_over {
        StoreError::over(run)
    } else {
        StoreError::lease_lost(run)
    };
    Err(error.into())
}

const RELEASE: &str = "
WITH found AS MATERIALIZED (
    SELECT run, token, set_config('synchronous_commit', 'off', TRUE) FROM leases
    WHERE run = (SELECT key FROM runs WHERE id = $1) FOR UPDATE
), done AS (
    UPDATE leases SET until = NULL FROM found WHERE leases.run = found.run AND found.token = $2
)
SELECT found.token = $2 FROM found";

pub(crate) async fn release(session: &Session, lease: &Lease) -> Result<(), Failure> {
    let (run, token) = (&lease.run_id, to_column(lease.token));
    let id = text::to_column(run.as_str());
    let rows = session.change(RELEASE, &[&id, &token]).await?;
    held(run, &rows).map(drop)
}

/// The row of a run, whose first column is true if the token is that of the newest lease.
pub(super) fn held<'a>(run: &RunId, rows: &'a [Row]) -> Result<&'a Row, Failure> {
    let row = rows.first().ok_or_else(|| StoreError::no_run(run))?;
    if column(row, 0)? {
        Ok(row)
    } else {
        Err(StoreError::lease_lost(run).into())
    }
}

const ABANDON: &str = "
WITH found AS MATERIALIZED (
    SELECT run, is_over, conversation FROM leases
    WHERE run = (SELECT key FROM runs WHERE id = $1 AND ($3::text IS NULL OR owner = $3)) FOR UPDATE
), done AS (
    UPDATE leases SET is_over = TRUE, until = NULL FROM found
    WHERE leases.run = found.run AND NOT found.is_over
    RETURNING leases.run, found.conversation
), ended AS (
    UPDATE runs SET status = $2, unfinished = FALSE, ended = clock_timestamp(), pending = '[]'
    FROM done WHERE key = done.run
), freed AS (
    UPDATE conversations SET run = NULL FROM done WHERE key = done.conversation
)
SELECT done.run FROM found LEFT JOIN done ON TRUE";

/// Gives a run up, and says which row it has.
pub(crate) async fn abandon(
    session: &Session,
    (scope, run): (Scope<'_>, &RunId),
) -> Result<i64, Failure> {
    let status = json::write(&RunStatus::Abandoned, "the status of the run")?;
    let (id, owner) = text::of_run(scope, run);
    let rows = session.change(ABANDON, &[&id, &status, &owner]).await?;
    let row = rows.first().ok_or_else(|| StoreError::no_run(run))?;
    let key: Option<i64> = column(row, 0)?;
    Ok(key.ok_or_else(|| StoreError::over(run))?)
}

const LOCK: &str = "SELECT run, is_over, conversation FROM leases
    WHERE run = (SELECT key FROM runs WHERE id = $1 AND ($2::text IS NULL OR owner = $2)) FOR UPDATE";

/// A run, and what it has left of a conversation that was never saved.
const DELETE: &str = "
WITH without_labels AS (
    DELETE FROM labels WHERE run = $1
), without_inbox AS (
    DELETE FROM inbox WHERE run = $1
), without_entries AS (
    DELETE FROM entries WHERE run = $1
), without_lease AS (
    DELETE FROM leases WHERE run = $1
), without_conversation AS (
    DELETE FROM conversations WHERE key = $2 AND version = 0 AND run IS NULL
)
DELETE FROM runs WHERE key = $1";

pub(crate) async fn delete(
    session: &Session,
    (scope, run): (Scope<'_>, &RunId),
) -> Result<(), Failure> {
    let (id, owner) = text::of_run(scope, run);
    let [rows] = session.begin([(LOCK, &[&id, &owner])]).await?;
    let Some(row) = rows.first() else {
        return session.refuse(StoreError::no_run(run)).await;
    };
    let (key, is_over): (i64, bool) = (column(row, 0)?, column(row, 1)?);
    if !is_over {
        return session.refuse(StoreError::in_use(run)).await;
    }
    let conversation: Option<i64> = column(row, 2)?;
    session
        .commit_with((DELETE, &[&key, &conversation]))
        .await
        .map(drop)
}

const DELETE_BEFORE: &str = "
WITH old AS MATERIALIZED (
    SELECT key FROM runs WHERE ended < to_timestamp(0) + $1::bigint * interval '1 microsecond'
        AND NOT EXISTS (
            SELECT 1 FROM labels JOIN runs AS top ON top.id = value
            WHERE run = runs.key AND name = 'toolwright.root' AND top.ended IS NULL
        )
    ORDER BY key LIMIT $2 FOR UPDATE
), without_labels AS (
    DELETE FROM labels USING old WHERE run = key
), without_inbox AS (
    DELETE FROM inbox USING old WHERE run = key
), without_entries AS (
    DELETE FROM entries USING old WHERE run = key
), without_lease AS (
    DELETE FROM leases USING old WHERE run = key
)
DELETE FROM runs USING old WHERE runs.key = old.key RETURNING 1";

/// Deletes runs that ended before a time, so many of them at most; gives their number. Nothing changes of a run that is over,
/// so that one statement sees all of it.
pub(crate) async fn delete_before(
    session: &Session,
    time: SystemTime,
    most: i64,
) -> Result<u64, Failure> {
    let rows = session
        .change(DELETE_BEFORE, &[&clock_micros(time), &most])
        .await?;
    Ok(rows.len() as u64)
}
