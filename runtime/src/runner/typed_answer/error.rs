//! The error of a run that was to give a typed answer.

use std::fmt;

use toolwright_core::run::{Failure, RunError, RunOutcome};

/// A run that was to give an [answer of a type](crate::RunRequest::answer_as) gave none.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The run failed. If its failure is [`Failure::AnswerUnfit`], the model answered, and no answer fits the type.
    #[error(transparent)]
    Failed(RunError),
    /// The run ended without an answer: it was cancelled, suspended, refused, or reached a limit and no answer came that
    /// fits. The outcome has the [reason](RunOutcome::finish), and the text that there is.
    #[error("the run ended without an answer: {}", .0.finish)]
    NoAnswer(Box<RunOutcome>),
}

impl AnswerError {
    /// The outcome of the run.
    pub fn outcome(&self) -> &RunOutcome {
        match self {
            Self::Failed(error) => &error.outcome,
            Self::NoAnswer(outcome) => outcome,
        }
    }

    /// The outcome of the run, by value.
    pub fn into_outcome(self) -> RunOutcome {
        match self {
            Self::Failed(error) => *error.outcome,
            Self::NoAnswer(outcome) => *outcome,
        }
    }

    /// The last answer and the reason why it does not fit, if the run failed by that.
    pub fn unfit(&self) -> Option<(&str, &str)> {
        match self {
            Self::Failed(RunError {
                failure: Failure::AnswerUnfit { text, reason },
                ..
            }) => Some((text, reason)),
            _ => None,
        }
    }
}

/// Without the outcome, which holds the whole conversation: `main` prints an error so.
impl fmt::Debug for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => f.debug_tuple("Failed").field(error).finish(),
            Self::NoAnswer(outcome) => f.debug_tuple("NoAnswer").field(&outcome.finish).finish(),
        }
    }
}
