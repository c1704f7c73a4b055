//! Lists of runs and conversations, in pages.

use std::time::Duration;

use rusqlite::{Connection, Row, ToSql, params_from_iter};
use toolwright_core::run::RunId;
use toolwright_runtime::store::{
    ConversationId, ConversationInfo, Page, RunFilter, RunSummary, Scope, StoreError,
    StoreErrorKind,
};

use super::{
    columns::{from_column, from_micros},
    json, runs,
};
use crate::{failure::Failure, holders::Holders};

/// The conditions of a list, with their values.
#[derive(Default)]
struct Conditions {
    sql: Vec<&'static str>,
    values: Vec<Box<dyn ToSql>>,
}

impl Conditions {
    fn add(&mut self, sql: &'static str, value: impl ToSql + 'static) {
        self.sql.push(sql);
        self.values.push(Box::new(value));
    }

    /// The items after this page token. `sql` compares a time and an id.
    fn after(&mut self, sql: &'static str, end: &str) -> Result<(), Failure> {
        let place = end.split_once(':');
        let place = place.and_then(|(time, id)| Some((time.parse::<i64>().ok()?, id)));
        let Some((time, id)) = place else {
            let message = format!("unknown page token {end:?}: pass the value of `Page::next`");
            return Err(StoreError::new(StoreErrorKind::NotFound, message).into());
        };
        self.add(sql, time);
        self.values.push(Box::new(id.to_owned()));
        Ok(())
    }

    /// The statement, with these conditions, of one row more than the page has.
    fn statement(&mut self, select: &str, order: &str, limit: usize) -> String {
        let most = i64::try_from(limit).unwrap_or(i64::MAX);
        self.values.push(Box::new(most.saturating_add(1)));
        let conditions = match &*self.sql {
            [] => String::new(),
            some => format!("WHERE {}", some.join(" AND ")),
        };
        format!("{select} {conditions} ORDER BY {order} LIMIT ?")
    }
}

pub(crate) fn runs(
    connection: &Connection,
    (scope, filter): (Scope<'_>, &RunFilter),
    holders: &Holders,
) -> Result<Page<RunSummary>, Failure> {
    let mut conditions = Conditions::default();
    if let Some(runner) = &filter.runner {
        conditions.add("runner = ?", runner.clone());
    }
    if let Some(owner) = scope.owner() {
        conditions.add("owner = ?", owner.to_owned());
    }
    for (name, value) in &filter.labels {
        let sql = "key IN (SELECT run FROM labels WHERE name = ? AND value = ?)";
        conditions.add(sql, name.clone());
        conditions.values.push(Box::new(value.clone()));
    }
    if filter.unfinished {
        // As in the index, which is not used for a value that is bound.
        conditions.sql.push("unfinished = 1");
    }
    if filter.free {
        let held = runs::all_held(connection, holders)?;
        conditions.add("key NOT IN (SELECT value FROM json_each(?))", held);
    }
    if let Some(after) = &filter.after {
        conditions.after("(created_us, id) < (?, ?)", after)?;
    }
    let limit = filter.limit.max(1);
    let statement = conditions.statement(
        "SELECT key, token, held_until_us, lease_us, holder, created_us, id, info, status, ended_us,
            (SELECT max(sequence) + 1 FROM entries WHERE run = key), pending
         FROM runs",
        "created_us DESC, id DESC",
        limit,
    );
    let mut select = connection.prepare_cached(&statement)?;
    let mut rows = select.query(params_from_iter(&conditions.values))?;
    let mut pages = Pages::new(limit);
    while let Some(row) = rows.next()? {
        let (created, id): (i64, String) = (row.get(5)?, row.get(6)?);
        let summary = summary(row, holders).map_err(|failure| {
            let error = failure.into_error(Duration::ZERO);
            error.with_run(&RunId::new(id.clone()))
        });
        pages.add(created, &id, summary);
    }
    Ok(pages.page())
}

fn summary(row: &Row<'_>, holders: &Holders) -> Result<RunSummary, Failure> {
    let (info, status): (String, String) = (row.get(7)?, row.get(8)?);
    let (ended, entries): (Option<i64>, Option<i64>) = (row.get(9)?, row.get(10)?);
    let pending: String = row.get(11)?;
    let summary = RunSummary::new(
        json::read(&info, "the facts about the run")?,
        json::read(&status, "the status of the run")?,
        from_column(entries.unwrap_or(0)),
        runs::held(row)?.and_then(|held| holders.until(&held)),
    );
    let summary = summary.ended_at(ended.map(from_micros));
    Ok(summary.with_pending(json::read(&pending, "the calls that wait")?))
}

pub(crate) fn conversations(
    connection: &Connection,
    scope: Scope<'_>,
    after: Option<&str>,
    limit: usize,
) -> Result<Page<ConversationInfo>, Failure> {
    let mut conditions = Conditions::default();
    if let Some(owner) = scope.owner() {
        conditions.add("owner = ?", owner.to_owned());
    }
    if let Some(after) = after {
        conditions.after("(saved_us, id) < (?, ?)", after)?;
    }
    let limit = limit.max(1);
    let statement = conditions.statement(
        "SELECT saved_us, id, owner, version FROM conversations",
        "saved_us DESC, id DESC",
        limit,
    );
    let mut select = connection.prepare_cached(&statement)?;
    let mut rows = select.query(params_from_iter(&conditions.values))?;
    let mut pages = Pages::new(limit);
    while let Some(row) = rows.next()? {
        let (saved, id): (i64, String) = (row.get(0)?, row.get(1)?);
        let info = conversation(row, &id, saved);
        let info = info.map_err(|failure| failure.into_error(Duration::ZERO));
        pages.add(saved, &id, info);
    }
    Ok(pages.page())
}

fn conversation(row: &Row<'_>, id: &str, saved: i64) -> Result<ConversationInfo, Failure> {
    Ok(ConversationInfo::new(
        ConversationId::new(id),
        row.get(2)?,
        from_column(row.get(3)?),
        from_micros(saved),
    ))
}

/// A page of rows, and whether one more row came. A row that cannot be read takes its place as any other.
struct Pages<T> {
    limit: usize,
    rows: usize,
    items: Vec<T>,
    damaged: Vec<StoreError>,
    /// The place of the last row of the page.
    last: Option<String>,
    has_more: bool,
}

impl<T> Pages<T> {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            rows: 0,
            items: Vec::new(),
            damaged: Vec::new(),
            last: None,
            has_more: false,
        }
    }

    fn add(&mut self, time: i64, id: &str, item: Result<T, StoreError>) {
        if self.rows == self.limit {
            self.has_more = true;
            return;
        }
        self.rows += 1;
        self.last = Some(format!("{time}:{id}"));
        match item {
            Ok(item) => self.items.push(item),
            Err(error) => self.damaged.push(error),
        }
    }

    fn page(self) -> Page<T> {
        let next = self.last.filter(|_| self.has_more);
        Page::new(self.items, next).with_damaged(self.damaged)
    }
}
