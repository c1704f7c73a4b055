//! Calls of runs below that wait, as calls of their own.

use super::{AgUiStream, Frames, send};
use crate::{
    ag_ui::{
        event::AgUiEvent as Event,
        places::{message_id, result_id},
    },
    output::told_to,
};
use toolwright_core::run::PendingCall;

impl AgUiStream {
    /// A call of a run below waits.
    pub(super) fn asked_below(&self, call: &PendingCall, frames: &mut Frames) {
        let tool_call_id = call.tool_call_id();
        send(
            frames,
            Event::ToolCallStart {
                tool_call_id: tool_call_id.clone(),
                tool_call_name: call.call.name.clone(),
                parent_message_id: message_id(&self.reading, self.reading.step()),
            },
        );
        send(
            frames,
            Event::ToolCallArgs {
                tool_call_id: tool_call_id.clone(),
                delta: call.call.arguments.clone(),
            },
        );
        send(frames, Event::ToolCallEnd { tool_call_id });
    }
}

/// A call of a run below waits no longer.
pub(super) fn over_below(call: &PendingCall, frames: &mut Frames) {
    let tool_call_id = call.tool_call_id();
    send(
        frames,
        Event::ToolCallResult {
            message_id: result_id(&tool_call_id),
            tool_call_id,
            content: told_to(call),
            role: "tool",
        },
    );
}
