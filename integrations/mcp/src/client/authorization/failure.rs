//! Why there is no authorisation.

use std::{error::Error, io, time::Duration};

use rmcp::transport::{
    auth::AuthError,
    streamable_http_client::{AuthRequiredError, InsufficientScopeError, StreamableHttpError},
};
use toolwright_core::visible_line;

/// A server over HTTP is not authorised, or not for what it was asked.
///
/// A call that fails so was not executed. No text has a token, a code or a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthorizationError {
    /// A person has to authorise the program.
    #[error(
        "the server wants authorisation: reach it with `Client::http_authorized`, and send a person to the address of \
         `Authorization::start` where there is no browser; or give a token in the header `Authorization` (`headers` of \
         its entry in a file)"
    )]
    Needed,
    /// An address is not encrypted, or not one to which a request goes.
    #[error(
        "`{0}` is not used: authorisation needs `https`, or `http` where both this program and the server are on one \
         machine, and no private address that a server names, until `Authorization::in_private_network`"
    )]
    Address(String),
    /// The address to come back to cannot be used.
    #[error("`{redirect}` is no address to come back to: {problem}")]
    Redirect {
        /// The address.
        redirect: String,
        /// What is wrong.
        problem: String,
    },
    /// The server does not say where it is authorised, or its authorization server does not say how.
    #[error("the server does not say where and how it is authorised: {0}")]
    Metadata(String),
    /// Another authorization server than the one that knows the program.
    #[error(
        "the program is registered at `{registered}`, and the server is authorised at `{found}`: nothing is sent there"
    )]
    Issuer {
        /// The issuer of [`Authorization::registered`](super::Authorization::registered).
        registered: String,
        /// The issuer that the server names.
        found: String,
    },
    /// The authorization server does not take the program as a client.
    #[error(
        "the authorization server does not register the program: {0}; register it there by hand, and give its id with \
         `Authorization::registered`"
    )]
    Registration(String),
    /// What came back does not belong to an authorisation that is under way.
    #[error(
        "this answer belongs to no authorisation that was started here, or to one that is over: start again"
    )]
    State,
    /// The person said no.
    #[error("authorisation was denied ({0}): start again to ask once more")]
    Denied(String),
    /// Nobody came back in time.
    #[error("nobody came back from the browser within {0:?}: start again to ask once more")]
    Unanswered(Duration),
    /// The authorization server, or the way to it, failed.
    #[error("the authorisation failed: {0}")]
    Failed(String),
    /// The server refuses the token that its authorization server has just issued.
    #[error("the server refuses the token that its authorization server has issued for it")]
    Refused,
    /// The server wants scopes that were asked for already, or does not say which.
    #[error("the server wants the scopes `{0}`, which were asked for already")]
    Scopes(String),
    /// The store of tokens failed.
    #[error("the store of tokens failed: {0}")]
    Store(String),
}

impl AuthorizationError {
    /// Why a connection or a request failed, if that is authorisation.
    pub(crate) fn of(error: &(dyn Error + 'static)) -> Option<Self> {
        let mut next = Some(error);
        while let Some(error) = next {
            if let Some(io) = error.downcast_ref::<io::Error>() {
                let inner = io.get_ref().and_then(|inner| inner.downcast_ref::<Self>());
                return inner.cloned();
            }
            // A server that says not even how it is authorised.
            let is_bare = error
                .downcast_ref::<StreamableHttpError<reqwest::Error>>()
                .is_some_and(is_unauthorized);
            if is_bare || error.is::<AuthRequiredError>() || error.is::<InsufficientScopeError>() {
                return Some(Self::Needed);
            }
            next = error.source();
        }
        None
    }

    /// Whether it may be over soon, without anybody who does something.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Self::Metadata(_) | Self::Failed(_) | Self::Store(_))
    }

    pub(super) fn failed(error: &AuthError) -> Self {
        match error {
            AuthError::CredentialStoreError(text) => Self::Store(text.clone()),
            AuthError::AuthorizationRequired => Self::Needed,
            AuthError::PkceUnsupported => Self::Metadata(shown(error)),
            AuthError::TokenExchangeFailed(text)
            | AuthError::TokenRefreshFailed(text)
            | AuthError::TokenRefreshRejected(text) => Self::Failed(unissued(text)),
            AuthError::ClientCredentialsError(text) if text.starts_with("Token exchange") => {
                Self::Failed(unissued(text))
            }
            _ => Self::Failed(shown(error)),
        }
    }

    pub(super) fn metadata(error: &AuthError) -> Self {
        let mut text = shown(error);
        if let Some(source) = error.source() {
            text = format!("{text}: {}", shown(source));
        }
        Self::Metadata(text)
    }

    pub(super) fn registration(error: &AuthError) -> Self {
        Self::Registration(shown(error))
    }
}

/// The code of an error of OAuth in a text of `rmcp`.
pub(super) fn code_of(text: &str) -> Option<&str> {
    let (_, answered) = text.split_once("Server returned error response: ")?;
    answered.split([':', ' ']).next()
}

/// Why there is no token. Of what an authorization server answers, the code alone is shown: the rest may repeat a secret.
fn unissued(text: &str) -> String {
    match code_of(text) {
        Some(code) => format!("the authorization server answers `{}`", shown(code)),
        None if text.ends_with("Request failed") => {
            "the authorization server does not answer".to_owned()
        }
        None => "the answer of the authorization server is not a token of OAuth".to_owned(),
    }
}

/// Whether it is 401 without a challenge, for which `rmcp` has no error of its own.
pub(super) fn is_unauthorized<E>(error: &StreamableHttpError<E>) -> bool
where
    E: Error + Send + Sync + 'static,
{
    matches!(error, StreamableHttpError::UnexpectedServerResponse(text) if text.starts_with("HTTP 401"))
}

/// A text whose addresses have neither a query nor a user: both may be secrets.
pub(super) fn without_secrets(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let Some((before, address)) = word.split_once("://") else {
            return word.to_owned();
        };
        let address = address.split(['?', '#']).next().unwrap_or_default();
        let end = address.find(['/', '\\']).unwrap_or(address.len());
        let host = address[..end].rfind('@').map_or(0, |at| at + 1);
        format!("{before}://{}", &address[host..])
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A text of others, as far as it is shown.
pub(super) fn shown(text: &(impl ToString + ?Sized)) -> String {
    const MOST: usize = 300;
    let text = without_secrets(&text.to_string());
    let text: String = text.chars().take(MOST).collect();
    visible_line(&text)
}
