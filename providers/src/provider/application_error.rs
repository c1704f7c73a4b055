//! Errors of the functions that an application gives a model: key sources and hooks.

use std::error::Error;

use toolwright_core::model::{ModelError, ModelErrorKind};

/// The error of a key source, or of a hook.
pub(super) type Failed = Box<dyn Error + Send + Sync>;

/// Makes an error of a model of it; unchanged, if it is one.
pub(super) fn of_application(error: Failed, kind: ModelErrorKind, what: &str) -> ModelError {
    match error.downcast::<ModelError>() {
        Ok(error) => *error,
        Err(error) => ModelError::new(kind, format!("{what}: {error}")),
    }
}
