//! Conversations and their versions.

use std::time::SystemTime;

use rusqlite::{Connection, OptionalExtension, params};
use toolwright_core::run::RunId;
use toolwright_runtime::store::{ConversationId, ConversationVersion, Scope, StoreError};

use super::columns::{from_column, to_column, to_micros};
use crate::failure::Failure;

/// A conversation, as far as what is done with it depends on it.
struct Row {
    key: i64,
    owner: Option<String>,
    version: u64,
}

fn find(connection: &Connection, id: &ConversationId) -> Result<Option<Row>, Failure> {
    let mut select =
        connection.prepare_cached("SELECT key, owner, version FROM conversations WHERE id = ?1")?;
    let row = select.query_row([id.as_str()], |row| {
        Ok(Row {
            key: row.get(0)?,
            owner: row.get(1)?,
            version: from_column(row.get(2)?),
        })
    });
    Ok(row.optional()?)
}

/// What there is of a conversation: it, and the run that continues it, with its owner.
struct There {
    row: Option<Row>,
    run: Option<(RunId, Option<String>)>,
}

impl There {
    fn find(connection: &Connection, id: &ConversationId) -> Result<Self, Failure> {
        let mut select = connection
            .prepare_cached("SELECT id, owner FROM runs WHERE conversation = ?1 AND is_over = 0")?;
        let run = select.query_row([id.as_str()], |row| {
            Ok((RunId::new(row.get::<_, String>(0)?), row.get(1)?))
        });
        Ok(Self {
            row: find(connection, id)?,
            run: run.optional()?,
        })
    }

    fn found(&self) -> Option<(Option<&str>, u64)> {
        let row = self.row.as_ref();
        row.map(|row| (row.owner.as_deref(), row.version))
    }

    fn run(&self) -> Option<(&RunId, Option<&str>)> {
        let run = self.run.as_ref();
        run.map(|(run, owner)| (run, owner.as_deref()))
    }
}

/// Checks that a version of a conversation may be followed by another one: see [`Scope::check_newest`].
pub(super) fn check_newest(
    connection: &Connection,
    (scope, id): (Scope<'_>, &ConversationId),
    version: u64,
) -> Result<(), Failure> {
    let there = There::find(connection, id)?;
    Ok(scope.check_newest(there.found(), there.run(), version)?)
}

/// Adds the next version of a conversation that no run continues.
pub(crate) fn save_free(
    connection: &Connection,
    (scope, id): (Scope<'_>, &ConversationId),
    version: &ConversationVersion,
) -> Result<(), Failure> {
    // There is no version 0, which a new conversation would follow.
    let before = version.version.checked_sub(1).unwrap_or(u64::MAX);
    check_newest(connection, (scope, id), before)?;
    save(connection, (scope, id), version)
}

/// Adds the next version of a conversation. A new one belongs to the owner of the scope.
pub(super) fn save(
    connection: &Connection,
    (scope, id): (Scope<'_>, &ConversationId),
    version: &ConversationVersion,
) -> Result<(), Failure> {
    let found = find(connection, id)?;
    let newest = found.as_ref().map_or(0, |row| row.version);
    if newest.checked_add(1) != Some(version.version) {
        return Err(StoreError::outdated(newest).into());
    }
    let (number, now) = (to_column(version.version), to_micros(SystemTime::now()));
    let key = if let Some(Row { key, .. }) = found {
        let mut update = connection.prepare_cached(
            "UPDATE conversations SET version = ?2, saved_us = ?3 WHERE key = ?1",
        )?;
        update.execute(params![key, number, now])?;
        key
    } else {
        let mut insert = connection.prepare_cached(
            "INSERT INTO conversations (id, owner, version, saved_us) VALUES (?1, ?2, ?3, ?4)",
        )?;
        insert.insert(params![id.as_str(), scope.owner(), number, now])?
    };
    let mut insert = connection
        .prepare_cached("INSERT INTO versions (conversation, version, text) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![key, number, version.text])?;
    Ok(())
}

/// The versions of a conversation after one, up to another one.
pub(crate) fn load(
    connection: &Connection,
    (scope, id): (Scope<'_>, &ConversationId),
    after: u64,
    up_to: Option<u64>,
) -> Result<Vec<ConversationVersion>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT versions.version, text FROM versions JOIN conversations ON key = conversation
         WHERE id = ?1 AND versions.version > ?2 AND versions.version <= ?3
            AND (?4 IS NULL OR owner = ?4) ORDER BY versions.version",
    )?;
    let last = up_to.map_or(i64::MAX, to_column);
    let values = params![id.as_str(), to_column(after), last, scope.owner()];
    let versions = select.query_map(values, |row| {
        let (version, text): (i64, String) = (row.get(0)?, row.get(1)?);
        Ok(ConversationVersion::new(from_column(version), text))
    })?;
    Ok(versions.collect::<Result<_, _>>()?)
}

pub(crate) fn delete(
    connection: &Connection,
    (scope, id): (Scope<'_>, &ConversationId),
) -> Result<(), Failure> {
    let there = There::find(connection, id)?;
    scope.check_unused(there.found(), there.run())?;
    match there.row {
        Some(row) => delete_key(connection, row.key),
        None => Ok(()),
    }
}

fn delete_key(connection: &Connection, key: i64) -> Result<(), Failure> {
    for statement in [
        "DELETE FROM versions WHERE conversation = ?1",
        "DELETE FROM conversations WHERE key = ?1",
    ] {
        connection.prepare_cached(statement)?.execute([key])?;
    }
    Ok(())
}

/// Deletes conversations that were saved before a time and that no run continues, so many of them at most; gives their
/// number.
pub(crate) fn delete_before(
    connection: &Connection,
    time: SystemTime,
    most: u32,
) -> Result<u64, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT key FROM conversations WHERE saved_us < ?1
            AND NOT EXISTS (SELECT 1 FROM runs WHERE conversation = conversations.id AND is_over = 0)
         LIMIT ?2",
    )?;
    let keys = select.query_map(params![to_micros(time), most], |row| row.get(0))?;
    let keys: Vec<i64> = keys.collect::<Result<_, _>>()?;
    for key in &keys {
        delete_key(connection, *key)?;
    }
    Ok(keys.len() as u64)
}
