//! Steps that keep what the user has seen of a response that broke off.

use super::State;
use crate::{
    message::text_of,
    model::ModelResponse,
    run::{Interruption, broken_off::seen},
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
            self.keep_seen(partial);
        }
        self.interrupted = Some(by);
    }

    /// Keeps what the user has seen of a response that broke off, in the outcome and in the conversation.
    pub(super) fn keep_seen(&mut self, partial: &ModelResponse) {
        let parts = seen(partial);
        if parts.is_empty() {
            return;
        }
        self.text = text_of(&parts);
        self.broken_off = true;
        self.conversation.push_response(ModelResponse::new(parts));
    }
}
