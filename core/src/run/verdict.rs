//! Decisions about the next step after a response, or after its absence.

use super::{
    Failure, Finish, Limit, ModelCall,
    allowed::{allows, forces},
    correction::{Correction, Corrections},
};
use crate::{
    FinishReason,
    model::{ModelError, ModelErrorKind, ModelResponse, ToolChoice},
};

/// The number of times that a provider may pause one turn before that is an error.
pub(super) const MAX_PAUSES: u32 = 16;

/// The name of the warning about an answer that does not fit.
pub(super) const UNFIT: &str = "answer_unfit";

/// A request to a model, and the history of its turn.
pub(super) struct SentRequest<'a> {
    pub(super) call: ModelCall,
    /// The choice that the request was sent with.
    pub(super) choice: &'a ToolChoice,
    /// The number of times that the provider has paused the turn.
    pub(super) pauses: u32,
    /// True if the model wrote something before it was paused.
    pub(super) has_spoken: bool,
    pub(super) corrections: Corrections,
    /// The bound that one more round would be over.
    pub(super) limit: Option<Limit>,
    /// The reason why its text is no answer, if it is none.
    pub(super) unfit: Option<Unfit<'a>>,
}

/// An answer that does not fit.
#[derive(Clone, Copy)]
pub(super) struct Unfit<'a> {
    /// The text of the model.
    pub(super) text: &'a str,
    pub(super) reason: &'a str,
    /// True if it is asked for again.
    pub(super) is_corrected: bool,
}

/// The next step after a response, or after its absence.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    /// Its calls are run, except those that the tool choice forbids.
    RunCalls,
    /// The provider paused; it is asked to go on.
    GoOn,
    /// The model is asked once more, with the reason.
    Correct(Correction),
    /// It is an answer that does not fit, for this reason: the same request is sent once more, with the reason.
    Refuse(String),
    /// It is no answer to a locked request: the model is asked once more, without tools.
    Flatten,
    /// It calls tools and a bound is reached.
    OverLimit(Limit),
    /// It is the summary at a bound.
    Summarized,
    /// It is no summary, for this reason; with the name of the warning.
    NoSummary(&'static str, String),
    /// The run is over.
    End(Finish),
}

/// Decides the next step after a response.
pub(super) fn of_reply(asked: &SentRequest<'_>, response: &ModelResponse) -> Verdict {
    let verdict = of_any_reply(asked, response);
    let Some(unfit) = asked.unfit else {
        return verdict;
    };
    let reason = unfit.reason.to_owned();
    match verdict {
        Verdict::End(Finish::Answered) | Verdict::Summarized if unfit.is_corrected => {
            Verdict::Refuse(reason)
        }
        Verdict::End(Finish::Answered) => {
            let text = unfit.text.to_owned();
            Verdict::End(Finish::Failed(Failure::AnswerUnfit { text, reason }))
        }
        Verdict::Summarized => {
            Verdict::NoSummary(UNFIT, format!("the final text does not fit: {reason}"))
        }
        verdict => verdict,
    }
}

/// Decides the next step after a response, whether or not its text fits.
fn of_any_reply(asked: &SentRequest<'_>, response: &ModelResponse) -> Verdict {
    if asked.call != ModelCall::Open {
        return of_summary(asked.call, response);
    }
    match response.finish_reason {
        // Calls beside it would be answered without it, which the provider refuses.
        FinishReason::ActionRequired => {
            return failed(
                ModelErrorKind::ToolsUnsupported,
                "the response requires an action of the program, which a run cannot do".to_owned(),
            );
        }
        FinishReason::Pending => {
            return failed(
                ModelErrorKind::MalformedResponse,
                "there is no answer yet: the provider makes it in the background".to_owned(),
            );
        }
        _ => {}
    }
    if response.requires_tool_execution() {
        return of_calls(asked, response);
    }
    let has_answer = asked.has_spoken || response.answers();
    match response.finish_reason {
        FinishReason::Refusal => Verdict::End(Finish::Refused),
        _ if response.is_refusal() => Verdict::End(Finish::Refused),
        FinishReason::ContentFilter => Verdict::End(Finish::Filtered),
        FinishReason::Length => Verdict::End(Finish::Truncated),
        FinishReason::MalformedCall if *asked.choice == ToolChoice::None && has_answer => {
            Verdict::End(Finish::Answered)
        }
        FinishReason::MalformedCall => asked.correct(Correction::Malformed),
        FinishReason::Paused if asked.pauses < MAX_PAUSES => Verdict::GoOn,
        FinishReason::Paused => failed(
            ModelErrorKind::Overloaded,
            format!("the provider paused the turn {} times", MAX_PAUSES + 1),
        ),
        _ if forces(asked.choice) => asked.correct(Correction::Choice),
        _ if has_answer => Verdict::End(Finish::Answered),
        _ => asked.correct(Correction::Empty),
    }
}

