//! JSON objects of which we know some fields and keep the rest.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, Visitor},
};
use serde_json::{Map, Value, value::RawValue};
use toolwright_json::bounded::parse_bounded;

/// Fields that have no name here and are not `null`, as they came.
pub(crate) type Rest<'a> = Vec<(Cow<'a, str>, &'a RawValue)>;

/// Fields without a name here. Empty lists say nothing.
pub(crate) fn fields_of(rest: Rest<'_>) -> Map<String, Value> {
    rest.into_iter()
        .filter(|(_, value)| value.get() != "[]")
        .filter_map(|(name, value)| {
            let value = parse_bounded(value.get())?;
            Some((name.into_owned(), value))
        })
        .collect()
}

/// An object that is read in its place. Such structs are large and hold one another: moved out of every
/// level, they cost as much as the reading itself.
pub(crate) trait Object<'de>: Default {
    /// Reads the fields of an object.
    fn fill<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error>;
}

/// Reads an object out of its JSON.
pub(crate) fn read<'de, T: Object<'de>>(
    json: &'de str,
    object: &mut T,
) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    object.fill(&mut deserializer)?;
    deserializer.end()
}

/// A value that stands in a field of an object.
pub(crate) trait Field<'de>: Sized {
    /// Reads it; `null` leaves the place as it is.
    fn read<D: Deserializer<'de>>(place: &mut Option<Self>, value: D) -> Result<(), D::Error>;
}

impl<'de, T: Object<'de>> Field<'de> for T {
    fn read<D: Deserializer<'de>>(place: &mut Option<Self>, value: D) -> Result<(), D::Error> {
        value.deserialize_option(InPlace(place, PhantomData))
    }
}

struct InPlace<'p, 'de, T>(&'p mut Option<T>, PhantomData<&'de ()>);

impl<'de, T: Object<'de>> Visitor<'de> for InPlace<'_, 'de, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or `null`")
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        self.0.insert(T::default()).fill(value)
    }
}

fn moved<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    place: &mut Option<T>,
    value: D,
) -> Result<(), D::Error> {
    if let value @ Some(_) = Option::deserialize(value)? {
        *place = value;
    }
    Ok(())
}

impl<'de> Field<'de> for &'de RawValue {
    fn read<D: Deserializer<'de>>(place: &mut Option<Self>, value: D) -> Result<(), D::Error> {
        moved(place, value)
    }
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

impl<'de> Field<'de> for Index {
    fn read<D: Deserializer<'de>>(place: &mut Option<Self>, value: D) -> Result<(), D::Error> {
        if let Some(raw) = Option::<&'de RawValue>::deserialize(value)? {
            let text = raw.get().trim_matches('"');
            *place = Some(Self(text.parse().ok()));
        }
        Ok(())
    }
}

impl<'de> Field<'de> for u64 {
    fn read<D: Deserializer<'de>>(place: &mut Option<Self>, value: D) -> Result<(), D::Error> {
        moved(place, value)
    }
}

impl<'de> Field<'de> for bool {
    fn read<D: Deserializer<'de>>(place: &mut Option<Self>, value: D) -> Result<(), D::Error> {
        moved(place, value)
    }
}

impl<'de, T: Deserialize<'de>> Field<'de> for Vec<T> {
    fn read<D: Deserializer<'de>>(place: &mut Option<Self>, value: D) -> Result<(), D::Error> {
        moved(place, value)
    }
}

/// Reads a field into its place.
#[derive(Debug)]
pub(crate) struct FieldSeed<'p, T>(pub(crate) &'p mut Option<T>);

impl<'de, T: Field<'de>> DeserializeSeed<'de> for FieldSeed<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        T::read(self.0, value)
    }
}

/// Reads an object into its place.
#[derive(Debug)]
pub(crate) struct ObjectSeed<'p, T>(pub(crate) &'p mut T);

impl<'de, T: Object<'de>> DeserializeSeed<'de> for ObjectSeed<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        self.0.fill(value)
    }
}

/// Declares a struct that is read from a JSON object: every named field is optional and may be `null`, `a or b`
/// is a field of two names, the fields after `skip` are known and of no use, and what is left is kept in
/// `rest`.
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
            $vis rest: $crate::codec::partial_object::Rest<'a>,
        }

        impl<'de: 'a, 'a> serde::Deserialize<'de> for $name<'a> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut object = $name::default();
                $crate::codec::partial_object::Object::fill(&mut object, deserializer)?;
                Ok(object)
            }
        }

        impl<'de> $crate::codec::partial_object::Object<'de> for $name<'de> {
            fn fill<D: serde::Deserializer<'de>>(
                &mut self,
                deserializer: D,
            ) -> Result<(), D::Error> {
                struct Fields<'p, 'de>(&'p mut $name<'de>);

                impl<'de> serde::de::Visitor<'de> for Fields<'_, 'de> {
                    type Value = ();

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<(), A::Error> {
                        let object = self.0;
                        while let Some(toolwright_json::string::Text(key)) = map.next_key()? {
                            match &*key {
                                $(stringify!($field) $(| stringify!($other))? => {
                                    let place = &mut object.$field;
                                    map.next_value_seed($crate::codec::partial_object::FieldSeed(place))?;
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
                        Ok(())
                    }
                }

                deserializer.deserialize_map(Fields(self))
            }
        }
    };
}

pub(crate) use object;
