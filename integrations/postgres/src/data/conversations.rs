//! Conversations and their versions.
//!
//! The row of a conversation is its lock. It is there from the first run that continues the conversation, with version 0
//! until something is saved.

use std::time::SystemTime;

use tokio_postgres::Row;
use toolwright_core::run::RunId;
use toolwright_runtime::store::{ConversationId, ConversationVersion, Scope, StoreError};

use super::{
    columns::{clock_micros, from_column, to_column},
    text,
};
use crate::{
    failure::{Failure, column},
    session::{Session, Value},
};

const MAKE: &str = "INSERT INTO conversations (id, version, saved)
    VALUES ($1, 0, clock_timestamp()) ON CONFLICT DO NOTHING";

// Of the run that continues it the key alone: what is joined is not looked up again for a row that has changed while the
// statement waited for its lock.
const LOCK: &str = "SELECT key, version, run, owner FROM conversations WHERE id = $1 FOR UPDATE";

const HOLDER: &str = "SELECT id, owner FROM runs WHERE key = $1";

/// A conversation that the transaction has locked.
#[derive(Debug)]
pub(super) struct Locked {
    key: i64,
    version: u64,
    /// The row of the run that continues it.
    run: Option<i64>,
    owner: Option<String>,
}

impl Locked {
    fn read(row: &Row) -> Result<Self, Failure> {
        Ok(Self {
            key: column(row, 0)?,
            version: from_column(column(row, 1)?),
            run: column(row, 2)?,
            owner: column::<Option<String>>(row, 3)?.map(text::from_column),
        })
    }

    pub(super) fn key(&self) -> i64 {
        self.key
    }

    /// Its owner and its newest version, if it has one.
    fn found(&self) -> Option<(Option<&str>, u64)> {
        (self.version > 0).then_some((self.owner.as_deref(), self.version))
    }

    /// The run that continues it, and its owner.
    async fn holder(&self, session: &Session) -> Result<Option<(RunId, Option<String>)>, Failure> {
        let Some(run) = self.run else { return Ok(None) };
        let rows = session.query(HOLDER, &[&run]).await?;
        let row = rows.first();
        let row = row.ok_or_else(|| Failure::corrupt("the run of a conversation is not there"))?;
        let owner: Option<String> = column(row, 1)?;
        let run = RunId::new(text::from_column(column(row, 0)?));
        Ok(Some((run, owner.map(text::from_column))))
    }

    /// Why it cannot be continued from this version: see [`Scope::check_newest`].
    pub(super) async fn refusal(
        &self,
        session: &Session,
        scope: Scope<'_>,
        version: u64,
    ) -> Result<Option<StoreError>, Failure> {
        let holder = self.holder(session).await?;
        let run = holder.as_ref().map(|(run, owner)| (run, owner.as_deref()));
        Ok(scope.check_newest(self.found(), run, version).err())
    }
}

/// Begins a transaction, and locks a conversation in it, also one that is not there yet.
pub(super) async fn lock(session: &Session, id: &ConversationId) -> Result<Locked, Failure> {
    let id = text::to_column(id.as_str());
    let [_, rows] = session.begin([(MAKE, &[&id]), (LOCK, &[&id])]).await?;
    if let Some(row) = rows.first() {
        return Locked::read(row);
    }
    // It was deleted between the two.
    session.query(MAKE, &[&id]).await?;
    let rows = session.query(LOCK, &[&id]).await?;
    match rows.first() {
        Some(row) => Locked::read(row),
        None => Err(StoreError::outdated(0).into()),
    }
}

const SAVE: &str = "
WITH saved AS (
    UPDATE conversations SET version = $2, saved = clock_timestamp(),
        owner = CASE WHEN version = 0 THEN $4 ELSE owner END
    WHERE key = $1
)
INSERT INTO versions (conversation, version, text) VALUES ($1, $2, $3)";

/// Adds the next version of a conversation that no run continues.
pub(crate) async fn save_free(
    session: &Session,
    (scope, id): (Scope<'_>, &ConversationId),
    version: &ConversationVersion,
) -> Result<(), Failure> {
    let locked = lock(session, id).await?;
    // There is no version 0, which a new conversation would follow.
    let before = version.version.checked_sub(1).unwrap_or(u64::MAX);
    if let Some(error) = locked.refusal(session, scope, before).await? {
        return session.refuse(error).await;
    }
    let owner = scope.owner().map(text::to_column);
    let (number, said) = (to_column(version.version), text::to_column(&version.text));
    let values: [Value<'_>; 4] = [&locked.key, &number, &said, &owner];
    session.commit_with((SAVE, &values)).await.map(drop)
}

const LOAD: &str =
    "SELECT versions.version, text FROM versions JOIN conversations ON key = conversation
    WHERE id = $1 AND versions.version > $2 AND versions.version <= $3
        AND ($4::text IS NULL OR owner = $4) ORDER BY versions.version";

/// The versions of a conversation after one, up to another one.
pub(crate) async fn load(
    session: &Session,
    (scope, id): (Scope<'_>, &ConversationId),
    after: u64,
    up_to: Option<u64>,
) -> Result<Vec<ConversationVersion>, Failure> {
    let id = text::to_column(id.as_str());
    let last = up_to.map_or(i64::MAX, to_column);
    let owner = scope.owner().map(text::to_column);
    let rows = session
        .query(LOAD, &[&id, &to_column(after), &last, &owner])
        .await?;
    let version = |row| {
        let said = text::from_column(column(row, 1)?);
        Ok(ConversationVersion::new(from_column(column(row, 0)?), said))
    };
    rows.iter().map(version).collect()
}

const DELETE: &str = "
WITH gone AS (DELETE FROM versions WHERE conversation = $1)
DELETE FROM conversations WHERE key = $1";

pub(crate) async fn delete(
    session: &Session,
    (scope, id): (Scope<'_>, &ConversationId),
) -> Result<(), Failure> {
    let id = text::to_column(id.as_str());
    let [rows] = session.begin([(LOCK, &[&id])]).await?;
    let locked = rows.first().map(Locked::read).transpose()?;
    let holder = match &locked {
        Some(locked) => locked.holder(session).await?,
        None => None,
    };
    let run = holder.as_ref().map(|(run, owner)| (run, owner.as_deref()));
    let found = locked.as_ref().and_then(Locked::found);
    if let Err(error) = scope.check_unused(found, run) {
        return session.refuse(error).await;
    }
    let key = locked.map(|locked| locked.key);
    session.commit_with((DELETE, &[&key])).await.map(drop)
}

const DELETE_BEFORE: &str = "
WITH old AS MATERIALIZED (
    SELECT key FROM conversations
    WHERE saved < to_timestamp(0) + $1::bigint * interval '1 microsecond' AND run IS NULL
    ORDER BY key LIMIT $2 FOR UPDATE
), without_versions AS (
    DELETE FROM versions USING old WHERE conversation = key
)
DELETE FROM conversations USING old WHERE conversations.key = old.key
RETURNING conversations.version";

/// Deletes conversations that were saved before a time and that no run continues, so many of them at most; gives the number
/// of those that were there, and whether there may be more.
pub(crate) async fn delete_before(
    session: &Session,
    time: SystemTime,
    most: i64,
) -> Result<(u64, bool), Failure> {
    let rows = session
        .change(DELETE_BEFORE, &[&clock_micros(time), &most])
        .await?;
    let mut deleted = 0;
    for row in &rows {
        deleted += u64::from(column::<i64>(row, 0)? > 0);
    }
    Ok((deleted, !rows.is_empty()))
}
