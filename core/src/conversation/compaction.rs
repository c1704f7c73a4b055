//! A record of the parts of a conversation that a model is no longer sent.

use serde::{Deserialize, Serialize};

/// The parts of a conversation that are no longer sent to the model, or only in short. The conversation itself stays
/// whole.
///
/// It counts the pieces of the conversation, oldest first. A piece is a message of the user, a tool round, or the final
/// response of the model to a message. A round is one piece: its response and its results are sent together or not at
/// all, and so are signed parts of it.
///
/// A `Runner` makes it where a [`ContextWindow`](crate::run::ContextWindow) is set, and
/// [`Conversation::compaction`](crate::Conversation::compaction) gives it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Compaction {
    /// The number of the oldest pieces that are left out. A note says so in their place, or a
    /// [`summary`](Self::summary).
    pub left_out: u64,
    /// The index of the first message whose user messages are sent in any case. They stay in front of what follows the
    /// left-out pieces.
    pub requests_from: u64,
    /// The number of the oldest pieces whose results are shortened to one line, with those that are left out.
    pub shortened: u64,
    /// The limit of other results, where the latest ones alone were too long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<ResultCut>,
    /// The summary of the pieces that are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The number of the oldest pieces that the summary tells of.
    #[serde(default)]
    pub summarized: u64,
}

/// A limit of results that are neither left out nor shortened to one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResultCut {
    /// The number of the oldest pieces that it holds for.
    pub before: u64,
    /// The number of bytes that are left of each result.
    pub bytes: u64,
}

impl ResultCut {
    /// A limit of bytes for the results of the oldest pieces.
    pub(crate) const fn new(before: u64, bytes: u64) -> Self {
        Self { before, bytes }
    }
}

impl Compaction {
    /// The note that stands in the place of the pieces that are left out, of which there are so many.
    pub(crate) fn note(&self, missing: u64) -> String {
        let pieces = match missing {
            1 => "1 message or round of tool calls is left out here, the oldest one".to_owned(),
            _ => {
                format!("the {missing} oldest messages and rounds of tool calls are left out here")
            }
        };
        let note = format!(
            "Note from the application: this conversation is longer than what you can be sent at once. Because of that, {pieces}."
        );
        match &self.summary {
            None => note,
            Some(summary) if self.summarized < self.left_out => {
                format!("{note} A summary of the first of them:\n\n{summary}")
            }
            Some(summary) => format!("{note} A summary of them:\n\n{summary}"),
        }
    }
}
