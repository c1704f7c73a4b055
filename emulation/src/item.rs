//! The ways in which a call is written: where it begins, where it ends, and what it says.

pub(crate) mod keys;
pub(crate) mod tags;

/// The number of bytes that are looked at to tell what begins: names and keys are shorter.
const LOOKAHEAD: usize = 256;

/// Tells if an item begins at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begins {
    Yes,
    No,
    /// A longer text decides it.
    Unknown,
}

impl Begins {
    pub(crate) fn when(is_so: bool) -> Self {
        if is_so { Self::Yes } else { Self::No }
    }
}

/// The state of a scan for the end of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scan {
    /// The text ends first.
    More,
    /// The position behind the item.
    End(usize),
    /// The position where the item goes wrong.
    Failed(usize),
}
