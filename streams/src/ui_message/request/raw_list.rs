//! Lists of a request, read element by element: a list of a million elements is never in memory as one.

use std::fmt;

use serde::{
    Deserializer,
    de::{Error, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{ChatRequestError, malformed};

/// Does this with each element of a list.
pub(crate) fn each<'a>(
    list: &'a RawValue,
    mut take: impl FnMut(&'a RawValue) -> Result<(), ChatRequestError>,
) -> Result<(), ChatRequestError> {
    let mut refused = None;
    let mut deserializer = serde_json::Deserializer::from_str(list.get());
    let read = deserializer.deserialize_seq(Each(|element| {
        take(element).map_err(|error| refused = Some(error)).is_ok()
    }));
    match refused {
        Some(error) => Err(error),
        None => read.map_err(malformed),
    }
}

/// Reads elements as long as it may.
struct Each<F>(F);

impl<'de, F: FnMut(&'de RawValue) -> bool> Visitor<'de> for Each<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element::<&'de RawValue>()? {
            if !(self.0)(element) {
                return Err(A::Error::custom("it is refused"));
            }
        }
        Ok(())
    }
}
