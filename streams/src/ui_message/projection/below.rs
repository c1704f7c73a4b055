//! Calls of runs below that wait, as calls of their own.

use std::collections::BTreeSet;

use super::{Frames, asking::ask, send};
use crate::{
    ids::approval_id,
    output::{of_text, told_to},
    question::QuestionData,
    ui_message::{call_chunk::known, chunk::UiMessageChunk as Chunk},
};
use toolwright_core::run::PendingCall;

/// A call of a run below waits.
pub(super) fn asked_below(call: &PendingCall, frames: &mut Frames) {
    let tool_call_id = call.tool_call_id();
    let (name, arguments) = (&call.call.name, &call.call.arguments);
    send(frames, known(&tool_call_id, name, arguments, None));
    if call.awaits_decision() {
        let question = call.question.as_ref().map(QuestionData::from);
        ask(tool_call_id, call.asked, question, frames);
    }
}

/// A call of a run below waits no longer. The decision is not known: a client that has not sent it removes what it
/// shows.
pub(super) fn over_below(call: &PendingCall, claimed: &BTreeSet<String>, frames: &mut Frames) {
    let tool_call_id = call.tool_call_id();
    let approval_id = approval_id(&tool_call_id, call.asked);
    if call.awaits_decision() && !claimed.contains(&approval_id) {
        send(
            frames,
            Chunk::ToolApprovalRequest {
                approval_id,
                tool_call_id: tool_call_id.clone(),
            },
        );
    }
    send(
        frames,
        Chunk::ToolOutputAvailable {
            tool_call_id,
            output: of_text(&told_to(call)),
            preliminary: None,
            provider_executed: None,
        },
    );
}
