//! The way to a place in the arguments, written when it is needed.

use std::fmt;

/// How many characters of a key are shown.
const SHOWN_CHARS: usize = 60;

/// A place in the arguments: all of them, or a step from another place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'a> {
    /// All arguments.
    Arguments,
    /// The value of a key.
    Key(&'a Place<'a>, &'a str),
    /// The items of a list.
    Item(&'a Place<'a>),
    /// The values of a map.
    Value(&'a Place<'a>),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments => f.write_str("arguments"),
            Self::Key(outer, key) if is_plain(key) => write!(f, "{outer}.{}", start(key)),
            Self::Key(outer, key) => write!(f, "{outer}[{:?}]", start(key)),
            Self::Item(outer) => write!(f, "{outer}[]"),
            Self::Value(outer) => write!(f, "{outer}.*"),
        }
    }
}

/// The start of a text that may be long.
pub(super) fn start(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
