//! The fields of a request's body.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_json::JsonText;

use super::extra_tools;

/// The JSON of a body: our fields, joined with those of the user.
///
/// Objects are joined field by field, where the user's win, and arrays are joined. An object with a `type` is one of
/// several forms, so that the user's replaces ours, as any other value does.
pub(crate) struct BodyFields<'a> {
    json: Vec<u8>,
    extra: &'a Map<String, Value>,
    /// The user's fields that have been written with ours.
    written: Vec<&'static str>,
}

impl<'a> BodyFields<'a> {
    pub(crate) fn new(extra: &'a Map<String, Value>) -> Self {
        Self {
            json: b"{".to_vec(),
            extra,
            written: Vec::new(),
        }
    }

    /// Writes a field that has a value, joined with the user's of its name.
    pub(crate) fn put(&mut self, name: &'static str, value: Option<impl Serialize>) {
        let Some(value) = value else {
            return;
        };
        match self.extra.get(name) {
            None => self.write(name, &value),
            Some(theirs @ (Value::Object(_) | Value::Array(_))) => {
                let joined = joined(as_value(value), theirs);
                self.written.push(name);
                self.write(name, &joined);
            }
            Some(_) => {}
        }
    }

    /// Writes an object that has fields, as [`put`](Self::put) does.
    pub(crate) fn put_object(&mut self, name: &'static str, ours: Map<String, Value>) {
        self.put(name, (!ours.is_empty()).then_some(ours));
    }

    /// Writes an object as [`put_object`](Self::put_object) does, with one more field of ours, whose JSON keeps
    /// its order.
    pub(crate) fn put_object_with(
        &mut self,
        name: &'static str,
        ours: Map<String, Value>,
        ordered: Option<(&str, JsonText)>,
    ) {
        let Some((key, json)) = ordered else {
            return self.put_object(name, ours);
        };
        let fields = match self.extra.get(name) {
            Some(theirs @ Value::Object(_)) => {
                self.written.push(name);
                joined(Value::Object(ours), theirs)
            }
            Some(_) => return,
            None => Value::Object(ours),
        };
        let mut all: BTreeMap<&str, Field<'_>> = BTreeMap::from([(key, Field::Ordered(json))]);
        let fields = fields.as_object().into_iter().flatten();
        all.extend(fields.map(|(key, value)| (key.as_str(), Field::Value(value))));
        self.write(name, &all);
    }

    /// Writes the tools: ours, and those of the user's own list after them.
    pub(crate) fn put_tools(&mut self, ours: Option<JsonText>) {
        const NAME: &str = "tools";
        match (ours, self.extra.get(NAME)) {
            (Some(ours), Some(Value::Array(theirs))) => {
                self.written.push(NAME);
                self.write(NAME, &extra_tools::joined(&ours, theirs));
            }
            (ours, _) => self.put(NAME, ours),
        }
    }

    /// Writes the remaining fields of the user, and returns the body.
    pub(crate) fn end(mut self) -> Vec<u8> {
        for (name, value) in self.extra {
            if !self.written.contains(&name.as_str()) {
                self.write(name, value);
            }
        }
        self.json.push(b'}');
        self.json
    }

    fn write(&mut self, name: &str, value: &impl Serialize) {
        if self.json.len() > 1 {
            self.json.push(b',');
        }
        let key = serde_json::to_writer(&mut self.json, name);
        self.json.push(b':');
        let written = key.and_then(|()| serde_json::to_writer(&mut self.json, value));
        written.unwrap_or_else(|_| unreachable!("{IS_JSON}"));
    }
}

const IS_JSON: &str = "every key of a body is text, and what goes in as JSON was read as JSON";

fn as_value(ours: impl Serialize) -> Value {
    serde_json::to_value(ours).unwrap_or_else(|_| unreachable!("{IS_JSON}"))
}

/// Joins a value of ours with the user's.
fn joined(ours: Value, theirs: &Value) -> Value {
    match (ours, theirs) {
        (Value::Object(mut ours), Value::Object(theirs))
            if !ours.contains_key("type") && !theirs.contains_key("type") =>
        {
            for (name, theirs) in theirs {
                let both = match ours.remove(name) {
                    Some(ours) => joined(ours, theirs),
                    None => theirs.clone(),
                };
                ours.insert(name.clone(), both);
            }
            Value::Object(ours)
        }
        (Value::Array(mut ours), Value::Array(theirs)) => {
            let more = theirs.iter().filter(|theirs| !ours.contains(theirs));
            let more: Vec<_> = more.cloned().collect();
            ours.extend(more);
            Value::Array(ours)
        }
        (_, theirs) => theirs.clone(),
    }
}

/// A field of an object.
#[derive(Serialize)]
#[serde(untagged)]
enum Field<'f> {
    Value(&'f Value),
    Ordered(JsonText),
}
