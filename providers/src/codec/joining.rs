//! Halves of characters, joined across the events of a response.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use toolwright_core::model::ModelEvent;
use toolwright_json::surrogates::{LOST, may_have_half, push, push_half, split_first, take_last};

/// The text that a piece belongs to. Pieces of other texts may come between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Channel {
    Text,
    Reasoning,
    Refusal,
    Call(usize),
}

/// Joins halves across the events of one response.
#[derive(Debug, Default)]
pub(crate) struct Joining {
    waiting: BTreeMap<Channel, u16>,
}

impl Joining {
    /// Changes the events from a place on.
    pub(crate) fn take(&mut self, events: &mut Vec<ModelEvent>, from: usize) {
        let has_half =
            |event: &mut ModelEvent| piece(event).is_some_and(|(_, text)| may_have_half(text));
        if self.waiting.is_empty() && !events[from..].iter_mut().any(has_half) {
            return;
        }
        for mut event in events.split_off(from) {
            if let Some((channel, text)) = piece(&mut event) {
                self.close_others(channel, events);
                let was_empty = text.is_empty();
                self.join(channel, text);
                if text.is_empty() && !was_empty {
                    continue;
                }
            } else if ends_parts(&event) {
                self.close_texts(events);
            }
            if matches!(event, ModelEvent::Finished { .. }) {
                self.finish(events);
            }
            events.push(event);
        }
    }

    /// Tells the halves whose other halves did not come.
    pub(crate) fn finish(&mut self, events: &mut Vec<ModelEvent>) {
        for channel in std::mem::take(&mut self.waiting).into_keys() {
            events.push(lost(channel));
        }
    }

    fn join(&mut self, channel: Channel, text: &mut String) {
        if text.is_empty() {
            return;
        }
        if let Some(high) = self.waiting.remove(&channel) {
            let mut all = String::with_capacity(text.len() + 4);
            push_half(&mut all, high);
            push(&mut all, text);
            *text = all;
        } else if let Some((_, rest)) = split_first(text) {
            *text = format!("{LOST}{rest}");
        }
        if let Some(high) = take_last(text) {
            self.waiting.insert(channel, high);
        }
    }

    /// Text and reasoning end where something else begins.
    fn close_others(&mut self, channel: Channel, events: &mut Vec<ModelEvent>) {
        let ended = match channel {
            Channel::Text => Channel::Reasoning,
            Channel::Reasoning => Channel::Text,
            Channel::Refusal | Channel::Call(_) => return,
        };
        if self.waiting.remove(&ended).is_some() {
            events.push(lost(ended));
        }
    }

    fn close_texts(&mut self, events: &mut Vec<ModelEvent>) {
        for channel in [Channel::Text, Channel::Reasoning] {
            if self.waiting.remove(&channel).is_some() {
                events.push(lost(channel));
            }
        }
    }
}

/// Returns true if an event separates the text before it from the text after it.
fn ends_parts(event: &ModelEvent) -> bool {
    matches!(
        event,
        ModelEvent::Media(_)
            | ModelEvent::Opaque(_)
            | ModelEvent::CallStarted { .. }
            | ModelEvent::Finished { .. }
    )
}

fn lost(channel: Channel) -> ModelEvent {
    let text = LOST.to_string();
    match channel {
        Channel::Text => ModelEvent::Text(text),
        Channel::Reasoning => ModelEvent::Reasoning(text),
        Channel::Refusal => ModelEvent::Refusal(text),
        Channel::Call(index) => ModelEvent::CallArguments { index, text },
    }
}

fn piece(event: &mut ModelEvent) -> Option<(Channel, &mut String)> {
    match event {
        ModelEvent::Text(text) => Some((Channel::Text, text)),
        ModelEvent::Reasoning(text) => Some((Channel::Reasoning, text)),
        ModelEvent::Refusal(text) => Some((Channel::Refusal, text)),
        ModelEvent::CallArguments { index, text } => Some((Channel::Call(*index), text)),
        _ => None,
    }
}
