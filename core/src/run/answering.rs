//! The answer of a run as far as it has come, and the latest that did not fit.

use std::mem::take;

use super::AnswerForm;
use crate::{
    message::{Part, SharedVec},
    model::{ModelResponse, response::is_blank},
};

/// The answer of a run as far as it has come, and the latest that did not fit.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Answering {
    text: String,
    /// True if the text is that of a response that broke off.
    is_broken_off: bool,
    /// The number of answers that did not fit.
    unfit: u32,
    /// The latest of them, if the next request asks for the answer again.
    refused: Option<Refused>,
}

/// An answer that does not fit, and that the model is to mend.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refused {
    pub(super) parts: SharedVec<Part>,
    pub(super) reason: String,
    /// The number of messages that the conversation had when it came.
    pub(super) before: usize,
}

impl Answering {
    /// Keeps what the model says. A turn that was paused may end without another word.
    /// The text of the response is moved: its parts say the same.
    pub(super) fn hear(&mut self, response: &mut ModelResponse, is_paused: bool) {
        self.refused = None;
        if !is_blank(response.text_or_refusal()) {
            let text = match &response.refusal {
                Some(refusal) if response.text.is_empty() => refusal.clone(),
                _ => take(&mut response.text),
            };
            self.give(text);
        } else if !is_paused {
            self.give(String::new());
        }
    }

    /// Sets the text of the answer.
    pub(super) fn give(&mut self, text: String) {
        (self.text, self.is_broken_off) = (text, false);
    }

    /// Sets the text to that of a response that broke off.
    pub(super) fn give_broken_off(&mut self, text: String) {
        (self.text, self.is_broken_off) = (text, true);
    }

    /// Keeps an answer that does not fit for the request that asks for it again.
    pub(super) fn refuse(&mut self, refused: Refused) {
        self.refused = Some(refused);
    }

    /// Counts an answer that did not fit.
    pub(super) fn count_unfit(&mut self) {
        self.unfit += 1;
    }

    /// Returns true if an answer that does not fit is asked for again.
    pub(super) fn may_correct(&self, form: &AnswerForm) -> bool {
        self.unfit < form.corrections
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text of a run that is not needed any more.
    pub(super) fn take_text(&mut self) -> String {
        take(&mut self.text)
    }

    pub(super) fn is_broken_off(&self) -> bool {
        self.is_broken_off
    }

    /// The latest answer that did not fit, if the next request asks for it again.
    pub(super) fn refused(&self) -> Option<&Refused> {
        self.refused.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(answering: &mut Answering, response: ModelResponse, is_paused: bool) -> &str {
        let mut response = response;
        answering.hear(&mut response, is_paused);
        answering.text()
    }

    #[test]
    fn the_text_is_that_of_the_latest_response_that_speaks_in_its_turn() {
        let mut answering = Answering::default();
        answering.give_broken_off("half".to_owned());
        let mut refusal = ModelResponse::new(Vec::new());
        refusal.refusal = Some("No.".to_owned());
        let silent = || ModelResponse::new(Vec::new());
        assert_eq!(
            heard(&mut answering, ModelResponse::from_text("It"), false),
            "It"
        );
        assert!(!answering.is_broken_off());
        assert_eq!(heard(&mut answering, silent(), true), "It");
        assert_eq!(heard(&mut answering, refusal, true), "No.");
        assert_eq!(heard(&mut answering, silent(), false), "");
    }

    #[test]
    fn an_answer_that_was_refused_is_shown_until_the_next_response() {
        let mut answering = Answering::default();
        answering.refuse(Refused {
            parts: SharedVec::new(),
            reason: "too short".to_owned(),
            before: 1,
        });
        assert_eq!(answering.refused().map(|one| one.before), Some(1));
        heard(&mut answering, ModelResponse::from_text("longer"), false);
        assert_eq!(answering.refused(), None);
    }
}
