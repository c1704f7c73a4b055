//! The keys that a type has as an object, for the check that flattened types do not share one.

use super::message::Message;

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
        let mut index = 0;
        while index < self.flattened.len() {
            if self.flattened[index].has_rest() {
                return true;
            }
            index += 1;
        }
        self.takes_rest
    }

    const fn contains(&self, name: &str) -> bool {
        let mut index = 0;
        while index < self.flattened.len() {
            if self.flattened[index].contains(name) {
                return true;
            }
            index += 1;
        }
        contains(self.own, name)
    }

    /// The first key that is also one of `other`.
    const fn shared_with(&self, other: &Self) -> Option<&'static str> {
        let mut index = 0;
        while index < self.own.len() {
            if other.contains(self.own[index]) {
                return Some(self.own[index]);
            }
            index += 1;
        }
        let mut index = 0;
        while index < self.flattened.len() {
            if let Some(name) = self.flattened[index].shared_with(other) {
                return Some(name);
            }
            index += 1;
        }
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
        let mut index = 0;
        while index < before.len() {
            if before[index].has_rest() {
                return Some(Self::MapBefore);
            }
            if keys.has_rest() && !before[index].flattened.is_empty() {
                return Some(Self::MapAfter);
            }
            if shared.is_none() {
                shared = keys.shared_with(&before[index]);
            }
            index += 1;
        }
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
    let mut index = 0;
    while index < names.len() {
        if equal(names[index], name) {
            return true;
        }
        index += 1;
    }
    false
}

/// Returns true if two texts are the same.
pub(crate) const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}
