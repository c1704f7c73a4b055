//! Decisions of a client of a chat about calls that wait.

use std::sync::Arc;

use axum::response::Response;
use toolwright_runtime::{
    Record, RunEvent,
    run::{CallId, RunId},
    store::InboxItem,
    streams::{
        CallClaim, WaitingCall,
        ui_message::{ApprovalClaims, ChatRequestError},
    },
};

use crate::{
    app::App,
    body::{self, Projection},
    decisions,
    failure::Failure,
    follow::Follow,
    form::Form,
    log,
    open_streams::OpenStream,
    runs_of_chat::{CHAT, Chat},
    speak::say,
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
    let loaded = app.load(chat.visitor(), &run, 0).await?;
    if loaded.info.labels.get(CHAT).map(String::as_str) != Some(chat.id()) {
        return Err(Failure::not_found());
    }
    let events = log::events(app, &run, &loaded).await?;
    let mut read = form.ui(app, &run);
    decisions::catch_up(&mut read, &events);
    let new = match claims.check(&read) {
        Ok(decisions) => decisions,
        // Another page of the same chat has said the same: this one reads what follows from that.
        Err(ChatRequestError::NothingNew) if claims.tool_call_ids().next().is_some() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    if !new.is_empty() {
        let items = items(&new, &read.waiting());
        say(chat.runner(), &app.store, &run, &items).await?;
    }

    let known = known(&events, |call| {
        let (id, is_new) = (
            read.tool_call_id(call),
            new.iter().any(|it| it.call() == call),
        );
        !is_new && claims.tool_call_ids().any(|claimed| claimed == id)
    });
    let mut stream = form.ui(app, &run);
    decisions::catch_up(&mut stream, known);
    let after = (known.len() as u64).checked_sub(1);
    let (runner, store) = (chat.runner().clone(), Arc::clone(&app.store));
    let follow = Follow::new(runner, store, run, after).await?;
    let projection = Projection::Ui(Box::new(stream));
    Ok(body::of_run(app, follow, projection, place))
}

/// The items of decisions and answers.
fn items(claims: &[CallClaim], waiting: &[WaitingCall]) -> Vec<InboxItem> {
    let item = |claim: &CallClaim| {
        let call = waiting.iter().find(|call| call.id == claim.call())?;
        match claim {
            CallClaim::Decision(decided) => decisions::decision(call, decided.decision.clone()),
            CallClaim::Answer(answer) => decisions::answer(call, answer.outcome()),
            _ => None,
        }
    };
    claims.iter().filter_map(item).collect()
}

/// The events that a client has read that shows some calls as undecided which were decided.
fn known(events: &[RunEvent], is_undecided: impl Fn(CallId) -> bool) -> &[RunEvent] {
    let is_decision = |event: &RunEvent| match event {
        RunEvent::Recorded { record, .. } => {
            matches!(record, Record::CallDecided { call, .. } if is_undecided(*call))
        }
        _ => false,
    };
    let decided = events.iter().position(is_decision);
    &events[..decided.unwrap_or(events.len())]
}
