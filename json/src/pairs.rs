//! The parts of one object or array in JSON text, each as it was written.

use std::{borrow::Cow, fmt};

use serde::{
    Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{reader::Reader, string::Text};

/// The keys of an object and their values, in order, also those of a key that comes twice.
///
/// # Errors
///
/// Returns an error if the text is not an object, or a key has a lone surrogate.
pub fn pairs(json: &str) -> serde_json::Result<Vec<(Cow<'_, str>, &str)>> {
    struct Collect;

    impl<'de> Visitor<'de> for Collect {
        type Value = Vec<(Cow<'de, str>, &'de str)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some((Text(key), value)) = map.next_entry::<_, &RawValue>()? {
                pairs.push((key, value.get()));
            }
            Ok(pairs)
        }
    }

    if let Some(pairs) = plain_pairs(json) {
        return Ok(pairs);
    }
    let mut reader = serde_json::Deserializer::from_str(json);
    let pairs = reader.deserialize_map(Collect)?;
    reader.end().map(|()| pairs)
}

/// The items of an array, in order.
///
/// # Errors
///
/// Returns an error if the text is not an array.
pub fn items(json: &str) -> serde_json::Result<Vec<&str>> {
    if let Some(items) = plain_items(json) {
        return Ok(items);
    }
    let items: Vec<&RawValue> = serde_json::from_str(json)?;
    Ok(items.into_iter().map(RawValue::get).collect())
}

/// The number of parts for which there is room from the start.
const FEW: usize = 8;

/// The keys and values of an object in which nothing is escaped. `None` for any other text.
fn plain_pairs(json: &str) -> Option<Vec<(Cow<'_, str>, &str)>> {
    if memchr::memchr(b'\\', json.as_bytes()).is_some() {
        return None;
    }
    let (mut reader, mut pairs) = (Reader::new(json), Vec::with_capacity(FEW));
    let read = reader.members(|reader, key| {
        pairs.push((key, reader.value()?.get()));
        Ok(())
    });
    read.and_then(|()| reader.end()).ok().map(|()| pairs)
}

/// The items of an array.
fn plain_items(json: &str) -> Option<Vec<&str>> {
    let (mut reader, mut items) = (Reader::new(json), Vec::with_capacity(FEW));
    let read = reader.items(|reader| {
        items.push(reader.value()?.get());
        Ok(())
    });
    read.and_then(|()| reader.end()).ok().map(|()| items)
}
