//! Runs and their logs.

use std::time::Duration;

use tokio_postgres::Row;
use toolwright_core::run::RunId;
use toolwright_runtime::store::{
    Append, Lease, LoadedRun, NewRun, RunStatus, Scope, StoreError, StoreErrorKind,
};

use super::{
    columns::{Time, from_column, lease_micros, to_column, to_micros},
    conversations::{self, Locked},
    json, runs, text,
};
use crate::{
    failure::{Failure, column},
    session::{Session, Value},
};

const CREATE: &str = "
WITH made AS (
    INSERT INTO runs (id, runner, owner, created_us, unfinished, status, pending, info)
    VALUES ($1, $2, $3, $4, TRUE, $5, '[]', $6) ON CONFLICT DO NOTHING
    RETURNING key
), leased AS (
    INSERT INTO leases (run, token, until, holder, is_over, entries, items, taken, conversation)
    SELECT key, 1, clock_timestamp() + $7::bigint * interval '1 microsecond', $12::bigint, FALSE,
        cardinality($8::text[]), 0, 0, $9
    FROM made
    RETURNING until
), written AS (
    INSERT INTO entries (run, sequence, text)
    SELECT key, place - 1, entry FROM made, unnest($8::text[]) WITH ORDINALITY AS new (entry, place)
), labelled AS (
    INSERT INTO labels (run, name, value)
    SELECT key, name, value FROM made, unnest($10::text[], $11::text[]) AS new (name, value)
), continued AS (
    UPDATE conversations SET run = made.key,
        owner = CASE WHEN version = 0 THEN $3 ELSE owner END
    FROM made WHERE conversations.key = $9
)
SELECT until FROM leased";

/// Creates a run. It survives a loss of power, so that no token is given a second time.
pub(crate) async fn create(
    session: &Session,
    run: &NewRun,
    lease_time: Duration,
    holder: Option<i64>,
) -> Result<Lease, Failure> {
    let id = &run.info.run_id;
    let scope = Scope::from(run.info.owner.as_deref());
    let rows = if let Some(continued) = &run.info.conversation {
        let locked = conversations::lock(session, &continued.id).await?;
        if let Some(error) = locked.refusal(session, scope, continued.version).await? {
            // That the run is there already matters more than what it does.
            let there = taken(session, scope, id).await?;
            return session.refuse(there.unwrap_or(error)).await;
        }
        insert(session, run, (lease_time, holder), Some(&locked)).await?
    } else {
        insert(session, run, (lease_time, holder), None).await?
    };
    if let Some(row) = rows.first() {
        let Time(until) = column(row, 0)?;
        return Ok(Lease::new(id.clone(), 1, until));
    }
    let there = taken(session, scope, id).await?;
    // It may be deleted by now.
    Err(there.unwrap_or_else(|| StoreError::exists(id)).into())
}

const TAKEN: &str = "SELECT owner FROM runs WHERE id = $1";

/// The error of a new run whose id is taken, if it is.
async fn taken(
    session: &Session,
    scope: Scope<'_>,
    run: &RunId,
) -> Result<Option<StoreError>, Failure> {
    let rows = session
        .query(TAKEN, &[&text::to_column(run.as_str())])
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let owner: Option<String> = column(row, 0)?;
    let owner = owner.map(text::from_column);
    Ok(Some(scope.exists(run, owner.as_deref())))
}

/// Inserts a run: as the end of a transaction, or as one of its own.
async fn insert(
    session: &Session,
    run: &NewRun,
    (lease_time, holder): (Duration, Option<i64>),
    conversation: Option<&Locked>,
) -> Result<Vec<Row>, Failure> {
    let info = &run.info;
    let (id, runner) = (
        text::to_column(info.run_id.as_str()),
        text::to_column(&info.runner),
    );
    let owner = info.owner.as_deref().map(text::to_column);
    let status = json::write(&RunStatus::Open, "the status of the run")?;
    let all = json::write(info, "the facts about the run")?;
    let entries: Vec<_> = run
        .entries
        .iter()
        .map(|entry| text::to_column(entry))
        .collect();
    let names: Vec<_> = info
        .labels
        .keys()
        .map(|name| text::to_column(name))
        .collect();
    let values: Vec<_> = info
        .labels
        .values()
        .map(|value| text::to_column(value))
        .collect();
    let (created, until) = (to_micros(info.created), lease_micros(lease_time));
    let key = conversation.map(Locked::key);
    let columns: [Value<'_>; 12] = [
        &id, &runner, &owner, &created, &status, &all, &until, &entries, &key, &names, &values,
        &holder,
    ];
    if conversation.is_some() {
        session.commit_with((CREATE, &columns)).await
    } else {
        session.change(CREATE, &columns).await
    }
}

