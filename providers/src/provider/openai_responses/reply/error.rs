//! Errors that come with a status of success.

use toolwright_core::model::{ModelError, ModelErrorKind};
use toolwright_json::raw::Raw;

use crate::codec::{error_body, partial_object::Rest};

/// The error of an event: in a field of its own, or the event itself.
pub(super) fn of_event(field: Option<Raw<'_>>, beside: &Rest<'_>, event: &str) -> ModelError {
    let error = field.and_then(|field| of_reply(field, beside));
    error.unwrap_or_else(|| {
        let mut error = error_body::in_event(event.as_bytes());
        // That is the type of the event.
        error.error_type = error.error_type.filter(|kind| kind != "error");
        error
    })
}

/// The error of a response; `None` for a field that names none.
pub(super) fn of_reply(field: Raw<'_>, beside: &Rest<'_>) -> Option<ModelError> {
    let says_nothing = matches!(field.get(), "null" | "\"\"" | "false" | "{}");
    (!says_nothing).then(|| error_body::in_reply(field, beside))
}

/// The error of a response that ended because the provider could not go on, and does not say why.
pub(super) fn of_end(end: &str) -> Option<ModelError> {
    matches!(end, "failed" | "cancelled").then(|| {
        let message = format!("the provider ended the response early with `{end}`");
        // Somebody has cancelled the response, and does not want it again.
        ModelError::new(ModelErrorKind::Overloaded, message).with_retryable(end == "failed")
    })
}
