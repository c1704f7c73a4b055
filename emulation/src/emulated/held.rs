//! What is held back of a response.

use std::mem::discriminant;

use toolwright_core::model::ModelEvent;

/// Unread events.
#[derive(Debug, Default)]
pub(super) struct HeldEvents {
    events: Vec<ModelEvent>,
    /// The last of those that take the place of earlier ones: some servers tell their usage with each piece.
    numbers: Vec<ModelEvent>,
    /// Their size, roughly.
    bytes: usize,
}

/// The most that is held back of a response, in bytes. A longer one is an answer, if it may be.
pub(super) const HELD_BYTES: usize = 256 * 1024;

/// The size of an event without its text, roughly.
const EVENT_BYTES: usize = 128;

impl HeldEvents {
    /// Adds an event. Pieces of one text become one.
    pub(super) fn push(&mut self, event: ModelEvent) {
        if is_number(&event) {
            self.numbers
                .retain(|earlier| discriminant(earlier) != discriminant(&event));
            self.numbers.push(event);
            return;
        }
        self.bytes += text_len(&event);
        match (self.events.last_mut(), event) {
            (Some(ModelEvent::Text(all)), ModelEvent::Text(text))
            | (Some(ModelEvent::Reasoning(all)), ModelEvent::Reasoning(text))
            | (Some(ModelEvent::Refusal(all)), ModelEvent::Refusal(text)) => all.push_str(&text),
            (
                Some(ModelEvent::CallArguments {
                    index: of,
                    text: all,
                }),
                ModelEvent::CallArguments { index, text },
            ) if *of == index => all.push_str(&text),
            (_, event) => {
                self.bytes += EVENT_BYTES;
                self.events.push(event);
            }
        }
    }

    /// The number of bytes that are held.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds events that were read in text, after which all text before them may be reasoning.
    pub(super) fn push_read(&mut self, events: Vec<ModelEvent>, was_reasoning: bool) {
        if was_reasoning {
            self.make_reasoning();
        }
        for event in events {
            self.push(event);
        }
    }

    /// Makes reasoning of all text so far.
    pub(super) fn make_reasoning(&mut self) {
        to_reasoning(&mut self.events);
    }

    pub(super) fn into_events(self) -> Vec<ModelEvent> {
        self.numbers.into_iter().chain(self.events).collect()
    }
}

/// Returns true for an event of which a later one is all that counts.
fn is_number(event: &ModelEvent) -> bool {
    matches!(
        event,
        ModelEvent::Usage(_) | ModelEvent::Requests(_) | ModelEvent::Model(_)
    )
}

fn text_len(event: &ModelEvent) -> usize {
    match event {
        ModelEvent::Text(text)
        | ModelEvent::Reasoning(text)
        | ModelEvent::Refusal(text)
        | ModelEvent::CallArguments { text, .. } => text.len(),
        ModelEvent::Media(part) => part.media_len(),
        _ => 0,
    }
}

/// Turns unread text into reasoning. What a reader has seen stays text.
pub(super) fn to_reasoning(events: &mut [ModelEvent]) {
    for event in events {
        if let ModelEvent::Text(text) = event {
            *event = ModelEvent::Reasoning(std::mem::take(text));
        }
    }
}
