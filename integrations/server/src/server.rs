//! A server of a runner.

use std::{
    fmt,
    sync::{Arc, atomic::AtomicU64},
};

use axum::Router;
use futures_util::FutureExt as _;
use tokio::net::TcpListener;
use toolwright_core::{
    CancellationToken, Conversation,
    run::{StoreError, UserFailure},
};
use toolwright_http_access::{Origins, Refusal, Visit};
use toolwright_runtime::{
    RunRequest, Runner, TypedAnswer,
    store::{ConversationId, ConversationVersion},
};
use toolwright_streams::FailureTexts;

use crate::{
    app::App, bodies::Bodies, caller::Caller, limits::ServerLimits, open_streams::OpenStreams,
    routes, runs_of_chat::conversation_of, serve::serve,
};

/// Serves a runner over HTTP: chats for `useChat` of the AI SDK, runs, and tools.
///
/// ```no_run
/// # async fn serve(runner: toolwright::Runner) -> Result<(), Box<dyn std::error::Error>> {
/// use tokio::net::TcpListener;
/// use toolwright::server::Server;
///
/// let listener = TcpListener::bind("127.0.0.1:8080").await?;
/// let shutdown = std::future::pending::<()>();
/// Server::new(runner)?.serve(listener, shutdown).await;
/// # Ok(()) }
/// ```
///
/// A run continues when its client disconnects, and can be read again. Decisions and messages go through the store, so
/// that every process with the same store can serve them: set
/// [`RunnerBuilder::store`](toolwright_runtime::RunnerBuilder::store). To let calls wait for approvals, use
/// [`RunnerBuilder::suspends`](toolwright_runtime::RunnerBuilder::suspends).
///
/// # Authentication
///
/// Without an [`owner`](Self::owner) only clients on this machine are answered: the peer's address and the `Host` are
/// loopback, and no header shows a proxy. With an owner hook, each owner sees only its own runs. Pages of another
/// origin have to be [allowed](Self::allow_origin).
///
/// # Paths
///
/// | Path | |
/// | --- | --- |
/// | `POST /chat` | a new message, decisions, or a regenerated answer; responds with a UI message stream. `?v=7` for `ai` 7, `?format=plain` for [plain events](toolwright_streams::PlainStream) |
/// | `GET /chat/{id}/stream` | the newest run of a chat from its start, 204 if there is none |
/// | `GET /chat`, `GET /chat/{id}`, `GET /chat/{id}/export` | the chats; one with all its messages; the same as a file |
/// | `PATCH /chat/{id}`, `DELETE /chat/{id}` | gives it a title: `{"title"}`, which is `null` for its first question; deletes it with its runs and answers 204, or 409 while a run is not over |
/// | `POST /chat/{id}/cancel`, `POST /chat/{id}/messages` | cancels its newest run: `{"afterRound"?}`; says more to it: `{"text", "id"?}`. 202 if it takes it, and 409 `not_running` if it is over |
/// | `GET /runs`, `GET /runs/{id}` | the runs with their questions and ends, by `status`, `chat` and `q`; one of them |
/// | `GET /runs/{id}/log`, `GET /runs/{id}/fixture` | its log as it is stored, from `from` on; as a file |
/// | `GET /runs/{id}/stream`, `GET /runs/{id}/events` | a run as a UI message stream; as plain events after `Last-Event-ID` |
/// | `POST /runs/{id}/cancel`, `/messages`, `/decisions`, `/answers` | what is said to it: as above, but a run that is over needs no cancel (200); `{"decisions": [{"call", "decision", "reason"?, "asked"?}]}`; `{"call", "output"}` or `{"call", "error"}` |
/// | `GET /tools`, `GET /tools/{name}` | the tools |
/// | `POST /tools/{name}/call` | calls one, if the server [lets](Self::calls_by_hand) its callers do that: `{"arguments"}` or `{"argumentsText"}`, and `"approved": true` if it may change something; without it, 409 `approval_required` has the arguments and `selfApproval`. An approval of the application is [another matter](Self::self_approval) |
/// | `GET /info` | the facts that a page needs first |
///
/// The id of a chat or of a message has 1 to 256 bytes, and only characters that can be seen.
///
/// Lists come in pages: `limit`, and `after` with the `next` of the page before. A refusal is
/// `{"error": {"code", "message"}}` with its status.
#[doc(alias = "useChat")]
#[must_use = "a server does nothing until it serves"]
pub struct Server {
    app: App,
}

