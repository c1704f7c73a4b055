//! The requests of authorisation. A server names where they go, so that they must not reach what only this machine can.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use http::{Method, Request, Response};
use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect::Policy,
};
use rmcp::transport::auth::{
    AuthorizationMetadata, OAuthHttpClient, OAuthHttpClientFuture, OAuthHttpRequest,
};

use super::{AuthorizationError, failure::shown};
use crate::client::http_client;

/// A client that follows no redirect and reads bodies up to a bound.
pub(super) struct Network {
    client: reqwest::Client,
    allowed: Arc<Allowed>,
}

/// Which addresses are reached.
#[derive(Debug)]
pub(super) struct Allowed {
    /// The kind of the address by which the program reaches the server.
    server: Kind,
    /// Whether the application lets private addresses in.
    private: bool,
    /// Proxies are asked by name, and look for the addresses themselves.
    proxies: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Public,
    Loopback,
    Private,
    /// Addresses of the link, of groups, of nobody.
    Other,
}

/// The largest body, in bytes.
const MAX_BODY: usize = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(30);

impl Network {
    pub(super) fn new(server: &Url, private: bool) -> Result<Self, AuthorizationError> {
        let allowed = Arc::new(Allowed {
            server: literal(server).unwrap_or(Kind::Public),
            private,
            proxies: proxies(),
        });
        let builder = http_client::builder().map_err(AuthorizationError::Failed)?;
        let client = builder
            .redirect(Policy::none())
            .timeout(TIMEOUT)
            .dns_resolver(Arc::clone(&allowed))
            .build()
            .map_err(|error| AuthorizationError::Failed(shown(&error)))?;
        Ok(Self { client, allowed })
    }

    /// Checks the addresses that an authorization server names: one is opened by a person, others get secrets.
    pub(super) fn check_named(
        &self,
        metadata: &AuthorizationMetadata,
    ) -> Result<(), AuthorizationError> {
        let named = [
            Some(&metadata.authorization_endpoint),
            Some(&metadata.token_endpoint),
            metadata.registration_endpoint.as_ref(),
        ];
        for address in named.into_iter().flatten() {
            let url = Url::parse(address);
            let url = url.map_err(|_| AuthorizationError::Address(shown(address)))?;
            self.allowed.check(&url)?;
        }
        Ok(())
    }

    async fn send(
        &self,
        request: Request<Vec<u8>>,
    ) -> Result<Response<Vec<u8>>, Box<dyn std::error::Error + Send + Sync>> {
        let request = reqwest::Request::try_from(request)?;
        self.allowed.check(request.url())?;
        let read = (request.method() == Method::GET).then(|| request.url().clone());
        let mut response = self.client.execute(request).await?;
        let mut answer = Response::builder().status(response.status());
        if let Some(headers) = answer.headers_mut() {
            headers.clone_from(response.headers());
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if chunk.len() > MAX_BODY - body.len() {
                return Err(format!("the answer has more than {MAX_BODY} bytes").into());
            }
            body.extend_from_slice(&chunk);
        }
        if let Some(url) = read
            && let Ok(metadata) = serde_json::from_slice(&body)
        {
            published_by_issuer(&url, &metadata)?;
        }
        Ok(answer.body(body)?)
    }
}

impl OAuthHttpClient for Network {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(self.send(request.request))
    }
}

impl Allowed {
    /// Refuses an address without TLS, and one that only this machine or its network reaches.
    fn check(&self, url: &Url) -> Result<(), AuthorizationError> {
        let kind = literal(url);
        let encrypted = match url.scheme() {
            "https" => true,
            "http" => kind == Some(Kind::Loopback),
            _ => false,
        };
        if encrypted && kind.is_none_or(|kind| self.lets(kind)) {
            return Ok(());
        }
        Err(AuthorizationError::Address(shown(url)))
    }

    fn lets(&self, kind: Kind) -> bool {
        match kind {
            Kind::Public => true,
            Kind::Loopback => self.server == Kind::Loopback,
            Kind::Private => self.private || self.server == Kind::Private,
            Kind::Other => false,
        }
    }
}

impl Resolve for Allowed {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        let is_proxy = self.proxies.contains(&host);
        let (server, private) = (self.server, self.private);
        Box::pin(async move {
            let allowed = Self {
                server,
                private,
                proxies: Vec::new(),
            };
            let found = tokio::net::lookup_host((&*host, 0)).await?;
            let reached: Vec<SocketAddr> = found
                .filter(|found| is_proxy || allowed.lets(Kind::of(found.ip())))
                .collect();
            if reached.is_empty() {
                let text = format!("`{host}` has no address that is reached from here");
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, text).into());
            }
            Ok(Box::new(reached.into_iter()) as Addrs)
        })
    }
}

impl Kind {
    fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::of_v4(address),
            IpAddr::V6(address) => {
                embedded(address).map_or_else(|| Self::of_v6(address), Self::of_v4)
            }
        }
    }

    fn of_v4(address: Ipv4Addr) -> Self {
        let [first, second, ..] = address.octets();
        let carrier = first == 100 && (64..128).contains(&second);
        let benchmark = first == 198 && (18..20).contains(&second);
        if address.is_loopback() {
            Self::Loopback
        } else if address.is_private() || carrier {
            Self::Private
        } else if address.is_link_local() || benchmark || first == 0 || first >= 224 {
            Self::Other
        } else {
            Self::Public
        }
    }

    fn of_v6(address: Ipv6Addr) -> Self {
        let [first, second, third, ..] = address.segments();
        let tunnel = first == 0x2001 && second == 0;
        let local_translation = (first, second, third) == (0x64, 0xff9b, 1);
        if address.is_loopback() {
            Self::Loopback
        } else if address.is_unique_local() {
            Self::Private
        } else if address.is_unspecified()
            || address.is_multicast()
            || address.is_unicast_link_local()
            || tunnel
            || local_translation
        {
            Self::Other
        } else {
            Self::Public
        }
    }
}

