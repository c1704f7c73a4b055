//! The parts of a broken-off reply that a run keeps.

use serde::{Deserialize, Serialize};

use super::{Record, state::State, verdict::is_blank};
use crate::{
    message::{Part, text_of},
    model::ModelResponse,
};

/// The cause that broke off a reply while it was coming.
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
    /// The record that follows the one of the reply.
    pub(super) fn record(self) -> Record {
        match self {
            Self::Cancel => Record::CancelRequested,
            Self::TimeLimit => Record::TimeLimitReached,
        }
    }
}

/// Returns true if a part of a broken-off reply is kept: its text, or its usage.
pub(super) fn is_kept(partial: &ModelResponse) -> bool {
    partial.usage.is_some() || has_text(partial)
}

/// Returns true if the user may have read a part of a broken-off reply.
pub(super) fn has_text(partial: &ModelResponse) -> bool {
    texts(partial).next().is_some()
}

/// The text of a reply that broke off, or else its refusal. Providers refuse the rest of it: half a call,
/// reasoning without its signature, and text that is empty.
fn texts(partial: &ModelResponse) -> impl Iterator<Item = &str> {
    let text = partial.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let is_silent = text.clone().all(is_blank);
    let refusal = partial.refusal.as_deref().filter(|_| is_silent);
    text.chain(refusal).filter(|text| !is_blank(text))
}

impl State {
    /// Keeps what had come of a reply before the run was interrupted.
    pub(super) fn reply_broken_off(&mut self, partial: &ModelResponse, by: Interruption) {
        self.model_calls += 1;
        self.attempts = 0;
        if let Some(usage) = &partial.usage {
            self.usage += usage;
        }
        self.keep_text(partial);
        self.interrupted = Some(by);
    }

    /// Keeps the text of a reply that broke off, in the outcome and in the conversation.
    pub(super) fn keep_text(&mut self, partial: &ModelResponse) {
        let parts: Vec<_> = texts(partial)
            .map(|text| Part::Text(text.to_owned()))
            .collect();
        if parts.is_empty() {
            return;
        }
        self.text = text_of(&parts);
        self.broken_off = true;
        self.conversation.push_response(ModelResponse::new(parts));
    }
}