/// Entries, and how much of the inbox they take: what most appends are.
const APPEND: &str = "
WITH found AS MATERIALIZED (
    SELECT run, token, is_over, entries, greatest(taken, $5) AS taken,
        CASE WHEN NOT $6 THEN set_config('synchronous_commit', 'off', TRUE) END
    FROM leases WHERE run = (SELECT key FROM runs WHERE id = $1) FOR UPDATE
), done AS (
    UPDATE leases SET entries = found.entries + cardinality($4::text[]), taken = found.taken
    FROM found
    WHERE leases.run = found.run AND found.token = $2 AND NOT found.is_over
        AND (cardinality($4::text[]) = 0 OR found.entries = $3)
    RETURNING leases.run
), written AS (
    INSERT INTO entries (run, sequence, text)
    SELECT run, $3 + place - 1, entry
    FROM done, unnest($4::text[]) WITH ORDINALITY AS new (entry, place)
)
SELECT found.token = $2, done.run, found.is_over, found.entries, FALSE, NULL::bigint
FROM found LEFT JOIN done ON TRUE";

/// An append with all that may change with it.
const APPEND_ALL: &str = "
WITH found AS MATERIALIZED (
    SELECT run, token, is_over, entries, greatest(taken, $5) AS taken, conversation,
        $9 AND items > greatest(taken, $5) AS is_unread,
        CASE WHEN NOT $6 THEN set_config('synchronous_commit', 'off', TRUE) END
    FROM leases WHERE run = (SELECT key FROM runs WHERE id = $1) FOR UPDATE
), continued AS MATERIALIZED (
    SELECT key, version FROM conversations
    WHERE key = (SELECT conversation FROM found) FOR UPDATE
), done AS (
    UPDATE leases SET entries = found.entries + cardinality($4::text[]), taken = found.taken,
        until = CASE WHEN $7::text IS NULL OR $8 THEN leases.until END,
        is_over = $10
    FROM found
    WHERE leases.run = found.run AND found.token = $2 AND NOT found.is_over
        AND (cardinality($4::text[]) = 0 OR found.entries = $3)
        AND NOT found.is_unread
        AND NOT EXISTS (SELECT FROM continued WHERE version + 1 <> $12)
    RETURNING leases.run
), written AS (
    INSERT INTO entries (run, sequence, text)
    SELECT run, $3 + place - 1, entry
    FROM done, unnest($4::text[]) WITH ORDINALITY AS new (entry, place)
), stands AS (
    UPDATE runs SET status = coalesce($7, status),
        unfinished = CASE WHEN $7::text IS NULL THEN unfinished ELSE $11 END,
        ended = CASE WHEN $10 THEN clock_timestamp() END,
        pending = CASE WHEN $10 THEN '[]' ELSE coalesce($14, pending) END
    FROM done
    WHERE key = done.run AND ($7::text IS NOT NULL OR $14::text IS NOT NULL)
), talked AS (
    UPDATE conversations SET version = coalesce($12, continued.version),
        saved = CASE WHEN $12::bigint IS NULL THEN saved ELSE clock_timestamp() END,
        run = CASE WHEN NOT $10 THEN conversations.run END
    FROM done, continued WHERE conversations.key = continued.key
), said AS (
    INSERT INTO versions (conversation, version, text)
    SELECT key, $12, $13 FROM done, continued WHERE $12::bigint IS NOT NULL
)
SELECT found.token = $2, done.run, found.is_over, found.entries, found.is_unread, continued.version
FROM found LEFT JOIN done ON TRUE LEFT JOIN continued ON TRUE";

/// Appends to a run, and says which row it has.
pub(crate) async fn append(
    session: &Session,
    lease: &Lease,
    append: &Append,
) -> Result<i64, Failure> {
    let run = &lease.run_id;
    let id = text::to_column(run.as_str());
    let (token, first) = (to_column(lease.token), to_column(append.first));
    let entries: Vec<_> = append
        .entries
        .iter()
        .map(|entry| text::to_column(entry))
        .collect();
    let items = to_column(append.taken);
    let is_plain =
        append.status.is_none() && append.conversation.is_none() && append.pending.is_none();
    let rows = if is_plain {
        session
            .change(
                APPEND,
                &[&id, &token, &first, &entries, &items, &append.synced],
            )
            .await?
    } else {
        let status = append.status.as_ref();
        let text = status.map(|status| json::write(status, "the status of the run"));
        let text = text.transpose()?;
        let is_open = status == Some(&RunStatus::Open);
        let is_suspended = matches!(status, Some(RunStatus::Suspended));
        let is_over = status.is_some_and(RunStatus::is_over);
        let is_unfinished = status.is_some_and(RunStatus::is_unfinished);
        let saved = append.conversation.as_ref();
        let version = saved.map(|saved| to_column(saved.version));
        let said = saved.map(|saved| text::to_column(&saved.text));
        let pending = append.pending.as_ref();
        let pending = pending.map(|pending| json::write(pending, "the calls that wait"));
        let pending = pending.transpose()?;
        session
            .change(
                APPEND_ALL,
                &[
                    &id,
                    &token,
                    &first,
                    &entries,
                    &items,
                    &append.synced,
                    &text,
                    &is_open,
                    &is_suspended,
                    &is_over,
                    &is_unfinished,
                    &version,
                    &said,
                    &pending,
                ],
            )
            .await?
    };
    let row = runs::held(run, &rows)?;
    if let Some(key) = column(row, 1)? {
        return Ok(key);
    }
    Err(refused(run, append, row)?.into())
}

