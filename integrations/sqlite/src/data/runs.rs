//! Who drives a run, where it stands, and its end.

use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OptionalExtension, params};
use toolwright_core::run::{PendingCall, RunId};
use toolwright_runtime::store::{Lease, RunStatus, StoreError};

use super::{
    columns::{end_of, from_column, from_micros, to_column, to_micros},
    json,
};
use crate::failure::Failure;

/// A run, as far as what is done with it depends on it.
pub(crate) struct Row {
    pub(crate) key: i64,
    pub(crate) is_over: bool,
    pub(crate) taken: u64,
    token: i64,
    held_until: Option<i64>,
}

/// Finds a run.
pub(crate) fn find(connection: &Connection, run: &RunId) -> Result<Row, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT key, is_over, taken, token, held_until_us FROM runs WHERE id = ?1",
    )?;
    let row = select.query_row([run.as_str()], |row| {
        Ok(Row {
            key: row.get(0)?,
            is_over: row.get(1)?,
            taken: from_column(row.get(2)?),
            token: row.get(3)?,
            held_until: row.get(4)?,
        })
    });
    Ok(row.optional()?.ok_or_else(|| StoreError::no_run(run))?)
}

/// Finds a run whose lease this is.
pub(crate) fn find_held(connection: &Connection, lease: &Lease) -> Result<Row, Failure> {
    let row = find(connection, &lease.run_id)?;
    if from_column(row.token) == lease.token {
        Ok(row)
    } else {
        Err(StoreError::lease_lost(&lease.run_id).into())
    }
}

pub(crate) fn lease(
    connection: &Connection,
    run: &RunId,
    lease_time: Duration,
) -> Result<Lease, Failure> {
    let row = find(connection, run)?;
    if row.is_over {
        return Err(StoreError::over(run).into());
    }
    let now = SystemTime::now();
    if let Some(until) = row.held_until
        && until > to_micros(now)
    {
        return Err(StoreError::held(run, from_micros(until)).into());
    }
    let token = row.token.saturating_add(1);
    hold(connection, row.key, token, Some(end_of(now, lease_time)))
        .map(|until| Lease::new(run.clone(), from_column(token), until))
}

pub(crate) fn renew(
    connection: &Connection,
    lease: &Lease,
    lease_time: Duration,
) -> Result<Lease, Failure> {
    let row = find_held(connection, lease)?;
    if row.is_over {
        return Err(StoreError::over(&lease.run_id).into());
    }
    if row.held_until.is_none() {
        return Err(StoreError::lease_lost(&lease.run_id).into());
    }
    let until = end_of(SystemTime::now(), lease_time);
    hold(connection, row.key, row.token, Some(until))
        .map(|until| Lease::new(lease.run_id.clone(), lease.token, until))
}

pub(crate) fn release(connection: &Connection, lease: &Lease) -> Result<(), Failure> {
    let row = find_held(connection, lease)?;
    hold(connection, row.key, row.token, None).map(drop)
}

/// Says who holds a run, and until when.
fn hold(
    connection: &Connection,
    key: i64,
    token: i64,
    until: Option<i64>,
) -> Result<SystemTime, Failure> {
    let mut update = connection
        .prepare_cached("UPDATE runs SET token = ?2, held_until_us = ?3 WHERE key = ?1")?;
    update.execute(params![key, token, until])?;
    Ok(from_micros(until.unwrap_or_default()))
}

/// Says where a run stands. Any status but that of a run that somebody drives gives the lease back.
pub(crate) fn set_status(
    connection: &Connection,
    key: i64,
    status: &RunStatus,
) -> Result<(), Failure> {
    let mut update = connection.prepare_cached(
        "UPDATE runs SET status = ?2, unfinished = ?3, is_over = ?4,
            held_until_us = CASE WHEN ?5 THEN held_until_us END, ended_us = ?6,
            pending = CASE WHEN ?4 THEN '[]' ELSE pending END
         WHERE key = ?1",
    )?;
    let ended = status.is_over().then(|| to_micros(SystemTime::now()));
    let text = json::write(status, "the status of the run")?;
    update.execute(params![
        key,
        text,
        status.is_unfinished(),
        status.is_over(),
        *status == RunStatus::Open,
        ended,
    ])?;
    Ok(())
}

/// Says which calls wait.
pub(crate) fn set_pending(
    connection: &Connection,
    key: i64,
    pending: &[PendingCall],
) -> Result<(), Failure> {
    let mut update = connection.prepare_cached("UPDATE runs SET pending = ?2 WHERE key = ?1")?;
    update.execute(params![key, json::write(&pending, "the calls that wait")?])?;
    Ok(())
}

pub(crate) fn abandon(connection: &Connection, run: &RunId) -> Result<(), Failure> {
    let row = find(connection, run)?;
    if row.is_over {
        return Err(StoreError::over(run).into());
    }
    set_status(connection, row.key, &RunStatus::Abandoned)
}

pub(crate) fn delete(connection: &Connection, run: &RunId) -> Result<(), Failure> {
    let row = find(connection, run)?;
    if !row.is_over {
        return Err(StoreError::in_use(run).into());
    }
    delete_key(connection, row.key)
}

fn delete_key(connection: &Connection, key: i64) -> Result<(), Failure> {
    for statement in [
        "DELETE FROM labels WHERE run = ?1",
        "DELETE FROM inbox WHERE run = ?1",
        "DELETE FROM entries WHERE run = ?1",
        "DELETE FROM runs WHERE key = ?1",
    ] {
        connection.prepare_cached(statement)?.execute([key])?;
    }
    Ok(())
}

/// Those below a run that is not over stay: it may need them.
const ENDED_BEFORE: &str = "
SELECT key FROM runs WHERE ended_us < ?1 AND key NOT IN (
    SELECT labels.run FROM labels JOIN runs AS top ON top.id = labels.value
    WHERE labels.name = 'toolwright.root' AND top.ended_us IS NULL
) LIMIT ?2";

/// Deletes runs that ended before a time, so many of them at most; gives their number.
pub(crate) fn delete_before(
    connection: &Connection,
    time: SystemTime,
    most: u32,
) -> Result<u64, Failure> {
    let mut select = connection.prepare_cached(ENDED_BEFORE)?;
    let keys = select.query_map(params![to_micros(time), most], |row| row.get(0))?;
    let keys: Vec<i64> = keys.collect::<Result<_, _>>()?;
    for key in &keys {
        delete_key(connection, *key)?;
    }
    Ok(keys.len() as u64)
}

/// Keeps how much of the inbox the log has taken.
pub(crate) fn set_taken(connection: &Connection, key: i64, taken: u64) -> Result<(), Failure> {
    let mut update = connection.prepare_cached("UPDATE runs SET taken = ?2 WHERE key = ?1")?;
    update.execute(params![key, to_column(taken)])?;
    Ok(())
}
