//! Metadata of a response, which is not part of the answer.

use serde_json::{Value, value::RawValue};
use toolwright_json::bounded::parse_bounded;
use toolwright_runtime::model::{ModelEvent, Warning};

use super::partial_object::Rest;

/// Fields that have no name in this codec, kept as the response's metadata.
///
/// The chunks of a stream repeat most of them. A list grows by what later chunks add to it, any
/// other value is replaced.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    kept: Vec<Fact>,
    dropped: usize,
    /// The number of additions.
    changes: usize,
}

#[derive(Debug)]
struct Fact {
    name: String,
    /// The JSON texts that came, without repetitions: one, or those of several lists.
    texts: Vec<Box<str>>,
    /// They are pieces of one object.
    joined: bool,
}

/// More names than any provider has; a bound on the work that a broken server can cause.
const MOST_NAMES: usize = 64;

impl Metadata {
    /// Keeps the fields of one object.
    pub(crate) fn take(&mut self, rest: Rest<'_>) {
        for (name, value) in rest {
            self.add(&name, value);
        }
    }

    /// Returns the number of changes of the stored fields.
    pub(crate) fn changes(&self) -> usize {
        self.changes
    }

    /// Keeps one field. Empty values say nothing.
    pub(crate) fn add(&mut self, name: &str, value: &RawValue) {
        let text = value.get();
        if matches!(text, "null" | "[]" | "{}" | "\"\"") {
            return;
        }
        let Some(fact) = self.kept.iter_mut().find(|fact| fact.name == name) else {
            self.changes += 1;
            if self.kept.len() < MOST_NAMES {
                self.kept.push(Fact {
                    name: name.to_owned(),
                    texts: vec![text.into()],
                    joined: false,
                });
            } else {
                self.dropped += 1;
            }
            return;
        };
        if fact.texts.last().is_some_and(|last| **last == *text) {
            return;
        }
        self.changes += 1;
        if !text.starts_with('[') {
            fact.texts.clear();
        }
        fact.texts.push(text.into());
    }

    /// Keeps a piece of an object: its lists and its texts grow by those of later pieces.
    pub(crate) fn join(&mut self, name: &str, value: &RawValue) {
        match self.kept.iter_mut().find(|fact| fact.name == name) {
            Some(fact) if value.get() != "null" => {
                self.changes += 1;
                fact.joined = true;
                fact.texts.push(value.get().into());
            }
            Some(_) => {}
            None => self.add(name, value),
        }
    }

    /// Tells all that was kept.
    pub(crate) fn finish(self, events: &mut Vec<ModelEvent>) {
        for fact in self.kept {
            let value = fact
                .texts
                .iter()
                .filter_map(|text| parse_bounded(text))
                .reduce(|all, more| match (all, more) {
                    (all, more) if fact.joined => grown(all, more),
                    (Value::Array(mut all), Value::Array(more)) => {
                        all.extend(more);
                        Value::Array(all)
                    }
                    (_, more) => more,
                });
            if let Some(value) = value {
                let name = fact.name;
                events.push(ModelEvent::Metadata { name, value });
            }
        }
        if self.dropped > 0 {
            events.push(ModelEvent::Warning(Warning::new(
                "fields_dropped",
                format!("{} fields of unknown names were not kept", self.dropped),
            )));
        }
    }
}

/// The texts of a field that come in pieces, in the objects that do: what was said, and how it sounds.
const IN_PIECES: [&str; 2] = ["data", "transcript"];

/// An object with what a later piece of it adds.
fn grown(all: Value, more: Value) -> Value {
    match (all, more) {
        (Value::Object(mut all), Value::Object(more)) => {
            for (name, more) in more {
                let grown = match (all.remove(&name), more) {
                    (Some(all), Value::Null) => all,
                    (Some(Value::Array(mut all)), Value::Array(more)) => {
                        all.extend(more);
                        Value::Array(all)
                    }
                    (Some(Value::String(all)), Value::String(more))
                        if IN_PIECES.contains(&name.as_str()) =>
                    {
                        Value::String(all + &more)
                    }
                    (_, more) => more,
                };
                all.insert(name, grown);
            }
            Value::Object(all)
        }
        (_, more) => more,
    }
}
