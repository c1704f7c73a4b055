//! A conversation whose rounds are text, for a model that is shown no calls.

use std::fmt::Write as _;

use toolwright_core::{
    Message, Part, ToolRound, UserMessage,
    message::{AssistantMessage, SharedVec},
    tool::OutputPart,
};
use toolwright_json::char_boundary;

/// The bytes of the arguments of a call whose result is left out.
const ARGUMENTS: usize = 200;

/// The messages with each round written as text. The newest round is whole. Of older ones, the newest are whole as far
/// as they fit into `older_bytes`; of the others the calls are shown, without their results.
pub(crate) fn transcript(messages: &SharedVec<Message>, older_bytes: usize) -> SharedVec<Message> {
    let has_rounds = |message: &Message| match message {
        Message::Assistant(message) => !message.tool_rounds.is_empty(),
        Message::User(_) => false,
    };
    if !messages.iter().any(has_rounds) {
        return messages.clone();
    }
    let mut room = Room {
        is_newest: true,
        left: older_bytes,
    };
    let written = messages.iter().rev().flat_map(|message| match message {
        Message::User(_) => vec![message.clone()],
        Message::Assistant(message) => assistant(message, &mut room),
    });
    let mut written: Vec<_> = written.collect();
    written.reverse();
    written.into()
}

/// The messages with those of the user in a row as one. The templates of many models refuse others.
pub(crate) fn in_turns(messages: impl IntoIterator<Item = Message>) -> SharedVec<Message> {
    let mut turns: Vec<Message> = Vec::new();
    for message in messages {
        match (turns.last_mut(), message) {
            (Some(Message::User(before)), Message::User(message)) => add(before, message),
            (_, message) => turns.push(message),
        }
    }
    turns.into()
}

/// Adds a message of the user to one before it. Their texts stay paragraphs of their own.
fn add(before: &mut UserMessage, message: UserMessage) {
    let parts = before.parts.to_mut();
    for part in message.parts {
        match (parts.last_mut(), part) {
            (Some(Part::Text(text)), Part::Text(more)) => {
                text.push_str("\n\n");
                text.push_str(&more);
            }
            (_, part) => parts.push(part),
        }
    }
}

/// What older rounds may still take.
struct Room {
    is_newest: bool,
    left: usize,
}

impl Room {
    /// Returns true if a round of this size is shown whole.
    fn takes(&mut self, bytes: usize) -> bool {
        if std::mem::take(&mut self.is_newest) {
            return true;
        }
        let fits = bytes <= self.left;
        // Once one is left out, so are all before it.
        self.left = if fits { self.left - bytes } else { 0 };
        fits
    }
}

/// The messages of an assistant's, the last first.
fn assistant(message: &AssistantMessage, room: &mut Room) -> Vec<Message> {
    let mut messages = Vec::new();
    messages.extend(said(&message.parts));
    for index in (0..message.tool_rounds.len()).rev() {
        let Some(round) = message.tool_rounds.get(index) else {
            continue;
        };
        messages.push(results(round, room));
        messages.extend(said(&round.reply));
    }
    messages
}

/// What a model said and showed in a response. Calls are written with their results.
fn said(parts: &[Part]) -> Option<Message> {
    let is_shown = |part: &&Part| match part {
        Part::Text(text) => !text.is_empty(),
        Part::Image(_) | Part::Document(_) | Part::Audio(_) => true,
        _ => false,
    };
    let parts: Vec<_> = parts.iter().filter(is_shown).cloned().collect();
    (!parts.is_empty()).then(|| {
        Message::Assistant(AssistantMessage {
            parts: parts.into(),
            ..AssistantMessage::default()
        })
    })
}

/// What the tools of a round returned, as a message of the user: a model does not take it for its own words.
fn results(round: &ToolRound, room: &mut Room) -> Message {
    let mut text = String::from("Results of tools that were called for you:");
    let mut images = Vec::new();
    for (call, result) in round.answered_calls() {
        let returned = result.to_model_text();
        write!(
            text,
            "\n\n{} {}\nreturned: {returned}",
            call.name, call.arguments
        )
        .expect("a text takes everything");
        if let Ok(output) = &result.outcome {
            images.extend(output.parts.iter().filter_map(|part| match part {
                OutputPart::Image(image) => Some(Part::Image(image.clone())),
                OutputPart::Document(document) => Some(Part::Document(document.clone())),
                OutputPart::Audio(audio) => Some(Part::Audio(audio.clone())),
                _ => None,
            }));
        }
    }
    if !room.takes(text.len()) {
        return Message::user(left_out(round));
    }
    let parts = std::iter::once(Part::Text(text)).chain(images);
    Message::User(UserMessage::new(parts))
}

/// The calls of a round whose results are left out.
fn left_out(round: &ToolRound) -> String {
    let mut text =
        String::from("Tools that were called for you earlier, without what they returned:");
    for call in round.calls() {
        let end = char_boundary::floor(&call.arguments, ARGUMENTS);
        let cut = if end < call.arguments.len() {
            "…"
        } else {
            ""
        };
        write!(text, "\n\n{} {}{cut}", call.name, &call.arguments[..end])
            .expect("a text takes everything");
    }
    text
}

#[cfg(test)]
mod tests {
    use toolwright_core::{
        Message, Part, ToolCall, ToolOutput, ToolResult, ToolRound,
        message::{AssistantMessage, ToolRounds},
    };

    use super::transcript;

    #[test]
    fn what_a_model_showed_stays_in_its_message() {
        let image = || {
            Part::Image(toolwright_core::message::Image::Base64 {
                media_type: "image/png".into(),
                data: "aGk=".into(),
            })
        };
        let call = ToolCall::new("a", "look", "{}");
        let round = ToolRound {
            reply: vec![
                Part::Reasoning("Hm.".to_owned()),
                Part::Text("See.".to_owned()),
                image(),
                Part::Call(call),
            ]
            .into(),
            results: vec![ToolResult::new("a", Ok(ToolOutput::text("a cat")))].into(),
        };
        let message = AssistantMessage {
            tool_rounds: ToolRounds::from([round]),
            parts: vec![image()].into(),
        };
        let messages = vec![Message::user("Go."), Message::Assistant(message)];
        let shown = transcript(&messages.into(), 1_000);
        let parts = |message: &Message| match message {
            Message::Assistant(message) => message.parts.to_vec(),
            Message::User(_) => Vec::new(),
        };
        assert_eq!(parts(&shown[1]), [Part::Text("See.".to_owned()), image()]);
        assert_eq!(parts(&shown[3]), [image()]);
        assert_eq!(shown.len(), 4);
    }
}
