//! Who may ask: the one place where a request is let in.
//!
//! The files of the page need nobody who calls: they say nothing, and a browser opens them before somebody signs in.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{
    HeaderValue, StatusCode, Version,
    header::{ACCESS_CONTROL_ALLOW_CREDENTIALS, CONNECTION},
};
use tokio::time::sleep;
use toolwright_http_access as http_access;
use toolwright_http_access::Visit;

use crate::{app::App, caller::Visitor, failure::Failure};

/// What a page of another origin may send.
const METHODS: &str = "GET, POST, PATCH, DELETE";

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
    let allowed = app.origins.of(request.headers());
    let version = request.version();
    let mut response = match admit(app, &mut request, allowed.is_some(), needs).await {
        Ok(Admitted::In) => next.run(request).await,
        Ok(Admitted::Preflight) => {
            let headers = http_access::preflight(request.headers(), METHODS);
            closing((StatusCode::NO_CONTENT, headers).into_response(), version)
        }
        Err(failure) => closing(failure.into_response(), version),
    };
    let headers = response.headers_mut();
    if allowed.is_some() {
        let yes = HeaderValue::from_static("true");
        headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, yes);
    }
    http_access::protect(headers, allowed);
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
    if !is_allowed && !http_access::is_of_own_page(request) {
        let message =
            "requests from pages of other origins are not allowed (`Server::allow_origin`)";
        return Err(Failure::forbidden(message));
    }
    if http_access::is_preflight(request) {
        return Ok(Admitted::Preflight);
    }
    if needs != Needs::Caller {
        return Ok(Admitted::In);
    }
    let (owner, runner) = match &app.owner {
        None => (app.runner.owner().map(str::to_owned), app.runner.clone()),
        Some(owner) => {
            let visit = Visit::of(request, peer);
            let caller = http_access::identify(owner, visit).await?;
            let runner = caller.apply(&app.runner);
            let owner = runner.owner().filter(|owner| !owner.is_empty());
            let owner =
                owner.ok_or_else(|| Failure::forbidden("the caller could not be identified"))?;
            (Some(owner.to_owned()), runner)
        }
    };
    let store = runner.timed_store();
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
    let checked = match peer {
        None => Err("the address of the client is not known"),
        Some(_) => http_access::check_local(request, peer),
    };
    checked.map_err(|why| {
        Failure::forbidden(format!(
            "{why}: without `Server::owner`, only local requests are accepted"
        ))
    })
}
