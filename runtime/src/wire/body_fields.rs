//! The fields of a request's body.

use serde::{Serialize, ser::SerializeMap};
use serde_json::{Map, Value};

/// The fields of a body, of which those of the user win.
pub(crate) struct BodyFields<'a, M> {
    map: M,
    extra: &'a Map<String, Value>,
}

impl<'a, M: SerializeMap> BodyFields<'a, M> {
    pub(crate) fn new(map: M, extra: &'a Map<String, Value>) -> Self {
        Self { map, extra }
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

    /// Writes those of the user.
    pub(crate) fn end(mut self) -> Result<M::Ok, M::Error> {
        for (name, value) in self.extra {
            self.map.serialize_entry(name, value)?;
        }
        self.map.end()
    }
}
