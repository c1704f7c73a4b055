//! A check for a value in the place of a list: it may be one item of it.

use serde_json::{Map, Value};
use toolwright_json::pairs::{items, pairs};

use super::parts::of_every_item;

/// The words that stand for nothing in one language or another, in small letters.
const NOTHING: [&str; 14] = [
    "null",
    "none",
    "nil",
    "undefined",
    "undef",
    "nan",
    "na",
    "n/a",
    "nothing",
    "nullptr",
    "void",
    "empty",
    "unset",
    "missing",
];

/// Returns true if a value may be one item of a list, and nothing else. A string of several words, or with a
/// separator of any script, may be several items. One that begins with a bracket may be a list, and a string without
/// content may be no item. An object may be a wrapper around the items.
pub(super) fn is_one_item(schema: &Map<String, Value>, text: &str, says: Option<&str>) -> bool {
    let Some(item) = of_every_item(schema) else {
        return false;
    };
    if let Some(says) = says {
        // A text that the schema lists is known to be an item.
        let is_listed = item.get("enum").is_some() || item.get("const").is_some();
        return says_something(says) && (is_listed || is_one_word(says));
    }
    if let Ok(pairs) = pairs(text) {
        return match pairs.as_slice() {
            [] => false,
            [(_, only)] => !only.starts_with('['),
            pairs => !pairs.iter().all(|(key, _)| is_index(key)),
        };
    }
    text != "null" && items(text).is_err()
}

fn says_something(says: &str) -> bool {
    let word = says.trim();
    !word.is_empty()
        && !NOTHING
            .iter()
            .any(|nothing| word.eq_ignore_ascii_case(nothing))
}

/// Returns true if nothing in a string can separate items. `:/` is a separator between paths.
fn is_one_word(says: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || "_-.:/@#'*$%=?~".contains(char);
    let is_start = |char: char| is_part(char) && char != '\'';
    says.starts_with(is_start)
        && says.contains(char::is_alphanumeric)
        && says.chars().all(is_part)
        && !says.replace("://", "").contains(":/")
}

fn is_index(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit())
}
