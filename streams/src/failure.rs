//! What a user reads of a failure, in all protocols.

use std::{fmt, sync::Arc};

use toolwright_core::{
    driver::caught,
    run::{FailureCode, UserFailure},
};

type Hook = Arc<dyn Fn(&UserFailure) -> String + Send + Sync>;

/// The texts of failures: the application's, or those that they have.
#[derive(Clone, Default)]
pub struct FailureTexts(Option<Hook>);

impl FailureTexts {
    /// The texts of a hook.
    pub fn new(hook: impl Fn(&UserFailure) -> String + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hook)))
    }

    /// A failure with the text of the application.
    pub fn apply(&self, mut failure: UserFailure) -> UserFailure {
        if let Some(hook) = &self.0
            && let Ok(text) = caught(|| hook(&failure))
        {
            failure.message = text;
        }
        failure
    }

    /// The failure of a run that no process drives.
    pub(crate) fn stopped(&self) -> UserFailure {
        self.apply(UserFailure::new(FailureCode::Unavailable))
    }
}

impl fmt::Debug for FailureTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FailureTexts")
            .field(&self.0.is_some())
            .finish()
    }
}
