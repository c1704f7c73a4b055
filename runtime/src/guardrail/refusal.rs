//! Why a check refuses what a model says.

use toolwright_core::model::{ModelError, ModelErrorKind};

/// The refusal of what a model says, by a check of the application: a reason for the model, and a text for the user.
///
/// ```
/// use toolwright::model::{AnswerRefusal, Guarded};
///
/// # let model = toolwright::testing::ScriptedModel::new([toolwright::ModelResponse::from_text("Hello.")]);
/// let model = Guarded::new(model).check_answer(async |answer: String| match answer.contains("555-") {
///     true => Err(AnswerRefusal::new("it has the number of a person")
///         .with_user_text("I may not give numbers of persons.")),
///     false => Ok(()),
/// });
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerRefusal {
    reason: String,
    user_text: Option<String>,
}

impl AnswerRefusal {
    /// A refusal, with the reason that the model and the log read.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            user_text: None,
        }
    }

    /// Sets what the user reads if no answer is accepted; by default the
    /// [text](toolwright_core::run::FailureCode::default_text) of `content_filter`.
    pub fn with_user_text(mut self, text: impl Into<String>) -> Self {
        self.user_text = Some(text.into());
        self
    }

    pub(super) fn reason(&self) -> &str {
        &self.reason
    }

    /// The error of a request whose answers were refused.
    pub(super) fn into_error(self, what: &str) -> ModelError {
        let reason = self.reason;
        let message = format!("a guardrail of the application refused {what}: {reason}");
        let error = ModelError::new(ModelErrorKind::ContentFilter, message);
        match self.user_text {
            Some(text) => error.with_user_text(text),
            None => error,
        }
    }
}

impl<T: Into<String>> From<T> for AnswerRefusal {
    fn from(reason: T) -> Self {
        Self::new(reason)
    }
}
