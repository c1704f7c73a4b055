//! The error of a model that gives no response.

use std::{error::Error, fmt, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolwright_json::char_boundary;

use super::{ModelResponse, response::request_id};
use crate::tool::Backoff;

/// The error of a model that gives no response, or an incomplete one. Its [`kind`](Self::kind) says what can be done
/// about it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelError {
    /// The kind of error, which says what can be done about it.
    pub kind: ModelErrorKind,
    /// A description of the error in one sentence; the provider's own if it gave one, at most 4 KiB.
    pub message: String,
    /// A text of the application for the user, in place of the default one: see
    /// [`UserFailure`](crate::run::UserFailure).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_text: Option<String>,
    /// The HTTP status, if there was an HTTP answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The provider's code for the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The provider's type of the error, such as `invalid_request_error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_type: Option<String>,
    /// The wait that the provider asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Duration>,
    /// True if the same request may be sent again and may then succeed.
    pub retryable: bool,
    /// The headers of the HTTP answer that name the request and the rate limits, such as `x-request-id` and
    /// `x-ratelimit-remaining-requests`, with their values as strings. No other headers are kept.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub headers: Map<String, Value>,
    /// The beginning of what the provider sent, at most 4 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The part of the response that came before the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<Box<ModelResponse>>,
}

/// The kind of a [`ModelError`], which says what can be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The key is missing, wrong or not allowed to do this: correct the key.
    Authentication,
    /// Too many requests, or no quota left: wait.
    RateLimit,
    /// The provider does not accept the request: correct the request.
    InvalidRequest,
    /// The provider cannot answer now: try later.
    Overloaded,
    /// The conversation is too long for the model: shorten it.
    ContextTooLong,
    /// The provider's filter refused the request.
    ContentFilter,
    /// The connection failed, or ended before the response did.
    Transport,
    /// The response is not one that the provider documents.
    MalformedResponse,
    /// The model has no tool calling: use another model, or emulate tools.
    ToolsUnsupported,
    /// The model had to call a tool and did not, also when it was asked once more: emulated tools end so. A run then
    /// [fails](crate::run::Failure::ToolChoiceUnmet) as with native tools.
    ToolChoiceUnmet,
    /// The code of the model panicked, with this message: correct that code.
    Panicked,
    /// A `Recording` is replayed and has no response to this request: the recorded request was another one.
    NotRecorded,
}

impl ModelErrorKind {
    /// Returns true if the same request may succeed when it is sent again, as a rule.
    const fn is_retryable(self) -> bool {
        matches!(
            self,
            Self::RateLimit | Self::Overloaded | Self::Transport | Self::MalformedResponse
        )
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Authentication => "authentication failed",
            Self::RateLimit => "rate limited",
            Self::InvalidRequest => "invalid request",
            Self::Overloaded => "the provider cannot answer now",
            Self::ContextTooLong => "the context is too long",
            Self::ContentFilter => "stopped by the content filter",
            Self::Transport => "the connection failed",
            Self::MalformedResponse => "malformed reply",
            Self::ToolsUnsupported => "the model takes no tools",
            Self::ToolChoiceUnmet => "no call where one was required",
            Self::Panicked => "the model panicked",
            Self::NotRecorded => "not as recorded",
        }
    }
}

impl ModelError {
    /// The longest [`body`](Self::body) that an error holds, in bytes.
    pub const BODY_BYTES: usize = 4096;

    /// An error of a kind; whether it is retryable follows from the kind.
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            user_text: None,
            status: None,
            code: None,
            error_type: None,
            retry_after: None,
            retryable: kind.is_retryable(),
            headers: Map::new(),
            body: None,
            partial: None,
        }
    }

    /// Sets what the user reads if the run fails with this error.
    pub fn with_user_text(mut self, text: impl Into<String>) -> Self {
        self.user_text = Some(text.into());
        self
    }

    /// Sets the HTTP status.
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Sets the provider's code.
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// Sets the provider's type of the error.
    pub fn with_error_type(mut self, error_type: impl Into<String>) -> Self {
        self.error_type = Some(error_type.into());
        self
    }

    /// Sets how long the provider asks to wait.
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Sets whether the same request may be sent again.
    pub fn with_retryable(mut self, retryable: bool) -> Self {
        self.retryable = retryable;
        self
    }

    /// Sets the headers that name the request and the rate limits.
    pub fn with_headers(mut self, headers: Map<String, Value>) -> Self {
        self.headers = headers;
        self
    }

    /// Returns the id that the provider gave the request, for its support.
    pub fn request_id(&self) -> Option<&str> {
        request_id(&self.headers)
    }

    /// Returns true if the request should be sent again, after a wait: it may then succeed, and the
    /// provider does not ask for a longer wait than [`Backoff::LONGEST_HINT`].
    pub fn may_pass(&self) -> bool {
        let hint = self.retry_after.unwrap_or_default();
        self.retryable && hint <= Backoff::LONGEST_HINT
    }

    /// Sets the beginning of the provider's body, up to [`BODY_BYTES`](Self::BODY_BYTES).
    pub fn with_body(mut self, body: &str) -> Self {
        self.body = Some(body[..char_boundary::floor(body, Self::BODY_BYTES)].to_owned());
        self
    }

    /// Removes a secret from every field of the error. A string may have been cut in the middle of one.
    #[doc(hidden)]
    pub fn without(mut self, secret: &str) -> Self {
        let texts = [
            Some(&mut self.message),
            self.user_text.as_mut(),
            self.code.as_mut(),
            self.error_type.as_mut(),
            self.body.as_mut(),
        ];
        for text in texts.into_iter().flatten() {
            *text = without(text, secret);
        }
        for value in self.headers.values_mut() {
            if let Value::String(text) = value {
                *text = without(text, secret);
            }
        }
        let stored = self
            .partial
            .as_ref()
            .and_then(|partial| serde_json::to_string(partial).ok());
        if let Some(stored) = stored.filter(|stored| stored.contains(secret)) {
            self.partial = serde_json::from_str(&stored.replace(secret, HIDDEN)).ok();
        }
        self
    }

    /// Keeps what had come of the response, unless the error holds it already. Usage that came and that the
    /// error does not hold is added to it, and so are requests.
    #[doc(hidden)]
    pub fn or_partial(mut self, partial: ModelResponse) -> Self {
        match &mut self.partial {
            Some(held) => {
                held.usage = held.usage.take().or(partial.usage);
                held.requests = held.requests.max(partial.requests);
            }
            None => self.partial = Some(Box::new(partial)),
        }
        self
    }

    /// Sets the part of the response that had arrived.
    pub fn with_partial(mut self, partial: ModelResponse) -> Self {
        self.partial = Some(Box::new(partial));
        self
    }
}

