//! Arguments that the function borrows.

use std::{borrow::Borrow, path::Path};

use serde::{Deserialize, Deserializer};
use toolwright_json::string::Text;

use super::slot::{FULL, Lend, Slot, left_out};
use crate::schema::ToolInput;

/// A type that a function may borrow. The slot holds a value for it.
pub trait Borrowable<'de> {
    /// The type that is decoded, and held while the function runs.
    type Decoded: Borrow<Self> + Deserialize<'de>;
    /// The owned type, whose schema it has.
    type Input: ToolInput;
}

#[diagnostic::do_not_recommend]
impl<'de, T: ToolInput + Deserialize<'de>> Borrowable<'de> for T {
    type Decoded = T;
    type Input = T;
}

#[diagnostic::do_not_recommend]
impl<'de, T: ToolInput + Deserialize<'de>> Borrowable<'de> for [T] {
    type Decoded = Vec<T>;
    type Input = Vec<T>;
}

#[diagnostic::do_not_recommend]
impl<'de> Borrowable<'de> for str {
    type Decoded = Text<'de>;
    type Input = String;
}

#[diagnostic::do_not_recommend]
impl<'de> Borrowable<'de> for Path {
    type Decoded = Text<'de>;
    type Input = String;
}

/// A slot that keeps a `K` while the function has `A`, a borrow of it.
#[derive(Debug)]
pub struct Borrowed<K, A> {
    kept: Option<K>,
    default: Option<fn() -> A>,
}

impl<K, A> Borrowed<K, A> {
    pub(crate) fn new(default: Option<fn() -> A>) -> Self {
        Self {
            kept: None,
            default,
        }
    }
}

impl<'de, K: Deserialize<'de>, A> Slot<'de> for Borrowed<K, A> {
    #[inline]
    fn decode<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        self.kept = Some(K::deserialize(deserializer)?);
        Ok(())
    }

    #[inline]
    fn fill(&mut self) -> bool {
        if self.default.is_some() {
            return true;
        }
        self.kept = left_out();
        self.kept.is_some()
    }
}

impl<K: Borrow<U>, U: ?Sized> Lend for Borrowed<K, &U> {
    type Value<'s>
        = &'s U
    where
        Self: 's;

    #[inline]
    fn lend(&mut self) -> &U {
        match &self.kept {
            Some(kept) => kept.borrow(),
            None => self.default.expect(FULL)(),
        }
    }
}

impl<K: Borrow<U>, U: ?Sized> Lend for Borrowed<Option<K>, Option<&U>> {
    type Value<'s>
        = Option<&'s U>
    where
        Self: 's;

    #[inline]
    fn lend(&mut self) -> Option<&U> {
        match &self.kept {
            Some(kept) => kept.as_ref().map(K::borrow),
            None => self.default.expect(FULL)(),
        }
    }
}
