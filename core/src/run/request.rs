//! The request that a run sends next.

use super::{AnswerForm, AnswerMeans, ModelCall, answering::Refused, state::State};
use crate::{
    conversation::flatten,
    message::{AssistantMessage, Message, SharedVec, text_of},
    model::{ModelRequest, ToolChoice},
};

pub(super) fn build(state: &State) -> ModelRequest {
    let of_summary = state.compacting.summary_request(&state.conversation);
    if let Some(request) = of_summary.filter(|_| state.phase.is_summarizing()) {
        return request;
    }
    let mut request = state.conversation.request();
    if let Some(view) = state.compacting.view() {
        request.messages = view.clone();
        // A note stands in the place of what is left out.
        if let Some(first @ Message::User(note)) = view.first()
            && state.conversation.messages().first() != Some(first)
        {
            request.notes.push(text_of(&note.parts));
        }
    }
    show_refused(state, &mut request.messages);
    state.agent.put_system(&state.config, &mut request.system);
    if let Some(text) = &state.config.instructions {
        request.system = Some(match request.system.take() {
            Some(system) => format!("{system}\n\n{text}"),
            None => text.clone(),
        });
    }
    match state.phase.model_call() {
        Some(ModelCall::Locked) => {
            request.tool_choice = ToolChoice::None;
            request.push_note(note(state));
            ask_at_limit(state, &mut request);
        }
        Some(ModelCall::Flattened) => {
            let (messages, written_out) = flatten(&request.messages);
            request.messages = messages.into();
            request.notes.extend(written_out);
            request.push_note(note(state));
            ask_at_limit(state, &mut request);
        }
        _ => {
            request.tool_choice = state.tool_choice();
            if state.rounds.warns() {
                request.push_note(CIRCLES);
            }
            if let Some(warning) = state.spent.warning(&state.config.limits) {
                request.push_note(warning);
            }
            let plan = state.plan();
            if let Some(text) = plan.and_then(|plan| plan.instructions.as_deref()) {
                request.push_note(text);
            }
            if let Some(correction) = state.turn.corrections().latest() {
                let note = correction.note(&request.tool_choice);
                request.push_note(note);
            }
            if let Some(form) = &state.config.answer {
                match form.means {
                    AnswerMeans::Schema => request.answer_schema = Some(form.schema.clone()),
                    AnswerMeans::Tool(_) => {}
                    AnswerMeans::Text => {
                        let note = format!("Note from the application: answer {}", form.in_words());
                        request.push_note(note);
                    }
                }
                let may_call = request.tool_choice != ToolChoice::None;
                ask_again(state, form, may_call, &mut request);
            }
        }
    }
    request
}

/// Asks for an answer of the form where no tools may be called any more.
fn ask_at_limit(state: &State, request: &mut ModelRequest) {
    if let Some(form) = &state.config.answer {
        if form.means != AnswerMeans::Text {
            request.answer_schema = Some(form.schema.clone());
        }
        ask_again(state, form, false, request);
    }
}

/// Shows the model its answer that does not fit, before the user messages since. It is part of one request only.
fn show_refused(state: &State, messages: &mut SharedVec<Message>) {
    let Some(Refused { parts, before, .. }) = state.answering.refused() else {
        return;
    };
    let since = state.conversation.messages().len().saturating_sub(*before);
    let messages = messages.to_mut();
    let place = messages.len().saturating_sub(since);
    match messages[..place].last_mut() {
        Some(Message::Assistant(message)) if message.parts.is_empty() => {
            message.parts.clone_from(parts);
        }
        _ => {
            let message = AssistantMessage {
                parts: parts.clone(),
                ..AssistantMessage::default()
            };
            messages.insert(place, Message::Assistant(message));
        }
    }
}

/// Says why an answer does not fit. It is part of one request only.
fn ask_again(state: &State, form: &AnswerForm, may_call: bool, request: &mut ModelRequest) {
    let Some(Refused { reason, .. }) = state.answering.refused() else {
        return;
    };
    let again = match &form.means {
        AnswerMeans::Tool(name) if may_call => format!("Give it by a call of the tool `{name}`."),
        _ => format!("Answer again, {}", form.in_words()),
    };
    let note = format!("Note from the application: your answer does not fit: {reason}. {again}");
    request.push_note(note);
}

/// The note for a model that repeats the same calls. It is part of one request only.
const CIRCLES: &str = "Note from the application: you have made the same calls with the same results \
     several times. Do something else, or answer the question with what you have found.";

/// Returns the note for the model when a limit is reached. It is part of the request and not of the conversation: it
/// is not from the user.
fn note(state: &State) -> String {
    let answer = match &state.config.answer {
        None => ", and say what is missing.".to_owned(),
        Some(form) => format!(", {}", form.in_words()),
    };
    format!(
        "Note from the application: {}. Do not call any more tools. Answer the question now with \
         what you have found{answer}",
        state.spent.reached(&state.config.limits)
    )
}