/// Why an append by the newest lease was refused.
fn refused(run: &RunId, append: &Append, row: &Row) -> Result<StoreError, Failure> {
    let (is_over, is_unread): (bool, bool) = (column(row, 2)?, column(row, 4)?);
    let next = from_column(column(row, 3)?);
    if is_over {
        return Ok(StoreError::over(run));
    }
    if is_unread {
        return Ok(StoreError::inbox_not_empty(run));
    }
    if !append.entries.is_empty() && append.first != next {
        return Ok(StoreError::out_of_sequence(run, append.first, next));
    }
    let version: Option<i64> = column(row, 5)?;
    Ok(StoreError::outdated(version.map_or(0, from_column)))
}

/// A run and its log, as they are at one time: the first row is the run, the others are entries in any order.
const LOAD: &str = concat!(
    "
SELECT NULL::bigint, info, status,
    CASE WHEN NOT ",
    runs::is_free!(""),
    " THEN until END, taken, entries, pending
FROM runs JOIN leases ON run = key WHERE id = $1 AND ($3::text IS NULL OR owner = $3)
UNION ALL
SELECT sequence, text, NULL, NULL, NULL, NULL, NULL
FROM entries WHERE sequence >= $2
    AND run = (SELECT key FROM runs WHERE id = $1 AND ($3::text IS NULL OR owner = $3))"
);

pub(crate) async fn load(
    session: &Session,
    (scope, run): (Scope<'_>, &RunId),
    from: u64,
) -> Result<LoadedRun, Failure> {
    let (id, owner) = text::of_run(scope, run);
    let rows = session
        .query(LOAD, &[&id, &to_column(from), &owner])
        .await?;
    let (mut found, mut entries) = (None, Vec::new());
    for row in &rows {
        match column::<Option<i64>>(row, 0)? {
            Some(sequence) => {
                entries.push((from_column(sequence), text::from_column(column(row, 1)?)));
            }
            None => found = Some(row),
        }
    }
    let row = found.ok_or_else(|| StoreError::no_run(run))?;
    entries.sort_unstable_by_key(|(sequence, _)| *sequence);
    let count = from_column(column(row, 5)?);
    check(run, &entries, from, count)?;
    let (info, status): (&str, &str) = (column(row, 1)?, column(row, 2)?);
    let until: Option<Time> = column(row, 3)?;
    let loaded = LoadedRun::new(
        json::read(info, "the facts about the run")?,
        json::read(status, "the status of the run")?,
        entries.into_iter().map(|(_, entry)| entry).collect(),
        from_column(column(row, 4)?),
        until.map(|Time(until)| until),
    );
    let pending = json::read(column(row, 6)?, "the calls that wait")?;
    Ok(loaded.with_pending(pending))
}

const NEWS: &str = "SELECT run, entries > $2 OR status <> $3
    FROM runs JOIN leases ON run = key WHERE id = $1 AND ($4::text IS NULL OR owner = $4)";

/// The row of a run, and whether it has an entry at this place or is not open.
pub(crate) async fn news(
    session: &Session,
    (scope, run): (Scope<'_>, &RunId),
    from: u64,
) -> Result<(i64, bool), Failure> {
    let open = json::write(&RunStatus::Open, "the status of the run")?;
    let (id, owner) = text::of_run(scope, run);
    let rows = session
        .query(NEWS, &[&id, &to_column(from), &open, &owner])
        .await?;
    let row = rows.first().ok_or_else(|| StoreError::no_run(run))?;
    Ok((column(row, 0)?, column(row, 1)?))
}

/// Checks that all entries from a place on are there.
fn check(run: &RunId, entries: &[(u64, String)], from: u64, count: u64) -> Result<(), Failure> {
    let mut there = entries.iter().map(|(sequence, _)| *sequence);
    let missing = (from..count).find(|expected| there.next() != Some(*expected));
    let Some(missing) = missing else {
        return Ok(());
    };
    let why = "the log lacks this record: restore the database from a copy, or abandon the run";
    let error = StoreError::new(StoreErrorKind::Corrupt, why);
    Err(error.with_run(run).with_sequence(missing).into())
}
