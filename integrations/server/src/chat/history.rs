//! A whole chat, as a client has it.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, Query, State},
    response::Response,
};
use http::{HeaderValue, header::CONTENT_DISPOSITION};
use serde::Serialize;
use toolwright_core::run::RunId;
use toolwright_runtime::store::{
    ConversationVersion, LoadedRun, RunStatus, RunSummary, TimedStore,
};
use toolwright_streams::ui_message::{UiMessage, history};

use super::{begin::question_id, title};
use crate::{
    app::App,
    caller::Visitor,
    failure::Failure,
    form::Form,
    json,
    log::{self, unless_damaged, unless_gone},
    parts::Read,
    runs_of_chat::{Chat, MESSAGE},
};

#[derive(Serialize)]
struct ChatHistory<'a> {
    id: &'a str,
    title: String,
    messages: Vec<UiMessage>,
    /// The run that is not over.
    running: Option<RunId>,
    /// True if it waits for people or for the application.
    waiting: bool,
}

/// All messages of a chat.
pub(crate) async fn whole(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
    Read(Query(form)): Read<Query<Form>>,
) -> Result<Response, Failure> {
    let chat = Chat::new(&app, &visitor, &id)?;
    let shown = chat.shown().await?;
    let title = title::of(&chat, &shown).await?;
    let mut messages = before(&chat, shown.first()).await?;
    if shown.is_empty() && messages.is_empty() {
        return Err(Failure::not_found());
    }
    let (mut running, mut waiting) = (None, false);
    for run in shown {
        let id = &run.info.run_id;
        let loaded = unless_damaged(unless_gone(chat.store().load(id, 0).await))?.flatten();
        let status = loaded.as_ref().map_or(&run.status, |loaded| &loaded.status);
        if !status.is_over() {
            running = Some(id.clone());
            waiting = *status == RunStatus::Suspended;
        }
        let Some(loaded) = loaded else { continue };
        let Some(question) = unless_damaged(log::question(id, &loaded))? else {
            continue;
        };
        let asked = run.info.labels.get(MESSAGE).cloned();
        let asked = asked.unwrap_or_else(|| question_id(id));
        messages.push(UiMessage::user(asked, &question));
        messages.push(answer(&app, chat.store(), &form, id, &loaded).await?);
    }
    json::json(&ChatHistory {
        id: &id,
        title,
        messages,
        running,
        waiting,
    })
}

/// The same as a file.
pub(crate) async fn export(
    app: State<Arc<App>>,
    visitor: Extension<Visitor>,
    id: Read<Path<String>>,
    form: Read<Query<Form>>,
) -> Result<Response, Failure> {
    let file = HeaderValue::from_static("attachment; filename=\"chat.json\"");
    let mut response = whole(app, visitor, id, form).await?;
    response.headers_mut().insert(CONTENT_DISPOSITION, file);
    Ok(response)
}

/// The messages before the first run: those of a conversation that came from elsewhere.
async fn before(chat: &Chat<'_>, first: Option<&RunSummary>) -> Result<Vec<UiMessage>, Failure> {
    let up_to = match first {
        None => None,
        Some(run) => match &run.info.conversation {
            Some(continued) if continued.version > 0 => Some(continued.version),
            _ => return Ok(Vec::new()),
        },
    };
    let versions = chat
        .store()
        .conversation(chat.conversation(), up_to)
        .await?;
    Ok(history(&ConversationVersion::join(&versions)?))
}

/// What came of a run, as a message.
async fn answer(
    app: &App,
    store: &TimedStore,
    form: &Form,
    run: &RunId,
    loaded: &LoadedRun,
) -> Result<UiMessage, Failure> {
    let events = unless_damaged(log::events(store, run, loaded).await)?;
    let is_under_way = loaded.status == RunStatus::Open;
    let message = form
        .ui(app, run)
        .into_message(&events.unwrap_or_default(), is_under_way);
    message.map_err(|_| Failure::internal("the stored run cannot be shown as a message"))
}
