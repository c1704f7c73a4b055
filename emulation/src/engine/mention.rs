//! Markers and tokens that a text only mentions.

use super::{
    Engine,
    line::Line,
    openings::{Opening, opening_on},
    text::is_blank,
};

/// The maximum length of space behind a token that is looked at.
const MAX_SPACE: usize = 1024;

impl Engine {
    /// Returns true if text goes on behind a token, or if an item of a list names it: it ends or begins no message then.
    /// `None` if a longer text decides it.
    pub(super) fn is_mentioned(&self, before: &str, behind: &str, is_end: bool) -> Option<bool> {
        if self.line.near_end(before) == Some(Line::Item) {
            return Some(true);
        }
        let begins_message = is_blank(before) && (self.is_message_end || !self.output.has_text());
        let rest = behind.trim_start();
        if begins_message || behind.len() - rest.len() > MAX_SPACE {
            return Some(false);
        }
        if rest.is_empty() {
            return is_end.then_some(false);
        }
        match opening_on(rest, true, is_end) {
            Opening::Unknown => None,
            Opening::None | Opening::Mention | Opening::Code { .. } => Some(true),
            _ => Some(false),
        }
    }
}

impl Opening {
    /// Returns true for what a model writes that calls in its text, and for what it makes up then.
    pub(super) fn is_of_calls(&self) -> bool {
        matches!(
            self,
            Opening::Calls { .. }
                | Opening::Results { .. }
                | Opening::Token { .. }
                | Opening::Close { .. }
                | Opening::Observation
                | Opening::Turn
        )
    }
}
