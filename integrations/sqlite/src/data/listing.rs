//! Lists of runs and conversations, in pages.

use std::time::SystemTime;

use rusqlite::{Connection, ToSql, params_from_iter};
use toolwright_runtime::{
    run::RunId,
    store::{
        ConversationId, ConversationInfo, Page, RunFilter, RunSummary, StoreError, StoreErrorKind,
    },
};

use super::{
    columns::{from_column, from_micros, to_micros},
    json,
};
use crate::failure::Failure;

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

    /// What stands after this end of a page. `sql` compares a time and an id.
    fn after(&mut self, sql: &'static str, end: &str) -> Result<(), Failure> {
        let place = end.split_once(':');
        let place = place.and_then(|(time, id)| Some((time.parse::<i64>().ok()?, id)));
        let Some((time, id)) = place else {
            let message = format!("no page ends with {end:?}: give what `Page::next` says");
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
    filter: &RunFilter,
) -> Result<Page<RunSummary>, Failure> {
    let mut conditions = Conditions::default();
    if let Some(runner) = &filter.runner {
        conditions.add("runner = ?", runner.clone());
    }
    if let Some(owner) = &filter.owner {
        conditions.add("owner = ?", owner.clone());
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
        let now = to_micros(SystemTime::now());
        conditions.add("(held_until_us IS NULL OR held_until_us <= ?)", now);
    }
    if let Some(after) = &filter.after {
        conditions.after("(created_us, id) < (?, ?)", after)?;
    }
    let limit = filter.limit.max(1);
    let statement = conditions.statement(
        "SELECT created_us, id, info, status, held_until_us, ended_us,
            (SELECT max(sequence) + 1 FROM entries WHERE run = key)
         FROM runs",
        "created_us DESC, id DESC",
        limit,
    );
    let mut select = connection.prepare_cached(&statement)?;
    let mut rows = select.query(params_from_iter(&conditions.values))?;
    let mut pages = Pages::new(limit);
    while let Some(row) = rows.next()? {
        let (created, id, info): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let status: String = row.get(3)?;
        let (until, ended): (Option<i64>, Option<i64>) = (row.get(4)?, row.get(5)?);
        let entries: Option<i64> = row.get(6)?;
        let known = json::read(&info, "what is known of the run")
            .and_then(|info| Ok((info, json::read(&status, "the status of the run")?)));
        let (info, status) = match known {
            Ok(known) => known,
            Err(Failure::Store(error)) => {
                pages.add_damaged(error.with_run(&RunId::new(id)));
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let entries = from_column(entries.unwrap_or(0));
        let summary = RunSummary::new(info, status, entries, until.map(from_micros));
        pages.add(created, &id, summary.ended_at(ended.map(from_micros)));
    }
    Ok(pages.page())
}

pub(crate) fn conversations(
    connection: &Connection,
    owner: Option<&str>,
    after: Option<&str>,
    limit: usize,
) -> Result<Page<ConversationInfo>, Failure> {
    let mut conditions = Conditions::default();
    if let Some(owner) = owner {
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
        let info = ConversationInfo::new(
            ConversationId::new(id.clone()),
            row.get(2)?,
            from_column(row.get(3)?),
            from_micros(saved),
        );
        pages.add(saved, &id, info);
    }
    Ok(pages.page())
}

/// A page, and whether one more row came.
struct Pages<T> {
    limit: usize,
    items: Vec<T>,
    /// The place of the last item of the page.
    last: Option<String>,
    has_more: bool,
    damaged: Vec<StoreError>,
}

impl<T> Pages<T> {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            items: Vec::new(),
            last: None,
            has_more: false,
            damaged: Vec::new(),
        }
    }

    fn add(&mut self, time: i64, id: &str, item: T) {
        if self.items.len() == self.limit {
            self.has_more = true;
            return;
        }
        self.items.push(item);
        self.last = Some(format!("{time}:{id}"));
    }

    /// Adds what cannot be read. It is of this page, or of the next one if the page is full.
    fn add_damaged(&mut self, error: StoreError) {
        if self.items.len() < self.limit {
            self.damaged.push(error);
        } else {
            self.has_more = true;
        }
    }

    fn page(self) -> Page<T> {
        let next = self.last.filter(|_| self.has_more);
        Page::new(self.items, next).with_damaged(self.damaged)
    }
}
