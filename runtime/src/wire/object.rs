//! JSON objects of which we know some fields and keep the rest.

use std::borrow::Cow;

use serde_json::{Map, Value, value::RawValue};

use super::kept::kept;

/// Fields that have no name here and are not `null`, as they came.
pub(crate) type Rest<'a> = Vec<(Cow<'a, str>, &'a RawValue)>;

/// Fields without a name here. Empty lists say nothing.
pub(crate) fn fields_of(rest: Rest<'_>) -> Map<String, Value> {
    rest.into_iter()
        .filter(|(_, value)| value.get() != "[]")
        .filter_map(|(name, value)| {
            let value = kept(value.get())?;
            Some((name.into_owned(), value))
        })
        .collect()
}

/// Declares a struct that is read from a JSON object: every named field is optional and may be
/// `null`, `a or b` is a field of two names, the fields after `skip` are known and of no use, and what is left is kept in `rest`.
///
/// serde's `flatten` does the same through a copy of the whole object. Here nothing is copied, and
/// an object without unknown fields costs nothing more.
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
            $vis rest: $crate::wire::object::Rest<'a>,
        }

        impl<'de: 'a, 'a> serde::Deserialize<'de> for $name<'a> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Fields;

                impl<'de> serde::de::Visitor<'de> for Fields {
                    type Value = $name<'de>;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<Self::Value, A::Error> {
                        let mut object = $name::default();
                        while let Some($crate::wire::text::Text(key)) = map.next_key()? {
                            match &*key {
                                $(stringify!($field) $(| stringify!($other))? => {
                                    if let value @ Some(_) = map.next_value()? {
                                        object.$field = value;
                                    }
                                })*
                                $(stringify!($skip) => {
                                    map.next_value::<serde::de::IgnoredAny>()?;
                                })*
                                _ => {
                                    let value: Option<&'de serde_json::value::RawValue> =
                                        map.next_value()?;
                                    object.rest.extend(value.map(|value| (key, value)));
                                }
                            }
                        }
                        Ok(object)
                    }
                }

                deserializer.deserialize_map(Fields)
            }
        }
    };
}

pub(crate) use object;
