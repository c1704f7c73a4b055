//! Reasoning, which every server sends in another field and wants back in the same.
//!
//! Words are reasoning parts, so that everybody can show them. An opaque part before them says which
//! field they came in. What is not words (signatures, encrypted reasoning) is opaque as a whole.

use serde_json::{Map, Value};
use toolwright_core::{message::Opaque, model::ModelEvent};
use toolwright_json::surrogates;

use super::PROVIDER;

/// In an opaque part: the field of the message that the response's reasoning words came in.
pub(super) const WORDS_FIELD: &str = "reasoning_words_in";
/// In an opaque part: a part of `content` of a type that this codec does not know.
pub(super) const CONTENT_PART: &str = "content_part";
/// In an opaque part: the number of the call that the other fields belong to; without it they belong
/// to the message.
pub(super) const CALL: &str = "call";

/// In an opaque part, beside the number of a call: it is of a custom tool, whose input is a text.
pub(super) const CUSTOM: &str = "custom";

/// The field of OpenRouter's details.
const DETAILS: &str = "reasoning_details";

/// The separator that is shown between the words of two details.
const BETWEEN_DETAILS: &str = "\n\n";

/// An opaque part of one field.
pub(super) fn opaque(name: &str, value: impl Into<Value>) -> Opaque {
    Opaque {
        provider: PROVIDER.to_owned(),
        data: Value::Object(Map::from_iter([(name.to_owned(), value.into())])),
    }
}

/// The reasoning of one response, as it comes.
#[derive(Debug, Default)]
pub(super) struct Reasoning {
    words_in: Option<&'static str>,
    details: Vec<Value>,
    /// A detail has begun whose words are apart from those before.
    begins: bool,
}

impl Reasoning {
    /// Takes more words out of a field.
    pub(super) fn words(&mut self, field: &'static str, text: &str, events: &mut Vec<ModelEvent>) {
        if text.is_empty() {
            return;
        }
        if self.words_in != Some(field) {
            // No recorded server fills two fields with different words; OpenRouter and some vLLM
            // hosts fill two with the same.
            if self.words_in.is_some() {
                return;
            }
            self.words_in = Some(field);
            events.push(ModelEvent::Opaque(opaque(WORDS_FIELD, field)));
        }
        events.push(ModelEvent::Reasoning(text.to_owned()));
    }

    /// Takes OpenRouter's `reasoning_details`. Their text is shown if no other field has any; a
    /// summary of reasoning that is itself encrypted is not.
    pub(super) fn details(&mut self, details: Vec<Value>, events: &mut Vec<ModelEvent>) {
        for detail in details {
            let is_next = self
                .details
                .last()
                .is_some_and(|last| continues(last, &detail));
            self.begins |= !is_next;
            if let Some(text) = detail.get("text").and_then(Value::as_str) {
                self.detail_words(text, events);
            }
            match self.details.last_mut() {
                Some(last) if is_next => join(last, detail),
                _ => self.details.push(detail),
            }
        }
    }

    /// Takes words of a detail. The words of another one are a paragraph of their own.
    fn detail_words(&mut self, text: &str, events: &mut Vec<ModelEvent>) {
        if text.is_empty() {
            return;
        }
        let begins = std::mem::take(&mut self.begins);
        if begins && self.words_in == Some(DETAILS) {
            self.words(DETAILS, BETWEEN_DETAILS, events);
        }
        self.words(DETAILS, text, events);
    }

    /// Tells what was collected.
    pub(super) fn finish(mut self, events: &mut Vec<ModelEvent>) {
        self.details.iter_mut().for_each(surrogates::settle_value);
        if !self.details.is_empty() {
            events.push(ModelEvent::Opaque(opaque(DETAILS, self.details)));
        }
    }
}

/// Returns true if a detail is the next piece of the one before: words of the same type and index. Encrypted
/// details always come whole.
fn continues(last: &Value, next: &Value) -> bool {
    let kind = last.get("type").and_then(Value::as_str);
    matches!(kind, Some("reasoning.text" | "reasoning.summary"))
        && last.get("type") == next.get("type")
        && last.get("index") == next.get("index")
}

/// Appends the words of a piece and keeps what it has besides, such as the signature at the end.
fn join(last: &mut Value, next: Value) {
    let (Value::Object(last), Value::Object(next)) = (last, next) else {
        return;
    };
    for (name, value) in next {
        match (last.get_mut(&name), value) {
            (Some(Value::String(text)), Value::String(more))
                if name == "text" || name == "summary" =>
            {
                surrogates::push(text, &more);
            }
            (Some(have), value) if have.is_null() => *have = value,
            (Some(_), _) => {}
            (None, value) => {
                last.insert(name, value);
            }
        }
    }
}
