//! The keys that a type has as an object, for the check that flattened types do not share one.

use super::message::Message;
use crate::schema::each::{any, each};

/// The keys of a type. Only names: the types behind them stay out of the constant.
#[derive(Debug, Clone, Copy)]
pub struct Keys {
    /// The keys of the type itself, with their aliases.
    pub own: &'static [&'static str],
    /// The keys in the model's schema: without aliases.
    pub sent: &'static [&'static str],
    /// The keys of the types that are flattened into it.
    pub flattened: &'static [Keys],
    /// True if it takes every key that is left: it is a map.
    pub takes_rest: bool,
}

impl Keys {
    /// A type that is not an object.
    pub const NONE: Self = Self {
        own: &[],
        sent: &[],
        flattened: &[],
        takes_rest: false,
    };

    pub(crate) const REST: Self = Self {
        takes_rest: true,
        ..Self::NONE
    };

    const fn has_rest(&self) -> bool {
        self.takes_rest || any!(self.flattened, |inner| inner.has_rest())
    }

    const fn contains(&self, name: &str) -> bool {
        contains(self.own, name) || any!(self.flattened, |inner| inner.contains(name))
    }

    /// The first key that is also one of `other`.
    const fn shared_with(&self, other: &Self) -> Option<&'static str> {
        each!(name in self.own => {
            if other.contains(name) {
                return Some(name);
            }
        });
        each!(inner in self.flattened => {
            if let Some(name) = inner.shared_with(other) {
                return Some(name);
            }
        });
        None
    }
}

/// The reason why a type cannot be flattened into an object with other fields.
#[derive(Debug, Clone, Copy)]
pub enum Clash {
    /// They share this key.
    Key(&'static str),
    /// A flattened map comes before it.
    MapBefore,
    /// It is a map, and gets the keys of a type before it.
    MapAfter,
    /// It is not flattened: it is in an enum without a tag, and has constraints.
    Constrained,
}

impl Clash {
    /// Returns the error of a type that is flattened into an object with these keys, after other types.
    pub const fn of(keys: Keys, own: &'static [&'static str], before: &[Keys]) -> Option<Self> {
        let own = Keys { own, ..Keys::NONE };
        let mut shared = keys.shared_with(&own);
        each!(earlier in before => {
            if earlier.has_rest() {
                return Some(Self::MapBefore);
            }
            if keys.has_rest() && !earlier.flattened.is_empty() {
                return Some(Self::MapAfter);
            }
            if shared.is_none() {
                shared = keys.shared_with(earlier);
            }
        });
        match shared {
            Some(name) => Some(Self::Key(name)),
            None => None,
        }
    }

    /// Adds the error, and the way to correct it.
    pub(crate) const fn message(self, message: Message) -> Message {
        match self {
            Self::Key(name) => message
                .text("has the key `")
                .text(name)
                .text("`, which is here already: rename one of them"),
            Self::Constrained => message.text(
                "stands in an `untagged` enum, which takes the first variant whose type fits, \
                 whether it keeps constraints or not: remove `untagged`, or the constraints",
            ),
            Self::MapBefore => message.text(
                "stands after a flattened map, which takes its keys too: move the map to the end",
            ),
            Self::MapAfter => message.text(
                "is a map that also gets the keys of a type before it, because types are flattened into that: write its fields out",
            ),
        }
    }
}

/// Checks a type that is flattened into an object with other fields.
///
/// # Panics
///
/// When it cannot.
#[track_caller]
pub const fn check_flattened(keys: Keys, own: &'static [&'static str], before: &[Keys]) {
    if let Some(clash) = Clash::of(keys, own, before) {
        let message = clash.message(Message::new().text("this type "));
        panic!("{}", message.as_str());
    }
}

/// Returns true if a name is among others.
pub(crate) const fn contains(names: &[&str], name: &str) -> bool {
    any!(names, |other| equal(other, name))
}

/// Returns true if two texts are the same.
pub(crate) const fn equal(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let ([first, after @ ..], [other, others @ ..]) = (a, b)
        && *first == *other
    {
        (a, b) = (after, others);
    }
    a.is_empty() && b.is_empty()
}
