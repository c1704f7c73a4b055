//! Metadata of a response, which is not part of the answer.

mod joined;
mod texts;

use toolwright_core::model::{ModelEvent, Warning};
use toolwright_json::raw::Raw;

use super::partial_object::Rest;
use texts::Texts;

/// Fields that have no name in this codec, kept as the response's metadata.
///
/// The chunks of a stream repeat most of them. A list grows by what later chunks add to it, any
/// other value is replaced.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    kept: Vec<Fact>,
    dropped: usize,
}

#[derive(Debug)]
struct Fact {
    name: String,
    /// The JSON texts that came, without repetitions: one, or those of several lists.
    texts: Texts,
    /// They are pieces of one object.
    joined: bool,
}

/// More names than any provider has; a bound on the work that a broken server can cause.
const MOST_NAMES: usize = 64;

impl Metadata {
    /// Keeps the fields of one object.
    pub(crate) fn take(&mut self, rest: &Rest<'_>) {
        for (name, value) in rest {
            self.add(name, *value);
        }
    }

    /// Keeps one field. Empty values say nothing.
    pub(crate) fn add(&mut self, name: &str, value: Raw<'_>) {
        let text = value.get();
        if matches!(text, "null" | "[]" | "{}" | "\"\"") {
            return;
        }
        let Some(fact) = self.kept.iter_mut().find(|fact| fact.name == name) else {
            if self.kept.len() < MOST_NAMES {
                let mut texts = Texts::default();
                texts.push(text);
                self.kept.push(Fact {
                    name: name.to_owned(),
                    texts,
                    joined: false,
                });
            } else {
                self.dropped += 1;
            }
            return;
        };
        if fact.texts.last() == Some(text) {
            return;
        }
        if !text.starts_with('[') {
            fact.texts.clear();
        }
        fact.texts.push(text);
    }

    /// The value that came last in the field of a name, as text.
    pub(crate) fn last(&self, name: &str) -> Option<&str> {
        self.kept
            .iter()
            .find(|fact| fact.name == name)?
            .texts
            .last()
    }

    /// Keeps a piece of an object: its lists and its texts grow by those of later pieces.
    pub(crate) fn join(&mut self, name: &str, value: Raw<'_>) {
        match self.kept.iter_mut().find(|fact| fact.name == name) {
            Some(fact) if !value.is_null() => {
                fact.joined = true;
                fact.texts.push(value.get());
            }
            Some(_) => {}
            None => self.add(name, value),
        }
    }

    /// Tells all that was kept.
    pub(crate) fn finish(self, events: &mut Vec<ModelEvent>) {
        for fact in self.kept {
            let value = if fact.joined {
                joined::object(fact.texts.iter())
            } else {
                joined::list(fact.texts.iter())
            };
            if let Some(value) = value {
                let name = fact.name;
                events.push(ModelEvent::Metadata { name, value });
            }
        }
        if self.dropped > 0 {
            events.push(ModelEvent::Warning(Warning::new(
                "fields_dropped",
                format!("{} fields with unknown names were dropped", self.dropped),
            )));
        }
    }
}
