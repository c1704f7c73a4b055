//! A chat: what a client says, and what it reads.

mod approvals;
mod begin;

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, Query, Request, State},
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde::Deserialize;
use toolwright_runtime::{
    run::RunId,
    streams::{
        PlainStream, UiMessageStream,
        ui_message::{ChatRequest, ChatRequestContent, ChatRequestLimits},
    },
};

use crate::{
    app::App,
    body::{self, Projection},
    caller::Visitor,
    failure::Failure,
    follow::Follow,
    open_streams::OpenStream,
    runs_of_chat::Chat,
};

/// How a client wants to read a run.
#[derive(Deserialize)]
pub(crate) struct Form {
    /// The version of `ai` that reads the stream.
    v: Option<u32>,
    format: Option<String>,
}

impl Form {
    /// A run from its first event on.
    pub(crate) fn projection(&self, app: &App, run: &RunId) -> Projection {
        if self.is_plain() {
            let stream = PlainStream::new();
            let stream = if app.error_details {
                stream.with_error_details()
            } else {
                stream
            };
            return Projection::Plain(Box::new(stream));
        }
        Projection::Ui(Box::new(self.ui(app, run)))
    }

    fn is_plain(&self) -> bool {
        self.format.as_deref() == Some("plain")
    }

    /// A run as a message.
    fn ui(&self, app: &App, run: &RunId) -> UiMessageStream {
        let mut stream = UiMessageStream::new(run.as_str());
        if self.v.map_or(app.for_version_7, |version| version >= 7) {
            stream = stream.for_version_7();
        }
        if app.error_details {
            stream = stream.with_error_details();
        }
        stream
    }
}

/// What a client of a chat says: a new message, another one, or decisions.
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Query(form): Query<Form>,
    request: Request,
) -> Result<Response, Failure> {
    let text = body::read_json(&app, request).await?;
    let limits = ChatRequestLimits {
        body_bytes: app.limits.body_bytes,
        ..ChatRequestLimits::default()
    };
    let asked = ChatRequest::from_json(&text, &limits)?;
    let chat = Chat::new(&app, &visitor, &asked.chat_id)?;
    // Whoever may not read the answer begins nothing.
    let place = place(&app, &visitor)?;
    let run = match asked.content {
        ChatRequestContent::Message(message) => begin::of_message(&app, &chat, message).await?,
        ChatRequestContent::Regenerate { message_id, .. } => {
            begin::again(&app, &chat, message_id.as_deref()).await?
        }
        ChatRequestContent::Approvals(claims) => {
            return approvals::take(&app, &chat, &form, &claims, place).await;
        }
        _ => return Err(Failure::bad_request("it is not known what is wanted")),
    };
    from_start(&app, &visitor, &form, run, place).await
}

/// The newest run of a chat, for a client that reads it anew.
pub(crate) async fn stream(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(form): Query<Form>,
) -> Result<Response, Failure> {
    let newest = Chat::new(&app, &visitor, &id)?.newest().await?;
    let Some(newest) = newest else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let place = place(&app, &visitor)?;
    from_start(&app, &visitor, &form, newest.info.run_id, place).await
}

/// A place for a stream of the visitor.
pub(crate) fn place(app: &App, visitor: &Visitor) -> Result<OpenStream, Failure> {
    app.streams.open(&visitor.counted_as, app.limits.streams)
}

/// A run from its first event on.
pub(crate) async fn from_start(
    app: &Arc<App>,
    visitor: &Visitor,
    form: &Form,
    run: RunId,
    place: OpenStream,
) -> Result<Response, Failure> {
    let projection = form.projection(app, &run);
    let (runner, store) = (visitor.runner.clone(), Arc::clone(&app.store));
    let follow = Follow::new(runner, store, run, None).await?;
    Ok(body::of_run(app, follow, projection, place))
}
