//! A chat: what a client says, and what it reads.

mod approvals;
mod begin;
mod delete;
mod history;
mod listing;
mod title;

use begin::Asked;
pub(crate) use delete::delete;
pub(crate) use history::{export, whole};
pub(crate) use listing::list;
pub(crate) use title::rename;

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, Query, Request, State},
    response::{IntoResponse, Response},
};
use http::StatusCode;
use toolwright_core::driver::digest;
use toolwright_streams::ui_message::{ChatRequest, ChatRequestContent, ChatRequestLimits};

use crate::{
    app::App,
    bodies::WholeBody,
    body::{self, place},
    caller::Visitor,
    failure::Failure,
    form::Form,
    incoming,
    parts::Read,
    runs_of_chat::{Chat, NO_ID, is_id},
};

/// What a client of a chat says: a new message, another one, or decisions.
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Query(form)): Read<Query<Form>>,
    request: Request,
) -> Result<Response, Failure> {
    let text = incoming::read(&app, request).await?;
    // What was begun is ended, also if the client is gone.
    let taken = tokio::spawn(async move { take(&app, &visitor, &form, text).await });
    let taken = taken.await;
    taken.unwrap_or_else(|_| Err(Failure::internal("the request could not be completed")))
}

async fn take(
    app: &Arc<App>,
    visitor: &Visitor,
    form: &Form,
    text: WholeBody,
) -> Result<Response, Failure> {
    let limits = ChatRequestLimits {
        body_bytes: app.limits.body_bytes,
        ..ChatRequestLimits::default()
    };
    let asked = ChatRequest::from_json(&text, &limits)?;
    // Others may read theirs while the store is asked.
    drop(text);
    let chat = Chat::new(app, visitor, &asked.chat_id)?;
    // Whoever may not read the answer begins nothing.
    let place = place(app, visitor)?;
    let run = match asked.content {
        ChatRequestContent::Message(mut message) => {
            if !is_id(&message.id) {
                return Err(Failure::bad_request(format!(
                    "the id of the message {NO_ID}"
                )));
            }
            // A message that is sent again is known by this, whatever the check makes of it.
            let digest = digest(&message.message);
            message.message = chat.runner().check_input(message.message).await;
            begin::run(&chat, Asked::Message(&message, &digest)).await?
        }
        ChatRequestContent::Regenerate { message_id, .. } => {
            begin::run(&chat, Asked::Again(message_id.as_deref())).await?
        }
        ChatRequestContent::Approvals(claims) => {
            return approvals::take(app, &chat, form, &claims, place).await;
        }
        _ => return Err(Failure::bad_request("the kind of the request is unknown")),
    };
    let projection = form.projection(app, &run);
    body::from_start(app, visitor, projection, run, place).await
}

/// The newest run of a chat, for a client that reconnects.
pub(crate) async fn stream(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
    Read(Query(form)): Read<Query<Form>>,
) -> Result<Response, Failure> {
    let newest = Chat::new(&app, &visitor, &id)?.newest().await?;
    let Some(newest) = newest else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let place = place(&app, &visitor)?;
    let run = newest.info.run_id;
    let projection = form.projection(&app, &run);
    body::from_start(&app, &visitor, projection, run, place).await
}
