//! The request that a run sends next.

use super::{
    ModelCall,
    state::{Phase, State},
};
use crate::{
    conversation::flatten,
    message::Message,
    model::{ModelRequest, ToolChoice},
    run::no_progress::LoopGuard,
};

pub(super) fn build(state: &State) -> ModelRequest {
    if let Some(request) = state.summary_request() {
        return request;
    }
    let mut request = state.conversation.request();
    if let Some(view) = state.view() {
        request.messages = view.clone();
    }
    if request.system.is_none() {
        request.system.clone_from(&state.config.system);
    }
    match &state.phase {
        Phase::Model(ModelCall::Locked) | Phase::Waiting(ModelCall::Locked, _) => {
            request.tool_choice = ToolChoice::None;
            request.messages.push(note(state));
        }
        Phase::Model(ModelCall::Flattened) | Phase::Waiting(ModelCall::Flattened, _) => {
            request.messages = flatten(&request.messages).into();
            request.messages.push(note(state));
        }
        _ => {
            request.tool_choice = state.tool_choice();
            if state.progress == LoopGuard::Note {
                request.messages.push(Message::user(CIRCLES));
            }
            if let Some(warning) = state.spent.warning(&state.config.limits) {
                request.messages.push(Message::user(warning));
            }
            let plan = state.plan();
            if let Some(text) = plan.and_then(|plan| plan.instructions.as_deref()) {
                request.messages.push(Message::user(text));
            }
            if let Some(correction) = state.corrections.latest() {
                let note = correction.note(&request.tool_choice);
                request.messages.push(Message::user(note));
            }
        }
    }
    request
}

/// The note for a model that repeats the same calls. It is part of one request only.
const CIRCLES: &str = "Note from the application: you have made the same calls with the same results \
     several times. Do something else, or answer the question with what you have found.";

/// Returns the note for the model when a limit is reached. It is part of the request and not of the conversation: it
/// is not from the user.
fn note(state: &State) -> Message {
    Message::user(format!(
        "Note from the application: {}. Do not call any more tools. Answer the question now with \
         what you have found, and say what is missing.",
        state.limit_reached()
    ))
}
