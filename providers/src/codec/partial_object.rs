//! JSON objects of which we know some fields and keep the rest.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value};
use toolwright_json::{bounded::parse_bounded, raw::Raw, string::whole_characters};

use super::few::Few;

/// Fields that have no name here and are not `null`, as they came.
pub(crate) type Rest<'a> = Few<(Cow<'a, str>, Raw<'a>)>;

/// Fields without a name here. Empty lists say nothing.
pub(crate) fn fields_of<'a>(
    rest: impl IntoIterator<Item = (Cow<'a, str>, Raw<'a>)>,
) -> Map<String, Value> {
    rest.into_iter()
        .filter(|(_, value)| value.get() != "[]")
        .filter_map(|(name, value)| {
            let value = parse_bounded(value.get())?;
            Some((name.into_owned(), value))
        })
        .collect()
}

/// An object whose fields are read one by one.
pub(crate) trait Object<'t>: Default {
    /// Reads the field of a key.
    fn field<A: MapAccess<'t>>(
        &mut self,
        key: Cow<'t, str>,
        fields: &mut A,
    ) -> Result<(), A::Error>;
}

/// Reads an object. Half a character in a key is `U+FFFD`.
pub(crate) fn read<'t, T: Object<'t>, D: Deserializer<'t>>(deserializer: D) -> Result<T, D::Error> {
    struct Read<T>(PhantomData<T>);

    impl<'t, T: Object<'t>> Visitor<'t> for Read<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'t>>(self, mut fields: A) -> Result<T, A::Error> {
            let mut object = T::default();
            while let Some(key) = fields.next_key::<Raw<'t>>()? {
                object.field(whole_characters(key.get()), &mut fields)?;
            }
            Ok(object)
        }
    }

    deserializer.deserialize_map(Read(PhantomData))
}

/// Reads the value of a field; `null` leaves the place as it is.
pub(crate) fn replace<'t, T: Deserialize<'t>, A: MapAccess<'t>>(
    place: &mut Option<T>,
    fields: &mut A,
) -> Result<(), A::Error> {
    if let Some(value) = fields.next_value()? {
        *place = Some(value);
    }
    Ok(())
}

/// A number that tells things of a response apart. Servers send it as a number, some as a string; what is
/// none of these, or negative, is no number, and no reason to lose a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Index(Option<u64>);

impl Index {
    /// The number, if it is one.
    pub(crate) fn number(self) -> Option<u64> {
        self.0
    }
}

impl<'t> Deserialize<'t> for Index {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Raw::deserialize(deserializer)?;
        Ok(Self(value.plain().unwrap_or(value.get()).parse().ok()))
    }
}

/// Declares a struct that is read from a JSON object: every named field is optional and may be `null`, `a or b`
/// is a field of two names, the fields after `skip` are known and of no use, and what is left is kept in
/// `rest`.
///
/// serde's derive refuses a field that comes twice, and its `flatten` loses what is written beside the named fields:
/// the digits of a number, and all of a response with half a character in such a field.
macro_rules! object {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident<'a> {
            $($(#[$field_meta:meta])* $field:ident $(or $other:ident)?: $type:ty,)*
        }
        skip: $($skip:ident),*
    ) => {
        $(#[$meta])*
        #[derive(Debug, Default)]
        $vis struct $name<'a> {
            $($(#[$field_meta])* $vis $field: Option<$type>,)*
            /// Fields that have no name here.
            $vis rest: $crate::codec::partial_object::Rest<'a>,
        }

        impl<'a> $crate::codec::partial_object::Object<'a> for $name<'a> {
            fn field<A: serde::de::MapAccess<'a>>(
                &mut self,
                key: std::borrow::Cow<'a, str>,
                fields: &mut A,
            ) -> Result<(), A::Error> {
                use $crate::codec::partial_object::replace;
                match &*key {
                    $(stringify!($field) $(| stringify!($other))? => {
                        return replace(&mut self.$field, fields);
                    })*
                    $(stringify!($skip) => {
                        fields.next_value::<serde::de::IgnoredAny>()?;
                    })*
                    _ => {
                        if let Some(value) = fields.next_value()? {
                            self.rest.push((key, value));
                        }
                    }
                }
                Ok(())
            }
        }

        impl<'a> serde::Deserialize<'a> for $name<'a> {
            fn deserialize<D: serde::Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::codec::partial_object::read(deserializer)
            }
        }
    };
}

pub(crate) use object;

#[cfg(test)]
mod tests {
    use toolwright_json::raw::Raw;

    use super::{Index, fields_of};
    use crate::codec::few::Few;

    object! {
        /// One of all kinds of fields.
        struct Whole<'a> {
            index: Index,
            message or delta: Raw<'a>,
            parts: Few<Part<'a>>,
            done: bool,
        }
        skip: object, p
    }

    object! {
        /// A part of it.
        struct Part<'a> {
            text: Raw<'a>,
        }
        skip:
    }

    fn read(json: &str) -> Whole<'_> {
        serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
    }

    #[test]
    fn known_fields_are_read_and_others_kept_as_they_came() {
        let json = r#"{"object":{},"index":"2","parts":[{"text":"a"},{}],"p":"\ud800","done":true,
            "cost":1.50,"none":null,"\ud800":"\ud83d"}"#;
        let whole = read(json);
        assert_eq!(whole.index.and_then(Index::number), Some(2));
        let parts = whole.parts.as_ref().expect("they are there");
        let texts: Vec<_> = parts.iter().map(|part| part.text.map(Raw::get)).collect();
        assert_eq!((texts, whole.done), (vec![Some("\"a\""), None], Some(true)));
        let rest: Vec<_> = whole
            .rest
            .iter()
            .map(|(key, raw)| (&**key, raw.get()))
            .collect();
        assert_eq!(rest, [("cost", "1.50"), ("\u{FFFD}", r#""\ud83d""#)]);
        let fields = fields_of(read(r#"{"a":[],"b":[1],"c":"\u00e9"}"#).rest);
        assert_eq!(
            serde_json::json!(fields),
            serde_json::json!({"b": [1], "c": "é"})
        );
    }

    #[test]
    fn null_leaves_what_came_before_and_all_else_replaces_it() {
        for (json, expected) in [
            (r#"{"message":null,"delta":{"a": 1}}"#, Some(r#"{"a": 1}"#)),
            (r#"{"delta":1,"message":null}"#, Some("1")),
            (r#"{"delta":1,"delta":2}"#, Some("2")),
            (r#"{"message":null}"#, None),
            ("{}", None),
        ] {
            assert_eq!(read(json).message.map(Raw::get), expected, "{json}");
        }
        assert_eq!(read(r#"{"index":-1}"#).index, Some(Index(None)));
        for other in [
            "[]",
            "null",
            "{} {}",
            r#"{"done":1}"#,
            r#"{"parts":{}}"#,
            r#"{"a":"#,
        ] {
            assert!(serde_json::from_str::<Whole<'_>>(other).is_err(), "{other}");
        }
    }
}
