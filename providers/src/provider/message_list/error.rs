//! Errors of a list of messages that cannot be read.

use crate::codec::transcript::Finding;

/// An error of [`MessageList::read`](super::MessageList::read).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The text is larger than the limit.
    #[error("the list has {bytes} bytes, and at most {max_bytes} are read")]
    TooLarge {
        /// The size of the text.
        bytes: usize,
        /// The limit.
        max_bytes: usize,
    },
    /// The list has more messages than the limit.
    #[error("the list has more than {max_messages} messages")]
    TooMany {
        /// The limit.
        max_messages: usize,
    },
    /// Too many arrays and objects stand inside each other.
    #[error("arrays and objects are nested more than {levels} deep")]
    TooDeep {
        /// The limit.
        levels: usize,
    },
    /// The text is not JSON, or is neither an array nor an object.
    #[error("the list is not JSON: {message}")]
    NotJson {
        /// The reason, with the line and the column.
        message: String,
    },
    /// A key stands twice in one object: readers do not agree on what it says.
    #[error("{path}: duplicate key in an object")]
    DuplicateKey {
        /// The place of the second one.
        path: String,
    },
    /// The object has no field with a list of messages.
    #[error("the body has no field `{field}` with an array of messages")]
    NoList {
        /// The name of the field.
        field: &'static str,
    },
    /// The list is damaged, and damaged ones are refused.
    #[error(
        "the list is damaged: {}{}",
        report.iter().find(|finding| finding.kind.is_damage()).map(ToString::to_string).unwrap_or_default(),
        more(report)
    )]
    Damaged {
        /// What was found.
        report: Vec<Finding>,
    },
}

fn more(report: &[Finding]) -> String {
    let damages = report.iter().filter(|finding| finding.kind.is_damage());
    match damages.count() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    }
}
