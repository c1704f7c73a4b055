//! Runs and their logs.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use toolwright_core::run::RunId;
use toolwright_runtime::store::{
    Append, Lease, LoadedRun, NewRun, RunStatus, Scope, StoreError, StoreErrorKind,
};

use super::{
    columns::{from_column, to_column, to_micros},
    conversations, inbox, json, runs,
};
use crate::{failure::Failure, holders::Holders};

/// The token of the first lease of a run.
const FIRST: i64 = 1;

pub(crate) fn create(
    connection: &Connection,
    run: &NewRun,
    lease_time: Duration,
    holders: &Holders,
) -> Result<Lease, Failure> {
    let info = &run.info;
    let scope = Scope::from(info.owner.as_deref());
    let mut there = connection.prepare_cached("SELECT owner FROM runs WHERE id = ?1")?;
    let there: Option<Option<String>> = there
        .query_row([info.run_id.as_str()], |row| row.get(0))
        .optional()?;
    if let Some(owner) = there {
        return Err(scope.exists(&info.run_id, owner.as_deref()).into());
    }
    let continued = info.conversation.as_ref();
    if let Some(continued) = continued {
        conversations::check_newest(connection, (scope, &continued.id), continued.version)?;
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO runs (id, runner, owner, conversation, created_us, unfinished, is_over, token,
            lease_us, taken, status, pending, info)
         VALUES (?1, ?2, ?3, ?4, ?5, 1, 0, 0, 0, 0, ?6, '[]', ?7)",
    )?;
    let key = insert.insert(params![
        info.run_id.as_str(),
        info.runner,
        info.owner,
        continued.map(|continued| continued.id.as_str()),
        to_micros(info.created),
        json::write(&RunStatus::Open, "the status of the run")?,
        json::write(info, "the facts about the run")?,
    ])?;
    let mut label =
        connection.prepare_cached("INSERT INTO labels (name, value, run) VALUES (?1, ?2, ?3)")?;
    for (name, value) in &info.labels {
        label.execute(params![name, value, key])?;
    }
    write(connection, key, 0, &run.entries)?;
    let until = runs::hold(connection, key, FIRST, lease_time, holders)?;
    Ok(Lease::new(info.run_id.clone(), from_column(FIRST), until))
}

pub(crate) fn append(
    connection: &Connection,
    lease: &Lease,
    append: &Append,
) -> Result<(), Failure> {
    let row = runs::find_held(connection, lease)?;
    if row.is_over {
        return Err(StoreError::over(&lease.run_id).into());
    }
    let taken = row.taken.max(append.taken);
    if matches!(append.status, Some(RunStatus::Suspended))
        && inbox::is_after(connection, row.key, taken)?
    {
        return Err(StoreError::inbox_not_empty(&lease.run_id).into());
    }
    if !append.entries.is_empty() {
        let next = next(connection, row.key)?;
        if append.first != next {
            return Err(StoreError::out_of_sequence(&lease.run_id, append.first, next).into());
        }
        write(connection, row.key, next, &append.entries)?;
    }
    if let Some(version) = &append.conversation
        && let Some((id, owner)) = continued(connection, row.key)?
    {
        let scope = owner.as_deref().into();
        conversations::save(connection, (scope, &id.into()), version)?;
    }
    if taken > row.taken {
        runs::set_taken(connection, row.key, taken)?;
    }
    if let Some(pending) = &append.pending {
        runs::set_pending(connection, row.key, pending)?;
    }
    if let Some(status) = &append.status {
        runs::set_status(connection, row.key, status)?;
    }
    Ok(())
}

/// True if there is an entry at this place, or if the run is not open.
pub(crate) fn has_news(
    connection: &Connection,
    asked: (Scope<'_>, &RunId),
    from: u64,
) -> Result<bool, Failure> {
    let row = runs::find(connection, asked)?;
    if next(connection, row.key)? > from {
        return Ok(true);
    }
    let mut select = connection.prepare_cached("SELECT status FROM runs WHERE key = ?1")?;
    let status: String = select.query_row([row.key], |row| row.get(0))?;
    Ok(json::read::<RunStatus>(&status, "the status of the run")? != RunStatus::Open)
}

/// Writes entries from this place on.
fn write(connection: &Connection, key: i64, first: u64, entries: &[String]) -> Result<(), Failure> {
    let mut insert = connection
        .prepare_cached("INSERT INTO entries (run, sequence, text) VALUES (?1, ?2, ?3)")?;
    for (sequence, text) in (first..).zip(entries) {
        insert.execute(params![key, to_column(sequence), text])?;
    }
    Ok(())
}

/// The place of the next entry.
fn next(connection: &Connection, key: i64) -> Result<u64, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT sequence FROM entries WHERE run = ?1 ORDER BY sequence DESC LIMIT 1",
    )?;
    let last: Option<i64> = select.query_row([key], |row| row.get(0)).optional()?;
    Ok(last.map_or(0, |last| from_column(last) + 1))
}

/// The conversation that a run continues, and the owner of the run.
fn continued(
    connection: &Connection,
    key: i64,
) -> Result<Option<(String, Option<String>)>, Failure> {
    let mut select =
        connection.prepare_cached("SELECT conversation, owner FROM runs WHERE key = ?1")?;
    let (id, owner): (Option<String>, _) =
        select.query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(id.map(|id| (id, owner)))
}

pub(crate) fn load(
    connection: &Connection,
    (scope, run): (Scope<'_>, &RunId),
    from: u64,
    holders: &Holders,
) -> Result<LoadedRun, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT key, token, held_until_us, lease_us, holder, info, status, taken, pending
         FROM runs WHERE id = ?1 AND (?2 IS NULL OR owner = ?2)",
    )?;
    let row = select.query_row(params![run.as_str(), scope.owner()], |row| {
        let (info, status, taken): (String, String, i64) = (row.get(5)?, row.get(6)?, row.get(7)?);
        let (key, pending): (i64, String) = (row.get(0)?, row.get(8)?);
        Ok((key, info, status, taken, runs::held(row)?, pending))
    });
    let row = row.optional()?.ok_or_else(|| StoreError::no_run(run))?;
    let (key, info, status, taken, held, pending) = row;
    let loaded = LoadedRun::new(
        json::read(&info, "the facts about the run")?,
        json::read(&status, "the status of the run")?,
        entries(connection, run, key, from)?,
        from_column(taken),
        held.and_then(|held| holders.until(&held)),
    );
    Ok(loaded.with_pending(json::read(&pending, "the calls that wait")?))
}

/// The entries of a run from this one on.
///
/// # Errors
///
/// When one is missing.
fn entries(
    connection: &Connection,
    run: &RunId,
    key: i64,
    from: u64,
) -> Result<Vec<String>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT sequence, text FROM entries WHERE run = ?1 AND sequence >= ?2 ORDER BY sequence",
    )?;
    let mut rows = select.query(params![key, to_column(from)])?;
    let mut entries = Vec::new();
    let mut expected = from;
    while let Some(row) = rows.next()? {
        if from_column(row.get(0)?) != expected {
            let why =
                "the log lacks this record: restore the database from a copy, or abandon the run";
            return Err(StoreError::new(StoreErrorKind::Corrupt, why)
                .with_run(run)
                .with_sequence(expected)
                .into());
        }
        expected += 1;
        entries.push(row.get(1)?);
    }
    Ok(entries)
}
