//! JSON that stays text.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, value::RawValue};

use crate::{layout, lossy};

/// JSON as text, byte for byte: it is rendered once and sent without a change, in its order.
///
/// Cheap to clone. Two are equal when their texts are.
#[derive(Clone)]
pub struct JsonText(Arc<RawValue>);

impl JsonText {
    /// Creates JSON from text, which is not changed.
    ///
    /// # Errors
    ///
    /// Returns an error if the string is not JSON.
    pub fn new(json: impl Into<String>) -> Result<Self, serde_json::Error> {
        RawValue::from_string(json.into()).map(|raw| Self(raw.into()))
    }

    /// The JSON of a value.
    ///
    /// # Errors
    ///
    /// Returns an error if the value cannot be serialised: a map whose keys are not strings, for example.
    pub fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(|raw| Self(raw.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The value, whose objects are sorted by key.
    ///
    /// A text can say more than a value can. What stands in more than 127 lists and objects is null,
    /// a number too great for an `f64` is the greatest there is, and half a character (`\ud800`) is
    /// U+FFFD.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(self.as_str()).unwrap_or_else(|_| lossy::nearest(self.as_str()))
    }

    /// The text in its order, in a layout that does not depend on who wrote it.
    pub fn to_compact(&self) -> String {
        layout::compact(self.as_str())
    }

    /// The text in its order, a line for each member.
    pub fn to_pretty(&self) -> String {
        layout::pretty(self.as_str())
    }
}

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for JsonText {}

impl fmt::Debug for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|raw| Self(raw.into()))
    }
}
