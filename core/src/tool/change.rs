//! The changes that were made in a call's arguments before the tool read them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A change that was made in a call's arguments before the tool read them, by leniency or by the
/// approver of the call.
///
/// The call in the conversation keeps the model's own text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ArgumentChange {
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The place of the change, such as `arguments.range.start`.
    pub path: String,
    /// The number of times that the change was made. It is more than 1 only if there were so many changes
    /// that later changes of a kind are counted and not listed.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub times: usize,
}

impl ArgumentChange {
    pub(crate) fn new(kind: ChangeKind, path: String) -> Self {
        Self {
            kind,
            path,
            times: once(),
        }
    }
}

impl ArgumentChange {
    /// Creates the change of a call whose approver replaced its arguments.
    #[doc(hidden)]
    pub fn edited() -> Self {
        Self::new(ChangeKind::Edited, "arguments".to_owned())
    }

    /// Returns true if the approved arguments differ from those that the approver was asked about.
    #[doc(hidden)]
    pub fn is_edit(asked: &str, approved: &str) -> bool {
        asked.trim() != approved.trim()
    }
}

fn once() -> usize {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_once(times: &usize) -> bool {
    *times == once()
}

impl fmt::Display for ArgumentChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.kind)?;
        match self.times {
            1 => Ok(()),
            times => write!(f, ", {times} times"),
        }
    }
}

/// The kind of a change in a call's arguments: first the kinds that make JSON of broken text, then the
/// kinds that make a value fit its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChangeKind {
    /// A code fence around the whole was taken away.
    CodeFence,
    /// A byte order mark or unusual white space was removed.
    WhiteSpace,
    /// A comment was taken away.
    Comment,
    /// Quotes of another kind were replaced.
    Quotes,
    /// A key was put into quotes.
    UnquotedKey,
    /// A line break or another control character in a string was escaped.
    ControlCharacter,
    /// An escape that JSON does not know was replaced.
    Escape,
    /// Python's `True`, `False` or `None` was replaced.
    Literal,
    /// A plus sign was taken away from a number, or a digit beside its point was added.
    Number,
    /// A comma was added.
    MissingComma,
    /// A comma was taken away.
    TrailingComma,
    /// Brackets or semicolons after the end were taken away.
    StrayEnd,
    /// Brackets were closed at the end. More may have been meant to come.
    Unclosed,
    /// A string became the object or list that it spells.
    Parsed,
    /// A value became the list of it.
    Listed,
    /// A string became the number that it spells.
    ToNumber,
    /// A string became the boolean that it spells.
    ToBoolean,
    /// A number or a boolean became the string of it.
    ToText,
    /// The approver of the call replaced its arguments. The result of the call notes it for the
    /// model.
    Edited,
}

impl ChangeKind {
    /// Returns true if the change makes JSON of broken text. Of the other kinds, all but
    /// [`Edited`](Self::Edited) make a value fit its schema.
    pub fn is_repair(self) -> bool {
        self <= Self::Unclosed
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CodeFence => "a code fence was removed",
            Self::WhiteSpace => "unusual white space was removed",
            Self::Comment => "a comment was removed",
            Self::Quotes => "quotes were replaced",
            Self::UnquotedKey => "a key was put into quotes",
            Self::ControlCharacter => "a control character was escaped",
            Self::Escape => "an escape was replaced",
            Self::Literal => "a Python literal was replaced",
            Self::Number => "a number was rewritten as JSON",
            Self::MissingComma => "a comma was added",
            Self::TrailingComma => "a comma was removed",
            Self::StrayEnd => "text after the closing bracket was removed",
            Self::Unclosed => "brackets were closed",
            Self::Parsed => "a string was parsed as JSON",
            Self::Listed => "a value was wrapped in an array",
            Self::ToNumber => "a string became a number",
            Self::ToBoolean => "a string became a boolean",
            Self::ToText => "a value became a string",
            Self::Edited => "the approver replaced the arguments",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_often_is_written_where_it_is_more_than_once() {
        let mut change = ArgumentChange::new(ChangeKind::UnquotedKey, "arguments.a".into());
        let json = serde_json::to_string(&change).expect("serialises");
        assert_eq!(json, r#"{"kind":"unquoted_key","path":"arguments.a"}"#);
        assert_eq!(
            serde_json::from_str::<ArgumentChange>(&json).expect("is one"),
            change
        );
        assert_eq!(change.to_string(), "arguments.a: a key was put into quotes");
        change.times = 3;
        let json = serde_json::to_string(&change).expect("serialises");
        assert!(json.ends_with(r#""times":3}"#), "{json}");
    }
}
