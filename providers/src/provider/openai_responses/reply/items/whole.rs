//! Content of a whole item that has not been emitted yet.

use serde_json::{Map, Value};
use toolwright_core::{
    message::{Image, Opaque, Part},
    model::ModelEvent,
};
use toolwright_json::raw::Raw;
use toolwright_json::{
    bounded::parse_bounded,
    string::text_of,
    surrogates::{self, rest_of},
};

use super::{
    super::super::{
        event::Content,
        item::{self, CUSTOM_CALL, IMAGE, MESSAGE, OUTPUT_TEXT, RESULT},
    },
    Items,
    same::{body_of, words_of},
    seen::{Came, Kind},
};
use crate::codec::{
    data_url::image_type,
    metadata::Metadata,
    partial_object::{self, fields_of},
};

impl Items {
    /// Tells what an item says and has not told, whether it has begun before, has come, or is new.
    pub(super) fn complete(
        &mut self,
        number: usize,
        came: Came<'_>,
        at_end: bool,
        facts: &mut Metadata,
        events: &mut Vec<ModelEvent>,
    ) {
        let seen = &mut self.seen[number];
        let again = std::mem::replace(&mut seen.done, true);
        // What was told in pieces and then as a whole is told; what stood in neither may still come.
        if again && !seen.words.is_empty() {
            return;
        }
        match seen.kind {
            Kind::Call => {
                self.tell_call(number, &came, events);
                self.tell_begun(number, events);
                self.calls.announce_by_index(number as u64, events);
                if !again {
                    events.extend(beside_call(came).map(ModelEvent::Opaque));
                }
            }
            Kind::Message => self.end_message(number, came, again, facts, events),
            Kind::Reasoning => {
                // What was told in pieces was told to people; only the end of the response adds to it.
                if at_end || self.seen[number].words.is_empty() {
                    let words = words_of(&came);
                    self.tell_rest(number, &words, events);
                }
                self.keep(number, &came, again, events);
            }
            Kind::Other => self.keep(number, &came, again, events),
        }
    }

    fn end_message(
        &mut self,
        number: usize,
        came: Came<'_>,
        again: bool,
        facts: &mut Metadata,
        events: &mut Vec<ModelEvent>,
    ) {
        let Some(content) = content_of(came.fields.content) else {
            return self.keep(number, &came, again, events);
        };
        // A text alone is all that its part says.
        let mut is_plain = content.len() < 2;
        let (text, refusal) = text_and_refusal(&came);
        self.tell_rest(number, &text, events);
        if let Some(rest) = rest_of(&refusal, &self.seen[number].refusal) {
            self.tell_refusal(number, &rest, events);
        }
        if again {
            return;
        }
        if came.commentary {
            return self.keep(number, &came, again, events);
        }
        for part in content {
            let kind = part.kind.map_or("".into(), text_of);
            // A refusal has a field of its own in the response.
            let is_text = matches!(&*kind, "" | OUTPUT_TEXT | "refusal");
            let annotated = part.annotations.is_some_and(|list| list.get() != "[]");
            is_plain &= is_text && !annotated && part.rest.is_empty();
            if let Some(logprobs) = part.logprobs {
                facts.add("logprobs", logprobs);
            }
        }
        if !is_plain {
            return self.keep(number, &came, again, events);
        }
        let fields = fields_of(came.fields.rest);
        if !self.seen[number].words.is_empty() && !fields.is_empty() {
            self.last_told = None;
            events.push(ModelEvent::Opaque(item::beside(MESSAGE, fields)));
        }
    }

    /// Keeps an item as it came.
    fn keep(&mut self, number: usize, came: &Came<'_>, again: bool, events: &mut Vec<ModelEvent>) {
        if again {
            return;
        }
        self.seen[number].body = body_of(came);
        match parse_bounded(came.raw.get()) {
            Some(mut item) => {
                self.note_action(&item);
                self.last_told = None;
                events.extend(image_in(&mut item).map(|image| ModelEvent::Media(Box::new(image))));
                events.push(ModelEvent::Opaque(item::opaque(item)));
            }
            None => self.left_out += 1,
        }
    }

