//! From events to the response they make.

use std::collections::BTreeMap;

use super::{ModelError, ModelErrorKind, ModelEvent, ModelResponse};
use crate::{message::Part, tool::ToolCall};

/// Makes a [`ModelResponse`] of [`ModelEvent`]s, one way for streamed responses and whole ones.
///
/// Pieces of text, and of reasoning, are joined as long as nothing else comes between. A call has
/// the place where it began.
#[derive(Debug, Default)]
pub struct Assembler {
    /// The response without its parts.
    response: ModelResponse,
    parts: Vec<Part>,
    /// The index of each call among the parts, by the number of the call.
    calls: BTreeMap<usize, usize>,
    finished: bool,
    /// The number of bytes that have come, roughly.
    bytes: usize,
}

impl Assembler {
    /// An assembler that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The longest response that is assembled from events without another bound, in bytes.
    const BYTES: usize = 64 << 20;

    /// The size, in bytes, that is counted for an event without text that adds to the response.
    const EVENT_BYTES: usize = 64;

    /// Takes the next event, if the response does not become too long by it.
    ///
    /// # Errors
    ///
    /// Returned when it does. Do not request the response again.
    pub fn push_bounded(&mut self, event: ModelEvent) -> Result<(), ModelError> {
        self.count(&event);
        self.push(event);
        self.check()
    }

    fn count(&mut self, event: &ModelEvent) {
        let text = match event {
            ModelEvent::Text(text)
            | ModelEvent::Reasoning(text)
            | ModelEvent::Refusal(text)
            | ModelEvent::CallArguments { text, .. } => text.len(),
            // They replace one another.
            ModelEvent::Model(_)
            | ModelEvent::Usage(_)
            | ModelEvent::Requests(_)
            | ModelEvent::Finished { .. } => 0,
            ModelEvent::Activity(activity) => Self::EVENT_BYTES + activity.bytes(),
            ModelEvent::Media(part) => Self::EVENT_BYTES + part.media_len(),
            _ => Self::EVENT_BYTES,
        };
        self.bytes = self.bytes.saturating_add(text);
    }

    /// Returns the error of a response that is too long, with what has come of it.
    fn check(&mut self) -> Result<(), ModelError> {
        if self.bytes <= Self::BYTES {
            return Ok(());
        }
        let message = format!("the response is longer than {} MiB", Self::BYTES >> 20);
        let error =
            ModelError::new(ModelErrorKind::MalformedResponse, message).with_retryable(false);
        Err(error.with_partial(std::mem::take(self).finish()))
    }

    /// Takes the next event.
    pub fn push(&mut self, event: ModelEvent) {
        let (response, parts) = (&mut self.response, &mut self.parts);
        match event {
            ModelEvent::Model(model) => response.model = Some(model),
            ModelEvent::Text(text) => match parts.last_mut() {
                Some(Part::Text(all)) => all.push_str(&text),
                _ if text.is_empty() => {}
                _ => parts.push(Part::Text(text)),
            },
            ModelEvent::Reasoning(text) => match parts.last_mut() {
                Some(Part::Reasoning(all)) => all.push_str(&text),
                _ if text.is_empty() => {}
                _ => parts.push(Part::Reasoning(text)),
            },
            ModelEvent::Refusal(text) => response.refusal.get_or_insert_default().push_str(&text),
            ModelEvent::CallStarted { index, id, name } => {
                let call = self.call(index);
                call.id = id;
                call.name = name;
            }
            ModelEvent::CallArguments { index, text } => {
                let call = self.call(index);
                if call.arguments.is_empty() {
                    call.arguments = text;
                } else {
                    call.arguments.push_str(&text);
                }
            }
            ModelEvent::Media(part) if part.is_media() => parts.push(*part),
            ModelEvent::Media(_) => {}
            ModelEvent::Opaque(opaque) => parts.push(Part::Opaque(opaque)),
            ModelEvent::Activity(activity) => parts.push(Part::Activity(activity)),
            ModelEvent::Usage(usage) => response.usage = Some(*usage),
            ModelEvent::Requests(requests) => response.requests = requests.max(1),
            ModelEvent::Warning(warning) => response.warnings.push(warning),
            ModelEvent::Metadata { name, value } => {
                response.metadata.insert(name, value);
            }
            ModelEvent::Finished { reason, raw } => {
                response.finish_reason = reason;
                response.raw_finish_reason = raw;
                self.finished = true;
            }
        }
    }

    /// Returns true if [`ModelEvent::Finished`] has come.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The whole response.
    ///
    /// # Errors
    ///
    /// `Transport`, when [`ModelEvent::Finished`] has not come: a model must say that its response is
    /// whole. What has come is in [`ModelError::partial`].
    pub fn into_response(self) -> Result<ModelResponse, ModelError> {
        if self.finished {
            return Ok(self.finish());
        }
        let message = "the event stream of the response ended before its end marker";
        let error = ModelError::new(ModelErrorKind::Transport, message);
        Err(error.with_partial(self.finish()))
    }

