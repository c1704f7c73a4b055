//! The chats of a visitor.

use std::{collections::HashSet, sync::Arc};

use axum::{
    Extension,
    extract::{Query, State},
    response::Response,
};
use serde_json::{Value, json};
use toolwright_runtime::store::RunSummary;

use super::title;
use crate::{
    app::App,
    caller::Visitor,
    failure::Failure,
    incoming::PageQuery,
    json,
    parts::Read,
    runs::{millis, status},
    runs_of_chat::{CHAT, Chat},
};

/// The most pages of runs that are looked through for one of chats.
const PAGES: usize = 20;

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
    let title = title::of(&chat, &shown).await?;
    Ok(Some(json!({
        "id": id,
        "title": title,
        "updatedMs": millis(newest.ended.unwrap_or(newest.info.created)),
        "runId": newest.info.run_id,
        "status": status(&newest.status),
    })))
}
