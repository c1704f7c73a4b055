//! Ownership of a part when a closing bracket is missing, or is one too many.
//!
//! A bracket that is missing at the end may as well be missing further in, and then the parts behind that
//! place belong to a list or an object further out. One that is too many at the end may as well stand
//! further in, and then parts belong further in. There is one reading where no part could change its owner.

/// The number of brackets that have to be closed from inside a list or an object until a part may go on: a part of an
/// object in an object, an item in a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct BracketDistance {
    to_same: usize,
    to_other: usize,
}

impl BracketDistance {
    /// Returns the numbers for a list or an object that starts with a bracket, inside another one.
    pub(super) fn inside(outer: Option<(char, Self)>, bracket: char) -> Self {
        match outer {
            None => Self {
                to_same: usize::MAX,
                to_other: usize::MAX,
            },
            Some((same, around)) if same == bracket => Self {
                to_same: 1,
                to_other: around.to_other.saturating_add(1),
            },
            Some((_, around)) => Self {
                to_same: around.to_other.saturating_add(1),
                to_other: 1,
            },
        }
    }
}

/// The state of the reader that decides whether the owner of a part is clear.
#[derive(Debug)]
pub(super) struct Owners {
    /// The least number of missing brackets at which a part may belong further out.
    missing: usize,
    /// The bracket that closed the last value, if it is a list or an object.
    last: Option<char>,
    /// True if a part follows an object in an object, and an item a list in a list.
    behind_same: [bool; 2],
    /// True if a part follows a list or an object at all.
    behind_any: bool,
    /// The number of brackets that were too many so far.
    strays: usize,
}

impl Default for Owners {
    fn default() -> Self {
        Self {
            missing: usize::MAX,
            last: None,
            behind_same: [false; 2],
            behind_any: false,
            strays: 0,
        }
    }
}

impl Owners {
    /// A value begins.
    pub(super) fn value(&mut self) {
        self.last = None;
    }

    /// A list or an object that began with this bracket is closed.
    pub(super) fn closed(&mut self, bracket: char) {
        self.last = Some(bracket);
    }

    /// Another part begins in a list or an object.
    pub(super) fn part_after(&mut self, around: BracketDistance, bracket: char) {
        self.missing = self.missing.min(around.to_same);
        if let Some(last) = self.last {
            self.behind_any = true;
            self.behind_same[usize::from(last == '[')] |= last == bracket;
        }
    }

    /// Returns true if parts may belong to others when so many closing brackets are missing.
    pub(super) fn may_differ_by_missing(&self, brackets: usize) -> bool {
        self.missing <= brackets
    }

    /// Returns true if parts may belong to others when this closing bracket is also too many.
    pub(super) fn may_differ_by_stray(&mut self, bracket: char) -> bool {
        let is_list = match bracket {
            '}' => false,
            ']' => true,
            _ => return false,
        };
        self.strays += 1;
        self.behind_same[usize::from(is_list)] || self.strays > 1 && self.behind_any
    }
}
