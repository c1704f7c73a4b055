//! What a user may read of a run without a whole answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Failure, Finish, Limit, RunOutcome};
use crate::{
    model::{ModelError, ModelErrorKind},
    run::StoreErrorKind,
};

/// What a user may read of a run that ended without a whole answer: a code for programs and a text for people.
///
/// It has no detail of an error: those are in [`Failure`], for logs. The text is the one that the application gave where
/// it did: of a [refused message](crate::UserMessage::refusal), by a guardrail or a model
/// ([`ModelError::with_user_text`]). Else it is the [default text](FailureCode::default_text) of the code.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelError, Runner, model::ModelErrorKind, testing::ScriptedModel};
/// use toolwright::run::FailureCode;
///
/// let error = ModelError::new(ModelErrorKind::Authentication, "the key sk-… is wrong");
/// let failed = Runner::builder(ScriptedModel::new([error])).build()?.run("Hello.").await;
/// let failure = failed.unwrap_err().outcome.user_failure().unwrap();
/// assert_eq!(failure.code, FailureCode::Internal);
/// assert_eq!(failure.message, "Something went wrong.");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct UserFailure {
    /// The kind of the failure.
    pub code: FailureCode,
    /// A text for the user.
    pub message: String,
    /// The limit that ended the run, if one did.
    #[serde(skip)]
    pub limit: Option<Limit>,
}

/// The kind of a [`UserFailure`]. As a string it is in snake case: `rate_limited`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureCode {
    /// The model, a filter of its provider or a guardrail refused an answer.
    ContentFilter,
    /// A check of the application refused the user's message.
    RefusedInput,
    /// Too many requests: a later one may succeed.
    RateLimited,
    /// The model cannot answer now: a later request may succeed.
    Unavailable,
    /// The conversation is too long: a new one may succeed.
    ContextTooLong,
    /// A limit of the run or of its answer was reached.
    Limit,
    /// Anything else, which only the application can change.
    Internal,
}

impl FailureCode {
    /// The code as a string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ContentFilter => "content_filter",
            Self::RefusedInput => "refused_input",
            Self::RateLimited => "rate_limited",
            Self::Unavailable => "unavailable",
            Self::ContextTooLong => "context_too_long",
            Self::Limit => "limit",
            Self::Internal => "internal",
        }
    }

    /// The text for the user where the application gives none.
    pub const fn default_text(self) -> &'static str {
        match self {
            Self::ContentFilter => "The answer was refused.",
            Self::RefusedInput => "The message was refused.",
            Self::RateLimited => "There are too many requests at the moment. Try again later.",
            Self::Unavailable => "No answer can be given at the moment. Try again later.",
            Self::ContextTooLong => "The conversation is too long. Start a new one.",
            Self::Limit => "A limit was reached before the answer was complete.",
            Self::Internal => "Something went wrong.",
        }
    }
}

impl fmt::Display for FailureCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl UserFailure {
    /// A failure with the default text of its code.
    pub fn new(code: FailureCode) -> Self {
        Self {
            code,
            message: code.default_text().to_owned(),
            limit: None,
        }
    }

    fn with_text(mut self, text: Option<&str>) -> Self {
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            text.clone_into(&mut self.message);
        }
        self
    }
}

impl RunOutcome {
    /// Returns what a user may read of the failure of the run; `None` if it has none: the model answered, the
    /// run was cancelled, is suspended, or was stopped by a condition or a hook.
    pub fn user_failure(&self) -> Option<UserFailure> {
        let said = Some(self.text.as_str());
        let code = match &self.finish {
            Finish::Answered | Finish::Cancelled | Finish::Suspended | Finish::Stopped(_) => {
                return None;
            }
            Finish::InputRefused => {
                return Some(UserFailure::new(FailureCode::RefusedInput).with_text(said));
            }
            Finish::Refused => {
                return Some(UserFailure::new(FailureCode::ContentFilter).with_text(said));
            }
            Finish::Filtered => FailureCode::ContentFilter,
            Finish::Truncated => FailureCode::Limit,
            Finish::Empty => FailureCode::Unavailable,
            Finish::Limit { limit, .. } => return Some(of_limit(*limit)),
            Finish::Failed(failure) => return Some(of_failure(failure)),
        };
        Some(UserFailure::new(code))
    }
}

fn of_limit(limit: Limit) -> UserFailure {
    UserFailure {
        limit: Some(limit),
        ..UserFailure::new(FailureCode::Limit)
    }
}

fn of_failure(failure: &Failure) -> UserFailure {
    let code = match failure {
        Failure::Model(error) => {
            return UserFailure::new(code_of(error)).with_text(error.user_text.as_deref());
        }
        Failure::Limit(limit) => return of_limit(*limit),
        Failure::Store(error) if error.kind == StoreErrorKind::Unavailable => {
            FailureCode::Unavailable
        }
        Failure::ToolChoiceUnmet
        | Failure::AnswerUnfit { .. }
        | Failure::Options { .. }
        | Failure::Store(_) => FailureCode::Internal,
    };
    UserFailure::new(code)
}

fn code_of(error: &ModelError) -> FailureCode {
    match error.kind {
        ModelErrorKind::RateLimit => FailureCode::RateLimited,
        ModelErrorKind::ContextTooLong => FailureCode::ContextTooLong,
        ModelErrorKind::ContentFilter => FailureCode::ContentFilter,
        ModelErrorKind::Overloaded
        | ModelErrorKind::Transport
        | ModelErrorKind::MalformedResponse => FailureCode::Unavailable,
        ModelErrorKind::Authentication
        | ModelErrorKind::InvalidRequest
        | ModelErrorKind::ToolsUnsupported
        | ModelErrorKind::Panicked
        | ModelErrorKind::ToolChoiceUnmet
        | ModelErrorKind::NotRecorded => FailureCode::Internal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_written_as_it_is_stored() {
        use FailureCode as Code;
        for code in [
            Code::ContentFilter,
            Code::RefusedInput,
            Code::RateLimited,
            Code::Unavailable,
            Code::ContextTooLong,
            Code::Limit,
            Code::Internal,
        ] {
            let stored = serde_json::to_value(code).expect("is JSON");
            assert_eq!(stored, code.as_str());
        }
    }

    #[test]
    fn nothing_of_an_error_is_in_the_text_for_the_user() {
        let secret = "key sk-1 of host 10.0.0.1";
        let of = |kind| of_failure(&Failure::Model(ModelError::new(kind, secret)));
        for (kind, code) in [
            (ModelErrorKind::RateLimit, FailureCode::RateLimited),
            (ModelErrorKind::Overloaded, FailureCode::Unavailable),
            (ModelErrorKind::ContextTooLong, FailureCode::ContextTooLong),
            (ModelErrorKind::ContentFilter, FailureCode::ContentFilter),
            (ModelErrorKind::Authentication, FailureCode::Internal),
        ] {
            assert_eq!(of(kind), UserFailure::new(code));
        }
        let error = ModelError::new(ModelErrorKind::ContentFilter, secret);
        let failure = of_failure(&Failure::Model(error.with_user_text("Ask about Norway.")));
        assert_eq!(failure.code, FailureCode::ContentFilter);
        assert_eq!(failure.message, "Ask about Norway.");
    }
}
