//! Tools over HTTP.

mod authorization;
mod bounded;
mod kept;
mod session;

use std::{
    convert::Infallible,
    fmt,
    future::Future,
    net::SocketAddr,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::{Buf as _, Bytes};
use futures_util::future::BoxFuture;
use http::{
    HeaderMap, HeaderValue, Method, Request, Response, StatusCode,
    header::{ACCESS_CONTROL_EXPOSE_HEADERS, CACHE_CONTROL, CONTENT_TYPE},
};
use http_body_util::{
    BodyExt as _, Full, Limited,
    combinators::{BoxBody, UnsyncBoxBody},
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use toolwright_http_access as http_access;
use toolwright_http_access::{Origins, OwnerHook, Refusal, Visit};
use tower_service::Service as TowerService;

pub use authorization::ProtectedResource;
use bounded::{BoundedSessions, MaxSessions};
use session::Sessions;

use super::{
    Served, Service, ServiceError,
    caller::{Admitted, Caller},
    handler::Handler,
};

/// The time after which a session of the protocol of 2025-11-25 ends that neither side uses. A call that is silent for so long
/// ends with it, so that it is no shorter than the time of a run.
const SESSION: Duration = Duration::from_secs(60 * 60);
/// The greatest number of bytes of a request.
const MAX_BODY: usize = 8 << 20;
/// What a page of another origin may send, and which headers it reads.
const METHODS: &str = "GET, POST, DELETE";
const EXPOSED: HeaderValue = HeaderValue::from_static("mcp-session-id, www-authenticate");

/// [`Service`] over HTTP, as a `tower` service: a router of `axum` mounts it with
/// `nest_service("/mcp", service.http())`.
///
/// Only requests to this machine by its own names are answered (`localhost`, `127.0.0.1`, `[::1]`), and none that a proxy
/// passes on or that a page of another site makes, so that a page in a browser cannot reach it by a name that it made point
/// here. The other end of the connection is not known, unless a layer adds its
/// [`SocketAddr`] to the extensions of the request: bind the listener to a loopback address. For all else, set
/// [`owner`](Self::owner).
///
/// ```
/// use toolwright::{Toolset, mcp::{self, Caller, ProtectedResource, Refusal, Visit}, tool::Capabilities};
///
/// # async fn user_of(token: &str) -> Option<(String, Vec<String>)> { None }
/// let about = ProtectedResource::new("https://notes.example.com/mcp")?
///     .authorization_server("https://auth.example.com");
/// let http = mcp::Service::new(Toolset::new())
///     .scope("notes:write", Capabilities::DATABASE)
///     .http()
///     .owner(async |visit: Visit| {
///         let token = visit.bearer().ok_or_else(|| Refusal::unauthorized("sign in"))?;
///         let user = user_of(token).await;
///         let (id, scopes) = user.ok_or_else(|| Refusal::unauthorized("sign in again"))?;
///         Ok(Caller::owner(id).with_scopes(scopes))
///     })
///     .protected(about);
/// // axum: Router::new().nest_service("/mcp", http.clone()).route_service(&http.metadata_path(), http)
/// assert_eq!(http.metadata_path(), "/.well-known/oauth-protected-resource/mcp");
/// # Ok::<(), mcp::ServiceError>(())
/// ```
#[derive(Clone)]
pub struct HttpService {
    served: Arc<Served>,
    rmcp: StreamableHttpService<Handler, BoundedSessions>,
    access: Arc<Access>,
}

/// Who is let in.
#[derive(Clone, Default)]
struct Access {
    owner: Option<OwnerHook<Caller>>,
    origins: Origins,
    protected: Option<ProtectedResource>,
    sessions: Sessions,
    max_sessions: MaxSessions,
}

type Body = UnsyncBoxBody<Bytes, String>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

impl HttpService {
    pub(crate) fn new(service: &Service) -> Self {
        let served = Arc::clone(&service.served);
        served.recover_tasks();
        let config = StreamableHttpServerConfig::default()
            .with_max_request_body_bytes(MAX_BODY)
            // `rmcp` would begin the stream of a session by a hint with the id of the first event after it.
            .with_sse_retry(None)
            // Hosts and origins are checked here, since they depend on the hook.
            .disable_allowed_hosts();
        let shared = Arc::clone(&served);
        let handler = move || Ok(Handler::new(Arc::clone(&shared)));
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SESSION);
        let sessions = BoundedSessions::new(sessions);
        Self {
            served,
            rmcp: StreamableHttpService::new(handler, Arc::new(sessions), config),
            access: Arc::default(),
        }
    }

    /// Sets the hook that says who calls, and lets in requests from other machines, by any host name. Each request is
    /// checked by it. A session of the protocol of 2025-11-25 belongs to the owner that began it.
    pub fn owner<F>(self, hook: impl Fn(Visit) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Caller, Refusal>> + Send + 'static,
    {
        self.with(|access| access.owner = Some(Arc::new(move |visit| Box::pin(hook(visit)))))
    }

    /// Lets pages of an origin call, such as `https://app.example`. The pages of the host of the service itself always may.
    /// Name each origin: there is no `*`.
    ///
    /// # Errors
    ///
    /// When it is not a scheme, `://` and a host, perhaps with a port, as browsers send it.
    #[doc(alias = "cors")]
    pub fn allow_origin(mut self, origin: &str) -> Result<Self, ServiceError> {
        if Arc::make_mut(&mut self.access).origins.add(origin) {
            Ok(self)
        } else {
            Err(ServiceError::Origin(origin.to_owned()))
        }
    }

    /// Sets the largest numbers of sessions of the protocol of 2025-11-25: of an owner, and of all; 256 and 4,096 by default.
    /// Without [`owner`](Self::owner), all callers are one.
    ///
    /// Beyond one of them the session that was used least recently ends, of the owner, or of who has most of all; its client
    /// begins another one. A session for which a connection is open does not end so. A new one is refused by 429 where
    /// only owners with fewer sessions have one without an open connection.
    pub fn max_sessions(self, of_owner: usize, all: usize) -> Self {
        let max = MaxSessions {
            max_sessions_of_owner: of_owner,
            max_sessions: all,
        };
        self.with(|access| access.max_sessions = max)
    }

    /// Sets what clients are told about the authorisation (RFC 9728): refusals with 401 and 403 have the address of these
    /// metadata, which are served at [`metadata_path`](Self::metadata_path).
    pub fn protected(self, resource: ProtectedResource) -> Self {
        self.with(|access| access.protected = Some(resource))
    }

    /// The path of the metadata of [`protected`](Self::protected), which is outside of the path of the service: mount a clone
    /// of the service there as well.
    pub fn metadata_path(&self) -> String {
        let protected = self.access.protected.as_ref();
        protected.map_or_else(
            || authorization::WELL_KNOWN.to_owned(),
            ProtectedResource::path,
        )
    }

    fn with(mut self, change: impl FnOnce(&mut Access)) -> Self {
        change(Arc::make_mut(&mut self.access));
        self
    }

    async fn answer(mut self, request: Request<Body>) -> Answer {
        let access = Arc::clone(&self.access);
        if request.uri().path().starts_with(authorization::WELL_KNOWN) {
            return self.metadata(&request);
        }
        let has_token = request.headers().contains_key(http::header::AUTHORIZATION);
        let origin = access.origins.of(request.headers());
        let mut answer = match self.admit(request, origin.is_some()).await {
            Ok(answer) => answer,
            Err(refusal) => access.refusal(&refusal, has_token),
        };
        let headers = answer.headers_mut();
        // `rmcp` lets caches keep an answer that they ask for again.
        headers.remove(CACHE_CONTROL);
        if origin.is_some() {
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
        http_access::protect(headers, origin);
        answer
    }

    /// Lets a request in, and answers it.
    async fn admit(&mut self, request: Request<Body>, is_allowed: bool) -> Result<Answer, Refusal> {
        let access = Arc::clone(&self.access);
        let peer = request.extensions().get::<SocketAddr>().copied();
        if access.owner.is_none() {
            http_access::check_local(&request, peer).map_err(|why| {
                Refusal::forbidden(format!(
                    "{why}: without `HttpService::owner`, only local requests are accepted"
                ))
            })?;
        }
        if !is_allowed && !http_access::is_of_own_page(&request) {
            let message = "requests from pages of other origins are not allowed (`HttpService::allow_origin`)";
            return Err(Refusal::forbidden(message));
        }
        if http_access::is_preflight(&request) {
            return Ok(preflight(request.headers(), METHODS));
        }
        let Some(owner) = &access.owner else {
            return self.call("", request).await;
        };
        let caller = http_access::identify(owner, Visit::of(&request, peer)).await?;
        if caller.id().is_empty() {
            return Err(Refusal::forbidden("the caller could not be identified"));
        }
        let (mut parts, body) = request.into_parts();
        access.sessions.check(&mut parts.headers, &caller)?;
        let granted = self.served.options.calls.granted();
        let granted = self.served.scopes.granted(granted, &caller);
        let id = caller.clone();
        parts.extensions.insert(Admitted { caller, granted });
        let body = if self.served.scopes.is_empty() || parts.method != Method::POST {
            body
        } else {
            let body = Limited::new(body, MAX_BODY).collect().await;
            let too_large =
                |_| Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large");
            let body = body.map_err(too_large)?.to_bytes();
            self.served.scopes.check(&self.served, granted, &body)?;
            let body = Full::new(body).map_err(|never| match never {});
            body.boxed_unsync()
        };
        let request = Request::from_parts(parts, body);
        let mut answer = self.call(id.id(), request).await?;
        access.sessions.mark(&mut answer, &id);
        Ok(answer)
    }

    /// Answers a request that is let in. A session that it begins is one of this owner.
    async fn call(&mut self, owner: &str, request: Request<Body>) -> Result<Answer, Refusal> {
        let max = self.access.max_sessions;
        let answered = async {
            let Ok(answer) = self.rmcp.call(request).await;
            answer
        };
        bounded::within(max, owner, answered).await
    }
}

/// The answer to a browser that checks whether a page may send a request.
fn preflight(asked: &HeaderMap, methods: &'static str) -> Answer {
    let mut answer = text(StatusCode::NO_CONTENT, "text/plain", "");
    let headers = http_access::preflight(asked, methods);
    answer.headers_mut().extend(headers);
    answer
}

/// A whole response.
fn text(status: StatusCode, media_type: &'static str, text: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(text.into()).boxed());
    *answer.status_mut() = status;
    let media_type = HeaderValue::from_static(media_type);
    answer.headers_mut().insert(CONTENT_TYPE, media_type);
    answer
}

impl<B> TowerService<Request<B>> for HttpService
where
    B: http_body::Body + Send + 'static,
    B::Data: Send + 'static,
    B::Error: fmt::Display,
{
    type Response = Answer;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        let request = request.map(|body| {
            let whole = |mut data: B::Data| data.copy_to_bytes(data.remaining());
            let body = body.map_frame(move |frame| frame.map_data(whole));
            body.map_err(|error| error.to_string()).boxed_unsync()
        });
        Box::pin(async move { Ok(service.answer(request).await) })
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").finish_non_exhaustive()
    }
}
