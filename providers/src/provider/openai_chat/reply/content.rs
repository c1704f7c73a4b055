//! Content of a response: text, reasoning, calls.

use std::borrow::Cow;

use serde_json::{Value, json};
use toolwright_core::{
    message::{Audio, FileSource, Opaque, Part},
    model::ModelEvent,
};
use toolwright_json::raw::Raw;
use toolwright_json::{
    bounded::{parse_bounded, parse_bounded_pieces},
    string::{piece_of, text_of},
    surrogates,
};

use super::{
    super::{
        PROVIDER,
        chunk::{Call, Function, Message, Sound},
        reasoning::{CALL, CONTENT_PART, CUSTOM, opaque},
    },
    Reply,
};
use crate::{
    codec::{
        data_url::{self, image_at, made_event, sound_type},
        partial_object::{self, Index, fields_of},
    },
    wire::CallDelta,
};

impl Reply {
    /// Takes the message of a choice, or its next piece.
    pub(super) fn take_message(&mut self, message: &Message<'_>, events: &mut Vec<ModelEvent>) {
        let fields = [
            ("reasoning_content", message.reasoning_content),
            ("reasoning", message.reasoning),
        ];
        for (field, words) in fields {
            if let Some(words) = words {
                self.reasoning.words(field, &piece_of(words), events);
            }
        }
        if let Some(details) = message.reasoning_details.and_then(list) {
            self.reasoning.details(details, events);
        }
        if let Some(content) = message.content {
            match list(content) {
                Some(parts) => {
                    for part in parts {
                        self.take_part(part, events);
                    }
                }
                // Cloudflare answers with the object itself where a schema was asked for.
                None => text(piece_of(content), ModelEvent::Text, events),
            }
        }
        if let Some(refusal) = message.refusal {
            text(piece_of(refusal), ModelEvent::Refusal, events);
        }
        for call in message.tool_calls.iter().flatten() {
            self.take_call(call, events);
        }
        if let Some(function) = &message.function_call {
            self.take_legacy_call(function, events);
        }
        // Gemini signs a message here, beside its content.
        let signed = [
            ("extra_content", message.extra_content),
            ("thought_signature", message.thought_signature),
        ];
        for (name, value) in signed {
            if let Some(value) = value.and_then(value_of) {
                events.push(ModelEvent::Opaque(opaque(name, value)));
            }
        }
        for image in message.images.and_then(list).into_iter().flatten() {
            events.extend(image_of(&image));
        }
        if let Some(audio) = message.audio {
            self.take_sound(audio, events);
        }
        self.state.facts.take(&message.rest);
    }

