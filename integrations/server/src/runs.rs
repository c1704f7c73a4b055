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
use toolwright_core::{
    Record, Run,
    message::text_of,
    run::{Finish, RunId},
};
use toolwright_runtime::{RunEvent, store::RunSummary};

pub(crate) use inbox::{Cancel, Push, answer, decide, to_chat, to_run};
use shown::{ListedRun, STATUSES, ShownCall, ShownEnd, ShownFinish, ShownRun, WholeRun};
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
        for run in app.shown(&visitor, page.items) {
            if !wanted.has_status(&run) {
                continue;
            }
            let ends = ends(&visitor, &run).await?;
            if wanted.has_words(&run, &ends) {
                items.push((run, ends));
            }
        }
        filter.after = page.next;
        if filter.after.is_none() || !items.is_empty() {
            break;
        }
    }
    let listed = items.iter().map(|(run, ends)| ListedRun {
        run: ShownRun::of_summary(run),
        question: ends.question.as_deref(),
        finish: ends
            .finish
            .as_ref()
            .map(|finish| ShownFinish::of(finish, app.tells_all())),
    });
    json::json(&Listed {
        items: listed.collect(),
        next: filter.after,
    })
}

/// The longest beginning of a question in a list, in characters.
const QUESTION: usize = 160;

/// The first and the last record of a run, as far as they can be read.
#[derive(Default)]
struct Ends {
    question: Option<String>,
    finish: Option<Finish>,
}

async fn ends(visitor: &Visitor, run: &RunSummary) -> Result<Ends, Failure> {
    let id = &run.info.run_id;
    let loaded = log::unless_damaged(log::unless_gone(visitor.store.load(id, 0).await))?;
    let Some(loaded) = loaded.flatten() else {
        return Ok(Ends::default());
    };
    let question = log::unless_damaged(log::question(id, &loaded))?;
    let last = log::unless_damaged(log::last(id, &loaded))?.flatten();
    Ok(Ends {
        question: question.map(|it| text_of(&it.parts).chars().take(QUESTION).collect()),
        finish: last.and_then(|last| match last.record {
            Record::Finished { finish } => Some(finish),
            _ => None,
        }),
    })
}

#[derive(Serialize)]
struct Listed<'a> {
    items: Vec<ListedRun<'a>>,
    next: Option<String>,
}

impl Wanted {
    fn has_status(&self, run: &RunSummary) -> bool {
        let is = |wanted: &str| wanted == status(&run.status);
        self.status.as_deref().is_none_or(is)
    }

    fn has_words(&self, run: &RunSummary, ends: &Ends) -> bool {
        let info = &run.info;
        let words = [
            Some(info.run_id.as_str()),
            info.model.as_deref(),
            ends.question.as_deref(),
        ];
        let labels = info.labels.values().map(String::as_str);
        let mut words = words.into_iter().flatten().chain(labels);
        self.q
            .as_deref()
            .is_none_or(|text| words.any(|word| word.contains(text)))
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