/// Decides the next step after a response with calls that only the choice and a limit can keep from running.
fn of_calls(asked: &SentRequest<'_>, response: &ModelResponse) -> Verdict {
    let mut calls = response.tool_calls.iter();
    if calls.any(|call| allows(asked.choice, call)) {
        return asked.limit.map_or(Verdict::RunCalls, Verdict::OverLimit);
    }
    match asked.choice {
        ToolChoice::None if asked.has_spoken || response.answers() => {
            Verdict::End(Finish::Answered)
        }
        ToolChoice::None => asked.correct(Correction::Empty),
        _ => asked.correct(Correction::Choice),
    }
}

impl SentRequest<'_> {
    /// A correction, or what the run ends with if it was made before.
    fn correct(&self, correction: Correction) -> Verdict {
        if !self.corrections.has(correction) {
            return Verdict::Correct(correction);
        }
        match correction {
            Correction::Choice => Verdict::End(Finish::Failed(Failure::ToolChoiceUnmet)),
            Correction::Empty => Verdict::End(Finish::Empty),
            Correction::Malformed => failed(
                ModelErrorKind::MalformedResponse,
                format!("{}, twice", correction.reason()),
            ),
        }
    }
}

/// Decides the next step after a response to a request for a summary. A limit is reached whatever the response is.
fn of_summary(call: ModelCall, response: &ModelResponse) -> Verdict {
    let none = |code, why: &str| Verdict::NoSummary(code, format!("the final text {why}"));
    match response.finish_reason {
        FinishReason::Refusal => none("summary_refused", "was refused by the model"),
        _ if response.is_refusal() => none("summary_refused", "was refused by the model"),
        FinishReason::ContentFilter => none("summary_filtered", "was stopped by a filter"),
        FinishReason::Length => none("summary_cut", "was cut off at the limit of tokens"),
        _ if !response.answers() && call == ModelCall::Locked => Verdict::Flatten,
        _ if !response.answers() => none("summary_empty", "is empty"),
        FinishReason::Paused => none("summary_cut", "was paused by the provider"),
        _ => Verdict::Summarized,
    }
}

/// Decides the next step when there is no response, or one that broke off. A user who has read text of the response is not
/// shown another.
pub(super) fn of_error(call: ModelCall, error: &ModelError, has_text: bool) -> Verdict {
    let refused = matches!(
        error.kind,
        ModelErrorKind::InvalidRequest | ModelErrorKind::ToolsUnsupported
    );
    match call {
        // A model with emulated tools has asked once more by itself.
        ModelCall::Open if error.kind == ModelErrorKind::ToolChoiceUnmet => {
            Verdict::End(Finish::Failed(Failure::ToolChoiceUnmet))
        }
        ModelCall::Open => Verdict::End(Finish::Failed(Failure::Model(error.clone()))),
        // A provider that refuses a locked request may take a flattened one.
        ModelCall::Locked if refused && !has_text => Verdict::Flatten,
        _ => Verdict::NoSummary("summary_failed", error.to_string()),
    }
}

fn failed(kind: ModelErrorKind, message: String) -> Verdict {
    Verdict::End(Finish::Failed(Failure::Model(ModelError::new(
        kind, message,
    ))))
}
