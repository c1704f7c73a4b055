//! Lists that nearly always hold one thing.

use std::{fmt, iter::Chain, marker::PhantomData, option, slice, vec};

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};

/// A list that keeps its first item without an allocation.
#[derive(Debug)]
pub(crate) struct Few<T> {
    first: Option<T>,
    others: Vec<T>,
}

impl<T> Few<T> {
    /// Adds an item.
    pub(crate) fn push(&mut self, item: T) {
        match self.first {
            None => self.first = Some(item),
            Some(_) => self.others.push(item),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub(crate) fn iter(&self) -> Chain<option::Iter<'_, T>, slice::Iter<'_, T>> {
        self.first.iter().chain(&self.others)
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self {
            first: None,
            others: Vec::new(),
        }
    }
}

impl<T> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = Chain<option::IntoIter<T>, vec::IntoIter<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.first.into_iter().chain(self.others)
    }
}

impl<'t, T: Deserialize<'t>> Deserialize<'t> for Few<T> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read<T>(PhantomData<T>);

        impl<'t, T: Deserialize<'t>> Visitor<'t> for Read<T> {
            type Value = Few<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'t>>(self, mut items: A) -> Result<Few<T>, A::Error> {
                let mut few = Few::default();
                while let Some(item) = items.next_element()? {
                    few.push(item);
                }
                Ok(few)
            }
        }

        deserializer.deserialize_seq(Read(PhantomData))
    }
}