    /// Notes what the program is asked for, and what the server has done of it itself.
    fn note_action(&mut self, item: &Map<String, Value>) {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
        let kind = text("type");
        let id = [text("call_id"), text("id")];
        let id = id.into_iter().find(|id| !id.is_empty()).unwrap_or_default();
        if kind.ends_with("_output") {
            self.actions.remove(id);
        } else if item::asks_the_program(kind, item) {
            self.actions.insert(id.to_owned());
        }
    }

    /// Tells the rest of the words of an item, if it goes on as it began.
    fn tell_rest(&mut self, number: usize, whole: &str, events: &mut Vec<ModelEvent>) {
        if let Some(rest) = rest_of(whole, &self.seen[number].words) {
            let kind = self.seen[number].kind;
            self.tell_words(number, kind, &rest, events);
        }
    }

    /// Tells more of the text, or of the reasoning, of an item. The texts of two messages in a row are
    /// kept apart, and so is the reasoning of two items.
    pub(super) fn tell_words(
        &mut self,
        number: usize,
        kind: Kind,
        words: &str,
        events: &mut Vec<ModelEvent>,
    ) {
        if words.is_empty() {
            return;
        }
        let seen = &mut self.seen[number];
        let kind = if seen.commentary {
            Kind::Reasoning
        } else {
            kind
        };
        let of_another = |told: &(usize, Kind)| told.1 == kind && told.0 != number;
        let follows = self.last_told.as_ref().is_some_and(of_another) && seen.words.is_empty();
        self.last_told = Some((number, kind));
        surrogates::push(&mut seen.words, words);
        let mut words = words.to_owned();
        if kind == Kind::Reasoning {
            if follows {
                words.insert_str(0, item::BETWEEN_PARTS);
            }
            return events.push(ModelEvent::Reasoning(words));
        }
        if follows {
            events.push(ModelEvent::Opaque(item::beside(MESSAGE, Map::new())));
        }
        events.push(ModelEvent::Text(words));
    }

    /// Tells more of a refusal.
    pub(super) fn tell_refusal(
        &mut self,
        number: usize,
        words: &str,
        events: &mut Vec<ModelEvent>,
    ) {
        if !words.is_empty() {
            surrogates::push(&mut self.seen[number].refusal, words);
            events.push(ModelEvent::Refusal(words.to_owned()));
        }
    }
}

/// Takes the image out of an item that has one: it is a part of its own.
fn image_in(item: &mut Map<String, Value>) -> Option<Part> {
    let is_image = item.get("type").is_some_and(|kind| kind == IMAGE);
    let has_bytes = |data: &Value| data.as_str().is_some_and(|data| !data.is_empty());
    if !is_image || !item.get(RESULT).is_some_and(has_bytes) {
        return None;
    }
    let Some(Value::String(data)) = item.remove(RESULT) else {
        return None;
    };
    let format = item.get("output_format").and_then(Value::as_str);
    let media_type = match format {
        Some(format) => format!("image/{format}"),
        None => image_type(&data).to_owned(),
    };
    let data = data.into();
    Some(Part::Image(Image::Base64 { media_type, data }))
}

/// Returns the fields of a call other than its arguments; `None` if there are none.
fn beside_call(came: Came<'_>) -> Option<Opaque> {
    let mut fields = fields_of(came.fields.rest);
    // That the model itself called goes without saying.
    if fields
        .get("caller")
        .is_some_and(|caller| caller["type"] == "direct")
    {
        fields.remove("caller");
    }
    if came.type_name != CUSTOM_CALL && fields.is_empty() {
        return None;
    }
    fields.insert("call_id".to_owned(), came.call_id.into());
    Some(item::beside(&came.type_name, fields))
}

/// The text and the refusal of a message.
pub(super) fn text_and_refusal(came: &Came<'_>) -> (String, String) {
    let mut both = (String::new(), String::new());
    for part in content_of(came.fields.content).into_iter().flatten() {
        both.0 += &part.text.map(text_of).unwrap_or_default();
        both.1 += &part.refusal.map(text_of).unwrap_or_default();
    }
    both
}

/// The parts of a message. Some servers send its text alone.
fn content_of(raw: Option<Raw<'_>>) -> Option<Vec<Content<'_>>> {
    match raw {
        None => Some(Vec::new()),
        Some(raw) if raw.get().starts_with('"') => Some(vec![Content {
            text: Some(raw),
            ..Content::default()
        }]),
        Some(raw) => partial_object::parse_list(raw.get()).ok(),
    }
}
