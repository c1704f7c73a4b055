//! Chunks about calls.

use toolwright_json::JsonText;

use super::ChunkOutOfOrder;
use crate::ui_message::{
    chunk::UiMessageChunk,
    message::{UiApproval, UiMessage, UiPart, UiToolPart, UiToolState},
};

impl UiMessage {
    pub(super) fn apply_to_call(&mut self, chunk: &UiMessageChunk) -> Result<(), ChunkOutOfOrder> {
        use UiMessageChunk as Chunk;
        match chunk {
            Chunk::ToolInputStart {
                tool_call_id,
                tool_name,
            } => {
                self.begin(tool_call_id, tool_name, UiToolState::InputStreaming);
            }
            Chunk::ToolInputDelta {
                tool_call_id,
                input_text_delta,
            } => {
                let is_open = |part: &UiToolPart| part.state == UiToolState::InputStreaming;
                let part = self.call(tool_call_id)?;
                if !is_open(part) {
                    return Err(ChunkOutOfOrder::new("open call", tool_call_id));
                }
                let text = part.raw_input.get_or_insert_default();
                text.push_str(input_text_delta);
            }
            Chunk::ToolInputAvailable {
                tool_call_id,
                tool_name,
                input,
                provider_executed,
            } => {
                let part = self.begin(tool_call_id, tool_name, UiToolState::InputAvailable);
                part.input = Some(input.clone());
                part.is_provider_executed = provider_executed.unwrap_or_default();
            }
            Chunk::ToolInputError {
                tool_call_id,
                tool_name,
                input,
                error_text,
            } => {
                let is_version_7 = self.is_version_7;
                let part = self.begin(tool_call_id, tool_name, UiToolState::OutputError);
                part.error_text = Some(error_text.clone());
                if is_version_7 {
                    part.input = JsonText::of(input).ok();
                } else {
                    part.raw_input = Some(input.clone());
                }
            }
            chunk => return self.apply_to_known_call(chunk),
        }
        Ok(())
    }

    /// Chunks about a call whose arguments were known.
    fn apply_to_known_call(&mut self, chunk: &UiMessageChunk) -> Result<(), ChunkOutOfOrder> {
        use UiMessageChunk as Chunk;
        match chunk {
            Chunk::ToolApprovalRequest {
                approval_id,
                tool_call_id,
            } => {
                let place = self.calls.last(tool_call_id);
                let part = self.call(tool_call_id)?;
                part.state = UiToolState::ApprovalRequested;
                let before = part.approval.replace(UiApproval {
                    id: approval_id.clone(),
                    approved: None,
                    reason: None,
                });
                if let Some(place) = place {
                    let before = before.as_ref().map(|approval| approval.id.as_str());
                    self.calls.ask(approval_id, place, before);
                }
            }
            Chunk::ToolApprovalResponse {
                approval_id,
                approved,
                reason,
            } => {
                let place = self.calls.asked(approval_id);
                let asked = place.and_then(|place| self.call_at(place));
                let part = asked.ok_or_else(|| ChunkOutOfOrder::new("approval", approval_id))?;
                part.state = UiToolState::ApprovalResponded;
                part.approval = Some(UiApproval {
                    id: approval_id.clone(),
                    approved: Some(*approved),
                    reason: reason.clone(),
                });
            }
            Chunk::ToolOutputAvailable {
                tool_call_id,
                output,
                preliminary,
                ..
            } => {
                let part = self.call(tool_call_id)?;
                part.state = UiToolState::OutputAvailable;
                (part.raw_input, part.error_text) = (None, None);
                part.output = Some(output.clone());
                part.is_preliminary = preliminary.unwrap_or_default();
            }
            Chunk::ToolOutputError {
                tool_call_id,
                error_text,
                ..
            } => {
                let part = self.call(tool_call_id)?;
                part.state = UiToolState::OutputError;
                part.error_text = Some(error_text.clone());
                (part.output, part.is_preliminary) = (None, false);
            }
            Chunk::ToolOutputDenied { tool_call_id } => {
                self.call(tool_call_id)?.state = UiToolState::OutputDenied;
            }
            _ => {}
        }
        Ok(())
    }

    /// The part of a call in this step. It begins, or begins again if it is there.
    fn begin(&mut self, id: &str, name: &str, state: UiToolState) -> &mut UiToolPart {
        let found = self.calls.in_step(id);
        let approval = found.and_then(|place| match &self.parts()[place] {
            UiPart::Tool(part) => part.approval.clone(),
            _ => None,
        });
        let part = UiToolPart {
            tool_name: name.to_owned(),
            tool_call_id: id.to_owned(),
            state,
            input: None,
            raw_input: None,
            output: None,
            error_text: None,
            is_preliminary: false,
            is_provider_executed: false,
            approval,
        };
        let place = found.unwrap_or(self.parts().len());
        if found.is_none() {
            self.calls.add(id, place);
            self.parts_mut().push(UiPart::StepStart);
        }
        let parts = self.parts_mut();
        parts[place] = UiPart::Tool(part);
        match &mut parts[place] {
            UiPart::Tool(part) => part,
            _ => unreachable!("it was put there"),
        }
    }

    /// The part of a call, in this step or in an earlier one.
    fn call(&mut self, id: &str) -> Result<&mut UiToolPart, ChunkOutOfOrder> {
        let place = self.calls.last(id);
        place
            .and_then(|place| self.call_at(place))
            .ok_or_else(|| ChunkOutOfOrder::new("call", id))
    }

    fn call_at(&mut self, place: usize) -> Option<&mut UiToolPart> {
        match self.parts_mut().get_mut(place)? {
            UiPart::Tool(part) => Some(part),
            _ => None,
        }
    }

    /// Takes back the parts of the last step.
    pub(super) fn void_step(&mut self) {
        let step = self.calls.step();
        let void = self.parts_mut().split_off(step);
        for part in &void {
            if let UiPart::Tool(part) = part {
                let approval = part.approval.as_ref().map(|approval| approval.id.as_str());
                self.calls.remove(&part.tool_call_id, approval);
            }
        }
        self.calls.restore_earlier();
    }
}
