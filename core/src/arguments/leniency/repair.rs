//! Repair of text that is nearly JSON: the mistakes that models make, each with its one reading.
//!
//! It is a reader that also takes what JSON does not, and says what it took. It never looks for the
//! reading that fits best: where the text can be read in two ways, or where it is cut off inside of a
//! value, it is refused. What makes this safe for strings is that a quote that is missing, or that
//! stands inside of a string without its backslash, turns text into string and string into text from
//! there on; text that is no JSON then follows a quote, and is refused.
//!
//! One pass, without recursion; the text is never looked at twice.

mod owner;
mod reader;

use std::borrow::Cow;

use toolwright_json::portable::is_portable;

use super::changes::Changes;
use crate::{
    arguments::MAX_NESTING,
    tool::{ArgumentChange, ChangeKind},
};
use reader::Reader;

/// JSON, and what was changed to make it that.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired<'t> {
    /// The JSON text; the text itself where it was JSON before.
    pub text: Cow<'t, str>,
    /// The changes, in the order of the text; empty if it was JSON before.
    pub changes: Vec<ArgumentChange>,
    /// True if brackets were closed at the end. The existing parts are whole, but more may have been meant to come.
    pub is_cut_off: bool,
    /// The starts of the numbers and literals in the JSON that are not written as they came.
    pub(crate) respelled: Vec<usize>,
}

/// The reason why text is not repaired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
#[non_exhaustive]
pub struct Unrepairable {
    /// The place of the fault: `arguments.range.start`.
    pub path: String,
    /// The fault: a part that has no reading, or more than one.
    pub reason: String,
}

/// Repairs an object or a list that is nearly JSON, as models write it: in a code fence, with quotes
/// of another kind or with none around keys, with comments, trailing or missing commas, line breaks in
/// strings, Python's literals. JSON comes through unchanged.
///
/// Where a text has two readings it has none here, and a value that the text cuts off is never
/// completed. Brackets are closed only where everything that stands in the text is whole and nothing
/// of it could belong to another object or list, and [`Repaired::is_cut_off`] says so. It takes time in
/// proportion to the text.
///
/// ```
/// use toolwright::arguments::{ChangeKind, repair_json};
///
/// let repaired = repair_json("{city: 'Oslo', \"days\": 3,}")?;
/// assert_eq!(repaired.text, r#"{"city":"Oslo","days":3}"#);
/// assert_eq!(repaired.changes[0].to_string(), "arguments.city: a key was put into quotes");
///
/// let error = repair_json(r#"{"city": "Os"#).unwrap_err();
/// assert_eq!(error.to_string(), "arguments.city: the text ends inside a string");
/// # Ok::<(), toolwright::arguments::Unrepairable>(())
/// ```
///
/// # Errors
///
/// Where the text cannot be read, or not in one way only; numbers that no float holds, halves of
/// characters, and arrays and objects that are nested more than 127 deep.
pub fn repair_json(text: &str) -> Result<Repaired<'_>, Unrepairable> {
    if is_portable(text, MAX_NESTING) {
        return Ok(Repaired {
            text: Cow::Borrowed(text),
            changes: Vec::new(),
            respelled: Vec::new(),
            is_cut_off: false,
        });
    }
    Reader::new(text).read()
}

/// Returns the fault of text that is no JSON, in words that a model knows. It gives the place as a path, and not as a
/// byte position.
pub(crate) fn mistake(text: &str) -> Option<String> {
    match repair_json(text) {
        Err(error) => Some(error.to_string()),
        Ok(repaired) => {
            let told = repaired.changes.iter().take(TOLD);
            let told: Vec<_> = told
                .map(|change| format!("{}: {}", change.path, wrong(change.kind)))
                .collect();
            (!told.is_empty()).then(|| told.join("; "))
        }
    }
}

/// The number of mistakes that are reported at once.
const TOLD: usize = 3;

/// Returns the fault that a change repaired.
fn wrong(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::CodeFence => "a code fence around it",
        ChangeKind::WhiteSpace => "white space other than spaces, tabs and line ends",
        ChangeKind::Comment => "a comment",
        ChangeKind::Quotes => "quotes other than `\"`",
        ChangeKind::UnquotedKey => "a key without quotes",
        ChangeKind::ControlCharacter => {
            "a control character, write a line end as `\\n` and others like `\\u0001`"
        }
        ChangeKind::Escape => "a backslash before a character that needs none",
        ChangeKind::Literal => "expected `true`, `false` or `null`",
        ChangeKind::Number => "a number without a digit before or after the point, or with a plus",
        ChangeKind::MissingComma => "no comma after it",
        ChangeKind::TrailingComma => "a comma that nothing follows",
        ChangeKind::StrayEnd => "something follows the closing bracket",
        _ => "the text ends before the closing bracket",
    }
}

#[cfg(test)]
mod tests;
