//! Values for missing fields, as in serde's derive.

use serde::{
    Deserializer,
    de::{Error as _, Visitor},
    forward_to_deserialize_any,
};

/// The value of a missing field, as in serde's derive: only an `Option` accepts it.
pub(crate) struct LeftOut;

impl<'de> Deserializer<'de> for LeftOut {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(Self::Error::custom("left out"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
