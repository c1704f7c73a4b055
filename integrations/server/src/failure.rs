//! Why a request is refused.

use std::collections::BTreeMap;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header::CONTENT_TYPE};
use serde::Serialize;
use serde_json::value::RawValue;
use toolwright_core::run::{ResumeError, RunId};
use toolwright_http_access::Refusal;
use toolwright_runtime::store::{StoreError, StoreErrorKind};
use toolwright_streams::ui_message::ChatRequestError;

/// A request that is refused: a status, a code for programs, and a sentence for people.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// What else a program needs to know.
    more: BTreeMap<&'static str, Box<RawValue>>,
}

/// A refusal as it is sent.
#[derive(Serialize)]
struct Refused<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(flatten)]
    more: &'a BTreeMap<&'static str, Box<RawValue>>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            more: BTreeMap::new(),
        }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// It does not exist, or belongs to another owner.
    pub(crate) fn not_found() -> Self {
        let message = "not found";
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) fn too_long(max: usize) -> Self {
        let message = format!("the body is longer than {max} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    pub(crate) fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    /// Another run of the chat is not over.
    pub(crate) fn busy(run: Option<&RunId>) -> Self {
        let message =
            "a run of this chat is not over: read it, cancel it, or decide about its calls";
        let busy = Self::conflict("busy", message);
        match run {
            Some(run) => busy.with("runId", run),
            None => busy,
        }
    }

    pub(crate) fn not_running() -> Self {
        Self::conflict("not_running", "no such run is in progress")
    }

    /// The call does not wait.
    pub(crate) fn not_waiting() -> Self {
        Self::conflict("not_waiting", "the call does not wait for this")
    }

    /// The call was decided or answered before, and otherwise.
    pub(crate) fn decided_before(id: &str) -> Self {
        ChatRequestError::DecidedBefore(id.to_owned()).into()
    }

    /// The answer to a question does not fit it. The call waits on. Add to which question it was.
    pub(crate) fn unfit(reason: &str) -> Self {
        let message = format!("the answer to a question does not fit: {reason}");
        Self::new(StatusCode::BAD_REQUEST, "unfit", message)
    }

    /// Returns true if the run was over when an item was sent to it.
    pub(crate) fn is_not_running(&self) -> bool {
        self.code == "not_running"
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// Adds that the item is in the inbox of the run all the same.
    pub(crate) fn kept(mut self) -> Self {
        self.message
            .push_str("; the message is stored, and takes effect when the run resumes");
        self.with("kept", &true)
    }

    /// Adds what else a program needs to know.
    pub(crate) fn with(mut self, name: &'static str, value: &impl Serialize) -> Self {
        if let Ok(value) = serde_json::value::to_raw_value(value) {
            self.more.insert(name, value);
        }
        self
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let error = Refused {
            code: self.code,
            message: &self.message,
            more: &self.more,
        };
        let body = serde_json::to_string(&BTreeMap::from([("error", error)]));
        let body = body.unwrap_or_default();
        let json = HeaderValue::from_static("application/json");
        (self.status, [(CONTENT_TYPE, json)], body).into_response()
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error.kind {
            StoreErrorKind::NotFound => Self::not_found(),
            StoreErrorKind::RunIsOver => Self::not_running(),
            StoreErrorKind::Held => {
                Self::conflict("held", "another process is driving the run: try again")
            }
            StoreErrorKind::ConversationBusy | StoreErrorKind::InUse => {
                Self::busy(error.run_id.as_ref())
            }
            StoreErrorKind::Outdated => {
                Self::conflict("outdated", "the chat has changed: load it again")
            }
            StoreErrorKind::Exists => {
                Self::conflict("exists", "another message with this id was sent before")
            }
            StoreErrorKind::Unavailable => {
                let message = "the store does not respond: try again later";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
            }
            StoreErrorKind::Newer => {
                Self::internal("the stored data was written by a newer version of the program")
            }
            _ => Self::internal("the stored data cannot be used"),
        }
    }
}

impl From<ResumeError> for Failure {
    fn from(error: ResumeError) -> Self {
        match error {
            ResumeError::Store(error) => error.into(),
            ResumeError::IsOver => Self::not_running(),
            ResumeError::ToolsChanged { .. } => Self::conflict(
                "tools_changed",
                "tools have changed since the run was stored",
            ),
            ResumeError::NoExtensions => {
                let message = "the run needs extensions of its own request: see `RunnerBuilder::restore_extensions`";
                Self::conflict("no_extensions", message)
            }
            ResumeError::Parked { .. } => Self::conflict(
                "parked",
                "the run is parked: it was resumed several times without progress",
            ),
            _ => Self::internal("the run cannot be resumed"),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let code = match refusal.status() {
            StatusCode::UNAUTHORIZED => "unauthorized",
            StatusCode::FORBIDDEN => "forbidden",
            StatusCode::INTERNAL_SERVER_ERROR => "internal",
            _ => "refused",
        };
        Self::new(refusal.status(), code, refusal.message())
    }
}

impl From<ChatRequestError> for Failure {
    fn from(error: ChatRequestError) -> Self {
        match &error {
            ChatRequestError::TooLong { max } => Self::too_long(*max),
            ChatRequestError::Malformed(_)
            | ChatRequestError::NoMessage
            | ChatRequestError::Part(_)
            | ChatRequestError::Empty => Self::bad_request(error.to_string()),
            ChatRequestError::TooManyClaims { .. } | ChatRequestError::AnswerTooLong { .. } => {
                Self::new(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "too_large",
                    error.to_string(),
                )
            }
            ChatRequestError::Unfit { id, reason } => Self::unfit(reason).with("approvalId", id),
            _ => Self::conflict("not_waiting", error.to_string()),
        }
    }
}
