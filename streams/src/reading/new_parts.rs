//! What a run adds to its conversation.

use toolwright_core::{
    Conversation, UserMessage,
    message::{Message, Part, SharedVec, ToolRound},
    model::ModelResponse,
    run::Record,
};

/// What the conversation had of a run when it was looked at last.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The number of messages that are whole.
    messages: usize,
    /// The number of rounds of the message after them.
    rounds: usize,
    /// The number of messages that were pushed.
    said: u32,
}

/// Something that a run has added to its conversation.
pub(super) enum NewPart {
    /// A message of the user, and how many were pushed before it.
    Said { number: u32, message: UserMessage },
    /// A response without calls.
    Reply(SharedVec<Part>),
    /// A response with calls. They have results at once if none of them may run.
    Round(ToolRound),
}

impl Written {
    /// Nothing of the run but its question.
    pub(super) fn before(conversation: &Conversation) -> Self {
        Self {
            messages: conversation.messages().len(),
            ..Self::default()
        }
    }

    /// What is new after a record.
    pub(super) fn new_parts(
        &mut self,
        conversation: &Conversation,
        record: &Record,
    ) -> Vec<NewPart> {
        let messages = conversation.messages();
        let mut new = Vec::new();
        while let Some(message) = messages.get(self.messages) {
            match message {
                Message::User(message) => {
                    let (number, message) = (self.said, message.clone());
                    new.push(NewPart::Said { number, message });
                    self.said += 1;
                }
                Message::Assistant(message) => {
                    while let Some(round) = message.tool_rounds.get(self.rounds) {
                        new.push(NewPart::Round(round.clone()));
                        self.rounds += 1;
                    }
                    let is_last = self.messages + 1 == messages.len();
                    if message.parts.is_empty() && is_last {
                        break;
                    }
                    if !message.parts.is_empty() {
                        new.push(NewPart::Reply(with_reasoning(&message.parts, record)));
                    }
                }
            }
            self.messages += 1;
            self.rounds = 0;
        }
        new
    }
}

/// The parts of a response, with the reasoning before its text if it broke off: the conversation does not
/// keep that, since providers refuse it, but the user has seen it.
fn with_reasoning(parts: &SharedVec<Part>, record: &Record) -> SharedVec<Part> {
    let Some(partial) = broken_off(record) else {
        return parts.clone();
    };
    let seen = partial.parts.iter().filter(|part| match part {
        Part::Text(text) => !text.trim().is_empty(),
        Part::Reasoning(_) | Part::Activity(_) => true,
        part => part.is_media(),
    });
    let is_kept = |part: &&Part| matches!(part, Part::Text(_)) || part.is_media();
    if seen.clone().filter(is_kept).eq(parts.iter()) {
        return seen.cloned().collect();
    }
    parts.clone()
}

fn broken_off(record: &Record) -> Option<&ModelResponse> {
    match record {
        Record::ResponseBrokenOff { partial, .. } => Some(partial),
        Record::ModelFailed { error } => error.partial.as_deref(),
        _ => None,
    }
}
