//! What a model writes, as events, with its calls and its reasoning read from its text.

use std::mem;

use toolwright_core::{
    ToolCall,
    model::{FinishReason, ModelError, ModelEvent},
};

use super::held::{HELD_BYTES, HeldEvents, to_reasoning};
use crate::{RefusedCall, TextPiece, TextStream, ToolText};

/// The text of a response, read as it comes.
pub(super) struct Reader {
    stream: TextStream,
    /// The text that may turn out to be reasoning, as long as that is waited for.
    waiting: Option<HeldEvents>,
    has_given_text: bool,
}

/// What is certain of a text.
pub(super) struct TextRead {
    pub(super) events: Vec<ModelEvent>,
    /// True if all text before these events was reasoning.
    pub(super) was_reasoning: bool,
    /// True if some of that text had been given out.
    pub(super) was_given: bool,
}

/// The end of a text.
pub(super) struct TextEnded {
    /// The last events.
    pub(super) read: TextRead,
    /// True if the end of reasoning was waited for, and did not come.
    pub(super) waited_in_vain: bool,
    /// The calls in the text.
    pub(super) calls: Vec<ToolCall>,
    /// Those that are refused.
    pub(super) refused: Vec<RefusedCall>,
    /// The text of both.
    pub(super) written: String,
    /// The format of the first.
    pub(super) format: Option<&'static str>,
}

impl Reader {
    /// Reads a text. Where the model is known to write reasoning whose start is not marked, text is given out once that
    /// has ended.
    pub(super) fn new(text: &ToolText, opens_reasoning: bool) -> Self {
        Self {
            stream: text.stream(),
            waiting: opens_reasoning.then(HeldEvents::default),
            has_given_text: false,
        }
    }

    /// Reads a piece of text.
    pub(super) fn push(&mut self, text: &str) -> TextRead {
        let pieces = self.stream.push(text);
        read(pieces, &mut self.waiting, &mut self.has_given_text)
    }

    /// Ends the text, for a reason. Where that cuts it off, what was waited for is reasoning.
    pub(super) fn finish(mut self, reason: FinishReason) -> TextEnded {
        let end = self.stream.finish();
        let mut read = read(end.pieces, &mut self.waiting, &mut self.has_given_text);
        let is_cut_off = reason == FinishReason::Length;
        let waited_in_vain = self.waiting.is_some() && !is_cut_off;
        if let Some(held) = self.waiting {
            read.events = held.into_events();
            if is_cut_off {
                to_reasoning(&mut read.events);
            }
        }
        TextEnded {
            read,
            waited_in_vain,
            calls: end.calls,
            refused: end.refused,
            written: end.written,
            format: end.format,
        }
    }

    /// Waits no longer, since the model does something else than write. The events are those of what was waited for.
    pub(super) fn release(&mut self) -> Vec<ModelEvent> {
        let held = self.waiting.take();
        held.map(HeldEvents::into_events).unwrap_or_default()
    }

    /// The rest of a text that breaks off: what was waited for is reasoning, whose end has not come, and what might have
    /// become a call is text.
    pub(super) fn break_off(self) -> TextRead {
        self.finish(FinishReason::Length).read
    }
}

/// Reads pieces, of which some may have to wait.
fn read(
    pieces: Vec<TextPiece>,
    waiting: &mut Option<HeldEvents>,
    has_given_text: &mut bool,
) -> TextRead {
    let (mut events, was_reasoning) = events(pieces);
    if let Some(held) = waiting {
        let is_reasoning = |event: &ModelEvent| matches!(event, ModelEvent::Reasoning(_));
        let has_come = was_reasoning || events.iter().any(is_reasoning);
        held.push_read(mem::take(&mut events), was_reasoning);
        if has_come || held.bytes() > HELD_BYTES {
            events = mem::take(held).into_events();
            *waiting = None;
        }
    }
    let was_given = was_reasoning && *has_given_text;
    let is_text = |event: &ModelEvent| matches!(event, ModelEvent::Text(_));
    *has_given_text |= events.iter().any(is_text);
    TextRead {
        events,
        was_reasoning,
        was_given,
    }
}

/// The error of a request with what a reader may see of its partial response: without the markup of calls.
pub(super) fn without_markup(mut error: ModelError, reader: Reader) -> ModelError {
    let Some(partial) = error.partial.take() else {
        return error;
    };
    let is_end = |event: &ModelEvent| matches!(event, ModelEvent::Finished { .. });
    let (finished, events): (Vec<_>, Vec<_>) = partial.into_events().into_iter().partition(is_end);
    let (events, _) = read_all(events, reader, FinishReason::Length);
    error.with_partial(events.into_iter().chain(finished).collect())
}

/// Reads the text of events that were held back as they came. The end has the events of all of it.
pub(super) fn read_all(
    events: Vec<ModelEvent>,
    mut reader: Reader,
    reason: FinishReason,
) -> (Vec<ModelEvent>, TextEnded) {
    let (mut held, mut was_reasoning) = (HeldEvents::default(), false);
    for event in events {
        match event {
            ModelEvent::Text(text) => {
                let read = reader.push(&text);
                was_reasoning |= read.was_reasoning;
                held.push_read(read.events, read.was_reasoning);
            }
            event => held.push(event),
        }
    }
    let mut end = reader.finish(reason);
    end.read.was_reasoning |= was_reasoning;
    let last = mem::take(&mut end.read.events);
    held.push_read(last, end.read.was_reasoning && !was_reasoning);
    (held.into_events(), end)
}

/// The events of pieces, and whether all text before them was reasoning.
fn events(pieces: Vec<TextPiece>) -> (Vec<ModelEvent>, bool) {
    let (mut events, mut was_reasoning) = (Vec::new(), false);
    for piece in pieces {
        match piece {
            TextPiece::Text(text) => events.push(ModelEvent::Text(text)),
            TextPiece::Reasoning(text) => events.push(ModelEvent::Reasoning(text)),
            TextPiece::TextWasReasoning => {
                was_reasoning = true;
                to_reasoning(&mut events);
            }
        }
    }
    (events, was_reasoning)
}
