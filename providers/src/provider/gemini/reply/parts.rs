//! The parts of a response, whole or in pieces.

use std::borrow::Cow;

use serde_json::{Map, Value};
use toolwright_core::{
    message::{FileSource, Part as Media},
    model::{ModelError, ModelErrorKind, ModelEvent},
};
use toolwright_json::raw::Raw;
use toolwright_json::string::{piece_of, text_of};

use super::{
    super::{
        chunk::{FunctionCall, Part, PartialArg},
        opaque::{self, CALL, MEDIA, MEDIA_FIELDS, TEXT, THOUGHT},
    },
    pieces::Pieces,
};
use crate::{
    codec::{
        data_url::{bytes, made_event, made_part},
        partial_object::{self, Rest, fields_of},
    },
    wire::{CallDelta, PartialCalls},
};

/// The parts of one response.
#[derive(Debug, Default)]
pub(super) struct Parts {
    calls: PartialCalls,
    /// The call whose arguments come in pieces.
    open: Option<Open>,
    /// The kind of the last event, if it was text or reasoning: more of the same kind would be joined to it.
    last: Option<&'static str>,
    /// Parts that could not be kept.
    left_out: usize,
}

/// A call whose arguments come in pieces.
#[derive(Debug)]
struct Open {
    index: u64,
    pieces: Pieces,
}

