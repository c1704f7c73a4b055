//! Decisions of a client of a chat about calls that wait.

use std::sync::Arc;

use axum::response::Response;
use toolwright_core::run::{PendingCall, Resolution, RunId};
use toolwright_runtime::{RunEvent, store::InboxContent};
use toolwright_streams::ui_message::{ApprovalClaims, ChatRequestError};

use crate::{
    app::App,
    body::{self, Projection},
    decisions,
    deliver::say,
    failure::Failure,
    follow::Follow,
    form::Form,
    log,
    open_streams::OpenStream,
    runs_of_chat::{CHAT, Chat},
};

/// Takes decisions, and answers with what follows in the message.
pub(super) async fn take(
    app: &Arc<App>,
    chat: &Chat<'_>,
    form: &Form,
    claims: &ApprovalClaims,
    place: OpenStream,
) -> Result<Response, Failure> {
    let run = RunId::new(claims.message_id());
    let (known, new) = match decide(app, chat, form, claims, &run).await {
        // Another page was faster, and the run is over: its decision is in the log now.
        Err(failure) if failure.is_not_running() => decide(app, chat, form, claims, &run).await?,
        decided => decided?,
    };
    let mut stream = form.ui(app, &run);
    decisions::catch_up(&mut stream, &known);
    stream.claimed(&new);
    let after = (known.len() as u64).checked_sub(1);
    let (runner, store) = (chat.runner().clone(), chat.store().clone());
    let follow = Follow::new(runner, store, run, after).await?;
    let projection = Projection::Ui(Box::new(stream));
    Ok(body::of_run(app, follow, projection, place))
}

/// Checks decisions and says them to the run. It gives the events that the client has, and the decisions that are new.
async fn decide(
    app: &App,
    chat: &Chat<'_>,
    form: &Form,
    claims: &ApprovalClaims,
    run: &RunId,
) -> Result<(Vec<RunEvent>, Vec<Resolution>), Failure> {
    let loaded = app.load(chat.visitor(), run, 0).await?;
    if loaded.info.labels.get(CHAT).map(String::as_str) != Some(chat.id()) {
        return Err(Failure::not_found());
    }
    let mut events = log::events(chat.store(), run, &loaded).await?;
    let mut read = form.ui(app, run);
    decisions::catch_up(&mut read, &events);
    let received = chat.store().inbox(run, 0).await?.into_iter();
    let said = received.filter_map(|received| match received.item.content() {
        InboxContent::Resolution(said) => Some(said.clone()),
        _ => None,
    });
    read.resolved(&said.collect::<Vec<_>>());
    let new = match claims.check(&read) {
        Ok(decisions) => decisions,
        // Another page of the same chat has sent the same: this one reads the run that follows.
        Err(ChatRequestError::NothingNew) if claims.tool_call_ids().next().is_some() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    if !new.is_empty() {
        let items = new.iter().cloned().map(decisions::item).collect();
        say(chat.visitor(), run, items).await?;
    }
    let is_old = |call: &PendingCall| {
        let mut new = new.iter();
        let is_new = new.any(|it| it.id() == call.id && *it.run_id() == call.run_id);
        let id = call.tool_call_id();
        !is_new && claims.tool_call_ids().any(|claimed| claimed == id)
    };
    let mut read = form.ui(app, run);
    let ends_wait = |event: &RunEvent| {
        let waited = read.waiting();
        read.catch_up(event);
        let waits = read.waiting();
        let mut ended = waited.iter().filter(|call| !waits.contains(call));
        ended.any(is_old)
    };
    // The client does not know yet that these calls no longer wait: it has the state before that.
    if let Some(decided) = events.iter().position(ends_wait) {
        events.truncate(decided);
    }
    Ok((events, new))
}
