//! Steps about an answer of a form: whether it fits, and the request that asks for it again.

use super::{Phase, State, replied::without_calls};
use crate::{
    ErrorCategory,
    message::{Part, SharedVec},
    model::ModelResponse,
    run::{
        AnswerMeans, Failure, Finish, ModelCall,
        verdict::{UNFIT, Unfit, is_blank},
    },
    tool::{ToolCall, ToolResult},
};

/// An answer that does not fit, and that the model is to mend.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::run) struct Refused {
    pub(in crate::run) parts: SharedVec<Part>,
    pub(in crate::run) reason: String,
}

/// What the tool was called with that takes the answer.
pub(super) enum Given {
    Answer(String),
    /// It does not fit.
    Unfit {
        text: String,
        reason: String,
    },
}

impl State {
    /// What is known against the text of a response as the answer, if anything is.
    pub(super) fn unfit<'a>(
        &'a self,
        reason: Option<&'a str>,
        response: &'a ModelResponse,
    ) -> Option<Unfit<'a>> {
        let (form, reason) = (self.config.answer.as_ref()?, reason?);
        // A paused turn may end without another word.
        let text = match response.said() {
            said if is_blank(said) => &self.text,
            said => said,
        };
        Some(Unfit {
            text,
            reason,
            is_corrected: self.unfit_answers < form.corrections,
        })
    }

    /// Asks for the answer again by the same kind of request. The response is not part of the conversation.
    pub(super) fn refuse_answer(
        &mut self,
        call: ModelCall,
        response: ModelResponse,
        reason: String,
    ) {
        self.count_unfit(&reason);
        self.pauses = 0;
        self.refused = Some(Refused {
            parts: without_calls(response).parts,
            reason,
        });
        if self.ends_after_round() {
            self.phase = Phase::Decided(Finish::Cancelled);
            return;
        }
        self.read_pushed();
        self.phase = Phase::Model(call);
    }

    /// What the model gave as its answer in a round, if it did so by the tool for it.
    pub(super) fn given(&self, calls: &[ToolCall], results: &[ToolResult]) -> Option<Given> {
        let AnswerMeans::Tool(name) = &self.config.answer.as_ref()?.means else {
            return None;
        };
        let of_tool = calls.iter().zip(results);
        let mut of_tool = of_tool.filter(|(call, _)| call.name == *name);
        if let Some((call, _)) = of_tool.clone().find(|(_, result)| result.outcome.is_ok()) {
            return Some(Given::Answer(call.arguments.clone()));
        }
        of_tool.find_map(|(call, result)| match &result.outcome {
            Err(error) if error.category == ErrorCategory::InvalidArguments => Some(Given::Unfit {
                text: call.arguments.clone(),
                reason: error.message.clone(),
            }),
            _ => None,
        })
    }

    /// Counts an answer that came as a call and does not fit, which its result says. It gives the end of the run, if
    /// there were enough of them.
    pub(super) fn call_unfit(&mut self, text: String, reason: String) -> Option<Finish> {
        let most = self.config.answer.as_ref()?.corrections;
        if self.unfit_answers < most {
            self.count_unfit(&reason);
            return None;
        }
        (self.text, self.broken_off) = (text.clone(), false);
        Some(Finish::Failed(Failure::AnswerUnfit { text, reason }))
    }

    fn count_unfit(&mut self, reason: &str) {
        self.unfit_answers += 1;
        self.corrected += 1;
        let why = format!("the answer was asked for again: {reason}");
        self.warn(UNFIT, &why);
    }
}
