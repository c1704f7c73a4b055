//! Text that is borrowed from the call where it can be.

use std::{
    borrow::{Borrow, Cow},
    fmt,
    path::Path,
};

use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};

use super::slot::Carry;

/// A text as it stands in the call, or a copy of one that is written with escapes there. (serde
/// itself always copies into a `Cow`.)
#[derive(Debug)]
pub struct Text<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

impl Borrow<str> for Text<'_> {
    #[inline]
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Borrow<Path> for Text<'_> {
    #[inline]
    fn borrow(&self) -> &Path {
        Path::new(&*self.0)
    }
}

impl<'de> Carry<Cow<'de, str>> for Text<'de> {
    #[inline]
    fn taken(self) -> Cow<'de, str> {
        self.0
    }
}

impl<'de> Carry<Option<Cow<'de, str>>> for Option<Text<'de>> {
    #[inline]
    fn taken(self) -> Option<Cow<'de, str>> {
        self.map(Text::taken)
    }
}
