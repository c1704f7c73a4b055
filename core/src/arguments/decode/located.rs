//! A deserialiser that knows where it is: slow, exact, and used only to explain a failure.
//!
//! It reads the JSON text itself rather than a parsed value, so that numbers are what was written,
//! keys that come twice are seen, and an error can quote the very text.

mod access;
mod key;

use std::borrow::Cow;

use serde::{
    Deserializer,
    de::{Error as _, IntoDeserializer, Unexpected, Visitor},
    forward_to_deserialize_any,
};
use toolwright_json::{
    integer::whole,
    pairs::{items, pairs},
};

use crate::arguments::explain::{choices::Choices, fault::Fault, refused::malformed};
use access::{Fields, Items, Tagged};

/// A place in JSON text that is known to be well-formed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Located<'de> {
    /// One value, without white space around it.
    text: &'de str,
}

impl<'de> Located<'de> {
    pub(crate) fn new(text: &'de str) -> Self {
        Self { text }
    }

    fn is_number(self) -> bool {
        matches!(self.text.as_bytes().first(), Some(b'-' | b'0'..=b'9'))
    }

    /// The text of a string. Well-formed JSON may still name half a character.
    fn string(self) -> Result<String, Fault> {
        serde_json::from_str(self.text).map_err(|_| Fault::expected("a string of whole characters"))
    }

    fn pairs(self) -> Result<Vec<(Cow<'de, str>, &'de str)>, Fault> {
        pairs(self.text).map_err(|error| malformed(self.text, &error))
    }

    fn items(self) -> Result<Vec<&'de str>, Fault> {
        items(self.text).map_err(|error| malformed(self.text, &error))
    }

    fn number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if let Ok(number) = self.text.parse::<u64>() {
            visitor.visit_u64(number)
        } else if let Ok(number) = self.text.parse::<i64>() {
            visitor.visit_i64(number)
        } else {
            match serde_json::from_str::<f64>(self.text) {
                Ok(number) => visitor.visit_f64(number),
                Err(_) => Err(Fault::invalid_value(
                    Unexpected::Other("a number"),
                    &visitor,
                )),
            }
        }
    }

    /// A number for a type that may be an integer: whole numbers become integers, also those
    /// written as `1.0`. Who wants a float takes them too.
    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Some(number) = whole(self.text) else {
            return self.number(visitor);
        };
        match (u64::try_from(number), i64::try_from(number)) {
            (Ok(number), _) => visitor.visit_u64(number),
            (_, Ok(number)) => visitor.visit_i64(number),
            _ => self.number(visitor),
        }
    }

    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.text.as_bytes().first() {
            Some(b'{') => Fields::of(self).and_then(|fields| visitor.visit_map(fields)),
            Some(b'[') => Items::of(self).and_then(|items| items.visit(visitor)),
            Some(b'"') => visitor.visit_string(self.string()?),
            Some(b't') => visitor.visit_bool(true),
            Some(b'f') => visitor.visit_bool(false),
            Some(b'n') => visitor.visit_unit(),
            _ => self.integer(visitor),
        }
    }
}

/// Integers, which may be written as floats.
macro_rules! integers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            if self.is_number() {
                self.integer(visitor).map_err(|fault| fault.with_text(self.text))
            } else {
                self.deserialize_any(visitor)
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Located<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.any(visitor)
            .map_err(|fault| fault.with_text(self.text))
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.text.parse() {
            Ok(number) => visitor.visit_i128(number),
            Err(_) => self.deserialize_i64(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.text.parse() {
            Ok(number) => visitor.visit_u128(number),
            Err(_) => self.deserialize_u64(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.text == "null" {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
        .map_err(|fault| fault.with_text(self.text))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        // serde_json's own types, `RawValue` among them, ask for themselves by such names.
        if name.starts_with("$serde_json::") {
            let mut json = serde_json::Deserializer::from_str(self.text);
            return json
                .deserialize_newtype_struct(name, visitor)
                .map_err(Fault::custom);
        }
        visitor
            .visit_newtype_struct(self)
            .map_err(|fault| fault.with_text(self.text))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.text.as_bytes().first() {
            Some(b'"') => visitor.visit_enum(self.string()?.into_deserializer()),
            Some(b'{') => Tagged::of(self).and_then(|tagged| visitor.visit_enum(tagged)),
            _ => Err(Fault::one_of(Choices::of_names(variants.iter().copied()))),
        }
        .map_err(|fault| fault.with_text(self.text))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool f32 f64 char str string bytes byte_buf unit seq tuple tuple_struct map struct
        identifier
    }
}
