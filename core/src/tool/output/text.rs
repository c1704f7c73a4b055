//! Conversion of a returned value to text, to nothing, or to JSON.
//!
//! The value itself decides, through a serialiser that looks at the first call only: a `String`
//! behind any alias or newtype, or in `Some`, is a text, `()` is nothing, and everything else is JSON.

use std::fmt::Display;

use serde::{
    Serialize, Serializer,
    ser::{Error as _, Impossible},
};

use super::{OutputPart, ToolOutput};
use crate::ToolError;

/// Turns a value into an output: text as it is, `()` into nothing, everything else into JSON.
pub(super) fn text_or_json(value: &impl Serialize) -> Result<ToolOutput, ToolError> {
    match value.serialize(Shape) {
        Ok(Some(text)) => Ok(ToolOutput::text(text)),
        Ok(None) => Ok(ToolOutput::default()),
        Err(Neither) => Ok(ToolOutput {
            parts: vec![OutputPart::Json(json_text(value)?)],
        }),
    }
}

/// Returns the JSON text of a value without spare capacity: results live long.
pub(super) fn json_text(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = serde_json::to_string(value)?;
    text.shrink_to_fit();
    Ok(text)
}

/// Takes a text or a unit and refuses everything else before looking inside.
struct Shape;

/// The value is neither a text nor a unit.
#[derive(Debug)]
struct Neither;

impl Display for Neither {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("neither text nor unit")
    }
}

impl std::error::Error for Neither {}

impl serde::ser::Error for Neither {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

macro_rules! refuse {
    ($($method:ident($($value:ty),*) -> $output:ident;)*) => {$(
        fn $method(self, $(_: $value),*) -> Result<Self::$output, Neither> {
            Err(Neither)
        }
    )*};
}

impl Serializer for Shape {
    type Ok = Option<String>;
    type Error = Neither;
    type SerializeSeq = Impossible<Self::Ok, Neither>;
    type SerializeTuple = Impossible<Self::Ok, Neither>;
    type SerializeTupleStruct = Impossible<Self::Ok, Neither>;
    type SerializeTupleVariant = Impossible<Self::Ok, Neither>;
    type SerializeMap = Impossible<Self::Ok, Neither>;
    type SerializeStruct = Impossible<Self::Ok, Neither>;
    type SerializeStructVariant = Impossible<Self::Ok, Neither>;

    fn serialize_str(self, text: &str) -> Result<Self::Ok, Neither> {
        Ok(Some(text.to_owned()))
    }

    fn serialize_unit(self) -> Result<Self::Ok, Neither> {
        Ok(None)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Self::Ok, Neither> {
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Neither> {
        value.serialize(self)
    }

    refuse! {
        serialize_bool(bool) -> Ok;
        serialize_i8(i8) -> Ok;
        serialize_i16(i16) -> Ok;
        serialize_i32(i32) -> Ok;
        serialize_i64(i64) -> Ok;
        serialize_i128(i128) -> Ok;
        serialize_u8(u8) -> Ok;
        serialize_u16(u16) -> Ok;
        serialize_u32(u32) -> Ok;
        serialize_u64(u64) -> Ok;
        serialize_u128(u128) -> Ok;
        serialize_f32(f32) -> Ok;
        serialize_f64(f64) -> Ok;
        serialize_char(char) -> Ok;
        serialize_bytes(&[u8]) -> Ok;
        serialize_none() -> Ok;
        serialize_unit_struct(&'static str) -> Ok;
        serialize_unit_variant(&'static str, u32, &'static str) -> Ok;
        serialize_seq(Option<usize>) -> SerializeSeq;
        serialize_tuple(usize) -> SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_map(Option<usize>) -> SerializeMap;
        serialize_struct(&'static str, usize) -> SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant;
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Self::Ok, Neither> {
        Err(Neither)
    }

    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result<Self::Ok, Neither> {
        Err(Neither::custom(
            "a value with a text form is sent as JSON, like every other value",
        ))
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::text_or_json;
    use crate::tool::{OutputPart, ToolOutput};

    fn check(value: &impl Serialize, expected: &[OutputPart]) {
        assert_eq!(
            text_or_json(value).expect("serialises"),
            ToolOutput {
                parts: expected.to_vec()
            }
        );
    }

    #[test]
    fn text_is_sent_as_it_is_and_the_rest_as_json() {
        #[derive(Serialize)]
        struct Name(String);
        #[derive(Serialize)]
        enum Unit {
            Celsius,
        }
        check(&"say \"hi\"", &[OutputPart::Text("say \"hi\"".into())]);
        check(&Name("Ada".into()), &[OutputPart::Text("Ada".into())]);
        check(&(), &[]);
        check(&7, &[OutputPart::Json("7".into())]);
        check(&Some("x"), &[OutputPart::Text("x".into())]);
        check(&None::<u8>, &[OutputPart::Json("null".into())]);
        check(&Unit::Celsius, &[OutputPart::Json("\"Celsius\"".into())]);
        check(&vec!["a", "b"], &[OutputPart::Json("[\"a\",\"b\"]".into())]);
    }
}
