//! Steps about an answer of a form: whether it fits, and the request that asks for it again.

use super::{State, replied::without_calls};
use crate::{
    ErrorCategory,
    message::Part,
    model::{ModelResponse, ToolChoice, response::is_blank},
    run::{
        Failure, Finish, ModelCall, OnLimit,
        answering::Refused,
        phase::Phase,
        verdict::{UNFIT, Unfit},
    },
    tool::{ToolCall, ToolResult},
};

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
    /// The text of a response that may be the answer. Where no tool may be called any more, the arguments of the tool
    /// that takes the answer are one, if there is no text.
    pub(in crate::run) fn answer_text<'a>(&'a self, response: &'a ModelResponse) -> &'a str {
        let said = response.text_or_refusal();
        if !is_blank(said) {
            return said;
        }
        match self.given_instead(response).next() {
            Some((_, call)) => &call.arguments,
            // A paused turn may end without another word.
            None if self.turn.pauses() > 0 => self.answering.text(),
            None => "",
        }
    }

    /// The calls with an answer, in a response to a request without calls that says nothing else, and the places of their
    /// parts. The first is the answer.
    pub(in crate::run) fn given_instead<'a>(
        &'a self,
        response: &'a ModelResponse,
    ) -> impl Iterator<Item = (usize, &'a ToolCall)> {
        let takes = self.forbids_calls() && is_blank(response.text_or_refusal());
        let parts = response.parts.iter().enumerate();
        parts.filter_map(move |(place, part)| match part {
            Part::Call(call) if takes && self.config.takes_answer(&call.name) => {
                Some((place, call))
            }
            _ => None,
        })
    }

    /// Returns true if no tool may be called by the response to the request under way.
    fn forbids_calls(&self) -> bool {
        match self.phase {
            Phase::Model(ModelCall::Locked | ModelCall::Flattened) => true,
            Phase::Model(ModelCall::Open) => self.tool_choice() == ToolChoice::None,
            _ => false,
        }
    }

    /// A response to a request without calls, whose answer came as a call: it becomes the text. `None` if it did not.
    pub(super) fn given_as_text(&self, response: &ModelResponse) -> Option<ModelResponse> {
        let text = self.given_instead(response).next()?.1.arguments.clone();
        let mut response = without_calls(response.clone());
        response.change_parts(|parts| {
            // What cannot be seen is no part of the answer.
            parts.retain(|part| !matches!(part, Part::Text(_)));
            parts.push(Part::Text(text));
        });
        response.refusal = None;
        Some(response)
    }

    /// What is known against the text of a response as the answer, if anything is.
    pub(super) fn unfit<'a>(
        &'a self,
        reason: Option<&'a str>,
        response: &'a ModelResponse,
    ) -> Option<Unfit<'a>> {
        let (form, reason) = (self.config.answer.as_ref()?, reason?);
        // A limit is reached already: what is spent beyond it is one request.
        let is_open = self.phase == Phase::Model(ModelCall::Open);
        let may_ask = is_open || self.spent.limit_of_spending(&self.config.limits).is_none();
        Some(Unfit {
            text: self.answer_text(response),
            reason,
            is_corrected: self.answering.may_correct(form) && may_ask,
        })
    }

    /// Asks for the answer again by the same kind of request, or by the last one if a limit is reached. The response is not
    /// part of the conversation.
    pub(super) fn refuse_answer(
        &mut self,
        call: ModelCall,
        response: ModelResponse,
        reason: String,
    ) {
        self.turn.answer_again();
        let limit = match call {
            ModelCall::Open => self.limit_of_corrections(),
            // The last request is made at a limit.
            _ => None,
        };
        if limit.is_some() && self.config.limits.on_limit != OnLimit::Summarize {
            let why = format!("the answer does not fit: {reason}");
            self.warnings.add(UNFIT, &why);
        } else {
            self.count_unfit(&reason);
        }
        self.answering.refuse(Refused {
            parts: without_calls(response).parts,
            reason,
            before: self.conversation.messages().len(),
        });
        match limit {
            Some(limit) => self.reach(limit),
            None => self.ask_again(call),
        }
    }

    /// What the model gave as its answer in a round, if it did so by the tool for it.
    pub(super) fn given(&self, calls: &[ToolCall], results: &[ToolResult]) -> Option<Given> {
        let of_tool = calls.iter().zip(results);
        let mut of_tool = of_tool.filter(|(call, _)| self.config.takes_answer(&call.name));
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
        let form = self.config.answer.as_ref()?;
        if self.answering.may_correct(form) {
            self.count_unfit(&reason);
            self.turn.answer_again();
            return None;
        }
        self.answering.give(text.clone());
        Some(Finish::Failed(Failure::AnswerUnfit { text, reason }))
    }

    fn count_unfit(&mut self, reason: &str) {
        self.answering.count_unfit();
        self.spent.add_correction();
        let why = format!("the answer was asked for again: {reason}");
        self.warnings.add(UNFIT, &why);
    }
}
