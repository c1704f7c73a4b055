//! A request before authentication.

use std::net::SocketAddr;

use http::{Extensions, HeaderMap, Method, Request, Uri, header::AUTHORIZATION};

/// A request before authentication.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Visit {
    /// The method.
    pub method: Method,
    /// The requested URI.
    pub uri: Uri,
    /// The headers.
    pub headers: HeaderMap,
    /// What layers around the service have added to the request, such as the user that your authentication found.
    pub extensions: Extensions,
    /// The address of the other end of the connection, if it is known. A server in a router of your own knows it if that is
    /// served with `into_make_service_with_connect_info::<SocketAddr>()`; a service of the Model Context Protocol, if a layer
    /// adds the `SocketAddr` to the extensions of the request.
    pub peer: Option<SocketAddr>,
}

impl Visit {
    /// The visit that a request is.
    #[doc(hidden)]
    pub fn of<B>(request: &Request<B>, peer: Option<SocketAddr>) -> Self {
        Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
            headers: request.headers().clone(),
            extensions: request.extensions().clone(),
            peer,
        }
    }

    /// The token of the request (`Authorization: Bearer …`).
    pub fn bearer(&self) -> Option<&str> {
        let value = self.headers.get(AUTHORIZATION)?.to_str().ok()?;
        let (scheme, token) = value.split_once(' ')?;
        let is_bearer = scheme.eq_ignore_ascii_case("bearer");
        is_bearer.then(|| token.trim()).filter(|it| !it.is_empty())
    }
}
