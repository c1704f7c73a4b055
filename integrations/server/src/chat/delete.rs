//! Deletes a chat.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use http::StatusCode;

use super::begin;
use crate::{
    app::App, caller::Visitor, failure::Failure, log::unless_gone, parts::Read, runs_of_chat::Chat,
};

/// Deletes a chat with its runs, its conversation and its title. If that breaks off, it can be done again, and the next
/// messages come after what is left.
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
) -> Result<Response, Failure> {
    // What was begun is ended, also if the client is gone.
    let deleted = tokio::spawn(async move { delete_all(&app, &visitor, &id).await });
    let deleted = deleted.await;
    deleted.unwrap_or_else(|_| Err(Failure::internal("the request could not be completed")))
}

async fn delete_all(app: &Arc<App>, visitor: &Visitor, id: &str) -> Result<Response, Failure> {
    let chat = Chat::new(app, visitor, id)?;
    let runs = chat.all().await?;
    if let Some(run) = runs.iter().find(|run| !run.status.is_over()) {
        return Err(Failure::busy(Some(&run.info.run_id)));
    }
    let store = chat.store();
    // First, so that no run begins that goes on from what was said. The conversation itself is deleted after its runs: those
    // that a deletion leaves which is broken off continue earlier versions than runs that begin then.
    begin::empty(&chat).await?;
    for run in &runs {
        unless_gone(store.delete_with_below(&run.info.run_id).await)?;
    }
    let conversation = unless_gone(store.delete_conversation(chat.conversation()).await)?;
    // A run that has begun and ended meanwhile continued the conversation that is gone.
    for run in chat.all().await? {
        let continued = run.info.conversation.as_ref().map_or(0, |it| it.version);
        if continued > 0 && run.status.is_over() {
            unless_gone(store.delete_with_below(&run.info.run_id).await)?;
        }
    }
    // Last: a title that is given meanwhile looks for the runs after it was saved.
    let title = unless_gone(store.delete_conversation(&chat.title()).await)?;
    if runs.is_empty() && conversation.is_none() && title.is_none() {
        return Err(Failure::not_found());
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