/// The address of version 4 that one of version 6 stands for: mapped, compatible, NAT64, 6to4.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [first, second, third, .., high, low] = address.segments();
    let of = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    let prefix = &address.segments()[..6];
    let is_own = address.is_loopback() || address.is_unspecified();
    match prefix {
        [0, 0, 0, 0, 0, 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] => Some(of(high, low)),
        [0, 0, 0, 0, 0, 0] if !is_own => Some(of(high, low)),
        _ if first == 0x2002 => Some(of(second, third)),
        _ => None,
    }
}

/// Refuses metadata in the name of an issuer that are not where that issuer publishes its own: they would send its secrets to
/// another one. `rmcp` compares only where it knows the form of the address, and a server may name any other.
fn published_by_issuer(url: &Url, metadata: &AuthorizationMetadata) -> Result<(), String> {
    let named = metadata.issuer.as_deref().unwrap_or_default();
    let path = url.path().trim_end_matches('/');
    let is_published = Url::parse(named).is_ok_and(|issuer| {
        let under = issuer.path().trim_end_matches('/');
        let known = [
            "/.well-known/oauth-authorization-server",
            "/.well-known/openid-configuration",
        ];
        let is_at = |name: &str| {
            [
                name.to_owned(),
                format!("{name}{under}"),
                format!("{under}{name}"),
            ]
            .iter()
            .any(|form| form == path)
        };
        issuer.origin() == url.origin() && known.into_iter().any(is_at)
    });
    if is_published {
        return Ok(());
    }
    let (named, host) = (shown(named), url.host_str().unwrap_or_default());
    Err(format!(
        "metadata of the issuer `{named}` are at an address of `{host}` where that issuer does not publish them"
    ))
}

/// Whether the host is this machine, by its name.
pub(super) fn is_loopback(url: &Url) -> bool {
    literal(url) == Some(Kind::Loopback)
}

/// The kind of a host that is an address, or a name of this machine. Other names say nothing.
fn literal(url: &Url) -> Option<Kind> {
    let host = url.host_str()?.trim_end_matches('.');
    if host == "localhost" || host.ends_with(".localhost") {
        return Some(Kind::Loopback);
    }
    let address = host.trim_start_matches('[').trim_end_matches(']');
    address.parse().ok().map(Kind::of)
}

/// The hosts of the proxies that the environment names.
fn proxies() -> Vec<String> {
    let names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
    let names = names
        .into_iter()
        .flat_map(|name| [name.to_owned(), name.to_lowercase()]);
    let values = names.filter_map(|name| std::env::var(name).ok());
    let hosts = values.filter_map(|value| {
        let url = Url::parse(&value).or_else(|_| Url::parse(&format!("http://{value}")));
        url.ok()?.host_str().map(str::to_owned)
    });
    hosts.collect()
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::{Allowed, Kind, literal};

    fn reached(server: &str, private: bool, address: &str) -> bool {
        let allowed = Allowed {
            server: literal(&Url::parse(server).unwrap()).unwrap_or(Kind::Public),
            private,
            proxies: Vec::new(),
        };
        allowed.check(&Url::parse(address).unwrap()).is_ok()
    }

    #[test]
    fn a_server_sends_nobody_into_the_network_of_this_machine() {
        let far = "https://mcp.example.com/mcp";
        assert!(reached(far, false, "https://login.example.com/token"));
        assert!(reached(far, false, "https://93.184.216.34/token"));
        for address in [
            "http://login.example.com/token",
            "ftp://login.example.com/token",
            "https://localhost/token",
            "https://app.localhost./token",
            "https://127.0.0.1/token",
            "http://127.0.0.1:9000/token",
            "https://10.0.0.9/token",
            "https://100.64.0.1/token",
            "https://169.254.169.254/latest/meta-data",
            "https://0.0.0.0/token",
            "https://224.0.0.1/token",
            "https://[::1]/token",
            "https://[::ffff:127.0.0.1]/token",
            "https://[64:ff9b::a00:9]/token",
            "https://[2002:7f00:1::]/token",
            "https://[fe80::1]/token",
            "https://[fd00::1]/token",
        ] {
            assert!(!reached(far, false, address), "{address}");
        }
    }

    #[test]
    fn what_the_application_lets_in_is_reached() {
        let far = "https://mcp.example.com/mcp";
        assert!(reached(far, true, "https://10.0.0.9/token"));
        assert!(!reached(far, true, "http://10.0.0.9/token"));
        assert!(!reached(far, true, "https://127.0.0.1/token"));
        assert!(!reached(far, true, "https://169.254.169.254/token"));
        let here = "http://127.0.0.1:8000/mcp";
        assert!(reached(here, false, "http://localhost:9000/token"));
        assert!(!reached(here, false, "https://10.0.0.9/token"));
        let near = "https://10.0.0.4/mcp";
        assert!(reached(near, false, "https://10.0.0.9/token"));
    }
}
