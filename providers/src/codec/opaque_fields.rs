//! Fields of an opaque part that are added to another part.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use toolwright_core::message::Opaque;

/// Fields of an opaque part that go into what another part became.
#[derive(Debug, Default)]
pub(crate) struct OpaqueFields<'a> {
    fields: Option<&'a Map<String, Value>>,
    /// The fields that the other part writes itself. A conversation from elsewhere must not overwrite them.
    reserved: &'static [&'static str],
}

impl<'a> OpaqueFields<'a> {
    /// All fields of an opaque part.
    pub(crate) fn of(opaque: &'a Opaque, reserved: &'static [&'static str]) -> Self {
        Self::new(opaque.data.as_object(), reserved)
    }

    /// The fields that stand in one object of an opaque part.
    pub(crate) fn new(
        fields: Option<&'a Map<String, Value>>,
        reserved: &'static [&'static str],
    ) -> Self {
        Self { fields, reserved }
    }

    /// Returns true if no field is written.
    pub(crate) fn is_empty(&self) -> bool {
        let mut names = self.fields.into_iter().flat_map(Map::keys);
        names.all(|name| self.reserved.contains(&name.as_str()))
    }

    /// Returns true if a field of this name is written.
    pub(crate) fn contains(&self, name: &str) -> bool {
        let is_there = self.fields.is_some_and(|fields| fields.contains_key(name));
        is_there && !self.reserved.contains(&name)
    }
}

impl Serialize for OpaqueFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.fields.into_iter().flatten();
        serializer.collect_map(fields.filter(|(name, _)| !self.reserved.contains(&name.as_str())))
    }
}
