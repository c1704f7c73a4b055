//! The way to a place in the arguments, written when it is needed.

use std::fmt;

use toolwright_json::path::key_text;

/// A place in the arguments: all of them, or a step from another place.
#[derive(Debug, Clone, Copy)]
pub(super) enum ArgumentPath<'a> {
    /// All arguments.
    Arguments,
    /// The value of a key.
    Key(&'a ArgumentPath<'a>, &'a str),
    /// The items of a list.
    Item(&'a ArgumentPath<'a>),
    /// The values of a map.
    Value(&'a ArgumentPath<'a>),
}

impl fmt::Display for ArgumentPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments => f.write_str("arguments"),
            Self::Key(outer, key) => write!(f, "{outer}{}", key_text(key)),
            Self::Item(outer) => write!(f, "{outer}[]"),
            Self::Value(outer) => write!(f, "{outer}.*"),
        }
    }
}
