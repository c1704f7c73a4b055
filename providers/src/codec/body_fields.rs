//! The fields of a request's body.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_json::JsonText;

/// The JSON of a body, of whose fields those of the user win.
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

    /// Writes a field that has a value, unless the user has one of its name.
    pub(crate) fn put(&mut self, name: &str, value: Option<impl Serialize>) {
        if let Some(value) = value
            && !self.extra.contains_key(name)
        {
            self.write(name, &value);
        }
    }

    /// Writes an object that has fields: ours, and those that the user has in an object of its name,
    /// which win.
    pub(crate) fn put_object(&mut self, name: &'static str, ours: &Map<String, Value>) {
        self.put_object_with(name, ours, None);
    }

    /// Writes an object as [`put_object`](Self::put_object) does, with one more field of ours, whose JSON keeps
    /// its order.
    pub(crate) fn put_object_with(
        &mut self,
        name: &'static str,
        ours: &Map<String, Value>,
        ordered: Option<(&str, JsonText)>,
    ) {
        let theirs = match self.extra.get(name) {
            Some(Value::Object(theirs)) => {
                self.written.push(name);
                theirs
            }
            None if !ours.is_empty() || ordered.is_some() => &Map::new(),
            _ => return,
        };
        let mut all: BTreeMap<&str, Field<'_>> = BTreeMap::new();
        all.extend(ordered.map(|(key, json)| (key, Field::Ordered(json))));
        for fields in [ours, theirs] {
            all.extend(
                fields
                    .iter()
                    .map(|(key, value)| (key.as_str(), Field::Value(value))),
            );
        }
        self.write(name, &all);
    }

    /// Writes those of the user, and returns the body.
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
        written.unwrap_or_else(|_| {
            unreachable!("every key of a body is text, and what goes in as JSON was read as JSON")
        });
    }
}

/// A field of an object.
#[derive(Serialize)]
#[serde(untagged)]
enum Field<'f> {
    Value(&'f Value),
    Ordered(JsonText),
}
