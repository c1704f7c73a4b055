//! From changes about calls to chunks.

use super::{
    Frames, UiMessageStream, Version,
    asking::ask,
    below::{asked_below, over_below},
    send,
};
use crate::{
    ids::{approval_id, tool_call_id},
    output::of_update,
    reading::Change,
    ui_message::{call_chunk::outcome, chunk::UiMessageChunk, client_json::readable},
};
use toolwright_core::{run::CallId, tool::Decision};

impl UiMessageStream {
    /// A change that is about a call.
    pub(super) fn project_call(&mut self, change: Change, frames: &mut Frames) {
        use UiMessageChunk as Chunk;
        let reading = &self.reading;
        let id = |call: CallId| tool_call_id(reading, call);
        match change {
            Change::CallOpened { call, name, .. } => send(
                frames,
                Chunk::ToolInputStart {
                    tool_call_id: id(call),
                    tool_name: name,
                },
            ),
            Change::CallDelta { call, text } => send(
                frames,
                Chunk::ToolInputDelta {
                    tool_call_id: id(call),
                    input_text_delta: text,
                },
            ),
            Change::CallKnown {
                call,
                name,
                arguments,
                ..
            } => {
                let input = readable(arguments);
                let chunk = Chunk::ToolInputAvailable {
                    tool_call_id: id(call),
                    tool_name: name,
                    input: input.clone(),
                    provider_executed: None,
                };
                self.inputs.insert(call, input);
                send(frames, chunk);
            }
            Change::CallUnreadable {
                call,
                name,
                arguments,
                error,
            } => send(
                frames,
                Chunk::ToolInputError {
                    tool_call_id: id(call),
                    tool_name: name,
                    input: arguments,
                    error_text: error,
                },
            ),
            Change::ApprovalAsked {
                call,
                asked,
                question,
            } => ask(id(call), asked, question, frames),
            Change::Decided {
                call,
                asked,
                decision,
            } => self.decided(call, asked, decision, frames),
            Change::BelowAsked(call) => asked_below(&call, frames),
            Change::BelowOver(call) => over_below(&call, &self.claimed, frames),
            Change::Update { call, update } => send(
                frames,
                Chunk::ToolOutputAvailable {
                    tool_call_id: id(call),
                    output: readable(of_update(&update)),
                    preliminary: Some(true),
                    provider_executed: None,
                },
            ),
            Change::CallFinished {
                call,
                result,
                is_denied,
            } => {
                send(frames, outcome(id(call), &result, is_denied));
            }
            _ => {}
        }
    }

    fn decided(&self, call: CallId, asked: u32, decision: Decision, frames: &mut Frames) {
        use UiMessageChunk as Chunk;
        let id = tool_call_id(&self.reading, call);
        let approval_id = approval_id(&id, asked);
        if self.version == Version::Seven || self.is_loaded {
            let (approved, reason) = match decision {
                Decision::Deny { reason } => (false, (!reason.is_empty()).then_some(reason)),
                _ => (true, None),
            };
            let chunk = Chunk::ToolApprovalResponse {
                approval_id,
                approved,
                reason,
            };
            return send(frames, chunk);
        }
        if self.claimed.contains(&approval_id) {
            return;
        }
        // The result of it may come much later, when other calls are decided.
        if matches!(decision, Decision::Deny { .. }) {
            return send(frames, Chunk::ToolOutputDenied { tool_call_id: id });
        }
        let known = self.reading.run().and_then(|run| run.call(call));
        let (Some(known), Some(input)) = (known, self.inputs.get(&call)) else {
            return;
        };
        // Version 6 has no chunk for it. A new request removes a decision that came too late from the page; a call with
        // arguments is one that runs.
        send(
            frames,
            Chunk::ToolApprovalRequest {
                approval_id,
                tool_call_id: id.clone(),
            },
        );
        send(
            frames,
            Chunk::ToolInputAvailable {
                tool_call_id: id,
                tool_name: known.name.clone(),
                input: input.clone(),
                provider_executed: None,
            },
        );
    }
}
