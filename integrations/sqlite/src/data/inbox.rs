//! The inbox of a run.

use rusqlite::{Connection, OptionalExtension, params};
use toolwright_core::run::RunId;
use toolwright_runtime::store::{InboxItem, Received, Scope, StoreError};

use super::{
    columns::{from_column, to_column},
    json, runs,
};
use crate::failure::Failure;

pub(crate) fn put(
    connection: &Connection,
    (scope, run): (Scope<'_>, &RunId),
    item: &InboxItem,
) -> Result<(), Failure> {
    let row = runs::find(connection, (scope, run))?;
    let mut known =
        connection.prepare_cached("SELECT text FROM inbox WHERE run = ?1 AND id = ?2")?;
    let known = known.query_row(params![row.key, item.id()], |row| row.get::<_, String>(0));
    if let Some(text) = known.optional()? {
        let known: InboxItem = json::read(&text, "an item of the inbox")?;
        return if known == *item {
            Ok(())
        } else {
            Err(StoreError::other_item(run, item.id()).into())
        };
    }
    if row.is_over {
        return Err(StoreError::over(run).into());
    }
    let text = json::write(item, "the item")?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO inbox (run, place, id, text)
         VALUES (?1, (SELECT coalesce(max(place), 0) + 1 FROM inbox WHERE run = ?1), ?2, ?3)",
    )?;
    insert.execute(params![row.key, item.id(), text])?;
    Ok(())
}

pub(crate) fn list(
    connection: &Connection,
    asked: (Scope<'_>, &RunId),
    after: u64,
) -> Result<Vec<Received>, Failure> {
    let row = runs::find(connection, asked)?;
    let mut select = connection.prepare_cached(
        "SELECT place, text FROM inbox WHERE run = ?1 AND place > ?2 ORDER BY place",
    )?;
    let mut rows = select.query(params![row.key, to_column(after)])?;
    let mut items = Vec::new();
    while let Some(row) = rows.next()? {
        let (place, text): (i64, String) = (row.get(0)?, row.get(1)?);
        let item = json::read(&text, &format!("item {place} of the inbox"))?;
        items.push(Received::new(from_column(place), item));
    }
    Ok(items)
}

/// True if there is an item after this place.
///
/// # Errors
///
/// When there is none, and none will come.
pub(crate) fn has_more(
    connection: &Connection,
    (scope, run): (Scope<'_>, &RunId),
    after: u64,
) -> Result<bool, Failure> {
    let row = runs::find(connection, (scope, run))?;
    let has_more = is_after(connection, row.key, after)?;
    if !has_more && row.is_over {
        return Err(StoreError::over(run).into());
    }
    Ok(has_more)
}

/// True if there is an item after this place of the run with this key.
pub(super) fn is_after(connection: &Connection, key: i64, place: u64) -> Result<bool, Failure> {
    let mut select =
        connection.prepare_cached("SELECT 1 FROM inbox WHERE run = ?1 AND place > ?2")?;
    Ok(select.exists(params![key, to_column(place)])?)
}
