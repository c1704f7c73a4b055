//! The arguments object of a function, read straight into its slots.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error as _, MapAccess, Visitor},
};

use toolwright_json::string::is_same;

use super::slot::Slots;

/// Reads the arguments object into the slots.
pub(crate) struct Object<'s, S> {
    names: &'static [&'static str],
    slots: &'s mut S,
}

impl<'s, S> Object<'s, S> {
    pub(crate) fn new(names: &'static [&'static str], slots: &'s mut S) -> Self {
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
        let names = self.names;
        let mut next = 0;
        while let Some(place) = map.next_key_seed(Name { names, next })? {
            next = place + 1;
            if given & (1 << place) != 0 {
                return Err(A::Error::duplicate_field(self.names[place]));
            }
            given |= 1 << place;
            map.next_value_seed(SlotAt(place, &mut *self.slots))?;
        }
        if given.count_ones() as usize == names.len() {
            return Ok(());
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
struct Name {
    names: &'static [&'static str],
    /// The most likely place of the next argument: models write arguments in the order of the schema.
    next: usize,
}

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
        let next = self.names.get(self.next);
        if next.is_some_and(|next| is_same(next, name)) {
            return Ok(self.next);
        }
        self.names
            .iter()
            .position(|known| is_same(known, name))
            // The schema lists the known ones.
            .ok_or_else(|| E::custom(format_args!("unknown argument `{name}`")))
    }
}

/// Decodes into the slot at a place.
struct SlotAt<'s, S>(usize, &'s mut S);

impl<'de, S: Slots<'de>> DeserializeSeed<'de> for SlotAt<'_, S> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.1.decode(self.0, deserializer)
    }
}
