//! Who drives a run, where it stands, and its end.

use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OptionalExtension, params};
use toolwright_core::run::{PendingCall, RunId};
use toolwright_runtime::store::{Lease, RunStatus, Scope, StoreError};

use super::{
    columns::{end_of, from_column, from_micros, to_column, to_micros},
    json,
};
use crate::{
    failure::Failure,
    holders::{Held, Holders},
};

/// A run, as far as what is done with it depends on it.
pub(crate) struct Row {
    pub(crate) key: i64,
    pub(crate) is_over: bool,
    pub(crate) taken: u64,
    token: i64,
    held: Option<Held>,
}

/// Finds a run in a scope.
pub(crate) fn find(
    connection: &Connection,
    (scope, run): (Scope<'_>, &RunId),
) -> Result<Row, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT key, token, held_until_us, lease_us, holder, is_over, taken FROM runs
         WHERE id = ?1 AND (?2 IS NULL OR owner = ?2)",
    )?;
    let row = select.query_row(params![run.as_str(), scope.owner()], |row| {
        Ok(Row {
            key: row.get(0)?,
            is_over: row.get(5)?,
            taken: from_column(row.get(6)?),
            token: row.get(1)?,
            held: held(row)?,
        })
    });
    Ok(row.optional()?.ok_or_else(|| StoreError::no_run(run))?)
}

/// The lease of a row that begins with the columns `key`, `token`, `held_until_us`, `lease_us` and `holder`; `None` if it was
/// given back.
pub(super) fn held(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Held>> {
    let Some(until): Option<i64> = row.get(2)? else {
        return Ok(None);
    };
    Ok(Some(Held {
        run: row.get(0)?,
        token: row.get(1)?,
        until,
        said: from_micros(until),
        time: Duration::from_micros(from_column(row.get(3)?)),
        holder: row.get(4)?,
    }))
}

/// The keys of the runs that are held, as a JSON array.
pub(super) fn all_held(connection: &Connection, holders: &Holders) -> Result<String, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT key, token, held_until_us, lease_us, holder FROM runs WHERE held_until_us IS NOT NULL",
    )?;
    let mut rows = select.query([])?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next()? {
        if let Some(held) = held(row)?
            && holders.until(&held).is_some()
        {
            keys.push(held.run);
        }
    }
    json::write(&keys, "the keys of runs")
}

/// Finds a run whose lease this is.
pub(crate) fn find_held(connection: &Connection, lease: &Lease) -> Result<Row, Failure> {
    let row = find(connection, (Scope::All, &lease.run_id))?;
    if from_column(row.token) == lease.token {
        Ok(row)
    } else {
        Err(StoreError::lease_lost(&lease.run_id).into())
    }
}

pub(crate) fn lease(
    connection: &Connection,
    (scope, run): (Scope<'_>, &RunId),
    lease_time: Duration,
    holders: &Holders,
) -> Result<Lease, Failure> {
    let row = find(connection, (scope, run))?;
    if row.is_over {
        return Err(StoreError::over(run).into());
    }
    if let Some(until) = row.held.and_then(|held| holders.until(&held)) {
        return Err(StoreError::held(run, until).into());
    }
    let token = row.token.saturating_add(1);
    hold(connection, row.key, token, lease_time, holders)
        .map(|until| Lease::new(run.clone(), from_column(token), until))
}

pub(crate) fn renew(
    connection: &Connection,
    lease: &Lease,
    lease_time: Duration,
    holders: &Holders,
) -> Result<Lease, Failure> {
    let row = find_held(connection, lease)?;
    if row.is_over {
        return Err(StoreError::over(&lease.run_id).into());
    }
    if row.held.is_none() {
        return Err(StoreError::lease_lost(&lease.run_id).into());
    }
    hold(connection, row.key, row.token, lease_time, holders)
        .map(|until| Lease::new(lease.run_id.clone(), lease.token, until))
}

pub(crate) fn release(connection: &Connection, lease: &Lease) -> Result<(), Failure> {
    let row = find_held(connection, lease)?;
    let mut update =
        connection.prepare_cached("UPDATE runs SET held_until_us = NULL WHERE key = ?1")?;
    update.execute([row.key])?;
    Ok(())
}

/// Says that this process holds a run from now on, and until when.
pub(super) fn hold(
    connection: &Connection,
    key: i64,
    token: i64,
    lease_time: Duration,
    holders: &Holders,
) -> Result<SystemTime, Failure> {
    let until = end_of(holders.now(), lease_time);
    let held = Held {
        run: key,
        token,
        until,
        said: from_micros(until),
        time: lease_time,
        holder: holders.own(),
    };
    let mut update = connection.prepare_cached(
        "UPDATE runs SET token = ?2, held_until_us = ?3, lease_us = ?4, holder = ?5 WHERE key = ?1",
    )?;
    let micros = i64::try_from(lease_time.as_micros()).unwrap_or(i64::MAX);
    update.execute(params![key, token, held.until, micros, held.holder])?;
    holders.note(&held);
    Ok(held.said)
}
/// Says where a run stands. Any status except that of an open run releases the lease.
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

pub(crate) fn abandon(
    connection: &Connection,
    (scope, run): (Scope<'_>, &RunId),
) -> Result<(), Failure> {
    let row = find(connection, (scope, run))?;
    if row.is_over {
        return Err(StoreError::over(run).into());
    }
    set_status(connection, row.key, &RunStatus::Abandoned)
}

pub(crate) fn delete(
    connection: &Connection,
    (scope, run): (Scope<'_>, &RunId),
) -> Result<(), Failure> {
    let row = find(connection, (scope, run))?;
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
