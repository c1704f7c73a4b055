//! A step on the way to a place in the arguments.

/// A step on the way to a place in the arguments.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Into the value of a key.
    Key(String),
    /// Into an item of a list, from 0.
    Index(usize),
}
