//! JSON of a provider that is kept as a value.

use crate::nesting::nesting;
use serde::de::DeserializeOwned;

use crate::surrogates::mended;

/// The maximum number of levels. A response is stored inside a conversation, and the conversation inside the
/// data of a program. All of that has to be read again, and readers stop at 128 levels.
const LEVELS: usize = 96;

/// Reads a value as it is kept; `None` for one that cannot be read, or is nested too deep to be stored.
pub fn parse_bounded<T: DeserializeOwned>(json: &str) -> Option<T> {
    parse(json, false)
}

/// A value whose texts are pieces: halves of characters at their edges stay.
pub fn parse_bounded_pieces<T: DeserializeOwned>(json: &str) -> Option<T> {
    parse(json, true)
}

fn parse<T: DeserializeOwned>(json: &str, edges: bool) -> Option<T> {
    if json.len() > LEVELS && nesting(json) > LEVELS {
        return None;
    }
    serde_json::from_str(json)
        .or_else(|_| serde_json::from_str(&mended(json, edges)))
        .ok()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{LEVELS, parse_bounded};

    #[test]
    fn what_is_nested_too_deep_is_not_kept() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(parse_bounded::<Value>(&nested(LEVELS)).is_some());
        assert!(parse_bounded::<Value>(&nested(LEVELS + 1)).is_none());
        assert!(parse_bounded::<Value>("[1").is_none());
    }
}
