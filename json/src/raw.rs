//! JSON values as they are written, byte for byte.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::Error as _};
use serde_json::{Value, value::RawValue};

/// One JSON value, as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw<'t>(&'t str);

impl<'t> Raw<'t> {
    /// Takes a text that is known to be one JSON value, without space around it.
    pub fn new(json: &'t str) -> Self {
        Self(json)
    }

    /// Returns its text.
    #[inline]
    pub fn get(self) -> &'t str {
        self.0
    }

    /// Returns true for `null`.
    #[inline]
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// Returns the text of a string without escapes, which is written as it is.
    #[inline]
    pub fn plain(self) -> Option<&'t str> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        memchr::memchr(b'\\', inner.as_bytes())
            .is_none()
            .then_some(inner)
    }
}

impl<'t> Deserialize<'t> for Raw<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Self(raw.get()))
    }
}

/// JSON text that is serialised as it is, byte for byte: the arguments of a call, where they are an
/// object and not its text.
#[derive(Debug)]
pub struct RawJson<'a>(pub Cow<'a, str>);

impl Serialize for RawJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json: &RawValue = serde_json::from_str(&self.0).map_err(S::Error::custom)?;
        json.serialize(serializer)
    }
}

/// Pieces of a body as JSON values, for a program that writes its body itself.
pub fn values<T: Serialize>(pieces: impl IntoIterator<Item = T>) -> Vec<Value> {
    pieces
        .into_iter()
        .map(|piece| {
            serde_json::to_value(piece)
                .unwrap_or_else(|_| unreachable!("what is sent is JSON, with text for keys"))
        })
        .collect()
}
