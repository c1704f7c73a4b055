//! Conversations and their versions.

use std::time::SystemTime;

use rusqlite::{Connection, OptionalExtension, params};
use toolwright_core::run::RunId;
use toolwright_runtime::store::{ConversationId, ConversationVersion, StoreError, StoreErrorKind};

use super::columns::{from_column, to_column, to_micros};
use crate::failure::Failure;

/// The key and the newest version of a conversation.
fn find(connection: &Connection, id: &ConversationId) -> Result<Option<(i64, u64)>, Failure> {
    let mut select =
        connection.prepare_cached("SELECT key, version FROM conversations WHERE id = ?1")?;
    let row = select.query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)));
    let row: Option<(i64, i64)> = row.optional()?;
    Ok(row.map(|(key, version)| (key, from_column(version))))
}

/// The newest version of a conversation; 0 if there is none.
pub(super) fn newest(connection: &Connection, id: &ConversationId) -> Result<u64, Failure> {
    Ok(find(connection, id)?.map_or(0, |(_, version)| version))
}

/// The run that continues a conversation.
fn continued_by(connection: &Connection, id: &ConversationId) -> Result<Option<RunId>, Failure> {
    let mut select =
        connection.prepare_cached("SELECT id FROM runs WHERE conversation = ?1 AND is_over = 0")?;
    let run: Option<String> = select
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(run.map(RunId::new))
}

/// Checks that no run continues a conversation.
pub(super) fn check_free(connection: &Connection, id: &ConversationId) -> Result<(), Failure> {
    match continued_by(connection, id)? {
        Some(run) => Err(StoreError::conversation_busy(&run).into()),
        None => Ok(()),
    }
}

/// Adds the next version of a conversation that no run continues.
pub(crate) fn save_free(
    connection: &Connection,
    id: &ConversationId,
    owner: Option<&str>,
    version: &ConversationVersion,
) -> Result<(), Failure> {
    check_free(connection, id)?;
    save(connection, id, owner, version)
}

/// Adds the next version of a conversation.
pub(super) fn save(
    connection: &Connection,
    id: &ConversationId,
    owner: Option<&str>,
    version: &ConversationVersion,
) -> Result<(), Failure> {
    let found = find(connection, id)?;
    let newest = found.map_or(0, |(_, version)| version);
    if newest.checked_add(1) != Some(version.version) {
        return Err(StoreError::outdated(newest).into());
    }
    let (number, now) = (to_column(version.version), to_micros(SystemTime::now()));
    let key = if let Some((key, _)) = found {
        let mut update = connection.prepare_cached(
            "UPDATE conversations SET version = ?2, saved_us = ?3 WHERE key = ?1",
        )?;
        update.execute(params![key, number, now])?;
        key
    } else {
        let mut insert = connection.prepare_cached(
            "INSERT INTO conversations (id, owner, version, saved_us) VALUES (?1, ?2, ?3, ?4)",
        )?;
        insert.insert(params![id.as_str(), owner, number, now])?
    };
    let mut insert = connection
        .prepare_cached("INSERT INTO versions (conversation, version, text) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![key, number, version.text])?;
    Ok(())
}

/// The versions of a conversation after one, up to another one.
pub(crate) fn load(
    connection: &Connection,
    id: &ConversationId,
    after: u64,
    up_to: Option<u64>,
) -> Result<Vec<ConversationVersion>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT versions.version, text, owner FROM versions JOIN conversations ON key = conversation
         WHERE id = ?1 AND versions.version > ?2 AND versions.version <= ?3 ORDER BY versions.version",
    )?;
    let last = up_to.map_or(i64::MAX, to_column);
    let versions = select.query_map(params![id.as_str(), to_column(after), last], |row| {
        let (version, text): (i64, String) = (row.get(0)?, row.get(1)?);
        Ok(ConversationVersion::new(from_column(version), text).of_owner(row.get(2)?))
    })?;
    Ok(versions.collect::<Result<_, _>>()?)
}

pub(crate) fn delete(connection: &Connection, id: &ConversationId) -> Result<(), Failure> {
    if let Some(run) = continued_by(connection, id)? {
        let message = "this run is using the conversation: wait for its end, or abandon it";
        return Err(StoreError::new(StoreErrorKind::InUse, message)
            .with_run(&run)
            .into());
    }
    let Some((key, _)) = find(connection, id)? else {
        let message = "the conversation does not exist";
        return Err(StoreError::new(StoreErrorKind::NotFound, message).into());
    };
    delete_key(connection, key)
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
