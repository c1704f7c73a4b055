//! Requests of this machine.

use std::net::SocketAddr;

use http::{
    Request, Version,
    header::{FORWARDED, VIA},
    uri::Authority,
};

use crate::host::{host, is_loopback};

/// Checks that a request comes from this machine, if its peer is known, that it is meant for it, and that no proxy has passed
/// it on.
///
/// # Errors
///
/// When it may be another one: the reason.
pub fn check_local<B>(request: &Request<B>, peer: Option<SocketAddr>) -> Result<(), &'static str> {
    if peer.is_some_and(|peer| !peer.ip().to_canonical().is_loopback()) {
        return Err("the request comes from another machine");
    }
    // Some proxies say nothing of themselves, but speak the version before: by default nginx up to 1.29 does.
    if request.version() < Version::HTTP_11 {
        return Err("a proxy may have forwarded the request");
    }
    let mut names = request.headers().keys();
    if names.any(|name| is_of_proxy(name.as_str())) {
        return Err("a proxy has forwarded the request");
    }
    let is_other = |authority: &Authority| !is_loopback(authority);
    if host(request).is_none_or(|host| is_other(&host))
        || request.uri().authority().is_some_and(is_other)
    {
        return Err("the request is for another host");
    }
    Ok(())
}

fn is_of_proxy(name: &str) -> bool {
    name == FORWARDED.as_str()
        || name == VIA.as_str()
        || name.starts_with("x-forwarded-")
        || matches!(name, "x-real-ip" | "x-client-ip" | "true-client-ip")
        || name.starts_with("cf-")
}
