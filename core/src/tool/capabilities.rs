//! The capabilities that a tool needs from the application that runs it.

use std::{
    fmt,
    ops::{BitAnd, BitOr, BitOrAssign},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A set of capabilities: those that a tool needs from the application that runs it, or those that an
/// application grants.
///
/// A tool that needs more than is granted is neither shown to the model nor callable. Nothing is
/// sandboxed: a capability is the word of the tool's author.
///
/// ```
/// use toolwright::tool::Capabilities;
///
/// const PAYMENTS: Capabilities = Capabilities::application(0);
///
/// let granted = Capabilities::NETWORK | PAYMENTS;
/// assert!(granted.contains(PAYMENTS));
/// assert!(!granted.contains(Capabilities::SHELL | PAYMENTS));
/// assert_eq!(granted.to_string(), "network, application_0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Capabilities(u32);

/// The bit of the first capability that applications name themselves.
const APPLICATION: u32 = 16;

impl Capabilities {
    /// None.
    pub const NONE: Self = Self(0);
    /// Connects to other machines.
    pub const NETWORK: Self = Self(1);
    /// Reads or writes files.
    pub const FILESYSTEM: Self = Self(1 << 1);
    /// Reads or writes a database.
    pub const DATABASE: Self = Self(1 << 2);
    /// Runs other programs.
    pub const SHELL: Self = Self(1 << 3);
    /// Every capability that there is.
    pub const ALL: Self = Self(0xF | (0xFFFF << APPLICATION));

    const NAMED: [(Self, &'static str); 4] = [
        (Self::NETWORK, "network"),
        (Self::FILESYSTEM, "filesystem"),
        (Self::DATABASE, "database"),
        (Self::SHELL, "shell"),
    ];

    /// A capability that an application names itself, one of 16.
    ///
    /// # Panics
    ///
    /// When the number is above 15: in a constant, this is a compile error.
    pub const fn application(number: u32) -> Self {
        assert!(
            number < 16,
            "the number of an application's capability is 0 to 15"
        );
        Self(1 << (APPLICATION + number))
    }

    /// These and the others.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if these include all of the others.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These without the others.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns true if there is no capability.
    pub const fn is_empty(&self) -> bool {
        self.0 == 0
    }

    fn names(self) -> impl Iterator<Item = String> {
        let named = Self::NAMED
            .into_iter()
            .filter(move |(capability, _)| self.contains(*capability))
            .map(|(_, name)| name.to_owned());
        let own = (0..16)
            .filter(move |&number| self.contains(Self::application(number)))
            .map(|number| format!("application_{number}"));
        named.chain(own)
    }

    fn named(name: &str) -> Option<Self> {
        let named = Self::NAMED.into_iter().find(|(_, known)| *known == name);
        named.map(|(capability, _)| capability).or_else(|| {
            let number = name.strip_prefix("application_")?.parse().ok()?;
            (number < 16).then(|| Self::application(number))
        })
    }
}

impl BitOr for Capabilities {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl BitOrAssign for Capabilities {
    fn bitor_assign(&mut self, other: Self) {
        *self = self.union(other);
    }
}

impl BitAnd for Capabilities {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Their names, with commas between.
impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Debug for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// A list of names.
impl Serialize for Capabilities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}

impl<'de> Deserialize<'de> for Capabilities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        names.iter().try_fold(Self::NONE, |all, name| {
            let known = Self::named(name);
            let known =
                known.ok_or_else(|| D::Error::custom(format!("unknown capability `{name}`")));
            Ok(all | known?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_survives_its_stored_form() {
        let own = (0..16).map(Capabilities::application);
        let named = Capabilities::NAMED.map(|(capability, _)| capability);
        let mut all = Capabilities::NONE;
        for capability in named.into_iter().chain(own) {
            all |= capability;
            for set in [capability, all] {
                let text = serde_json::to_string(&set).expect("serialises");
                let back: Capabilities = serde_json::from_str(&text).expect("reads");
                assert_eq!(back, set, "{text}");
            }
        }
        assert_eq!(all, Capabilities::ALL);
        assert!(serde_json::from_str::<Capabilities>(r#"["flight"]"#).is_err());
    }
}
