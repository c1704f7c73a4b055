//! What was said in a recorded conversation, in order.

use serde_json::Value;
use toolwright::{
    Message, ModelError, ModelResponse, ToolResult,
    message::{AssistantMessage, Part, ToolRound, UserMessage},
};

/// What one side said.
#[derive(Debug, Clone)]
pub(crate) enum Turn {
    /// What the user said.
    User(Vec<Part>),
    /// A reply of the model, as the body in which a server sends it whole.
    Reply(Value),
    /// What came of the calls of the reply before it, in their order.
    Results(Vec<ToolResult>),
}

/// Adds a result to those of the reply before it.
pub(crate) fn push_result(turns: &mut Vec<Turn>, result: ToolResult) {
    match turns.last_mut() {
        Some(Turn::Results(results)) => results.push(result),
        _ => turns.push(Turn::Results(vec![result])),
    }
}

/// The same as messages of ours.
pub(crate) fn messages(
    turns: Vec<Turn>,
    decode: fn(&[u8]) -> Result<ModelResponse, ModelError>,
) -> Vec<Message> {
    let mut messages = Vec::new();
    for turn in turns {
        match turn {
            Turn::User(parts) => messages.push(Message::user(UserMessage::new(parts))),
            Turn::Reply(body) => {
                let reply = decode(body.to_string().as_bytes()).expect("it is a reply");
                let message = model_message(&mut messages);
                if reply.tool_calls.is_empty() {
                    message.parts = reply.parts;
                } else {
                    message.tool_rounds.push(ToolRound {
                        reply: reply.parts,
                        results: [].into(),
                    });
                }
            }
            Turn::Results(results) => {
                let rounds = &mut model_message(&mut messages).tool_rounds;
                rounds.last_mut().expect("there are calls").results = results.into();
            }
        }
    }
    messages
}

/// The last message, if it is the model's, or a new one.
fn model_message(messages: &mut Vec<Message>) -> &mut AssistantMessage {
    if !matches!(messages.last(), Some(Message::Assistant(_))) {
        messages.push(Message::Assistant(AssistantMessage::default()));
    }
    match messages.last_mut() {
        Some(Message::Assistant(message)) => message,
        _ => unreachable!("it has just been added"),
    }
}