impl Parts {
    /// Returns true if there is a call.
    pub(super) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Takes the next part.
    ///
    /// # Errors
    ///
    /// Returns an error if the pieces of a call's arguments do not fit together.
    pub(super) fn take(
        &mut self,
        part: Part<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError> {
        let thought = part.thought.unwrap_or_default();
        let fields = self.fields(part.rest);
        if let Some(call) = part.function_call {
            return self.take_call(call, fields.unwrap_or_default(), events);
        }
        match (part.text, fields) {
            (Some(text), fields) => {
                let kind = if thought { THOUGHT } else { TEXT };
                self.take_words(kind, piece_of(text), fields.unwrap_or_default(), events);
            }
            (None, Some(mut part)) if !part.is_empty() => {
                // A draft is no answer.
                if !thought && let Some(media) = media_in(&mut part) {
                    let Some(event) = made_event(media) else {
                        part.retain(|name, _| !["inlineData", "fileData"].contains(&name.as_str()));
                        // What is said beside nothing is as beside an empty text.
                        self.take_words(TEXT, Cow::Borrowed(""), part, events);
                        return Ok(());
                    };
                    self.last = None;
                    events.push(event);
                    if !part.is_empty() {
                        events.push(ModelEvent::Opaque(opaque::beside(MEDIA, part)));
                    }
                    return Ok(());
                }
                if thought {
                    part.insert(THOUGHT.to_owned(), true.into());
                }
                self.last = None;
                events.push(ModelEvent::Opaque(opaque::of_part(part)));
            }
            (None, _) => {}
        }
        Ok(())
    }

    /// Ends the response, and says how many parts could not be kept.
    pub(super) fn finish(&mut self, events: &mut Vec<ModelEvent>) -> usize {
        if let Some(Open { index, pieces }) = self.open.take() {
            self.tell_arguments(index, pieces.into_cut_text(), events);
        }
        self.calls.finish(events);
        self.left_out
    }

    /// The fields of a part that have no name here; `None` if one of them cannot be read.
    fn fields(&mut self, rest: Rest<'_>) -> Option<Map<String, Value>> {
        let told = rest.iter().filter(|(_, value)| value.get() != "[]").count();
        // Google's servers write names in two forms, and read both. One of them is known here.
        let rest = rest
            .into_iter()
            .map(|(name, value)| (camel_case(name), value));
        let fields = fields_of(rest);
        if fields.len() < told {
            self.left_out += 1;
            return None;
        }
        Some(fields)
    }

    /// Takes more of a text or of reasoning. One that has fields of its own is kept apart from what
    /// was told before.
    fn take_words(
        &mut self,
        kind: &'static str,
        words: Cow<'_, str>,
        mut fields: Map<String, Value>,
        events: &mut Vec<ModelEvent>,
    ) {
        let is_plain = fields.is_empty();
        if words.is_empty() {
            if !is_plain {
                fields.insert(TEXT.to_owned(), "".into());
                if kind == THOUGHT {
                    fields.insert(THOUGHT.to_owned(), true.into());
                }
                self.last = None;
                events.push(ModelEvent::Opaque(opaque::of_part(fields)));
            }
            return;
        }
        if !is_plain && self.last == Some(kind) {
            events.push(ModelEvent::Opaque(opaque::beside(kind, Map::new())));
        }
        let words = words.into_owned();
        events.push(if kind == THOUGHT {
            ModelEvent::Reasoning(words)
        } else {
            ModelEvent::Text(words)
        });
        self.last = is_plain.then_some(kind);
        if !is_plain {
            events.push(ModelEvent::Opaque(opaque::beside(kind, fields)));
        }
    }

    /// Takes a call, or more of the one that is open.
    fn take_call(
        &mut self,
        raw: Raw<'_>,
        mut fields: Map<String, Value>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError> {
        let Ok(call) = partial_object::parse::<FunctionCall<'_>>(raw.get()) else {
            self.left_out += 1;
            return Ok(());
        };
        self.last = None;
        if let Some(own) = self.fields(call.rest)
            && !own.is_empty()
        {
            fields.insert(CALL.to_owned(), own.into());
        }
        let delta = CallDelta {
            index: None,
            id: call.id.map(text_of).unwrap_or_default(),
            name: call.name.map(text_of).unwrap_or_default(),
            arguments: call.args.map(text_of).unwrap_or_default(),
        };
        let goes_on = call.will_continue.unwrap_or_default();
        let in_pieces = goes_on || call.partial_args.is_some();
        let begins = !delta.name.is_empty() || !delta.arguments.is_empty();
        if begins {
            self.close(events);
            if in_pieces {
                self.begin(delta, events);
            } else {
                self.calls.push_whole(delta, events);
            }
        }
        if !fields.is_empty() {
            events.push(ModelEvent::Opaque(opaque::beside(CALL, fields)));
        }
        let added = self.add(call.partial_args.unwrap_or_default());
        if !goes_on {
            self.close(events);
        }
        added
    }

    fn begin(&mut self, delta: CallDelta<'_>, events: &mut Vec<ModelEvent>) {
        // Calls are numbered from 0, so that this is no index of another.
        let index = self.calls.len() as u64;
        let pieces = Pieces::after(&delta.arguments);
        let named = CallDelta {
            index: Some(index),
            arguments: Cow::Borrowed(""),
            ..delta
        };
        self.calls.push(named, events);
        self.open = Some(Open { index, pieces });
    }

    fn add(&mut self, pieces: Vec<PartialArg<'_>>) -> Result<(), ModelError> {
        let Some(open) = &mut self.open else {
            self.left_out += pieces.len();
            return Ok(());
        };
        for piece in pieces {
            let path = piece.json_path.map(text_of).unwrap_or_default();
            if open.pieces.add(&path, &piece).is_none() {
                let shown: String = path.chars().take(100).collect();
                let message = format!(
                    "the fragments of the arguments of a call do not fit together: `{shown}`"
                );
                return Err(ModelError::new(ModelErrorKind::MalformedResponse, message));
            }
        }
        Ok(())
    }

    /// Ends the call that is open.
    fn close(&mut self, events: &mut Vec<ModelEvent>) {
        if let Some(Open { index, pieces }) = self.open.take() {
            self.tell_arguments(index, pieces.into_text(), events);
        }
    }

    fn tell_arguments(&mut self, index: u64, text: String, events: &mut Vec<ModelEvent>) {
        let delta = CallDelta {
            index: Some(index),
            arguments: text.into(),
            ..CallDelta::default()
        };
        self.calls.push(delta, events);
    }
}

/// Takes what the model made out of a part: an image, a document or sound. What else is said of it, such as a name,
/// stays.
fn media_in(part: &mut Map<String, Value>) -> Option<Media> {
    let name = ["inlineData", "fileData"]
        .into_iter()
        .find(|name| part.contains_key(*name))?;
    let held = part.get_mut(name)?.as_object_mut()?;
    let text = |names: [&str; 2]| names.iter().find_map(|name| held.get(*name)?.as_str());
    let media_type = text(["mimeType", "mime_type"])?;
    let source = match name {
        "inlineData" => bytes(text(["data"; 2])?),
        _ => FileSource::Url {
            url: text(["fileUri", "file_uri"])?.to_owned(),
        },
    };
    let media = made_part(media_type, source);
    held.retain(|name, _| !MEDIA_FIELDS.contains(&name.as_str()));
    if held.is_empty() {
        part.remove(name);
    }
    Some(media)
}

/// A name in the form without `_`.
pub(in super::super) fn camel_case(name: Cow<'_, str>) -> Cow<'_, str> {
    if !name.contains('_') {
        return name;
    }
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut chars = word.chars();
        camel.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        camel.push_str(chars.as_str());
    }
    camel.into()
}