/// A server cannot serve this runner.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The runner has no store: set one by [`RunnerBuilder::store`](toolwright_runtime::RunnerBuilder::store).
    #[error("the runner has no store: set one by `RunnerBuilder::store`")]
    NoStore,
    /// It is not the origin of pages: see [`Server::allow_origin`].
    #[error("`{0}` is not an origin: name each one with its scheme, as in `https://app.example`")]
    Origin(String),
}

/// The text, which says what to do: `main` prints an error so.
impl fmt::Debug for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Server {
    /// A server of a runner that has a store.
    ///
    /// # Errors
    ///
    /// When it has none.
    pub fn new(runner: Runner) -> Result<Self, ServerError> {
        let Some(name) = runner.name() else {
            return Err(ServerError::NoStore);
        };
        let app = App {
            name: name.to_owned(),
            runner,
            owner: None,
            start: Arc::new(RunRequest::start),
            origins: Origins::default(),
            limits: ServerLimits::default(),
            bodies: Bodies::new(&ServerLimits::default()),
            for_version_7: false,
            error_details: false,
            failure_texts: FailureTexts::default(),
            playground: false,
            suggestions: Vec::new(),
            calls_by_hand: false,
            self_approval: false,
            called: AtomicU64::new(0),
            streams: OpenStreams::default(),
            begun: CancellationToken::new(),
            cut: CancellationToken::new(),
        };
        Ok(Self { app })
    }

