//! JSON values as they are written, byte for byte.

use std::borrow::Cow;

use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::{Value, value::RawValue};

/// One JSON value, as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw<'t> {
    json: &'t str,
    is_plain: bool,
}

impl<'t> Raw<'t> {
    /// Takes a text that is known to be one JSON value, without space around it.
    pub fn new(json: &'t str) -> Self {
        let is_plain = json.starts_with('"') && !json.contains('\\');
        Self { json, is_plain }
    }

    /// Takes the text of a value that has just been read, and whether it is a string without escapes.
    #[inline]
    pub(crate) fn read(json: &'t str, is_plain: bool) -> Self {
        Self { json, is_plain }
    }

    /// Returns its text.
    #[inline]
    pub fn get(self) -> &'t str {
        self.json
    }

    /// Returns true for `null`.
    #[inline]
    pub fn is_null(self) -> bool {
        self.json == "null"
    }

    /// Returns the text of a string without escapes, which is written as it is.
    #[inline]
    pub fn plain(self) -> Option<&'t str> {
        if self.is_plain {
            self.json.get(1..self.json.len() - 1)
        } else {
            None
        }
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
