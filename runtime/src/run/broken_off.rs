//! The parts of a broken-off response that a run keeps.

use serde::{Deserialize, Serialize};

use super::{Record, verdict::is_blank};
use crate::{message::Part, model::ModelResponse};

/// The cause that broke off a response while it was coming.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Interruption {
    /// The run was cancelled.
    Cancel,
    /// The time of the run was up.
    TimeLimit,
}

impl Interruption {
    /// The record that follows the one of the response.
    pub(super) fn record(self) -> Record {
        match self {
            Self::Cancel => Record::CancelRequested,
            Self::TimeLimit => Record::TimeLimitReached,
        }
    }
}

/// Returns true if a part of a broken-off response is kept: its text, or its usage.
pub(super) fn is_kept(partial: &ModelResponse) -> bool {
    partial.usage.is_some() || has_text(partial)
}

/// Returns true if the user may have read a part of a broken-off response.
pub(super) fn has_text(partial: &ModelResponse) -> bool {
    texts(partial).next().is_some()
}

/// The text of a response that broke off, or else its refusal. Providers refuse the rest of it: half a call,
/// reasoning without its signature, and text that is empty.
pub(super) fn texts(partial: &ModelResponse) -> impl Iterator<Item = &str> {
    let text = partial.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let is_silent = text.clone().all(is_blank);
    let refusal = partial.refusal.as_deref().filter(|_| is_silent);
    text.chain(refusal).filter(|text| !is_blank(text))
}