    /// Sets who calls: from a cookie, a token or a certificate, say. Without it, only requests from this
    /// machine are accepted.
    ///
    /// ```
    /// # fn serve(runner: toolwright::Runner) -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::server::{Caller, Refusal, Server, Visit};
    ///
    /// # async fn user_of(_: &str) -> Option<String> { None }
    /// let server = Server::new(runner)?.owner(async |visit: Visit| {
    ///     match user_of(visit.bearer().unwrap_or_default()).await {
    ///         Some(user) => Ok(Caller::owner(user)),
    ///         None => Err(Refusal::unauthorized("the token is not valid")),
    ///     }
    /// });
    /// # Ok(()) }
    /// ```
    #[doc(alias("authentication", "authorization", "login", "jwt"))]
    pub fn owner<F>(mut self, hook: impl Fn(Visit) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Caller, Refusal>> + Send + 'static,
    {
        self.app.owner = Some(Arc::new(move |visit| hook(visit).boxed()));
        self
    }

    /// Accepts requests from pages of an origin, such as `https://app.example`, also with credentials. By default only
    /// pages of the same host may. Name each origin: there is no `*`.
    ///
    /// # Errors
    ///
    /// When it is not a scheme, `://` and a host, perhaps with a port, as browsers send it.
    #[doc(alias = "cors")]
    pub fn allow_origin(mut self, origin: &str) -> Result<Self, ServerError> {
        if self.app.origins.add(origin) {
            Ok(self)
        } else {
            Err(ServerError::Origin(origin.to_owned()))
        }
    }

    /// Returns the id in the store of the conversation of a chat: the owner, a slash and the chat, as in `ada/42`. In the
    /// owner every byte but letters, digits, `-`, `_`, `.` and `@` is written as `%2F`; without an owner it is `*`.
    ///
    /// A title that an owner has given is the system text of another conversation: this id after `title:`. No run uses it, so
    /// that [`delete_before`](toolwright_runtime::store::Store::delete_before) deletes it by the time at which it was given.
    ///
    /// ```
    /// use toolwright::server::Server;
    ///
    /// assert_eq!(Server::conversation_id(Some("ada"), "42").as_str(), "ada/42");
    /// assert_eq!(Server::conversation_id(Some("a/b"), "42").as_str(), "a%2Fb/42");
    /// assert_eq!(Server::conversation_id(None, "42").as_str(), "*/42");
    /// ```
    pub fn conversation_id(owner: Option<&str>, chat: &str) -> ConversationId {
        conversation_of(owner, chat)
    }

    /// Loads the conversation of a chat from the store, in its newest version; `None` if there is none. A server that runs
    /// is gone: use its store with the [id](Self::conversation_id) then.
    ///
    /// # Errors
    ///
    /// When the store cannot be read, or does not answer within the lease time of the runner.
    pub async fn conversation(
        &self,
        owner: Option<&str>,
        chat: &str,
    ) -> Result<Option<Conversation>, StoreError> {
        let Some(store) = self.app.runner.timed_store() else {
            return Ok(None);
        };
        let id = conversation_of(owner, chat);
        let versions = store
            .of_owner(owner.map(str::to_owned))
            .conversation(&id, None)
            .await?;
        let conversation = ConversationVersion::join(&versions)?;
        Ok(versions.last().map(|_| conversation))
    }

    /// Sets what the server takes of its clients.
    pub fn limits(mut self, limits: ServerLimits) -> Self {
        self.app.limits = limits;
        self.app.bodies = Bodies::new(&limits);
        self
    }

    /// Sends what only `ai` 7 accepts as well, where a client does not say its version. A client of `ai` 6 ends such a stream
    /// with an error.
    pub fn for_version_7(mut self) -> Self {
        self.app.for_version_7 = true;
        self
    }

    /// Makes the answers of all chats values of a type, as [`RunRequest::answer_as`] does. A page gets the JSON: as the part
    /// `data-answer` of a message, in the stream and in `GET /chat/{id}`, and as `answer` of `done` in plain events. An
    /// answer that is no object is wrapped as `{"answer": …}`.
    ///
    /// The answer of a run that is resumed, after a decision or a crash, is checked by the type as well.
    pub fn answer_as<T: TypedAnswer>(mut self) -> Self {
        self.app.runner = self.app.runner.with_answer_type::<T>();
        self.app.start = Arc::new(|request| request.answer_as::<T>().start().into_untyped());
        self
    }

    /// Sets the texts that users read of failures, in place of those that they [have](UserFailure): in another
    /// language, say. A [`UserFailure`] has a code, and no detail of an error.
    ///
    /// ```
    /// # fn serve(runner: toolwright::Runner) -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{run::{FailureCode, UserFailure}, server::Server};
    ///
    /// let server = Server::new(runner)?.failure_texts(|failure: &UserFailure| match failure.code {
    ///     FailureCode::RateLimited => "Einen Augenblick, bitte.".to_owned(),
    ///     _ => failure.message.clone(),
    /// });
    /// # Ok(()) }
    /// ```
    pub fn failure_texts(
        mut self,
        hook: impl Fn(&UserFailure) -> String + Send + Sync + 'static,
    ) -> Self {
        self.app.failure_texts = FailureTexts::new(hook);
        self
    }

    /// Sends the text of the error that ended a run, which may be a provider's, and what is for the log alone: the logs of runs,
    /// and what a call by hand says to it. Without it only the text [for the user](UserFailure) is sent, and logs are refused, unless there is a page
    /// for developers.
    pub fn with_error_details(mut self) -> Self {
        self.app.error_details = true;
        self
    }

    /// Lets each caller call each tool without the model, by `POST /tools/{name}/call`: 403 by default. It is for developers.
    ///
    /// Such a call is a [run](Runner::call) of its own, with a log: `GET /runs` lists it. It has the rate limits, time limits,
    /// redactions and capabilities of the calls of other runs, at most the [time](toolwright_core::Limits::max_time) of a run,
    /// and with the feature `tracing` an event with its owner, tool and arguments' length. No guardrail sees it, since no model
    /// is asked. It is cancelled when its reader goes away.
    ///
    /// A call that needs an approval in a run needs one here: that of the
    /// [approver](toolwright_runtime::CallOptions::with_approver) of the application. Without an approver it
    /// is denied. The caller's own word counts only with [`self_approval`](Self::self_approval).
    pub fn calls_by_hand(mut self) -> Self {
        self.app.calls_by_hand = true;
        self
    }

    /// Lets callers approve the calls that they make [by hand](Self::calls_by_hand), in the place of the approver.
    pub fn self_approval(mut self) -> Self {
        self.app.self_approval = true;
        self
    }

    /// Shows a page at the path `/`, with which a developer talks to the model, looks into runs, and calls tools if
    /// [that is switched on](Self::calls_by_hand). It may do what its visitor may do. Leave it out where users come.
    ///
    /// The page is where the router is: also at another path than `/`, if it is nested there.
    #[cfg(feature = "playground")]
    pub fn playground(mut self, is_shown: bool) -> Self {
        self.app.playground = is_shown;
        self
    }

    /// Sets the questions that the [page](Self::playground) offers in an empty chat.
    #[cfg(feature = "playground")]
    pub fn suggestions<S: Into<String>>(mut self, questions: impl IntoIterator<Item = S>) -> Self {
        self.app.suggestions = questions.into_iter().map(Into::into).collect();
        self
    }

    /// Returns the paths of the server, to nest in a router of your own, and the future that the server needs beside them.
    ///
    /// The future resumes runs whose process has died, at once and whenever a lease expires. Without it, a run that a
    /// crash interrupted blocks its chat for ever. It ends when `shutdown` is ready, and cuts the streams then, so that
    /// their clients reconnect elsewhere. The shutdown of `axum::serve` takes it:
    ///
    /// ```no_run
    /// # async fn serve(runner: toolwright::Runner) -> Result<(), Box<dyn std::error::Error>> {
    /// use std::net::SocketAddr;
    /// use axum::Router;
    /// use toolwright::server::Server;
    ///
    /// let shutdown = std::future::pending::<()>();
    /// let (chat, running) = Server::new(runner)?.into_router(shutdown);
    /// let app = Router::new().nest("/api", chat);
    ///
    /// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    /// let app = app.into_make_service_with_connect_info::<SocketAddr>();
    /// axum::serve(listener, app).with_graceful_shutdown(running).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// The router takes the state of the one that it is nested in, whatever its type is.
    ///
    /// `into_make_service_with_connect_info` makes the address of the client known, which a server without an
    /// [`owner`](Self::owner) needs. Your own server has to limit connections and headers.
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, the server has stopped: it cuts its streams and answers every request with 503.
    /// Requests wait up to 5 seconds for its first poll, and are answered with 503 if it does not come.
    #[must_use = "the server stops when its future is dropped"]
    pub fn into_router<S, F>(self, shutdown: F) -> (Router<S>, impl Future<Output = ()> + use<S, F>)
    where
        S: Clone + Send + Sync + 'static,
        F: Future<Output = ()>,
    {
        let app = Arc::new(self.app);
        let router = routes::router(&app);
        let (begun, stopped) = (app.begun.clone(), Stopped(app.cut.clone()));
        let runner = app.runner.clone();
        let running = async move {
            begun.cancel();
            let _stopped = stopped;
            // What cannot go on is shown with the run.
            let recovery = runner.keep_recovering(|run| {
                if let Ok(handle) = run.handle {
                    drop(handle.detach());
                }
            });
            tokio::select! {
                biased;
                () = shutdown => {}
                _ = recovery => {}
            }
        };
        (router, running)
    }
}

/// Cuts all streams when it is dropped.
struct Stopped(CancellationToken);

impl Drop for Stopped {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Server {
    /// Serves on a listener until `shutdown` is ready. Meanwhile it resumes runs whose process has died, at once and
    /// whenever a lease expires. At shutdown streams are cut, so that their clients reconnect, and other requests may
    /// end within [`shutdown_time`](ServerLimits::shutdown_time). Runs continue in their tasks as long as the program
    /// does; another process can resume them.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes all connections at once.
    pub async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        let limits = self.app.limits;
        let stop = CancellationToken::new();
        let stops = stop.clone();
        let (router, running) = self.into_router(async move {
            shutdown.await;
            // No stream that is cut comes back to this listener.
            stops.cancel();
        });
        tokio::join!(serve(listener, router, limits, stop), running);
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("runner", &self.app.runner)
            .field("limits", &self.app.limits)
            .finish_non_exhaustive()
    }
}
