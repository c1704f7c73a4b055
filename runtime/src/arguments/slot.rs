//! Where decoded arguments rest until the function takes them.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error as _, MapAccess, Visitor},
    forward_to_deserialize_any,
};

/// The place of one argument.
pub trait Slot<'de> {
    /// What the function takes.
    type Value;

    /// Decodes the argument into the slot.
    ///
    /// # Errors
    ///
    /// When it does not fit.
    fn decode<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error>;

    /// Puts in the value for an argument that was left out. False if there is none.
    fn fill(&mut self) -> bool;

    /// Takes the value out.
    ///
    /// # Panics
    ///
    /// When the slot was neither decoded nor filled.
    fn into_value(self) -> Self::Value;
}

/// A slot whose value the function owns.
#[derive(Debug)]
pub struct Owned<T> {
    value: Option<T>,
    default: Option<fn() -> T>,
}

impl<T> Owned<T> {
    pub(super) fn new(default: Option<fn() -> T>) -> Self {
        Self {
            value: None,
            default,
        }
    }
}

impl<'de, T: Deserialize<'de>> Slot<'de> for Owned<T> {
    type Value = T;

    #[inline]
    fn decode<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        self.value = Some(T::deserialize(deserializer)?);
        Ok(())
    }

    #[inline]
    fn fill(&mut self) -> bool {
        self.value = match self.default {
            Some(default) => Some(default()),
            None => T::deserialize(LeftOut).ok(),
        };
        self.value.is_some()
    }

    #[inline]
    fn into_value(self) -> T {
        self.value
            .expect("every slot is decoded or filled before the values are taken")
    }
}

/// What serde's derive does for a field that is missing: only an `Option` accepts it.
struct LeftOut;

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

/// The slots of a function: a tuple.
pub trait Slots<'de> {
    /// What the function takes: a tuple.
    type Values;

    /// Decodes an argument by the place of its slot.
    ///
    /// # Errors
    ///
    /// When it does not fit.
    fn decode<D: Deserializer<'de>>(
        &mut self,
        place: usize,
        deserializer: D,
    ) -> Result<(), D::Error>;

    /// Fills a slot by its place. False if the argument may not be left out.
    fn fill(&mut self, place: usize) -> bool;

    /// Takes the values out.
    fn into_values(self) -> Self::Values;
}

macro_rules! slots {
    ($($slot:ident $place:tt),*) => {
        #[allow(non_snake_case, unused_variables, clippy::unused_unit)]
        impl<'de, $($slot: Slot<'de>),*> Slots<'de> for ($($slot,)*) {
            type Values = ($($slot::Value,)*);

            #[inline]
            fn decode<De: Deserializer<'de>>(
                &mut self,
                place: usize,
                deserializer: De,
            ) -> Result<(), De::Error> {
                match place {
                    $($place => self.$place.decode(deserializer),)*
                    _ => unreachable!("a place is found among the names, one for each slot"),
                }
            }

            #[inline]
            fn fill(&mut self, place: usize) -> bool {
                match place {
                    $($place => self.$place.fill(),)*
                    _ => unreachable!("a place is found among the names, one for each slot"),
                }
            }

            #[inline]
            fn into_values(self) -> Self::Values {
                let ($($slot,)*) = self;
                ($($slot.into_value(),)*)
            }
        }
    };
}

slots!();
slots!(A 0);
slots!(A 0, B 1);
slots!(A 0, B 1, C 2);
slots!(A 0, B 1, C 2, D 3);
slots!(A 0, B 1, C 2, D 3, E 4);
slots!(A 0, B 1, C 2, D 3, E 4, F 5);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);

/// Reads the arguments object into the slots.
pub(super) struct Object<'s, S> {
    names: &'static [&'static str],
    slots: &'s mut S,
}

impl<'s, S> Object<'s, S> {
    pub(super) fn new(names: &'static [&'static str], slots: &'s mut S) -> Self {
        Self { names, slots }
    }
}

impl<'de, S: Slots<'de>> Visitor<'de> for Object<'_, S> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        // One bit for each of at most 16 slots.
        let mut given = 0_u32;
        while let Some(place) = map.next_key_seed(Name(self.names))? {
            if given & (1 << place) != 0 {
                return Err(A::Error::duplicate_field(self.names[place]));
            }
            given |= 1 << place;
            map.next_value_seed(Place(place, &mut *self.slots))?;
        }
        for (place, name) in self.names.iter().enumerate() {
            if given & (1 << place) == 0 && !self.slots.fill(place) {
                return Err(A::Error::missing_field(name));
            }
        }
        Ok(())
    }
}

/// Finds the place of a name.
struct Name(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = usize;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a parameter")
    }

    #[inline]
    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<usize, E> {
        self.0
            .iter()
            .position(|known| *known == name)
            .ok_or_else(|| E::unknown_field(name, self.0))
    }
}

/// Decodes into the slot at a place.
struct Place<'s, S>(usize, &'s mut S);

impl<'de, S: Slots<'de>> DeserializeSeed<'de> for Place<'_, S> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.1.decode(self.0, deserializer)
    }
}
