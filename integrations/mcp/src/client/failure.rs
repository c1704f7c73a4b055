//! Why a call of a server has no result.

use std::{error::Error, iter::successors, time::Duration};

use rmcp::{service::ServiceError, transport::streamable_http_client::StreamableHttpError};
use toolwright_core::{ErrorCategory, ToolError};

use super::{ClientError, asking::Unasked, authorization::AuthorizationError, connection::Stale};

impl From<Stale> for ToolError {
    fn from(stale: Stale) -> Self {
        let text = match stale {
            Stale::Changed => {
                "the server has changed the definition of this tool since it was listed, so the call was not made; \
                 the tools of the server have to be listed again"
            }
            Stale::Gone => "the server has this tool no longer, so the call was not made",
        };
        Self::new(ErrorCategory::ResourceNotFound, text)
    }
}

pub(crate) fn unanswered(limit: Duration) -> ToolError {
    let text =
        format!("the server did not answer within {limit:?}; the call may have had its effect");
    ToolError::new(ErrorCategory::ExecutionTimeout, text)
}

/// The task is cancelled at the server.
pub(crate) fn late_task(limit: Duration) -> ToolError {
    let text = format!(
        "the task of the call did not end within {limit:?}, and was cancelled; it may have had its effect"
    );
    ToolError::new(ErrorCategory::ExecutionTimeout, text)
}

/// What a person has to do is in the log: a model cannot do it.
fn unauthorized(refused: &AuthorizationError) -> ToolError {
    let text =
        "this program is not authorised at the server of this tool, so the call was not made";
    let category = if refused.is_passing() {
        ErrorCategory::NetworkError
    } else {
        ErrorCategory::PermissionDenied
    };
    ToolError::new(category, text).with_log(refused.to_string())
}

/// The call was made, and nobody can ask for its task.
pub(crate) fn unauthorized_task(refused: &AuthorizationError) -> ToolError {
    let text = "this program is not authorised at the server of this tool, so its result is not known here; its task goes on, \
                and may have its effect";
    ToolError::new(ErrorCategory::PermissionDenied, text).with_log(refused.to_string())
}

pub(crate) fn unreached(error: &ClientError) -> ToolError {
    if let ClientError::Unauthorized(refused) = error {
        return unauthorized(refused);
    }
    let category = match error {
        ClientError::Late(_) => ErrorCategory::ExecutionTimeout,
        _ => ErrorCategory::NetworkError,
    };
    ToolError::new(category, "the server of this tool cannot be reached")
        .with_log(error.to_string())
}

/// The connections of a server that end before a call is made.
pub(crate) fn lost() -> ToolError {
    let text = "the server of this tool ends its connections, so the call was not made";
    ToolError::new(ErrorCategory::NetworkError, text)
}

/// Whether the server has certainly not heard of the request, and may hear it soon.
pub(crate) fn is_unsent(error: &ServiceError) -> bool {
    match AuthorizationError::of(error) {
        Some(refused) => refused.is_passing(),
        None => is_unconnected(error),
    }
}

/// Whether there was no connection to send it on. Each request over HTTP has its own.
fn is_unconnected(error: &(dyn Error + 'static)) -> bool {
    successors(Some(error), |&error| error.source()).any(|error| {
        let error = error.downcast_ref::<StreamableHttpError<reqwest::Error>>();
        matches!(error, Some(StreamableHttpError::Client(error)) if error.is_connect())
    })
}

pub(crate) fn of_service(error: &ServiceError) -> ToolError {
    if let Some(refused) = AuthorizationError::of(error) {
        return unauthorized(&refused);
    }
    if is_unconnected(error) {
        let text = "the server of this tool cannot be reached, so the call was not made";
        return ToolError::new(ErrorCategory::NetworkError, text).with_log(error.to_string());
    }
    match error {
        // Written for whoever called.
        ServiceError::McpError(data) => {
            ToolError::new(ErrorCategory::Unknown, format!("the server refused the call: {}", data.message))
        }
        ServiceError::Cancelled { .. } => ToolError::cancelled("the call was cancelled"),
        _ => ToolError::new(
            ErrorCategory::NetworkError,
            "the server of this tool has gone, or did not answer as it must; the call may have had its effect",
        )
        .with_log(error.to_string()),
    }
}

/// A question that has no answer.
pub(crate) fn unasked(why: &Unasked) -> ToolError {
    let text = format!("the call did not end: the server wants {why}");
    ToolError::new(ErrorCategory::PermissionDenied, text)
}

/// The answers to the questions of a server were on their way when the process of the call ended.
pub(crate) fn undecided() -> ToolError {
    let text = "the call was interrupted while the server was told the answers to its questions; it may have had its effect, \
                and was not made again";
    ToolError::new(ErrorCategory::Unknown, text)
}

/// An answer of a person that the server does not take.
pub(crate) fn refused_answer(why: &str) -> ToolError {
    let text = format!("the call did not end: the server refuses the answers of the person: {why}");
    ToolError::new(ErrorCategory::Unknown, text)
}

/// Questions that the log of a run cannot keep.
pub(crate) fn too_large_questions(bytes: usize, max: usize) -> ToolError {
    let text = format!(
        "the server asked questions of {bytes} bytes, and may ask {max}; the call was begun, and may have had its effect"
    );
    ToolError::new(ErrorCategory::Unknown, text)
}

pub(crate) fn too_many_questions() -> ToolError {
    let text = "the server asked more questions than it may in a call";
    ToolError::new(ErrorCategory::Unknown, text)
}
