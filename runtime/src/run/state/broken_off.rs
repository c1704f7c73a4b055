//! Steps that keep the text of a response that broke off.

use super::State;
use crate::{
    message::{Part, text_of},
    model::ModelResponse,
    run::{Interruption, broken_off::texts},
};

impl State {
    /// Keeps what had come of a response before the run was interrupted.
    pub(super) fn reply_broken_off(&mut self, partial: &ModelResponse, by: Interruption) {
        self.count_request(Some(partial));
        self.attempts = 0;
        if partial.usage.is_some() {
            self.count(partial);
        }
        if !self.is_summarizing() {
            self.keep_text(partial);
        }
        self.interrupted = Some(by);
    }

    /// Keeps the text of a response that broke off, in the outcome and in the conversation.
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
