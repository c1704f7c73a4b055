//! The host that a request is for.

use std::net::IpAddr;

use http::{Request, Version, header::HOST, uri::Authority};

/// The host that a request is for; `None` if it does not say it once. HTTP/2 has it in the address.
pub(crate) fn host<B>(request: &Request<B>) -> Option<Authority> {
    let mut hosts = request.headers().get_all(HOST).iter();
    if request.version() >= Version::HTTP_2 && !request.headers().contains_key(HOST) {
        return request.uri().authority().cloned();
    }
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return None;
    };
    let host = host.to_str().ok()?;
    // Who puts a name before an `@` wants it to be taken for the host.
    (!host.contains('@')).then(|| host.parse().ok()).flatten()
}

pub(crate) fn is_loopback(authority: &Authority) -> bool {
    let host = authority.host();
    let address = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    host.eq_ignore_ascii_case("localhost")
        || address
            .unwrap_or(host)
            .parse::<IpAddr>()
            .is_ok_and(|address| address.to_canonical().is_loopback())
}
