//! JSON text that goes into a body as the JSON it is, and pieces of a body as JSON.

use std::borrow::Cow;

use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::{Value, value::RawValue};

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