    /// The response as far as it has come. Without [`ModelEvent::Finished`] its finish reason is
    /// [`FinishReason::Other`](super::FinishReason::Other).
    pub fn finish(self) -> ModelResponse {
        let Self {
            mut response,
            mut parts,
            ..
        } = self;
        parts.iter_mut().for_each(fit);
        response.parts = parts.into();
        response.normalized()
    }

    /// The call of a number; it begins here if it is not yet there.
    fn call(&mut self, number: usize) -> &mut ToolCall {
        let parts = &mut self.parts;
        let place = *self.calls.entry(number).or_insert_with(|| {
            parts.push(Part::Call(ToolCall::new("", "", "")));
            parts.len() - 1
        });
        match &mut parts[place] {
            Part::Call(call) => call,
            _ => unreachable!("`calls` holds the places of calls, and parts are only added"),
        }
    }
}

/// Frees the spare capacity of a string: a response lives longer than its stream.
fn fit(part: &mut Part) {
    match part {
        Part::Text(text) | Part::Reasoning(text) => text.shrink_to_fit(),
        Part::Call(call) => call.arguments.shrink_to_fit(),
        Part::Image(_)
        | Part::Document(_)
        | Part::Audio(_)
        | Part::Opaque(_)
        | Part::Activity(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        FinishReason,
        message::{Audio, Citation, Document, Image, ProviderActivity, SharedVec, Source},
    };

    #[test]
    fn pieces_are_joined_and_keep_their_order() {
        let response: ModelResponse = [
            ModelEvent::Reasoning("I ".into()),
            ModelEvent::Reasoning("see".into()),
            ModelEvent::Text("Let ".into()),
            ModelEvent::Text("me look.".into()),
            ModelEvent::CallStarted {
                index: 0,
                id: "a".into(),
                name: "look".into(),
            },
            ModelEvent::CallStarted {
                index: 1,
                id: "b".into(),
                name: "look".into(),
            },
            ModelEvent::CallArguments {
                index: 1,
                text: "{}".into(),
            },
            ModelEvent::CallArguments {
                index: 0,
                text: "{\"x\"".into(),
            },
            ModelEvent::CallArguments {
                index: 0,
                text: ":1}".into(),
            },
            ModelEvent::Finished {
                reason: FinishReason::ToolCalls,
                raw: None,
            },
        ]
        .into_iter()
        .collect();
        assert_eq!(
            response.parts,
            [
                Part::Reasoning("I see".into()),
                Part::Text("Let me look.".into()),
                Part::Call(ToolCall::new("a", "look", "{\"x\":1}")),
                Part::Call(ToolCall::new("b", "look", "{}")),
            ]
        );
        assert_eq!(response.text, "Let me look.");
        assert!(response.requires_tool_execution());
    }

    #[test]
    fn a_response_made_by_hand_is_as_one_of_events() {
        let mut refused = ModelResponse::from_text(" \n");
        refused.refusal = Some("No.".to_owned());
        let mut blank = ModelResponse::from_text("Yes.");
        blank.refusal = Some("\u{200b}".to_owned());
        let mut citation = Citation::new(Source::new("https://h/a"));
        citation.range = Some(2..9);
        let cited = vec![
            Part::Text("short".to_owned()),
            Part::Activity(Box::new(ProviderActivity::Citation(citation))),
        ];
        let mut contradicts = ModelResponse::from_calls([ToolCall::new("a", "look", "{}")]);
        contradicts.text = "not so".to_owned();
        contradicts.tool_calls = SharedVec::new();
        for response in [refused, blank, ModelResponse::new(cited), contradicts] {
            let events = response.clone().into_events().into_iter();
            assert_eq!(response.normalized(), events.collect::<ModelResponse>());
        }
    }

    #[test]
    fn a_reply_holds_no_room_to_grow_in() {
        let mut assembler = Assembler::new();
        for piece in ["a".repeat(40), "b".repeat(7)] {
            assembler.push(ModelEvent::Text(piece.clone()));
            let (index, text) = (0, piece);
            assembler.push(ModelEvent::CallArguments { index, text });
        }
        for part in assembler.finish().parts {
            let room = match &part {
                Part::Text(text) => text.capacity() - text.len(),
                Part::Call(call) => call.arguments.capacity() - call.arguments.len(),
                part => unreachable!("no {part:?} was pushed"),
            };
            assert_eq!(room, 0);
        }
    }

    #[test]
    fn a_reply_becomes_events_and_comes_back_equal() {
        let response = ModelResponse::new(vec![
            Part::Text("One moment.".into()),
            Part::Call(ToolCall::new("", "look", "")),
            Part::Image(Image::from_bytes("image/png", b"png")),
            Part::Document(Document::from_url("text/plain", "https://h/a.txt")),
            Part::Audio(Audio::from_bytes("audio/wav", b"RIFF")),
            Part::Text("Two.".into()),
        ]);
        assert_eq!(
            response
                .clone()
                .into_events()
                .into_iter()
                .collect::<ModelResponse>(),
            response
        );
    }
}