/// The replacement for a secret.
const HIDDEN: &str = "[hidden]";

/// A text without a secret. Its end may have been cut in the middle of one.
fn without(text: &str, secret: &str) -> String {
    let mut text = text.replace(secret, HIDDEN);
    let end = text.strip_suffix('…').unwrap_or(&text);
    let cut = (1..secret.len())
        .rev()
        .filter_map(|length| secret.get(..length))
        .find(|start| start.len() >= secret.len() / 2 && end.ends_with(start))
        .map(|start| end.len() - start.len());
    if let Some(cut) = cut {
        text.truncate(cut);
        text.push_str(HIDDEN);
    }
    text
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_str())?;
        if let Some(status) = self.status {
            write!(f, " (status {status})")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// What is known of the error, in a line: `unwrap` prints it. Its headers, its body and the partial response have up to
/// thousands of bytes, and stand in the fields.
impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            message,
            user_text,
            status,
            code,
            error_type,
            retry_after,
            retryable,
            headers,
            body,
            partial,
        } = self;
        let mut shown = f.debug_struct("ModelError");
        shown.field("kind", kind).field("message", message);
        for (name, text) in [
            ("user_text", user_text),
            ("code", code),
            ("error_type", error_type),
        ] {
            if let Some(text) = text {
                shown.field(name, text);
            }
        }
        if let Some(status) = status {
            shown.field("status", status);
        }
        if let Some(wait) = retry_after {
            shown.field("retry_after", wait);
        }
        if *retryable != kind.is_retryable() {
            shown.field("retryable", retryable);
        }
        if headers.is_empty() && body.is_none() && partial.is_none() {
            shown.finish()
        } else {
            shown.finish_non_exhaustive()
        }
    }
}

impl Error for ModelError {}

#[cfg(test)]
mod tests {
    use super::{ModelError, ModelErrorKind, ModelResponse};
    use crate::model::Usage;

    #[test]
    fn what_unwrap_prints_is_short() {
        let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
        let shown = r#"ModelError { kind: Overloaded, message: "busy" }"#;
        assert_eq!(format!("{busy:?}"), shown);
        let mut busy = busy.with_status(503).with_body(&"x".repeat(4000));
        busy.retryable = false;
        let shown = r#"ModelError { kind: Overloaded, message: "busy", status: 503, retryable: false, .. }"#;
        assert_eq!(format!("{busy:?}"), shown);
    }

    #[test]
    fn usage_that_came_is_no_longer_lost_beside_a_partial_reply() {
        let used = |tokens| {
            Some(Usage {
                input_tokens: tokens,
                ..Usage::default()
            })
        };
        let reply = |tokens: Option<u64>| ModelResponse {
            usage: tokens.and_then(used),
            ..ModelResponse::default()
        };
        for (held, came, kept) in [
            (None, Some(3), 3),
            (Some(2), Some(3), 2),
            (Some(2), None, 2),
        ] {
            let error = ModelError::new(ModelErrorKind::Transport, "it broke off")
                .with_partial(reply(held))
                .or_partial(reply(came));
            let partial = error.partial.expect("it is kept");
            assert_eq!(partial.usage, used(kept));
        }
        let error = ModelError::new(ModelErrorKind::Transport, "it broke off");
        let partial = error.or_partial(reply(Some(3))).partial;
        assert_eq!(partial.expect("it is kept").usage, used(3));
    }

    #[test]
    fn requests_that_were_told_are_not_lost_beside_a_partial_reply() {
        let took = |requests| ModelResponse::default().with_requests(requests);
        for (held, came, kept) in [(1, 3, 3), (3, 1, 3), (3, 2, 3)] {
            let error = ModelError::new(ModelErrorKind::Transport, "it broke off");
            let error = error.with_partial(took(held)).or_partial(took(came));
            assert_eq!(error.partial.expect("it is kept").requests, kept);
        }
    }
}
