//! The fields of a request's body.

use serde::{Serialize, ser::SerializeMap};
use serde_json::{Map, Value};

/// The fields of a body, of which those of the user win.
pub(crate) struct BodyFields<'a, M> {
    map: M,
    extra: &'a Map<String, Value>,
    /// The user's fields that have been written with ours.
    written: Vec<&'static str>,
}

impl<'a, M: SerializeMap> BodyFields<'a, M> {
    pub(crate) fn new(map: M, extra: &'a Map<String, Value>) -> Self {
        Self {
            map,
            extra,
            written: Vec::new(),
        }
    }

    /// Writes a field that has a value, unless the user has one of its name.
    pub(crate) fn put(
        &mut self,
        name: &str,
        value: Option<impl Serialize>,
    ) -> Result<(), M::Error> {
        match value {
            Some(value) if !self.extra.contains_key(name) => self.map.serialize_entry(name, &value),
            _ => Ok(()),
        }
    }

    /// Writes an object that has fields: ours, and those that the user has in an object of its name,
    /// which win.
    pub(crate) fn put_object(
        &mut self,
        name: &'static str,
        ours: &Map<String, Value>,
    ) -> Result<(), M::Error> {
        match self.extra.get(name) {
            Some(Value::Object(theirs)) => {
                let mut all = ours.clone();
                all.extend(theirs.clone());
                self.written.push(name);
                self.map.serialize_entry(name, &all)
            }
            None if !ours.is_empty() => self.map.serialize_entry(name, ours),
            _ => Ok(()),
        }
    }

    /// Writes those of the user.
    pub(crate) fn end(mut self) -> Result<M::Ok, M::Error> {
        for (name, value) in self.extra {
            if !self.written.contains(&name.as_str()) {
                self.map.serialize_entry(name, value)?;
            }
        }
        self.map.end()
    }
}
