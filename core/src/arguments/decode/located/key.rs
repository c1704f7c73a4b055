//! The keys of objects.

use serde::{
    Deserializer,
    de::{Error as _, IntoDeserializer, Unexpected, Visitor},
    forward_to_deserialize_any,
};
use toolwright_json::path::Step;

use crate::arguments::explain::fault::Fault;

/// A key of an object. Maps may have keys that are numbers, written as text.
pub(super) struct Key<'k>(pub(super) &'k str);

macro_rules! parsed_keys {
    ($($method:ident: $visit:ident),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            // As JSON writes it: not `+1`, `01` or `inf`.
            match serde_json::from_str(self.0) {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(Fault::invalid_type(Unexpected::Str(self.0), &visitor)
                    .inside(Step::Key(self.0.to_owned()))),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_str(self.0)
    }

    parsed_keys! {
        deserialize_bool: visit_bool,
        deserialize_i8: visit_i8,
        deserialize_i16: visit_i16,
        deserialize_i32: visit_i32,
        deserialize_i64: visit_i64,
        deserialize_i128: visit_i128,
        deserialize_u8: visit_u8,
        deserialize_u16: visit_u16,
        deserialize_u32: visit_u32,
        deserialize_u64: visit_u64,
        deserialize_u128: visit_u128,
        deserialize_f32: visit_f32,
        deserialize_f64: visit_f64,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor
            .visit_enum(self.0.into_deserializer())
            .map_err(|fault: Fault| fault.inside(Step::Key(self.0.to_owned())))
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}
