//! Lists of runs and conversations, in pages.

use std::{
    borrow::Cow,
    time::{Duration, UNIX_EPOCH},
};

use tokio_postgres::{
    Row,
    types::{ToSql, Type},
};
use toolwright_core::run::RunId;
use toolwright_runtime::store::{
    ConversationId, ConversationInfo, Page, RunFilter, RunSummary, Scope, StoreError,
    StoreErrorKind,
};

use super::{
    columns::{Time, from_column},
    json,
    runs::is_free,
    text,
};
use crate::{
    failure::{Failure, column},
    session::{Session, Value},
};

/// The conditions of a list, with their values.
#[derive(Default)]
struct Conditions<'a> {
    sql: Vec<String>,
    values: Vec<(Box<dyn ToSql + Sync + Send + 'a>, Type)>,
}

impl<'a> Conditions<'a> {
    fn value(&mut self, value: impl ToSql + Sync + Send + 'a, kind: Type) -> String {
        self.values.push((Box::new(value), kind));
        format!("${}", self.values.len())
    }

    fn text(&mut self, text: &'a str) -> String {
        let column: Cow<'a, str> = text::to_column(text);
        self.value(column, Type::TEXT)
    }

    /// A column that has this text, and an index of its hash.
    fn is(&mut self, column: &str, text: &'a str) {
        let value = self.text(text);
        self.sql.push(format!(
            "{column} = {value} AND hashtextextended({column}, 0) = hashtextextended({value}, 0)"
        ));
    }

    fn label(&mut self, name: &'a str, value: &'a str) {
        let (name, value) = (self.text(name), self.text(value));
        self.sql.push(format!(
            "key IN (SELECT run FROM labels WHERE name = {name} AND value = {value}
                AND hashtextextended(value, hashtextextended(name, 0))
                    = hashtextextended({value}, hashtextextended({name}, 0)))"
        ));
    }

    /// The items after this page token. `time` is the column of a time, and `value` makes a time of a number.
    fn after(&mut self, time: &str, value: &str, end: &str) -> Result<(), Failure> {
        let place = end.split_once(':');
        let place = place.and_then(|(time, key)| Some((time.parse().ok()?, key.parse().ok()?)));
        let Some((at, key)): Option<(i64, i64)> = place else {
            let message = format!("unknown page token {end:?}: pass the value of `Page::next`");
            return Err(StoreError::new(StoreErrorKind::NotFound, message).into());
        };
        let at = self.value(at, Type::INT8);
        let key = self.value(key, Type::INT8);
        let at = value.replace("{}", &at);
        self.sql.push(format!("({time}, key) < ({at}, {key})"));
        Ok(())
    }

    /// Gives one row more than the page has.
    async fn rows(
        mut self,
        session: &Session,
        select: &str,
        order: &str,
        limit: usize,
    ) -> Result<Vec<Row>, Failure> {
        let most = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
        let most = self.value(most, Type::INT8);
        let conditions = match &*self.sql {
            [] => String::new(),
            some => format!("WHERE {}", some.join(" AND ")),
        };
        let sql = format!("{select} {conditions} ORDER BY {order} LIMIT {most}");
        let values: Vec<_> = self.values.iter().map(typed).collect();
        session.query_once(&sql, &values).await
    }
}

fn typed<'v>((value, kind): &'v (Box<dyn ToSql + Sync + Send + '_>, Type)) -> (Value<'v>, Type) {
    (&**value, kind.clone())
}

pub(crate) async fn runs(
    session: &Session,
    scope: Scope<'_>,
    filter: &RunFilter,
) -> Result<Page<RunSummary>, Failure> {
    let mut conditions = Conditions::default();
    if let Some(runner) = &filter.runner {
        conditions.is("runner", runner);
    }
    if let Some(owner) = scope.owner() {
        conditions.is("owner", owner);
    }
    for (name, value) in &filter.labels {
        conditions.label(name, value);
    }
    if filter.unfinished {
        conditions.sql.push("unfinished".to_owned());
    }
    if filter.free {
        conditions.sql.push(is_free!("").to_owned());
    }
    if let Some(after) = &filter.after {
        conditions.after("created_us", "{}", after)?;
    }
    let limit = filter.limit.max(1);
    let select = concat!(
        "SELECT created_us, key, info, status, CASE WHEN NOT ",
        is_free!(""),
        " THEN until END,
            entries, ended, id, pending
        FROM runs JOIN leases ON run = key"
    );
    let rows = conditions.rows(session, select, "created_us DESC, key DESC", limit);
    page(&rows.await?, limit, |row| {
        summary(row).map_err(|failure| {
            let error = failure.into_error();
            match column(row, 7) {
                Ok(id) => error.with_run(&RunId::new(text::from_column(id))),
                Err(_) => error,
            }
        })
    })
}

fn summary(row: &Row) -> Result<RunSummary, Failure> {
    let (info, status): (&str, &str) = (column(row, 2)?, column(row, 3)?);
    let until: Option<Time> = column(row, 4)?;
    let ended: Option<Time> = column(row, 6)?;
    let summary = RunSummary::new(
        json::read(info, "the facts about a run")?,
        json::read(status, "the status of a run")?,
        from_column(column(row, 5)?),
        until.map(|Time(until)| until),
    );
    let summary = summary.ended_at(ended.map(|Time(ended)| ended));
    let pending = json::read(column(row, 8)?, "the calls that wait")?;
    Ok(summary.with_pending(pending))
}

pub(crate) async fn conversations(
    session: &Session,
    scope: Scope<'_>,
    after: Option<&str>,
    limit: usize,
) -> Result<Page<ConversationInfo>, Failure> {
    let mut conditions = Conditions::default();
    conditions.sql.push("version > 0".to_owned());
    if let Some(owner) = scope.owner() {
        conditions.is("owner", owner);
    }
    if let Some(after) = after {
        let time = "to_timestamp(0) + {} * interval '1 microsecond'";
        conditions.after("saved", time, after)?;
    }
    let limit = limit.max(1);
    let select = "SELECT (extract(epoch FROM saved) * 1000000)::bigint, key, id, owner, version
        FROM conversations";
    let rows = conditions.rows(session, select, "saved DESC, key DESC", limit);
    page(&rows.await?, limit, |row| {
        conversation(row).map_err(Failure::into_error)
    })
}

fn conversation(row: &Row) -> Result<ConversationInfo, Failure> {
    let (id, owner): (String, Option<String>) = (column(row, 2)?, column(row, 3)?);
    Ok(ConversationInfo::new(
        ConversationId::new(text::from_column(id)),
        owner.map(text::from_column),
        from_column(column(row, 4)?),
        UNIX_EPOCH + Duration::from_micros(from_column(column(row, 0)?)),
    ))
}

/// A page of rows, whose first two columns are a time and a key. A row that cannot be read takes its place as any other.
fn page<T>(
    rows: &[Row],
    limit: usize,
    read: impl Fn(&Row) -> Result<T, StoreError>,
) -> Result<Page<T>, Failure> {
    let here = &rows[..rows.len().min(limit)];
    let (mut items, mut damaged) = (Vec::new(), Vec::new());
    for row in here {
        match read(row) {
            Ok(item) => items.push(item),
            Err(error) => damaged.push(error),
        }
    }
    let next = match here.last() {
        Some(last) if rows.len() > limit => {
            let (time, key): (i64, i64) = (column(last, 0)?, column(last, 1)?);
            Some(format!("{time}:{key}"))
        }
        _ => None,
    };
    Ok(Page::new(items, next).with_damaged(damaged))
}
