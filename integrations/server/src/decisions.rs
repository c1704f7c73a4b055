//! Decisions and answers as items of an inbox.

use toolwright_core::{
    Decision, ToolError, ToolOutput,
    run::{PendingCall, WaitsFor},
};
use toolwright_runtime::{
    RunEvent,
    store::{InboxContent, InboxItem},
};
use toolwright_streams::UiMessageStream;

/// The call with this id, if it is one of them. The id of a call of a run below is its place, such as `0.1 > 0.0`.
pub(crate) fn find<'a>(waiting: &'a [PendingCall], id: &str) -> Option<&'a PendingCall> {
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
pub(crate) fn decision(call: &PendingCall, decision: Decision) -> Option<InboxItem> {
    let (word, said) = match decision {
        _ if call.waits_for != WaitsFor::Approval => return None,
        Decision::Approve => ("approve", call.approve()),
        Decision::ApproveWith { arguments } => ("approve", call.approve_with(arguments)),
        Decision::Deny { reason } => ("deny", call.deny(reason)),
        _ => return None,
    };
    let id = format!("{word} {} {}", id_of(call), call.asked);
    Some(InboxItem::with_id(id, InboxContent::Resolution(said)))
}

/// The result of a call; `None` if the call waits for none. The first one counts.
pub(crate) fn answer(
    call: &PendingCall,
    outcome: Result<ToolOutput, ToolError>,
) -> Option<InboxItem> {
    let said = match outcome {
        _ if call.waits_for != WaitsFor::Answer => return None,
        Ok(output) => call.answer(output),
        Err(error) => call.fail(error),
    };
    let id = format!("answer {}", id_of(call));
    Some(InboxItem::with_id(id, InboxContent::Resolution(said)))
}

/// The id of a call in an inbox, in which there may be items for calls of runs below as well.
fn id_of(call: &PendingCall) -> String {
    format!("{}:{}", call.run_id, call.id)
}
