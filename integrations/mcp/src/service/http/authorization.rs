//! Authorisation as a resource server (RFC 9728, RFC 6750).

use http::{
    HeaderValue, Method, Request, StatusCode, Uri,
    header::{ACCESS_CONTROL_ALLOW_ORIGIN, WWW_AUTHENTICATE},
};
use serde_json::json;
use toolwright_http_access::{Refusal, is_preflight};

use super::{Access, Answer, Body, HttpService, preflight, text};
use crate::service::ServiceError;

/// Where the metadata are, before the path of the resource.
pub(super) const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// What clients are told about the authorisation of a service: who issues its tokens, and for which scopes.
#[derive(Debug, Clone)]
#[must_use = "it is given to `HttpService::protected`"]
pub struct ProtectedResource {
    address: Uri,
    servers: Vec<String>,
    scopes: Vec<String>,
}

impl ProtectedResource {
    /// The resource at the public address of the service, such as `https://notes.example.com/mcp`. Its tokens must have it as
    /// their audience, which the [hook](super::HttpService::owner) checks.
    ///
    /// # Errors
    ///
    /// When it is no address with a scheme and a host.
    pub fn new(address: &str) -> Result<Self, ServiceError> {
        let refused = || ServiceError::offer(address, "it is no address with a scheme and a host");
        let address: Uri = address.parse().map_err(|_| refused())?;
        if address.scheme().is_none() || address.authority().is_none() {
            return Err(refused());
        }
        Ok(Self {
            address,
            servers: Vec::new(),
            scopes: Vec::new(),
        })
    }

    /// Adds a server that issues tokens, by the address of its issuer.
    pub fn authorization_server(mut self, issuer: impl Into<String>) -> Self {
        self.servers.push(issuer.into());
        self
    }

    /// Sets the scopes that a client asks for at first. Beside them, the metadata have those of
    /// [`Service::scope`](crate::Service::scope).
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// The path of the metadata.
    pub(super) fn path(&self) -> String {
        format!("{WELL_KNOWN}{}", self.address.path().trim_end_matches('/'))
    }

    fn metadata_address(&self) -> String {
        let scheme = self.address.scheme_str().unwrap_or("https");
        let host = self.address.authority().map_or("", |host| host.as_str());
        format!("{scheme}://{host}{}", self.path())
    }
}

impl HttpService {
    /// The metadata, to all who ask, from pages of each origin as well: they have nothing that is secret.
    pub(super) fn metadata(&self, request: &Request<Body>) -> Answer {
        let mut answer = match &self.access.protected {
            Some(_) if is_preflight(request) => preflight(request.headers(), "GET"),
            Some(about) if request.method() == Method::GET => self.describe(about),
            _ => text(StatusCode::NOT_FOUND, "text/plain", "not found"),
        };
        let all = HeaderValue::from_static("*");
        answer
            .headers_mut()
            .insert(ACCESS_CONTROL_ALLOW_ORIGIN, all);
        answer
    }

    fn describe(&self, about: &ProtectedResource) -> Answer {
        let mut scopes = about.scopes.clone();
        for scope in self.served.scopes.names() {
            if !scopes.iter().any(|other| other == scope) {
                scopes.push(scope.to_owned());
            }
        }
        let metadata = json!({
            "resource": about.address.to_string().trim_end_matches('/'),
            "authorization_servers": about.servers,
            "scopes_supported": scopes,
            "bearer_methods_supported": ["header"],
        });
        text(StatusCode::OK, "application/json", metadata.to_string())
    }
}

impl Access {
    /// The response to a request that is not let in.
    pub(super) fn refusal(&self, refusal: &Refusal, has_token: bool) -> Answer {
        let error = json!({
            "jsonrpc": "2.0",
            "id": null,
            "error": {"code": -32600, "message": refusal.message()},
        });
        let mut answer = text(refusal.status(), "application/json", error.to_string());
        if let Some(challenge) = self.challenge(refusal, has_token)
            && let Ok(challenge) = HeaderValue::from_str(&challenge)
        {
            answer.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        answer
    }

    /// How a client gets a token that is let in.
    fn challenge(&self, refusal: &Refusal, has_token: bool) -> Option<String> {
        let about = self.protected.as_ref();
        let (error, scopes) = match refusal.status() {
            StatusCode::UNAUTHORIZED => {
                let scopes = about.map_or(&[][..], |about| &about.scopes);
                (has_token.then_some("invalid_token"), scopes)
            }
            _ if refusal.scopes().is_empty() => return None,
            _ => (Some("insufficient_scope"), refusal.scopes()),
        };
        let scopes = (!scopes.is_empty()).then(|| scopes.join(" "));
        let parameters = [
            ("error", error.map(ToOwned::to_owned)),
            ("scope", scopes),
            (
                "resource_metadata",
                about.map(ProtectedResource::metadata_address),
            ),
        ];
        let parameters = parameters.into_iter().filter_map(|(name, value)| {
            // What would end the string is not among the characters of scopes and addresses.
            let value = value?.replace(['"', '\\'], "");
            Some(format!("{name}=\"{value}\""))
        });
        let parameters: Vec<_> = parameters.collect();
        Some(
            format!("Bearer {}", parameters.join(", "))
                .trim_end()
                .to_owned(),
        )
    }
}
