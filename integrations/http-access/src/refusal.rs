//! The refusal of a request.

use http::StatusCode;

/// The refusal of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    status: StatusCode,
    message: String,
    scopes: Vec<String>,
}

impl Refusal {
    /// It is not known who calls: 401.
    pub fn unauthorized(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message)
    }

    /// Who calls may not: 403.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// The token lacks these scopes: 403. Over the Model Context Protocol it has a challenge by which a client can ask for them.
    pub fn insufficient_scope<S: Into<String>>(scopes: impl IntoIterator<Item = S>) -> Self {
        let scopes: Vec<String> = scopes.into_iter().map(Into::into).collect();
        let message = format!("the token lacks the scope {}", scopes.join(" "));
        Self {
            scopes,
            ..Self::forbidden(message)
        }
    }

    /// Another status, with a sentence for the client.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            scopes: Vec::new(),
        }
    }

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The sentence for the client.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The scopes that the token lacks; none if it is refused for another reason.
    pub fn scopes(&self) -> &[String] {
        &self.scopes
    }
}
