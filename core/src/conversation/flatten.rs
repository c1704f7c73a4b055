//! A history without tool calls, for a model that must not or cannot be shown any.

use crate::message::{AssistantMessage, Message, ToolRound};

/// The messages with every tool round written out as text, and the texts of the rounds. Nothing is lost but the structure
/// and what only the provider could read.
pub(crate) fn flatten(messages: &[Message]) -> (Vec<Message>, Vec<String>) {
    let (mut flat, mut rounds) = (Vec::new(), Vec::new());
    for message in messages {
        match message {
            Message::User(_) => flat.push(message.clone()),
            Message::Assistant(assistant) => flatten_assistant(assistant, &mut flat, &mut rounds),
        }
    }
    (flat, rounds)
}

/// Each round becomes one user message with the calls and their results, so that a model does not
/// take a result for its own words.
fn flatten_assistant(
    assistant: &AssistantMessage,
    flat: &mut Vec<Message>,
    rounds: &mut Vec<String>,
) {
    for round in &assistant.tool_rounds {
        let text = round.text();
        if !text.is_empty() {
            flat.push(Message::assistant(text));
        }
        let text = written_out(round);
        flat.push(Message::user(text.as_str()));
        rounds.push(text);
    }
    let text = assistant.text();
    if !text.is_empty() {
        flat.push(Message::assistant(text));
    }
}

fn written_out(round: &ToolRound) -> String {
    let mut text = String::from("These tools were called for you:");
    for (call, result) in round.answered_calls() {
        text.push_str("\n\n");
        text.push_str(&call.name);
        text.push(' ');
        text.push_str(&call.arguments);
        text.push_str("\nreturned: ");
        text.push_str(&result.to_model_text());
    }
    text
}
