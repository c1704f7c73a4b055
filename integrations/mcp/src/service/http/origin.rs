//! Where a request comes from, and which host it is for.

use std::net::IpAddr;

use http::{
    HeaderMap, HeaderValue, Method, Request, StatusCode, Version,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_REQUEST_HEADERS,
        ACCESS_CONTROL_REQUEST_METHOD, FORWARDED, HOST, ORIGIN, VARY, VIA,
    },
    uri::Authority,
};

use super::{Access, Answer, text};
use crate::service::caller::Refusal;

/// Checks that a request is for this machine by its own name, and that no proxy has passed it on.
pub(super) fn check_local<B>(request: &Request<B>) -> Result<(), Refusal> {
    let refuse = |message: &str| {
        Err(Refusal::forbidden(format!(
            "{message}: without `HttpService::owner`, only local requests are accepted"
        )))
    };
    // Some proxies say nothing of themselves, but speak the version before.
    if request.version() < Version::HTTP_11 {
        return refuse("a proxy may have forwarded the request");
    }
    let is_of_proxy = |name: &str| {
        name == FORWARDED.as_str()
            || name == VIA.as_str()
            || name.starts_with("x-forwarded-")
            || matches!(name, "x-real-ip" | "x-client-ip" | "true-client-ip")
            || name.starts_with("cf-")
    };
    if request
        .headers()
        .keys()
        .any(|name| is_of_proxy(name.as_str()))
    {
        return refuse("a proxy has forwarded the request");
    }
    let is_other = |authority: &Authority| !is_loopback(authority);
    if host(request).is_none_or(|host| is_other(&host))
        || request.uri().authority().is_some_and(is_other)
    {
        return refuse("the request is for another host");
    }
    Ok(())
}

/// The host that a request is for; `None` if it does not say it once. HTTP/2 has it in the address.
fn host<B>(request: &Request<B>) -> Option<Authority> {
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

fn is_loopback(authority: &Authority) -> bool {
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

/// Checks that no page of another origin asks.
pub(super) fn check_own<B>(request: &Request<B>) -> Result<(), Refusal> {
    let refuse = || {
        let message =
            "requests from pages of other origins are not allowed (`HttpService::allow_origin`)";
        Err(Refusal::forbidden(message))
    };
    let mut origins = request.headers().get_all(ORIGIN).iter();
    if let Some(origin) = origins.next() {
        let origin = origin.to_str().ok();
        let origin = origin.and_then(|origin| origin.split_once("://"));
        let is_own = match (origin, host(request)) {
            (Some(("http" | "https", origin)), Some(host)) => {
                origin.eq_ignore_ascii_case(host.as_str())
            }
            _ => false,
        };
        if !is_own || origins.next().is_some() {
            return refuse();
        }
    }
    match request.headers().get("sec-fetch-site") {
        Some(site) if site == "cross-site" => refuse(),
        _ => Ok(()),
    }
}

impl Access {
    /// The origin of the page that asks, if it is in the list.
    pub(super) fn allowed_origin(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(ORIGIN)?;
        self.origins.contains(origin).then(|| origin.clone())
    }
}

/// A browser checks whether a page may send a request.
pub(super) fn is_preflight<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to that check. Only a page of an origin of the list comes here, or the own one.
pub(super) fn preflight(headers: &HeaderMap) -> Answer {
    let mut answer = text(StatusCode::NO_CONTENT, "text/plain", "");
    let methods = HeaderValue::from_static("GET, POST, DELETE");
    let allowed = answer.headers_mut();
    allowed.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    if let Some(asked) = headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        allowed.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    answer
}

/// Lets a page of this origin read an answer.
pub(super) fn allow(answer: &mut Answer, origin: HeaderValue) {
    let headers = answer.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(VARY, HeaderValue::from_static("origin"));
    let exposed = HeaderValue::from_static("mcp-session-id, www-authenticate");
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
}
