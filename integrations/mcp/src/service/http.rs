//! Tools over HTTP.

use std::{
    convert::Infallible,
    fmt,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{Request, Response};
use http_body_util::combinators::BoxBody;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use tower_service::Service as TowerService;

use super::{Service, handler::Handler};

/// [`Service`] over HTTP, as a `tower` service: a router of `axum` mounts it with
/// `nest_service("/mcp", service.http())`.
///
/// Only requests to this machine by its own names are answered (`localhost`, `127.0.0.1`, `[::1]`), and none of the pages of
/// another site, so that a page in a browser cannot reach it by a name that it made point here.
#[derive(Clone)]
pub struct HttpService(StreamableHttpService<Handler, LocalSessionManager>);

impl HttpService {
    pub(crate) fn new(service: &Service) -> Self {
        let served = Arc::clone(&service.served);
        served.recover_tasks();
        let config = StreamableHttpServerConfig::default()
            .with_max_request_body_bytes(8 << 20)
            .enforce_origin_validation();
        let handler = move || Ok(Handler::new(Arc::clone(&served)));
        Self(StreamableHttpService::new(handler, Arc::default(), config))
    }
}

impl<B> TowerService<Request<B>> for HttpService
where
    B: http_body::Body + Send + 'static,
    B::Data: Send + 'static,
    B::Error: fmt::Display,
{
    type Response = Response<BoxBody<Bytes, Infallible>>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        TowerService::<Request<B>>::poll_ready(&mut self.0, cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        self.0.call(request)
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").finish_non_exhaustive()
    }
}
