//! Markers and tokens that a text only mentions.

use crate::{
    marker::{self, Match},
    rules::Mark,
};

use super::{
    Engine,
    line::Line,
    openings::{Opening, opening_on},
    text::is_blank,
    tokens::CALL_ENDS,
};

/// The maximum length of space behind a token that is looked at.
const MAX_SPACE: usize = 1024;

impl Engine {
    /// Returns true for the markup of a call in an answer, where it is text, and for the token that ends it.
    pub(super) fn is_of_written_call(&mut self, opening: &Opening, text: &str) -> bool {
        let is_end = |token: &&str| matches!(marker::begins(text, token), Match::Full(_));
        match opening {
            Opening::Token { .. } if CALL_ENDS.iter().any(is_end) => {
                std::mem::take(&mut self.has_mention_of_call)
            }
            Opening::Calls {
                mark: Mark::Token, ..
            } => {
                self.has_mention_of_call = true;
                true
            }
            opening => opening.is_of_calls(),
        }
    }

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
    /// What begins at the start of a text in which no call may be: a code block is one.
    pub(super) fn without_calls(self, text: &str) -> Self {
        let ticks = marker::ticks(text);
        match text.as_bytes().first() {
            Some(&mark) if ticks >= 3 && matches!(self, Self::Calls { .. }) => {
                Self::Code { mark, ticks }
            }
            _ => self,
        }
    }

    /// Returns true for what a model writes that calls in its text, and for the results that it makes up then.
    pub(super) fn is_of_calls(&self) -> bool {
        matches!(
            self,
            Opening::Calls { .. }
                | Opening::Results { .. }
                | Opening::Close { .. }
                | Opening::Observation
        )
    }

    /// Returns true for the frames of messages, and for messages that a model makes up.
    pub(super) fn is_of_messages(&self) -> bool {
        matches!(self, Opening::Token { .. } | Opening::Turn)
    }
}
