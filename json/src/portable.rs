//! JSON that every program reads.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
};

/// Returns true if a text is JSON that every program reads: its strings are of whole characters, its numbers fit
/// floats, and at most so many arrays and objects are inside each other. No value of it is stored.
///
/// More than 127 levels are never read.
pub fn is_portable(json: &str, levels: usize) -> bool {
    let mut reader = serde_json::Deserializer::from_str(json);
    let levels = Levels { left: levels };
    reader.deserialize_any(levels).is_ok() && reader.end().is_ok()
}

/// A value that is read and not kept.
#[derive(Clone, Copy)]
struct Levels {
    /// The number of further levels that are allowed.
    left: usize,
}

impl Levels {
    fn next<E: Error>(self) -> Result<Self, E> {
        let left = self.left.checked_sub(1);
        left.map(|left| Self { left })
            .ok_or_else(|| E::custom("nested too deep"))
    }
}

impl<'de> DeserializeSeed<'de> for Levels {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Levels {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let inside = self.next()?;
        while items.next_element_seed(inside)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let inside = self.next()?;
        while members.next_key_seed(inside)?.is_some() {
            members.next_value_seed(inside)?;
        }
        Ok(())
    }
}
