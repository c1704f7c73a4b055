//! Requests for the decision of a person, with the question of the call if it has one.

use super::{Frames, send};
use crate::{
    ids::approval_id,
    question::QuestionData,
    ui_message::{chunk::UiMessageChunk as Chunk, client_json::readable},
};

/// A call waits for an approval, or for the answer to its question. The question is there when the request comes.
pub(super) fn ask(
    tool_call_id: String,
    asked: u32,
    question: Option<QuestionData>,
    frames: &mut Frames,
) {
    let approval_id = approval_id(&tool_call_id, asked);
    if let Some(mut data) = question {
        data.form = data.form.map(readable);
        let id = approval_id.clone();
        send(frames, Chunk::DataQuestion { id, data });
    }
    let chunk = Chunk::ToolApprovalRequest {
        approval_id,
        tool_call_id,
    };
    send(frames, chunk);
}
