//! Constraints on a value beyond its type: a range, a length, a pattern, a format.

pub(crate) mod check;
pub(crate) mod default;
mod form;
mod format;
mod literal;
mod pattern;

use std::marker::PhantomData;

use super::{Describe, Ends, Keys, Kind, Node, Paths, TypeFacts, each::any, untagged::Entries};

pub use form::Form;
pub(super) use form::narrowed;
pub use format::Format;
pub use literal::{Example, Number, Typed};
pub use pattern::Pattern;
#[cfg(feature = "regex")]
pub use pattern::compiled;

/// A constraint on a value, or an example of it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Constraint {
    /// A number is in a range.
    Range(Range),
    /// A text has so many characters (Unicode scalar values), a list so many items, a map so many
    /// entries.
    Length(Length),
    /// A text has a part that a regular expression matches.
    Pattern(Pattern),
    /// A text is of a format that JSON Schema knows by name.
    Format(Format),
    /// A number is not 0. Its type sees to that.
    NotZero,
    /// Nothing: the value is one that a model might send.
    Example(Example),
}

/// The limits of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The least.
    pub start: Option<Number>,
    /// The greatest, or the first that is too great.
    pub end: Option<Number>,
    /// True if the end is the first number that is too great.
    pub is_half_open: bool,
}

/// The limits of a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// The least.
    pub minimum: Option<usize>,
    /// The greatest.
    pub maximum: Option<usize>,
}

impl Range {
    /// The least and the greatest whole number. Limits of whole numbers are whole.
    pub(crate) const fn integers(self) -> (Option<i128>, Option<i128>) {
        let end = whole(self.end);
        let end = match end {
            Some(end) if self.is_half_open => Some(end.saturating_sub(1)),
            _ => end,
        };
        (whole(self.start), end)
    }

    /// Returns true if an integer is in it.
    pub(crate) const fn has_integer(self, number: i128) -> bool {
        let (minimum, maximum) = self.integers();
        !matches!(minimum, Some(minimum) if number < minimum)
            && !matches!(maximum, Some(maximum) if number > maximum)
    }

    /// Returns true if a number can be in both.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.starts_before_the_end_of(other) && other.starts_before_the_end_of(self)
    }

    const fn starts_before_the_end_of(self, other: Self) -> bool {
        match (self.start, other.end) {
            (Some(start), Some(end)) if other.is_half_open => start.as_float() < end.as_float(),
            (Some(start), Some(end)) => start.as_float() <= end.as_float(),
            _ => true,
        }
    }

    /// Returns true if a number is in it.
    pub(crate) const fn has_float(self, number: f64) -> bool {
        let below = match self.end {
            Some(end) if self.is_half_open => number < end.as_float(),
            Some(end) => number <= end.as_float(),
            None => true,
        };
        below && !matches!(self.start, Some(start) if number < start.as_float())
    }
}

const fn whole(limit: Option<Number>) -> Option<i128> {
    match limit {
        Some(Number::Integer(number)) => Some(number),
        _ => None,
    }
}

impl Length {
    /// Returns true if a length is within it.
    pub(crate) const fn has(self, length: usize) -> bool {
        !matches!(self.minimum, Some(minimum) if length < minimum)
            && !matches!(self.maximum, Some(maximum) if length > maximum)
    }

    /// Returns true if a length can be within both.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.starts_before_the_end_of(other) && other.starts_before_the_end_of(self)
    }

    const fn starts_before_the_end_of(self, other: Self) -> bool {
        !matches!((self.minimum, other.maximum), (Some(least), Some(most)) if least > most)
    }

    /// So many, but not `end`.
    pub const fn before(start: Option<usize>, end: usize) -> Self {
        match end.checked_sub(1) {
            Some(maximum) => Self {
                minimum: start,
                maximum: Some(maximum),
            },
            // No length is less than nothing.
            None => Self {
                minimum: Some(1),
                maximum: Some(0),
            },
        }
    }
}

/// Returns true if any of them is checked when a call arrives.
pub(super) const fn any_enforced(constraints: &[Constraint]) -> bool {
    any!(constraints, |one| !matches!(
        one,
        Constraint::Example(_) | Constraint::NotZero
    ))
}

/// The constraints of one place.
pub trait Constraints {
    /// All of them.
    const ALL: &'static [Constraint];
}

/// The value that `B` describes, under the constraints `C`.
#[derive(Debug)]
pub struct Constrained<B, C>(PhantomData<fn() -> (B, C)>);

impl<B: Describe, C: Constraints> Describe for Constrained<B, C> {
    const FACTS: TypeFacts = B::FACTS.constrained(C::ALL);
    const PATHS: Paths = B::PATHS;
    const KEYS: Keys = B::KEYS;
    const ENTRIES: Option<Entries> = B::ENTRIES;
    const MAY_BE_LEFT_OUT: bool = B::MAY_BE_LEFT_OUT;

    fn node() -> &'static Node {
        const {
            &Node::new(Kind::Constrained {
                node: B::node,
                constraints: C::ALL,
            })
            .knowing(Self::FACTS)
        }
    }
}

impl<B: Ends, C: Constraints> Ends for Constrained<B, C> {}
