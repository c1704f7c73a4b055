//! Runs, whatever began them.

mod inbox;
mod shown;

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap,
    header::{CONTENT_DISPOSITION, CONTENT_TYPE},
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use toolwright_core::{Record, Run, message::text_of, run::RunId};
use toolwright_runtime::{RunEvent, store::RunSummary};

pub(crate) use inbox::{Cancel, Push, answer, decide, to_chat, to_run};
use shown::{STATUSES, ShownCall, ShownEnd, ShownRun, WholeRun};
pub(crate) use shown::{millis, status};

use crate::{
    app::App,
    body::{self, Projection, place},
    caller::Visitor,
    failure::Failure,
    form::{Form, plain},
    incoming::{PageQuery, filled, number},
    json, log,
    parts::Read,
    runs_of_chat::CHAT,
};

/// The most pages of a list that are looked through for one.
const PAGES: usize = 20;

/// Which runs are asked for.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    #[serde(default, deserialize_with = "filled")]
    status: Option<String>,
    #[serde(default, deserialize_with = "filled")]
    q: Option<String>,
    #[serde(default, deserialize_with = "filled")]
    chat: Option<String>,
}

/// A page of runs, the newest first.
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Query(asked)): Read<Query<PageQuery>>,
    Read(Query(wanted)): Read<Query<Wanted>>,
) -> Result<Response, Failure> {
    if let Some(unknown) = wanted.status.as_deref().filter(|it| !STATUSES.contains(it)) {
        let message = format!(
            "unknown status `{unknown}`: it is one of {}",
            STATUSES.join(", ")
        );
        return Err(Failure::bad_request(message));
    }
    let mut filter = app.filter();
    filter.limit = asked.limit(&app)?;
    filter.after = asked.after;
    if let Some(chat) = &wanted.chat {
        filter.labels.insert(CHAT.to_owned(), chat.clone());
    }
    let mut items = Vec::new();
    for _ in 0..PAGES {
        let page = visitor.store.list(&filter).await?;
        let mut runs = app.shown(&visitor, page.items);
        runs.retain(|run| wanted.admits(run));
        items.append(&mut runs);
        filter.after = page.next;
        if filter.after.is_none() || !items.is_empty() {
            break;
        }
    }
    json::json(&Listed {
        items: items.iter().map(ShownRun::of_summary).collect(),
        next: filter.after,
    })
}

#[derive(Serialize)]
struct Listed<'a> {
    items: Vec<ShownRun<'a>>,
    next: Option<String>,
}

impl Wanted {
    fn admits(&self, run: &RunSummary) -> bool {
        let info = &run.info;
        let has = |text: &str| {
            let words = [
                info.run_id.as_str(),
                info.model.as_deref().unwrap_or_default(),
            ];
            let labels = info.labels.values().map(String::as_str);
            words
                .into_iter()
                .chain(labels)
                .any(|word| word.contains(text))
        };
        let is = |wanted: &str| wanted == status(&run.status);
        self.status.as_deref().is_none_or(is) && self.q.as_deref().is_none_or(has)
    }
}

/// One run, with its question and its end.
pub(crate) async fn one(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
) -> Result<Response, Failure> {
    let id = RunId::new(id);
    let loaded = app.load(&visitor, &id, 0).await?;
    let entries = loaded.entries.len() as u64;
    let ended = match log::last(&id, &loaded)? {
        Some(last) if matches!(last.record, Record::Finished { .. }) => Some(last.at),
        _ => None,
    };
    let events = log::events(&visitor.store, &id, &loaded).await?;
    let records: Vec<_> = events
        .into_iter()
        .filter_map(|event| match event {
            RunEvent::Recorded { record, .. } => Some(record),
            _ => None,
        })
        .collect();
    let outcome = Run::replay(&records).ok();
    let outcome = outcome.and_then(|(run, _)| run.outcome());
    json::json(&WholeRun {
        run: ShownRun::of(&loaded.info, &loaded.status, entries, ended),
        pending: loaded.pending.iter().map(ShownCall::of).collect(),
        question: text_of(&log::question(&id, &loaded)?.parts),
        end: outcome.map(|outcome| ShownEnd::of(&app, &outcome)),
    })
}

/// Which entries of a log are asked for.
#[derive(Deserialize)]
pub(crate) struct From {
    #[serde(default, deserialize_with = "filled")]
    from: Option<String>,
}

/// An entry as it is stored, and as it is shown.
#[derive(Deserialize, Serialize)]
struct Shown<'a> {
    sequence: u64,
    #[serde(rename(serialize = "atMs"))]
    at_ms: u64,
    #[serde(borrow)]
    record: &'a RawValue,
}

#[derive(Serialize)]
struct Page<'a> {
    entries: Vec<Shown<'a>>,
    next: Option<u64>,
}

/// Refuses what has the texts of errors that are for the log alone.
fn told(app: &App) -> Result<(), Failure> {
    if app.tells_all() {
        return Ok(());
    }
    let message =
        "logs contain error details, which are not exposed (`Server::with_error_details`)";
    Err(Failure::forbidden(message))
}

/// The log of a run, as it is stored.
pub(crate) async fn entries(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
    Read(Query(from)): Read<Query<From>>,
    Read(Query(asked)): Read<Query<PageQuery>>,
) -> Result<Response, Failure> {
    let from = number(from.from.as_deref(), "from")?.unwrap_or(0);
    let limit = asked.limit(&app)?;
    let loaded = app.load(&visitor, &RunId::new(id), from).await?;
    told(&app)?;
    let entries: Result<Vec<Shown<'_>>, _> = loaded
        .entries
        .iter()
        .take(limit)
        .map(|text| serde_json::from_str(text))
        .collect();
    let entries = entries.map_err(|_| Failure::internal("an entry is damaged"))?;
    let next = (loaded.entries.len() > limit).then(|| from.saturating_add(limit as u64));
    json::json(&Page { entries, next })
}

/// A run as a message, from its start.
pub(crate) async fn stream(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
    Read(Query(form)): Read<Query<Form>>,
) -> Result<Response, Failure> {
    let run = RunId::new(id);
    app.load(&visitor, &run, u64::MAX).await?;
    let projection = form.projection(&app, &run);
    let place = place(&app, &visitor)?;
    body::from_start(&app, &visitor, projection, run, place).await
}

/// A run as plain events, after the last one that the client has.
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let run = RunId::new(id);
    app.load(&visitor, &run, u64::MAX).await?;
    let last = headers.get("last-event-id");
    let last = last.and_then(|last| last.to_str().ok());
    let last = number(last.filter(|last| !last.is_empty()), "last-event-id")?;
    let projection = Projection::Plain(Box::new(plain(&app, last)));
    let place = place(&app, &visitor)?;
    body::from_start(&app, &visitor, projection, run, place).await
}

/// The whole log of a run as a file: an entry a line, as it is stored.
pub(crate) async fn file(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
) -> Result<Response, Failure> {
    let loaded = app.load(&visitor, &RunId::new(id), 0).await?;
    told(&app)?;
    let mut lines = loaded.entries.join("\n");
    lines.push('\n');
    let headers = [
        (CONTENT_TYPE, "application/x-ndjson"),
        (CONTENT_DISPOSITION, "attachment; filename=\"run.jsonl\""),
    ];
    Ok((headers, lines).into_response())
}
