//! Who may ask: the one place where a request is let in.
//!
//! - Without a hook that says who calls, only this machine may: the peer's address and the `Host` are loopback, and no proxy
//!   has passed the request on. A page of another name that resolves to this machine has that name in its `Host`.
//! - The files of the page need nobody who calls: they say nothing, and a browser opens them before somebody signs in.
//! - A page of another origin may ask if its origin is in the list.

use std::{
    net::{IpAddr, SocketAddr},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::Duration,
};

use axum::{
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt as _;
use http::{
    HeaderMap, HeaderValue, Method, StatusCode, Version,
    header::{
        ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS,
        ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
        ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL, CONNECTION,
        FORWARDED, HOST, ORIGIN, VARY, VIA, X_CONTENT_TYPE_OPTIONS,
    },
    uri::Authority,
};
use tokio::time::sleep;

use crate::{
    app::App,
    caller::{Visit, Visitor},
    failure::Failure,
    timed_store::TimedStore,
};

/// How long a request waits for the first poll of the future of its server.
const BEGINS: Duration = Duration::from_secs(5);

/// Lets a request in, or answers it.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let_in(&app, request, next, Needs::Caller).await
}

/// Lets a request for a file of the page in: a browser opens a page before somebody can sign in there.
#[cfg(feature = "playground")]
pub(crate) async fn guard_page(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    let_in(&app, request, next, Needs::Nobody).await
}

/// Whether it has to be known who calls.
#[derive(Clone, Copy, PartialEq)]
enum Needs {
    Caller,
    #[cfg(feature = "playground")]
    Nobody,
}

async fn let_in(app: &App, mut request: Request, next: Next, needs: Needs) -> Response {
    if let Err(stopped) = check_running(app).await {
        return closing(stopped.into_response(), request.version());
    }
    let origin = request.headers().get(ORIGIN).cloned();
    let allowed = origin.filter(|origin| app.origins.contains(origin));
    let version = request.version();
    let mut response = match admit(app, &mut request, allowed.is_some(), needs).await {
        Ok(Admitted::In) => next.run(request).await,
        Ok(Admitted::Preflight) => closing(preflight(request.headers()), version),
        Err(failure) => closing(failure.into_response(), version),
    };
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let same = HeaderValue::from_static("same-origin");
    headers.insert("cross-origin-resource-policy", same);
    headers.append(VARY, HeaderValue::from_static("origin"));
    // Nobody keeps what belongs to its caller.
    let kept_nowhere = HeaderValue::from_static("no-store");
    headers.entry(CACHE_CONTROL).or_insert(kept_nowhere);
    if let Some(origin) = allowed {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        let yes = HeaderValue::from_static("true");
        headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, yes);
    }
    response
}

/// Checks that the future of the server runs: without it a run that a crash interrupted would block its chat for ever. A
/// request may come a moment before its first poll.
async fn check_running(app: &App) -> Result<(), Failure> {
    let stopped = |code, message| {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Err(Failure::new(status, code, message))
    };
    tokio::select! {
        biased;
        () = app.cut.cancelled() => {
            let message =
                "the server has stopped, or the future of `Server::into_router` was dropped";
            stopped("stopped", message)
        }
        () = app.begun.cancelled() => Ok(()),
        () = sleep(BEGINS) => {
            stopped("not_running", "the future of `Server::into_router` is not polled")
        }
    }
}

/// Who is not let in, or not known, keeps no connection.
fn closing(mut response: Response, version: Version) -> Response {
    if version < Version::HTTP_2 {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    response
}

enum Admitted {
    In,
    /// A browser checks whether a page may send a request.
    Preflight,
}

async fn admit(
    app: &App,
    request: &mut Request,
    is_allowed: bool,
    needs: Needs,
) -> Result<Admitted, Failure> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map(|ConnectInfo(peer)| *peer);
    if app.owner.is_none() {
        check_local(request, peer)?;
    }
    if !is_allowed {
        check_origin(request)?;
    }
    let headers = request.headers();
    if request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
        return Ok(Admitted::Preflight);
    }
    if needs != Needs::Caller {
        return Ok(Admitted::In);
    }
    let (owner, runner) = match &app.owner {
        None => (app.runner.owner().map(str::to_owned), app.runner.clone()),
        Some(owner) => {
            let visit = Visit {
                method: request.method().clone(),
                uri: request.uri().clone(),
                headers: request.headers().clone(),
                extensions: request.extensions().clone(),
                peer,
            };
            // It is user code, whose panic must not end the connection.
            let asked = AssertUnwindSafe(async { owner(visit).await });
            let caller = asked.catch_unwind().await;
            let caller =
                caller.map_err(|_| Failure::internal("the caller could not be identified"))?;
            let runner = caller?.apply(&app.runner);
            let owner = runner.owner().filter(|owner| !owner.is_empty());
            let owner =
                owner.ok_or_else(|| Failure::forbidden("the caller could not be identified"))?;
            (Some(owner.to_owned()), runner)
        }
    };
    let store = TimedStore::of(&runner);
    let address = || peer.map(|peer| peer.ip().to_string());
    request.extensions_mut().insert(Visitor {
        counted_as: owner.clone().or_else(address).unwrap_or_default(),
        owner,
        store: store.ok_or_else(|| Failure::internal("the runner has no store"))?,
        runner,
    });
    Ok(Admitted::In)
}

/// Checks that a request comes from this machine, and is meant for it.
fn check_local(request: &Request, peer: Option<SocketAddr>) -> Result<(), Failure> {
    let refuse = |message: &str| {
        Err(Failure::forbidden(format!(
            "{message}: without `Server::owner`, only local requests are accepted"
        )))
    };
    match peer {
        None => return refuse("the address of the client is not known"),
        Some(peer) if !peer.ip().to_canonical().is_loopback() => {
            return refuse("the request comes from another machine");
        }
        Some(_) => {}
    }
    // Some proxies say nothing of themselves, but speak the version before: by default nginx up to 1.29 does.
    if request.version() < Version::HTTP_11 {
        return refuse("a proxy may have forwarded the request");
    }
    let headers = request.headers();
    if headers.keys().any(|name| is_of_proxy(name.as_str())) {
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

fn is_of_proxy(name: &str) -> bool {
    name == FORWARDED.as_str()
        || name == VIA.as_str()
        || name.starts_with("x-forwarded-")
        || matches!(name, "x-real-ip" | "x-client-ip" | "true-client-ip")
        || name.starts_with("cf-")
}

/// The host that a request is for; `None` if it does not say it once. HTTP/2 has it in the address.
fn host(request: &Request) -> Option<Authority> {
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
fn check_origin(request: &Request) -> Result<(), Failure> {
    let headers = request.headers();
    let refuse = || {
        let message =
            "requests from pages of other origins are not allowed (`Server::allow_origin`)";
        Err(Failure::forbidden(message))
    };
    let mut origins = headers.get_all(ORIGIN).iter();
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
    match headers.get("sec-fetch-site") {
        Some(site) if site == "cross-site" => refuse(),
        _ => Ok(()),
    }
}

/// The answer to a browser that requests a page. Only an origin of the list comes here, or the own
/// one.
fn preflight(headers: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let answer = response.headers_mut();
    let methods = HeaderValue::from_static("GET, POST, PATCH, DELETE");
    answer.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    if let Some(asked) = headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        answer.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    answer.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}
