//! The way to a place in the arguments, written when it is needed.

use std::{fmt, io};

use serde_json::Value;
use toolwright_json::path::{QUOTED_CHARS, cut, key_text};

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
            Self::Key(outer, key) => write!(f, "{outer}{}", key_text(key)),
            Self::Item(outer) => write!(f, "{outer}[]"),
            Self::Value(outer) => write!(f, "{outer}.*"),
        }
    }
}

/// The start of a value, as JSON. No more of it is written than is shown.
pub(super) fn start_of_json(value: &Value) -> String {
    let mut text = Start(Vec::new());
    // The rest is not asked for, which is no failure.
    let _ = serde_json::to_writer(&mut text, value);
    cut(&String::from_utf8_lossy(&text.0))
}

/// Takes the start of what is written, and then no more.
struct Start(Vec<u8>);

impl io::Write for Start {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A character has at most four bytes, and one more shows that there is more.
        let room = (4 * QUOTED_CHARS + 4).saturating_sub(self.0.len());
        let taken = &bytes[..bytes.len().min(room)];
        self.0.extend_from_slice(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::start_of_json;

    #[test]
    fn the_start_of_a_value_is_shown() {
        assert_eq!(start_of_json(&json!([1, "ä"])), "[1,\"ä\"]");
        let long = start_of_json(&json!("🦀".repeat(100)));
        assert_eq!(long, format!("\"{}…", "🦀".repeat(59)));
        assert_eq!(start_of_json(&json!(vec![0; 100])).chars().count(), 61);
    }
}
