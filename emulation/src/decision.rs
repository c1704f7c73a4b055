//! The request that asks a model which tools to call, and what its response decides.

mod definitions;
mod prompt;
mod schema;
mod verdict;

use toolwright_core::{
    Message,
    model::{ModelRequest, ToolChoice},
};
use toolwright_json::char_boundary;

pub(crate) use verdict::{Problem, Verdict, is_chosen, verdict};

use crate::transcript::{in_turns, transcript};

/// The request for a decision. Its response stays within this crate.
pub(crate) fn request(
    request: &ModelRequest,
    older_bytes: usize,
    constrains: bool,
) -> ModelRequest {
    let mut messages = transcript(&request.messages, older_bytes);
    if let Some(system) = &request.system {
        let system = Message::user(prompt::instructions(system));
        messages = std::iter::once(system).chain(messages).collect();
    }
    messages.push(Message::user(prompt::REMINDER));
    let messages = in_turns(messages);
    let mut decision = ModelRequest::new(messages).with_system(prompt::system(request));
    if constrains {
        decision.answer_schema = Some(schema::answer(request));
    }
    decision.time_limit = request.time_limit;
    decision.settings = request.settings.clone();
    // They are for the answer: one of them might stand in the decision.
    decision.settings.stop_sequences.clear();
    decision.settings.parallel_tool_calls = None;
    decision
}

/// Adds a decision that is not usable and what is wrong with it, so that the model decides once more.
pub(crate) fn correct(request: &mut ModelRequest, decided: &str, problem: &Problem) {
    let decided = match decided.trim() {
        "" => "(nothing)",
        decided => &decided[..char_boundary::floor(decided, 4_096)],
    };
    request.messages.push(Message::assistant(decided));
    request.messages.push(Message::user(format!(
        "That cannot be used: {problem}. Write the one JSON object, and nothing else."
    )));
}

/// Returns true if the choice of a request makes the model call a tool.
pub(crate) fn needs_call(request: &ModelRequest) -> bool {
    matches!(
        request.tool_choice,
        ToolChoice::Required | ToolChoice::Tool(_)
    )
}

/// Returns true if the choice of a request lets the model call tools.
pub(crate) fn offers_tools(request: &ModelRequest) -> bool {
    !request.tools.is_empty() && request.tool_choice != ToolChoice::None
}
