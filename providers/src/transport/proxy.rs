//! Choice of the proxy that requests go through, if any.

use std::fmt;

use reqwest::{Client, Proxy, Url, header::AUTHORIZATION};
use secrecy::{ExposeSecret, SecretString};
use toolwright_core::model::ModelError;

use super::{failure, http_url};

/// The way of the requests.
#[derive(Clone)]
pub(super) enum Route {
    /// As the system and the environment say; what is on this machine is reached directly.
    System,
    /// Everything goes through this proxy.
    Proxy(SecretString),
    /// Nothing goes through a proxy.
    Direct,
}

impl Route {
    /// Returns true if no proxy is to be used.
    pub(super) fn is_direct(&self, on_this_machine: bool) -> bool {
        match self {
            Self::System => on_this_machine,
            Self::Proxy(_) => false,
            Self::Direct => true,
        }
    }

    /// The proxy, if one was set.
    pub(super) fn proxy(&self) -> Result<Option<Proxy>, ModelError> {
        let Self::Proxy(url) = self else {
            return Ok(None);
        };
        let url = http_url(url.expose_secret(), "the address of the proxy")?;
        Proxy::all(url).map(Some).map_err(failure::not_made)
    }

    /// User and password, and how a header carries them.
    pub(super) fn secrets(&self, client: Option<&Client>) -> Vec<SecretString> {
        let Self::Proxy(url) = self else {
            return Vec::new();
        };
        let Ok(url) = Url::parse(url.expose_secret()) else {
            return vec![url.clone()];
        };
        // The client makes the same header of an address for a server and for a proxy.
        let request = client.and_then(|client| client.get(url.clone()).build().ok());
        let header = request
            .as_ref()
            .and_then(|request| request.headers().get(AUTHORIZATION)?.to_str().ok())
            .and_then(|value| value.strip_prefix("Basic "));
        [Some(url.username()), url.password(), header]
            .into_iter()
            .flatten()
            .map(SecretString::from)
            .collect()
    }
}

/// Shows no address, which may hold a password.
impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Proxy(_) => "Proxy(..)",
            Self::Direct => "Direct",
        })
    }
}
