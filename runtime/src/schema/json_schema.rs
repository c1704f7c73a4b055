//! A JSON Schema, as the text that a provider is sent.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json_text::JsonText;

/// A JSON Schema (2020-12), kept as text: the order of properties is part of what a model reads.
///
/// Cheap to clone. Two are equal when their texts are.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Schema(JsonText);

impl Schema {
    /// A schema from JSON text, kept as it is.
    ///
    /// # Errors
    ///
    /// When the text is not JSON.
    pub fn from_text(json: impl Into<String>) -> Result<Self, serde_json::Error> {
        JsonText::new(json).map(Self)
    }

    /// A schema from a JSON value.
    pub fn from_value(value: &Value) -> Self {
        Self::from_text(value.to_string()).unwrap_or_else(|_| unreachable!("a JSON value is JSON"))
    }

    /// The JSON text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The schema as a JSON value, whose objects are sorted by key.
    pub fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
