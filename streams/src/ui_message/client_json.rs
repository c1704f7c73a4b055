//! JSON that a client of the AI SDK reads.
//!
//! It reads no object with a key `__proto__`, nor one with a `constructor` that has a `prototype`: `secureJsonParse` throws,
//! and the whole stream ends with an error. Whatever a model writes or a tool returns is not to end it.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use toolwright_json::JsonText;

/// The value, or its text as a string if a client would refuse it.
pub(super) fn readable(json: JsonText) -> JsonText {
    if is_refused(json.as_str()) {
        return JsonText::of(json.as_str())
            .unwrap_or_else(|_| unreachable!("a string can be written"));
    }
    json
}

/// Returns true if a client throws an error at this JSON.
pub(super) fn is_refused(json: &str) -> bool {
    // A key may be written with escapes, and such a text is looked at as well.
    let may_be = ["__proto__", "prototype", "\\u00"];
    may_be.iter().any(|text| json.contains(text)) && {
        // What is too deep to be looked at is not sent as a value.
        serde_json::from_str::<Found>(json).map_or(true, |found| found.is_refused)
    }
}

/// What a value has.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    is_refused: bool,
    /// It is an object with a key `prototype`.
    has_prototype: bool,
}

impl<'de> Deserialize<'de> for Found {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Look)
    }
}

struct Look;

impl<'de> Visitor<'de> for Look {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found, A::Error> {
        let mut found = Found::default();
        while let Some(key) = map.next_key::<String>()? {
            let value: Found = map.next_value()?;
            found.is_refused |= value.is_refused
                || key == "__proto__"
                || (key == "constructor" && value.has_prototype);
            found.has_prototype |= key == "prototype";
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Found, A::Error> {
        let mut found = Found::default();
        while let Some(value) = seq.next_element::<Found>()? {
            found.is_refused |= value.is_refused;
        }
        Ok(found)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Found, E> {
        Ok(Found::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Found, E> {
        Ok(Found::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Found, E> {
        Ok(Found::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Found, E> {
        Ok(Found::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Found, E> {
        Ok(Found::default())
    }

    fn visit_unit<E>(self) -> Result<Found, E> {
        Ok(Found::default())
    }
}
