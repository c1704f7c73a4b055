//! The chats of a visitor.

use std::{collections::HashSet, sync::Arc};

use axum::{
    Extension,
    extract::{Query, State},
    response::Response,
};
use serde_json::{Value, json};
use toolwright_core::{UserMessage, message::text_of};
use toolwright_runtime::store::RunSummary;

use crate::{
    app::App,
    caller::Visitor,
    failure::Failure,
    incoming::PageQuery,
    json,
    log::{self, unless_damaged},
    parts::Read,
    runs::{millis, status},
    runs_of_chat::{CHAT, Chat},
    timed_store::TimedStore,
};

/// The most pages of runs that are looked through for one of chats.
const PAGES: usize = 20;

/// The longest title, in characters.
const TITLE: usize = 80;

/// A page of chats, those whose newest run began last first.
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Query(asked)): Read<Query<PageQuery>>,
) -> Result<Response, Failure> {
    let mut filter = app.filter();
    filter.limit = asked.limit(&app)?;
    filter.after = asked.after;
    let (mut items, mut seen) = (Vec::new(), HashSet::new());
    for _ in 0..PAGES {
        let page = visitor.store.list(&filter).await?;
        for run in app.shown(&visitor, page.items) {
            let Some(id) = run.info.labels.get(CHAT) else {
                continue;
            };
            if !seen.insert(id.clone()) {
                continue;
            }
            if let Some(item) = item(&app, &visitor, &run, id).await? {
                items.push(item);
            }
        }
        filter.after = page.next;
        if filter.after.is_none() || !items.is_empty() {
            break;
        }
    }
    json::json(&json!({ "items": items, "next": filter.after }))
}

/// The first question of a chat that can be read.
async fn first_question(
    store: &TimedStore,
    shown: &[RunSummary],
) -> Result<Option<UserMessage>, Failure> {
    for run in shown {
        let id = &run.info.run_id;
        if let Some(loaded) = unless_damaged(store.load(id, 0).await)?
            && let Some(question) = unless_damaged(log::question(id, &loaded))?
        {
            return Ok(Some(question));
        }
    }
    Ok(None)
}

/// A chat, in the place of its newest run: an earlier one stands on a later page.
async fn item(
    app: &App,
    visitor: &Visitor,
    run: &RunSummary,
    id: &str,
) -> Result<Option<Value>, Failure> {
    let Ok(chat) = Chat::new(app, visitor, id) else {
        return Ok(None);
    };
    let shown = chat.shown().await?;
    let Some(newest) = shown.last() else {
        return Ok(None);
    };
    if newest.info.run_id != run.info.run_id {
        return Ok(None);
    }
    let question = first_question(chat.store(), &shown).await?;
    let text = question.map_or_else(String::new, |question| text_of(&question.parts));
    let title: String = text.chars().take(TITLE).collect();
    Ok(Some(json!({
        "id": id,
        "title": title,
        "updatedMs": millis(newest.ended.unwrap_or(newest.info.created)),
        "runId": newest.info.run_id,
        "status": status(&newest.status),
    })))
}
