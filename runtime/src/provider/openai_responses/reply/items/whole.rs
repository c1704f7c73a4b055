//! What an item says when it is whole.

use std::borrow::Cow;

use serde_json::{Map, Value, value::RawValue};

use super::{
    super::super::{
        event::{Content, Item},
        item::{self, CUSTOM_CALL, MESSAGE, OUTPUT_TEXT, words_of},
    },
    Items, Open,
};
use crate::{
    message::Opaque,
    model::ModelEvent,
    wire::{CallDelta, facts::Facts, kept::kept, object::fields_of, text::text_of},
};

impl Items {
    /// Tells what an item says of a call and has not been told.
    pub(super) fn tell_call(
        &mut self,
        index: Option<u64>,
        open: &mut Open,
        item: &Item<'_>,
        events: &mut Vec<ModelEvent>,
    ) {
        self.after_text = false;
        let call = CallDelta {
            index,
            id: untold(item.call_id, &mut open.call.id),
            name: untold(item.name, &mut open.call.name),
            arguments: untold(item.arguments.or(item.input), &mut open.told),
        };
        if index.is_none() {
            self.calls.push_whole(call, events);
        } else {
            self.calls.push(call, events);
        }
    }

    pub(super) fn end_reasoning(
        &mut self,
        open: &Open,
        raw: &RawValue,
        events: &mut Vec<ModelEvent>,
    ) {
        if !open.told
            && let Ok(item) = serde_json::from_str::<Value>(raw.get())
        {
            let words: String = words_of(&item).collect();
            if !words.is_empty() {
                events.push(ModelEvent::Reasoning(words));
            }
        }
        self.keep(raw, events);
    }

    pub(super) fn end_message(
        &mut self,
        mut open: Open,
        item: Item<'_>,
        raw: &RawValue,
        facts: &mut Facts,
        events: &mut Vec<ModelEvent>,
    ) {
        let Some(content) = content_of(item.content) else {
            return self.keep(raw, events);
        };
        // A text alone is all that its part says.
        let mut is_plain = content.len() < 2;
        let (told, refused) = (open.told, open.refused);
        for part in content {
            let text = part.text.map(text_of).unwrap_or_default();
            let refusal = part.refusal.map(text_of).unwrap_or_default();
            if !told && !text.is_empty() {
                self.tell_text(open.told, &text, events);
                open.told = true;
            }
            if !refused && !refusal.is_empty() {
                events.push(ModelEvent::Refusal(refusal.into_owned()));
            }
            let kind = part.kind.map_or("".into(), text_of);
            // A refusal has a field of its own in the reply.
            let is_text = matches!(&*kind, "" | OUTPUT_TEXT | "refusal");
            let annotated = part.annotations.is_some_and(|list| list.get() != "[]");
            is_plain &= is_text && !annotated && part.rest.is_empty();
            if let Some(logprobs) = part.logprobs {
                facts.add("logprobs", logprobs);
            }
        }
        let fields = fields_of(item.rest);
        if !is_plain {
            self.keep(raw, events);
        } else if open.told && !fields.is_empty() {
            self.after_text = false;
            events.push(ModelEvent::Opaque(item::beside(MESSAGE, fields)));
        }
    }

    /// Keeps an item as it came.
    pub(super) fn keep(&mut self, raw: &RawValue, events: &mut Vec<ModelEvent>) {
        match kept(raw.get()) {
            Some(item) => {
                self.after_text = false;
                events.push(ModelEvent::Opaque(item::opaque(item)));
            }
            None => self.left_out += 1,
        }
    }

    /// Tells more of a text. The texts of two messages in a row are kept apart.
    pub(super) fn tell_text(&mut self, begun: bool, text: &str, events: &mut Vec<ModelEvent>) {
        if self.after_text && !begun {
            events.push(ModelEvent::Opaque(item::beside(MESSAGE, Map::new())));
        }
        self.after_text = true;
        events.push(ModelEvent::Text(text.to_owned()));
    }
}

/// What a call says beside its arguments; `None` where that is nothing.
pub(super) fn beside_call(item: Item<'_>) -> Option<Opaque> {
    let kind = item.kind.map(text_of).unwrap_or_default();
    let mut fields = fields_of(item.rest);
    // That the model itself called goes without saying.
    if fields
        .get("caller")
        .is_some_and(|caller| caller["type"] == "direct")
    {
        fields.remove("caller");
    }
    if kind != CUSTOM_CALL && fields.is_empty() {
        return None;
    }
    let id = item.call_id.map(text_of).unwrap_or_default();
    fields.insert("call_id".to_owned(), id.into());
    Some(item::beside(&kind, fields))
}

/// The text of a field that has not been told before.
fn untold<'a>(field: Option<&'a RawValue>, told: &mut bool) -> Cow<'a, str> {
    if *told {
        return Cow::Borrowed("");
    }
    let text = field.map(text_of).unwrap_or_default();
    *told = !text.is_empty();
    text
}

/// The parts of a message. Some servers send its text alone.
fn content_of(raw: Option<&RawValue>) -> Option<Vec<Content<'_>>> {
    match raw {
        None => Some(Vec::new()),
        Some(raw) if raw.get().starts_with('"') => Some(vec![Content {
            text: Some(raw),
            ..Content::default()
        }]),
        Some(raw) => serde_json::from_str(raw.get()).ok(),
    }
}
