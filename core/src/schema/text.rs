//! A JSON Schema, as the text that a provider is sent.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use toolwright_json::JsonText;

use super::Link;

/// A JSON Schema (2020-12) as a string: a model reads the properties in their order.
///
/// Cheap to clone. Two are equal when their texts are.
#[derive(Clone)]
pub struct Schema {
    text: JsonText,
    defect: Option<Arc<str>>,
    /// The tree that it was rendered from, where that is known.
    tree: Option<Link>,
    /// The text as a value, made at the first use.
    read: OnceLock<Option<Arc<Value>>>,
}

impl Schema {
    /// Creates a schema from JSON text, which is not changed.
    ///
    /// # Errors
    ///
    /// When the text is not JSON.
    pub fn from_text(json: impl Into<String>) -> Result<Self, serde_json::Error> {
        JsonText::new(json).map(Self::from)
    }

    /// A schema from a JSON value.
    pub fn from_value(value: &Value) -> Self {
        Self::from_text(value.to_string()).unwrap_or_else(|_| unreachable!("a JSON value is JSON"))
    }

    /// The JSON text.
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// The schema as a JSON value, whose objects are sorted by key.
    pub fn to_value(&self) -> Value {
        self.text.to_value()
    }

    /// The schema as a value, parsed once. `None` for a text that is too deeply nested.
    pub(crate) fn value(&self) -> Option<&Value> {
        let read = || serde_json::from_str(self.as_str()).ok().map(Arc::new);
        self.read.get_or_init(read).as_deref()
    }

    /// The JSON text, a line for each member.
    pub(crate) fn to_pretty(&self) -> String {
        self.text.to_pretty()
    }

    /// The JSON text in its order, in a layout that does not depend on who wrote it.
    pub(crate) fn to_compact(&self) -> String {
        self.text.to_compact()
    }

    /// Adds the reason why no tool can have this schema.
    #[cfg(feature = "schemars")]
    pub(super) fn with_defect(mut self, defect: Option<String>) -> Self {
        self.defect = defect.map(Into::into);
        self
    }

    /// Adds the tree that the schema was rendered from.
    #[doc(hidden)]
    pub fn with_tree(mut self, tree: Link) -> Self {
        self.tree = Some(tree);
        self
    }

    /// The tree that it was rendered from, where that is known.
    pub(crate) fn tree(&self) -> Option<Link> {
        self.tree
    }

    /// Returns the reason why a tool cannot have this schema, if only writing the schema could show it.
    pub(crate) fn defect(&self) -> Option<&str> {
        self.defect.as_deref()
    }
}

impl From<JsonText> for Schema {
    fn from(text: JsonText) -> Self {
        Self {
            text,
            defect: None,
            tree: None,
            read: OnceLock::new(),
        }
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Schema {}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        JsonText::deserialize(deserializer).map(Self::from)
    }
}
