//! The inbox of a run.

use toolwright_core::run::RunId;
use toolwright_runtime::store::{InboxItem, Received, Scope, StoreError};

use super::{
    columns::{from_column, to_column},
    json, text,
};
use crate::{
    failure::{Failure, column},
    session::Session,
};

const LOCK: &str = "SELECT run, is_over, items FROM leases
    WHERE run = (SELECT key FROM runs WHERE id = $1 AND ($2::text IS NULL OR owner = $2)) FOR UPDATE";

const KNOWN: &str = "SELECT text FROM inbox
    WHERE run = (SELECT key FROM runs WHERE id = $1) AND id = $2
        AND hashtextextended(id, 0) = hashtextextended($2, 0)";

const PUT: &str = "
WITH done AS (UPDATE leases SET items = $2 WHERE run = $1)
INSERT INTO inbox (run, place, id, text) VALUES ($1, $2, $3, $4)";

/// Puts an item into an inbox, and says which row the run has. `None` if the item is there already.
pub(crate) async fn put(
    session: &Session,
    (scope, run): (Scope<'_>, &RunId),
    item: &InboxItem,
) -> Result<Option<i64>, Failure> {
    let content = json::write(item, "the item")?;
    let ((id, owner), item_id) = (text::of_run(scope, run), text::to_column(item.id()));
    // The second statement sees what those that held the lock before have put.
    let [rows, known] = session
        .begin([(LOCK, &[&id, &owner]), (KNOWN, &[&id, &item_id])])
        .await?;
    let Some(row) = rows.first() else {
        return session.refuse(StoreError::no_run(run)).await;
    };
    let (key, is_over): (i64, bool) = (column(row, 0)?, column(row, 1)?);
    if let Some(known) = known.first() {
        let known: InboxItem = json::read(column(known, 0)?, "an item of the inbox")?;
        if known != *item {
            return session.refuse(StoreError::other_item(run, item.id())).await;
        }
        return session.commit().await.map(|()| None);
    }
    if is_over {
        return session.refuse(StoreError::over(run)).await;
    }
    let place = column::<i64>(row, 2)?.saturating_add(1);
    session
        .commit_with((PUT, &[&key, &place, &item_id, &content]))
        .await?;
    Ok(Some(key))
}

const LIST: &str = "SELECT place, text FROM runs LEFT JOIN inbox ON run = key AND place > $2
    WHERE runs.id = $1 AND ($3::text IS NULL OR owner = $3) ORDER BY place";

pub(crate) async fn list(
    session: &Session,
    (scope, run): (Scope<'_>, &RunId),
    after: u64,
) -> Result<Vec<Received>, Failure> {
    let (id, owner) = text::of_run(scope, run);
    let rows = session
        .query(LIST, &[&id, &to_column(after), &owner])
        .await?;
    if rows.is_empty() {
        return Err(StoreError::no_run(run).into());
    }
    let mut items = Vec::new();
    for row in &rows {
        // A run without items has a row without an item.
        let Some(place) = column::<Option<i64>>(row, 0)? else {
            continue;
        };
        let item = json::read(column(row, 1)?, &format!("item {place} of the inbox"))?;
        items.push(Received::new(from_column(place), item));
    }
    Ok(items)
}

const NEWS: &str = "SELECT run, items > $2, is_over FROM leases
    WHERE run = (SELECT key FROM runs WHERE id = $1 AND ($3::text IS NULL OR owner = $3))";

/// The row of a run, and whether its inbox has an item after this place.
///
/// # Errors
///
/// When it has none, and none will come.
pub(crate) async fn news(
    session: &Session,
    (scope, run): (Scope<'_>, &RunId),
    after: u64,
) -> Result<(i64, bool), Failure> {
    let (id, owner) = text::of_run(scope, run);
    let rows = session
        .query(NEWS, &[&id, &to_column(after), &owner])
        .await?;
    let row = rows.first().ok_or_else(|| StoreError::no_run(run))?;
    let (has_more, is_over): (bool, bool) = (column(row, 1)?, column(row, 2)?);
    if is_over && !has_more {
        return Err(StoreError::over(run).into());
    }
    Ok((column(row, 0)?, has_more))
}
