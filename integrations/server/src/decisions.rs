//! Decisions and answers as items of an inbox, and the calls that wait for them.

use toolwright_core::{Decision, ToolError, ToolOutput, run::RunId};
use toolwright_runtime::{
    RunEvent,
    store::{InboxContent, InboxItem, LoadedRun, StoreError},
};
use toolwright_streams::{UiMessageStream, WaitingCall};

use crate::{app::App, log};

/// The calls of a run that wait for people or for the application, also while somebody drives it.
pub(crate) async fn waiting(
    app: &App,
    run: &RunId,
    loaded: &LoadedRun,
) -> Result<Vec<WaitingCall>, StoreError> {
    if loaded.status.is_over() {
        return Ok(Vec::new());
    }
    let events = log::events(app, run, loaded).await?;
    let mut read = UiMessageStream::new(run.as_str());
    catch_up(&mut read, &events);
    Ok(read.waiting())
}

/// The call with this id, if it is one of them. The id of a call of a run below is its place, such as `0.1 > 0.0`.
pub(crate) fn find<'a>(waiting: &'a [WaitingCall], id: &str) -> Option<&'a WaitingCall> {
    waiting.iter().find(|call| call.place() == id)
}

/// Takes events that a client has.
pub(crate) fn catch_up(stream: &mut UiMessageStream, events: &[RunEvent]) {
    for event in events {
        stream.catch_up(event);
    }
}

/// A decision about a call; `None` if the call waits for none. The same decision about the same question has the same id,
/// whoever sends it and however often.
pub(crate) fn decision(call: &WaitingCall, decision: Decision) -> Option<InboxItem> {
    let word = match &decision {
        Decision::Deny { .. } => "deny",
        _ => "approve",
    };
    let id = format!("{word} {} {}", id_of(call), call.asked);
    let content = InboxContent::Resolution(call.decide(decision)?);
    Some(InboxItem::with_id(id, content))
}

/// The result of a call; `None` if the call waits for none. The first one counts.
pub(crate) fn answer(
    call: &WaitingCall,
    outcome: Result<ToolOutput, ToolError>,
) -> Option<InboxItem> {
    let content = InboxContent::Resolution(call.answer(outcome)?);
    let id = format!("answer {}", id_of(call));
    Some(InboxItem::with_id(id, content))
}

/// The id of a call in an inbox, in which there may be items for calls of runs below as well.
fn id_of(call: &WaitingCall) -> String {
    format!("{}:{}", call.run_id, call.id)
}
