//! A server of a runner.

use std::sync::Arc;

use axum::Router;
use futures_util::FutureExt as _;
use http::HeaderValue;
use tokio::net::TcpListener;
use toolwright_runtime::{CancellationToken, Runner};

use crate::{
    app::App,
    caller::{Caller, Refusal, Visit},
    limits::ServerLimits,
    open_streams::OpenStreams,
    recovery::recover,
    routes,
    serve::serve,
};

/// Serves a runner over HTTP.
pub struct Server {
    app: App,
}

/// A server cannot serve this runner.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The runner has no store: set one by [`RunnerBuilder::store`](toolwright_runtime::RunnerBuilder::store).
    #[error("the runner has no store: set one by `RunnerBuilder::store`")]
    NoStore,
}

impl Server {
    /// A server of a runner that has a store.
    ///
    /// # Errors
    ///
    /// When it has none.
    pub fn new(runner: Runner) -> Result<Self, ServerError> {
        let (Some(store), Some(name)) = (runner.store(), runner.name()) else {
            return Err(ServerError::NoStore);
        };
        let app = App {
            store: Arc::clone(store),
            name: name.to_owned(),
            runner,
            owner: None,
            origins: Vec::new(),
            limits: ServerLimits::default(),
            for_version_7: false,
            error_details: false,
            playground: false,
            streams: OpenStreams::default(),
            cut: CancellationToken::new(),
        };
        Ok(Self { app })
    }

    /// Sets who calls.
    pub fn owner<F>(mut self, hook: impl Fn(Visit) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Caller, Refusal>> + Send + 'static,
    {
        self.app.owner = Some(Arc::new(move |visit| hook(visit).boxed()));
        self
    }

    /// Lets pages of an origin ask.
    pub fn allow_origin(mut self, origin: &str) -> Self {
        if let Ok(origin) = HeaderValue::from_str(origin.trim_end_matches('/')) {
            self.app.origins.push(origin);
        }
        self
    }

    /// Sets what the server takes of its clients.
    pub fn limits(mut self, limits: ServerLimits) -> Self {
        self.app.limits = limits;
        self
    }

    /// Sends what only `ai` 7 accepts as well.
    pub fn for_version_7(mut self) -> Self {
        self.app.for_version_7 = true;
        self
    }

    /// Sends the text of the error that ended a run.
    pub fn with_error_details(mut self) -> Self {
        self.app.error_details = true;
        self
    }

    /// Shows a page at the path `/`, with which a developer talks to the model, looks into runs and calls tools by hand. It may
    /// do what its visitor may do. Leave it out where users come.
    ///
    /// The page is for the root of a host: a router that is nested elsewhere has none.
    #[cfg(feature = "playground")]
    pub fn playground(mut self, is_shown: bool) -> Self {
        self.app.playground = is_shown;
        self
    }

    /// The paths of the server, as a router.
    pub fn router(self) -> Router {
        routes::router(&Arc::new(self.app))
    }
}

impl Server {
    /// Serves on a listener until `shutdown` is ready, and goes on with runs whose process is gone: at once, and then whenever
    /// a lease is over. Streams are cut then, so that their clients connect anew, and other requests are waited for as long
    /// as [the limits](ServerLimits::shutdown_time) say. Runs go on in their tasks as long as the program does; what is left
    /// of them goes on in another process.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes all connections at once.
    pub async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        let app = Arc::new(self.app);
        let router = routes::router(&app);
        let recovery = recover(app.runner.clone(), Arc::clone(&app.store));
        let stop = CancellationToken::new();
        let serving = serve(listener, router, app.limits, stop.clone());
        let stopped = async {
            tokio::select! {
                biased;
                () = shutdown => {}
                () = recovery => {}
            }
            stop.cancel();
            app.cut.cancel();
        };
        tokio::join!(serving, stopped);
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("runner", &self.app.runner)
            .field("limits", &self.app.limits)
            .finish_non_exhaustive()
    }
}