    /// Takes sound, or its next piece: its transcript is text, and the rest of what is said of it is a fact.
    fn take_sound(&mut self, raw: Raw<'_>, events: &mut Vec<ModelEvent>) {
        let Ok(audio) = partial_object::parse::<Sound<'_>>(raw.get()) else {
            return self.state.facts.join("audio", raw);
        };
        if let Some(transcript) = audio.transcript {
            text(piece_of(transcript), ModelEvent::Text, events);
        }
        self.sound
            .extend(audio.data.map(|data| text_of(data).into_owned()));
        let fields = Value::Object(fields_of(audio.rest));
        if fields != json!({}) {
            self.state
                .facts
                .join("audio", Raw::new(&fields.to_string()));
        }
    }

    /// Takes one part of a `content` that is a list, as Mistral sends it.
    fn take_part(&mut self, part: Value, events: &mut Vec<ModelEvent>) {
        let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match part.get("type").and_then(Value::as_str) {
            Some("text" | "output_text") => {
                text(words(&part["text"]).into(), ModelEvent::Text, events);
            }
            Some("refusal") => {
                text(words(&part["refusal"]).into(), ModelEvent::Refusal, events);
            }
            Some("thinking") => {
                let thinking = match &part["thinking"] {
                    Value::Array(pieces) => pieces.iter().fold(String::new(), |mut all, piece| {
                        surrogates::push(&mut all, &words(&piece["text"]));
                        all
                    }),
                    thinking => words(thinking),
                };
                self.reasoning.words("content", &thinking, events);
            }
            kind => {
                let image = image_of(&part).filter(|_| kind == Some("image_url"));
                events.push(image.unwrap_or_else(|| {
                    let mut part = part;
                    surrogates::settle_value(&mut part);
                    ModelEvent::Opaque(opaque(CONTENT_PART, part))
                }));
            }
        }
    }

    fn take_call(&mut self, call: &Call<'_>, events: &mut Vec<ModelEvent>) {
        let mut delta = CallDelta {
            index: call.index.and_then(Index::number),
            id: call.id.map(text_of).unwrap_or_default(),
            ..CallDelta::default()
        };
        if let Some(function) = &call.function {
            delta.name = function.name.map(text_of).unwrap_or_default();
            delta.arguments = function.arguments.map(piece_of).unwrap_or_default();
            self.state.facts.take(&function.rest);
        }
        let (mut is_custom, mut is_named) = (false, false);
        // Some SDKs send both kinds in every call, and the other one empty.
        if let Some(custom) = &call.custom {
            let name = custom.name.map(text_of).unwrap_or_default();
            let input = custom.input.map(piece_of).unwrap_or_default();
            let is_function = !delta.name.is_empty() || !delta.arguments.is_empty();
            let says_custom = call.kind.is_some_and(|kind| kind.get() == "\"custom\"");
            is_named = !name.is_empty();
            is_custom = (is_named || !input.is_empty()) && (says_custom || !is_function);
            if is_custom {
                (delta.name, delta.arguments) = (name, input);
            }
        }
        let number = if self.whole {
            self.calls.push_whole(delta, events)
        } else {
            self.calls.push(delta, events)
        };
        if is_custom && is_named && self.custom.insert(number) {
            let mut data = opaque(CUSTOM, true).data;
            data[CALL] = number.into();
            events.push(ModelEvent::Opaque(Opaque {
                provider: PROVIDER.to_owned(),
                data,
            }));
        }
        // Gemini signs calls in `extra_content`; whatever else stands there goes back with the call
        // as well.
        for (name, value) in &call.rest {
            if let Some(value) = value_of(*value) {
                let mut data = opaque(name, value).data;
                data[CALL] = number.into();
                events.push(ModelEvent::Opaque(Opaque {
                    provider: PROVIDER.to_owned(),
                    data,
                }));
            }
        }
    }

    /// Takes the form of a call from before `tool_calls`. Snowflake sends an empty one in every
    /// message.
    fn take_legacy_call(&mut self, function: &Function<'_>, events: &mut Vec<ModelEvent>) {
        let delta = CallDelta {
            name: function.name.map(text_of).unwrap_or_default(),
            arguments: function.arguments.map(piece_of).unwrap_or_default(),
            ..CallDelta::default()
        };
        if !delta.name.is_empty() || !delta.arguments.is_empty() {
            self.calls.push(delta, events);
        }
        self.state.facts.take(&function.rest);
    }
}

/// The image that a part of a content is, by its address.
fn image_of(part: &Value) -> Option<ModelEvent> {
    let address = &part["image_url"];
    let address = address.as_str().or(address["url"].as_str())?;
    made_event(Part::Image(image_at(address)))
}

/// Sound whose bytes have come in pieces, each in base64 by itself.
pub(super) fn sound_of(pieces: &[String]) -> Option<ModelEvent> {
    let (_, begin) = pieces.split_last()?;
    let bytes = |piece: &String| data_url::bytes(piece).bytes();
    let has_ends = begin.iter().any(|piece| piece.ends_with('='));
    let decoded: Option<Vec<_>> = pieces.iter().map(bytes).collect();
    let mut audio = match decoded.filter(|_| has_ends) {
        Some(decoded) => Audio::from_bytes("", decoded.concat()),
        None => Audio::new("", data_url::bytes(&pieces.concat())),
    };
    if let FileSource::Base64 { data } = &audio.source {
        sound_type(data).clone_into(&mut audio.media_type);
    }
    made_event(Part::Audio(audio))
}

/// The elements of a value that is a list.
fn list(raw: Raw<'_>) -> Option<Vec<Value>> {
    raw.get()
        .starts_with('[')
        .then(|| parse_bounded_pieces(raw.get()))
        .flatten()
}

/// A value read in full; `None` for one that is nested too deep to be read.
fn value_of(raw: Raw<'_>) -> Option<Value> {
    parse_bounded(raw.get())
}

fn text(text: Cow<'_, str>, event: fn(String) -> ModelEvent, events: &mut Vec<ModelEvent>) {
    if !text.is_empty() {
        events.push(event(text.into_owned()));
    }
}
