//! JSON objects of which we know some fields and keep the rest.

use std::borrow::Cow;

use serde::de::Error as _;
use serde_json::{Map, Value, value::RawValue};
use toolwright_json::{
    bounded::parse_bounded,
    raw::Raw,
    reader::{Reader, Unexpected},
};

/// Fields that have no name here and are not `null`, as they came.
pub(crate) type Rest<'a> = Vec<(Cow<'a, str>, Raw<'a>)>;

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

/// An object that is read in its place. Such structs are large and hold one another: moved out of every
/// level, they cost as much as the reading itself.
pub(crate) trait Object<'t>: Default {
    /// Reads the fields of an object.
    fn fill(&mut self, reader: &mut Reader<'t>) -> Result<(), Unexpected>;
}

/// Returns the object that a text is.
pub(crate) fn parse<'t, T: Object<'t>>(json: &'t str) -> Result<T, serde_json::Error> {
    let mut object = T::default();
    read_by(json, |reader| object.fill(reader)).map(|()| object)
}

/// Returns the list of objects that a text is.
pub(crate) fn parse_list<'t, T: Element<'t>>(json: &'t str) -> Result<Vec<T>, serde_json::Error> {
    let mut list = Vec::new();
    read_by(json, |reader| read_items(reader, &mut list)).map(|()| list)
}

fn read_by<'t>(
    json: &'t str,
    read: impl FnOnce(&mut Reader<'t>) -> Result<(), Unexpected>,
) -> Result<(), serde_json::Error> {
    let mut reader = Reader::new(json);
    let result = read(&mut reader).and_then(|()| reader.end());
    result.map_err(|error| error_of(json, error))
}

/// The error of a text that cannot be read: that of the JSON, with the line, or that of its shape.
#[cold]
fn error_of(json: &str, Unexpected { expected, at }: Unexpected) -> serde_json::Error {
    let is_json = serde_json::from_str::<&RawValue>(json);
    is_json.err().unwrap_or_else(|| {
        serde_json::Error::custom(format_args!("{expected} was expected at byte {at}"))
    })
}

/// A value that stands in a field of an object.
pub(crate) trait Field<'t>: Sized {
    /// Reads it; `null` leaves the place as it is.
    fn read(place: &mut Option<Self>, reader: &mut Reader<'t>) -> Result<(), Unexpected>;
}

impl<'t, T: Object<'t>> Field<'t> for T {
    #[inline]
    fn read(place: &mut Option<Self>, reader: &mut Reader<'t>) -> Result<(), Unexpected> {
        if reader.null() {
            return Ok(());
        }
        place.insert(T::default()).fill(reader)
    }
}

impl<'t> Field<'t> for Raw<'t> {
    #[inline]
    fn read(place: &mut Option<Self>, reader: &mut Reader<'t>) -> Result<(), Unexpected> {
        let value = reader.value()?;
        if !value.is_null() {
            *place = Some(value);
        }
        Ok(())
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

impl<'t> Field<'t> for Index {
    fn read(place: &mut Option<Self>, reader: &mut Reader<'t>) -> Result<(), Unexpected> {
        let value = reader.value()?;
        if !value.is_null() {
            *place = Some(Self(value.plain().unwrap_or(value.get()).parse().ok()));
        }
        Ok(())
    }
}

impl<'t> Field<'t> for bool {
    fn read(place: &mut Option<Self>, reader: &mut Reader<'t>) -> Result<(), Unexpected> {
        match reader.value()?.get() {
            "null" => {}
            "true" => *place = Some(true),
            "false" => *place = Some(false),
            _ => return Err(reader.unexpected("`true` or `false`")),
        }
        Ok(())
    }
}

impl<'t, T: Element<'t>> Field<'t> for Vec<T> {
    fn read(place: &mut Option<Self>, reader: &mut Reader<'t>) -> Result<(), Unexpected> {
        if reader.null() {
            return Ok(());
        }
        read_items(reader, place.insert(Vec::new()))
    }
}

fn read_items<'t, T: Element<'t>>(
    reader: &mut Reader<'t>,
    list: &mut Vec<T>,
) -> Result<(), Unexpected> {
    reader.items(|reader| {
        list.push(T::item(reader)?);
        Ok(())
    })
}

/// A value that stands in a list.
pub(crate) trait Element<'t>: Sized {
    /// Reads one.
    fn item(reader: &mut Reader<'t>) -> Result<Self, Unexpected>;
}

impl<'t, T: Object<'t>> Element<'t> for T {
    fn item(reader: &mut Reader<'t>) -> Result<Self, Unexpected> {
        let mut object = T::default();
        object.fill(reader).map(|()| object)
    }
}

impl<'t> Element<'t> for Raw<'t> {
    fn item(reader: &mut Reader<'t>) -> Result<Self, Unexpected> {
        reader.value()
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

        impl<'a> $crate::codec::partial_object::Object<'a> for $name<'a> {
            fn fill(
                &mut self,
                reader: &mut toolwright_json::reader::Reader<'a>,
            ) -> Result<(), toolwright_json::reader::Unexpected> {
                reader.members(|reader, key| {
                    match &*key {
                        $(stringify!($field) $(| stringify!($other))? => {
                            return $crate::codec::partial_object::Field::read(&mut self.$field, reader);
                        })*
                        $(stringify!($skip) => {
                            reader.value()?;
                        })*
                        _ => {
                            let value = reader.value()?;
                            if !value.is_null() {
                                self.rest.push((key, value));
                            }
                        }
                    }
                    Ok(())
                })
            }
        }
    };
}

pub(crate) use object;
