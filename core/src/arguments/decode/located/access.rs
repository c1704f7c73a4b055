//! The parts of objects, lists and tagged values, each with its step of the path.

use std::borrow::Cow;

use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeSeed, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
        VariantAccess, Visitor,
    },
};
use toolwright_json::path::Step;

use super::{Located, key::Key};
use crate::arguments::explain::fault::Fault;

/// The fields of an object, in order, also those that come twice.
pub(super) struct Fields<'de> {
    rest: std::vec::IntoIter<(Cow<'de, str>, &'de str)>,
    value: Option<(Cow<'de, str>, &'de str)>,
}

impl<'de> Fields<'de> {
    pub(super) fn of(parent: Located<'de>) -> Result<Self, Fault> {
        Ok(Self {
            rest: parent.pairs()?.into_iter(),
            value: None,
        })
    }
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        self.value = self.rest.next();
        let Some((key, _)) = &self.value else {
            return Ok(None);
        };
        seed.deserialize(Key(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let (key, text) = self
            .value
            .take()
            .ok_or_else(|| Fault::custom("a value was read before its key"))?;
        seed.deserialize(Located::new(text))
            .map_err(|fault| fault.with_text(text).inside(Step::Key(key.into_owned())))
    }
}

/// The items of a list.
pub(super) struct Items<'de> {
    rest: std::iter::Enumerate<std::vec::IntoIter<&'de str>>,
}

impl<'de> Items<'de> {
    pub(super) fn of(parent: Located<'de>) -> Result<Self, Fault> {
        Ok(Self {
            rest: parent.items()?.into_iter().enumerate(),
        })
    }

    /// Reads the items. None may be left over, or a pair would accept three.
    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        let value = visitor.visit_seq(&mut self)?;
        match self.rest.next() {
            None => Ok(value),
            Some((index, _)) => Err(Fault::expected(format!("a list of {index}"))),
        }
    }
}

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some((index, text)) = self.rest.next() else {
            return Ok(None);
        };
        seed.deserialize(Located::new(text))
            .map(Some)
            .map_err(|fault| fault.with_text(text).inside(Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// An object of one key: a variant with its data.
pub(super) struct Tagged<'de> {
    name: String,
    content: Located<'de>,
}

impl<'de> Tagged<'de> {
    pub(super) fn of(parent: Located<'de>) -> Result<Self, Fault> {
        match <[_; 1]>::try_from(parent.pairs()?) {
            Ok([(name, content)]) => Ok(Self {
                name: name.into_owned(),
                content: Located::new(content),
            }),
            Err(_) => Err(Fault::expected("an object with exactly one key")),
        }
    }

    fn read<T>(self, read: impl FnOnce(Located<'de>) -> Result<T, Fault>) -> Result<T, Fault> {
        read(self.content).map_err(|fault| fault.inside(Step::Key(self.name)))
    }
}

impl<'de> EnumAccess<'de> for Tagged<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let variant = seed.deserialize(self.name.as_str().into_deserializer())?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Tagged<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        self.read(<()>::deserialize)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        self.read(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.read(|content| content.deserialize_any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.read(|content| content.deserialize_any(visitor))
    }
}
