//! The parts of a broken-off response that a run keeps.

use serde::{Deserialize, Serialize};

use super::Record;
use crate::{
    message::Part,
    model::{ModelResponse, response::is_blank},
};

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

/// Returns true if something of a broken-off response is kept: what the user has seen of it, or its usage.
pub(super) fn is_kept(partial: &ModelResponse) -> bool {
    partial.usage.is_some() || has_seen(partial)
}

/// Returns true if the user may have seen a part of a broken-off response.
pub(super) fn has_seen(partial: &ModelResponse) -> bool {
    !seen(partial).is_empty()
}

/// The text, the images, the documents and the sound of a response that broke off, or else its refusal. Providers
/// refuse the rest of it: half a call, reasoning without its signature, and text that is empty.
pub(super) fn seen(partial: &ModelResponse) -> Vec<Part> {
    let parts = partial.parts.iter().filter(|part| match part {
        Part::Text(text) => !is_blank(text),
        part => part.is_media(),
    });
    let mut seen: Vec<_> = parts.cloned().collect();
    let refusal = partial
        .refusal
        .as_ref()
        .filter(|refusal| !is_blank(refusal));
    if seen.is_empty() {
        seen.extend(refusal.cloned().map(Part::Text));
    }
    seen
}
