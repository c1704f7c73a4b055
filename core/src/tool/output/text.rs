//! Conversion of a returned value to text, to nothing, or to JSON.
//!
//! The value itself decides, through a serialiser that looks at the first call only: a `String`
//! behind any alias or newtype, or in `Some`, is a text, `()` is nothing, and everything else is JSON.

use std::{cell::Cell, fmt::Display};

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

thread_local! {
    /// A buffer for a short JSON text, whose length is not known before it is written.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The longest JSON text, in bytes, that is copied out of the buffer. A longer text takes the buffer with
/// it.
const SHORT: usize = 16 * 1024;

/// The size of values of which most have a tiny JSON text: numbers, words, and options of them.
const SCALAR: usize = 16;

/// Returns the JSON text of a value with little spare capacity: results live long.
pub(super) fn json_text<T: Serialize>(value: &T) -> serde_json::Result<String> {
    if size_of::<T>() <= SCALAR {
        return through_scratch(value);
    }
    let text = serde_json::to_string(value)?;
    // The first buffer has 128 bytes, and each one after it is filled by half.
    Ok(if text.len() < text.capacity() / 4 {
        text.as_str().to_owned()
    } else {
        text
    })
}

/// Returns the JSON text of a value without spare capacity.
fn through_scratch(value: &impl Serialize) -> serde_json::Result<String> {
    // Taken out, since a value may make JSON of another one while it serialises.
    let mut scratch = SCRATCH.try_with(Cell::take).unwrap_or_default();
    scratch.clear();
    serde_json::to_writer(&mut scratch, value)?;
    let bytes = if scratch.len() > SHORT {
        scratch
    } else {
        let bytes = scratch.as_slice().to_vec();
        let _ = SCRATCH.try_with(|place| place.set(scratch));
        bytes
    };
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
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
    ($($method:ident: $value:ty),* $(,)?) => {$(
        fn $method(self, _: $value) -> Result<Self::Ok, Neither> {
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

    refuse! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
        serialize_f32: f32,
        serialize_f64: f64,
        serialize_char: char,
        serialize_bytes: &[u8],
    }

    fn serialize_none(self) -> Result<Self::Ok, Neither> {
        Err(Neither)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Neither> {
        value.serialize(self)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok, Neither> {
        Err(Neither)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<Self::Ok, Neither> {
        Err(Neither)
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

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Neither> {
        Err(Neither)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Neither> {
        Err(Neither)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Neither> {
        Err(Neither)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Neither> {
        Err(Neither)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Neither> {
        Err(Neither)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Neither> {
        Err(Neither)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Neither> {
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
