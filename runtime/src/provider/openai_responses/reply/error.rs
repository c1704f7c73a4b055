//! Errors that come with a status of success.

use serde_json::value::RawValue;

use crate::{
    model::{ModelError, ModelErrorKind},
    wire::error_body,
};

/// The error of an event: in a field of its own, or the event itself.
pub(super) fn of_event(field: Option<&RawValue>, event: &str) -> ModelError {
    let error = field.and_then(of_reply);
    error.unwrap_or_else(|| {
        let mut error = error_body::in_event(event.as_bytes());
        // That is the type of the event.
        error.error_type = error.error_type.filter(|kind| kind != "error");
        settle(error)
    })
}

/// The error of a reply; `None` for a field that names none.
pub(super) fn of_reply(field: &RawValue) -> Option<ModelError> {
    let says_nothing = matches!(field.get(), "null" | "\"\"" | "false" | "{}");
    (!says_nothing).then(|| settle(error_body::in_reply(field)))
}

/// The error of a reply that ended because the provider could not go on, and does not say why.
pub(super) fn of_end(end: &str) -> Option<ModelError> {
    matches!(end, "failed" | "cancelled").then(|| {
        ModelError::new(
            ModelErrorKind::Overloaded,
            format!("the provider broke the reply off with `{end}`"),
        )
    })
}

/// Without a status an error is taken for a passing one. Some of this API's codes are not: they say
/// what is wrong with the request.
fn settle(error: ModelError) -> ModelError {
    let code = error.code.as_deref().unwrap_or_default();
    let kind = match code {
        "image_content_policy_violation" => ModelErrorKind::ContentFilter,
        "invalid_prompt"
        | "failed_to_download_image"
        | "unsupported_image_media_type"
        | "empty_image_file" => ModelErrorKind::InvalidRequest,
        _ if code.starts_with("image_") || code.starts_with("invalid_image") => {
            ModelErrorKind::InvalidRequest
        }
        "invalid_base64_image" => ModelErrorKind::InvalidRequest,
        _ => return error,
    };
    let mut error = error.with_retryable(false);
    error.kind = kind;
    error
}
