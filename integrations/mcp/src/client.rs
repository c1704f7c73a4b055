//! Tools of a server.

mod answer;
mod asking;
mod authorization;
mod backoff;
mod bounded;
mod changes;
mod checkpoint;
mod connection;
mod definition;
mod failure;
mod file;
mod foreign;
mod http_client;
mod line;
mod listed;
mod listener;
mod refused;
mod registry;
mod request;
mod servers;
mod task;

use std::{ffi::OsStr, fmt, io, iter, sync::Arc, time::Duration};

use http::{HeaderMap, HeaderName, HeaderValue};
use rmcp::transport::{
    StreamableHttpClientTransport, TokioChildProcess,
    streamable_http_client::StreamableHttpClientTransportConfig,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    process::Command,
};
use toolwright_core::{Decision, ToolContext, ToolRegistry, Toolset, tool::Question};

use asking::Asking;
use authorization::Authorized;
pub use authorization::{Authorization, AuthorizationError, TokenStore, TokenStoreError, Tokens};
use connection::{Connection, Offer, Way};
pub use file::{EntryError, ServersError};
pub use listed::Listed;
pub use refused::Refused;
pub use servers::Servers;

/// A server of the Model Context Protocol whose tools runs may call.
///
/// A foreign tool is not trusted: its definition and its results are text for the model and nothing more, its hints
/// decide nothing, and it counts as a tool that writes, until [`trust_hints`](Self::trust_hints). Its arguments are
/// checked before they are sent (with the feature `jsonschema`).
///
/// A server that has gone is started or reached again by the next call, after longer and longer waits if it goes again and
/// again. The call under way then is not sent again: it has an error, and the run continues. So has the first call in a session
/// over HTTP that the server has forgotten, and a call of a tool whose definition the server has changed since it was listed: it
/// is not made.
///
/// Cheap to clone; clones share the connection.
#[derive(Clone)]
pub struct Client {
    connection: Arc<Connection>,
    settings: Settings,
}

#[derive(Clone)]
struct Settings {
    trusts: bool,
    prefix: String,
    timeout: Duration,
    task_timeout: Duration,
}

/// The server cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The program did not start.
    #[error("the server did not start: {0}")]
    Start(Arc<io::Error>),
    /// No client of HTTP can be made: TLS cannot be set up on this machine, for example.
    #[error("the HTTP client cannot be made: {0}")]
    Http(String),
    /// The server did not begin as the protocol has it.
    #[error("the server did not begin a conversation of the Model Context Protocol: {0}")]
    Begin(String),
    /// The server did not answer in time.
    #[error("the server did not answer within {0:?}")]
    Late(Duration),
    /// The list of tools was not answered.
    #[error("the server did not list its tools: {0}")]
    List(String),
    /// The server wants authorisation, or that of a person failed.
    #[error(transparent)]
    Unauthorized(#[from] AuthorizationError),
}

/// The time limit of a connection, of a list and of the answer to a call.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The time limit of a call whose answer is a task.
const TASK_TIMEOUT: Duration = Duration::from_secs(60 * 60);

impl Client {
    /// Starts a program that is a server at its standard input and output. It ends with the last clone of the client. Its
    /// standard error is that of this process.
    ///
    /// # Errors
    ///
    /// When the program does not start, or is no server.
    pub async fn stdio<S: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = S>,
    ) -> Result<Self, ClientError> {
        let program = program.as_ref().to_owned();
        let arguments: Vec<_> = arguments
            .into_iter()
            .map(|it| it.as_ref().to_owned())
            .collect();
        let client = Self::of_program(move || {
            let mut command = Command::new(&program);
            command.args(&arguments);
            command
        });
        client.reached().await
    }

    /// Reaches a server over HTTP, such as `https://example.com/mcp`, which needs the feature `http` or `http-aws-lc` for its
    /// TLS. A redirect is followed within the server alone.
    ///
    /// # Errors
    ///
    /// When it is not reached, or is no server; when it wants authorisation ([`ClientError::Unauthorized`]).
    pub async fn http(url: impl Into<String>) -> Result<Self, ClientError> {
        Self::http_with_headers(url, HeaderMap::new()).await
    }

    /// Reaches a server over HTTP, with these headers in each request.
    ///
    /// # Errors
    ///
    /// As [`http`](Self::http).
    pub async fn http_with_headers(
        url: impl Into<String>,
        headers: HeaderMap,
    ) -> Result<Self, ClientError> {
        Self::of_url(url.into(), &headers).reached().await
    }

    /// Reaches a server over HTTP that wants the authorisation of a person, or of the program itself (OAuth).
    ///
    /// # Errors
    ///
    /// As [`http`](Self::http). With a [`browser`](Authorization::browser) the person is asked before this returns; without one,
    /// a server to which nobody is authorised yet gives [`AuthorizationError::Needed`], and is reached by another call of this
    /// after [`Authorization::finish`].
    ///
    /// # Cancel safety
    ///
    /// Dropped, a person is not waited for any more.
    #[doc(alias = "oauth")]
    pub async fn http_authorized(authorization: &Authorization) -> Result<Self, ClientError> {
        let (authorization, address) = (authorization.clone(), authorization.address().to_owned());
        let (acts_alone, has_browser) = (authorization.acts_alone(), authorization.has_browser());
        let mut connection = Connection::new(address, move |asking| {
            let http = http_client::new().map_err(ClientError::Http)?;
            let client = Authorized::new(http, authorization.clone(), asking.clone())?;
            let config = StreamableHttpClientTransportConfig::with_uri(client.address())
                .reinit_on_expired_session(false);
            let transport = StreamableHttpClientTransport::with_client(client, config);
            Ok(Way::Authorized(transport))
        });
        connection.listener.acts_alone = acts_alone;
        if has_browser {
            connection.listener.asking.set_signs_in();
        }
        Self::of(connection).reached().await
    }

    /// Reaches a server at the other end of pipes, a reader and a writer of lines, which the closure makes for each
    /// connection. The server may be in this process.
    ///
    /// # Errors
    ///
    /// When there is no pipe, or no server at its other end.
    pub async fn pipe<R, W>(
        open: impl Fn() -> io::Result<(R, W)> + Send + Sync + 'static,
    ) -> Result<Self, ClientError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let client = Self::new(String::new(), move |_| {
            let (reader, writer) = open().map_err(ClientError::start)?;
            Ok(Way::Pipe(Box::new(reader), Box::new(writer)))
        });
        client.reached().await
    }

    /// A server that is reached when it is needed.
    fn new(
        address: String,
        open: impl Fn(&Asking) -> Result<Way, ClientError> + Send + Sync + 'static,
    ) -> Self {
        Self::of(Connection::new(address, open))
    }

    fn of(connection: Connection) -> Self {
        Self {
            connection: Arc::new(connection),
            settings: Settings {
                trusts: false,
                prefix: String::new(),
                timeout: TIMEOUT,
                task_timeout: TASK_TIMEOUT,
            },
        }
    }

    fn of_program(command: impl Fn() -> Command + Send + Sync + 'static) -> Self {
        Self::new(address(command().as_std()), move |_| {
            TokioChildProcess::new(command())
                .map(Way::Process)
                .map_err(ClientError::start)
        })
    }

    fn of_url(url: String, headers: &HeaderMap) -> Self {
        let headers: Vec<(HeaderName, HeaderValue)> = headers
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        Self::new(url.clone(), move |_| {
            let headers = headers.iter().cloned().collect();
            let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                .custom_headers(headers)
                // It would send a call again that may have had its effect, and with a definition that may be an old one.
                .reinit_on_expired_session(false);
            let client = http_client::new().map_err(ClientError::Http)?;
            let transport = StreamableHttpClientTransport::with_client(client, config);
            Ok(Way::Http(transport))
        })
    }

    async fn reached(self) -> Result<Self, ClientError> {
        self.connection.line(self.settings.timeout).await?;
        Ok(self)
    }

    /// Puts a prefix before each name, as in `files_read_file` with `"files_"`: for several servers in one set.
    pub fn prefixed(mut self, prefix: impl Into<String>) -> Self {
        self.settings.prefix = prefix.into();
        self
    }

    /// Believes what the server says of the effects of its tools, so that a tool that only reads may run again.
    pub fn trust_hints(mut self) -> Self {
        self.settings.trusts = true;
        self
    }

    /// Lets the server ask a person within a call (elicitation), in forms and by addresses. [`Decision::Approve`] says that
    /// the person opened the address or sent an empty form, [`Decision::ApproveWith`] has the form as JSON, and a denial
    /// declines. A form that does not fit its schema declines as well, and so does an hour without an answer. The time limit
    /// of the call stands still meanwhile, for one hour in all; that of a run does not. For tools that are listed from now on,
    /// [`timeout`](Self::timeout) and this hour take the place of
    /// [`CallOptions::timeout`](toolwright_runtime::CallOptions::timeout).
    ///
    /// With the question comes the context of the call, in the protocol of 2026-07-28. In that of 2025-11-25 a question does not
    /// say for which call it is, and the context is `None`: where several people use one program, give
    /// each a client of their own.
    ///
    /// It is for the questions of servers of others: a tool of this program asks by [`ToolContext::ask`].
    ///
    /// Without this and [`asking_in_runs`](Self::asking_in_runs), servers are told that nobody can be asked, and a question is
    /// refused with this reason. It counts for all clones, and for connections from now on: one that is open is made anew.
    #[doc(alias = "elicitation")]
    pub fn asking<F>(
        self,
        ask: impl Fn(Question, Option<ToolContext>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Decision> + Send + 'static,
    {
        let asking = &self.connection.listener.asking;
        asking.set(Arc::new(move |question, context| {
            Box::pin(ask(question, context))
        }));
        self
    }

    /// Lets the server ask a person, as a tool of ours asks by [`ToolContext::ask`]: a run
    /// [suspends](toolwright_core::run::Finish::Suspended), the question is one of its pending calls, and the answer comes from
    /// any process, or from the approver of the runner. What the server has said of the call is a
    /// [checkpoint](ToolContext::checkpoint): it is told the answer, and the call is not begun again. If the run dies
    /// while an answer is on its way, it is not sent again, unless the call may run again (see
    /// [`trust_hints`](Self::trust_hints)); the task of a call may be told an answer twice, under the same key.
    ///
    /// So ask servers of the protocol of 2026-07-28, and all servers in their tasks. A question of the older protocol keeps
    /// its request open, which cannot wait in a store: [`asking`](Self::asking) answers it, and the
    /// questions of calls that no approver and no run answers. With neither, the server is told that nobody answered.
    ///
    /// A call asks at most 16 questions so.
    ///
    /// It counts for all clones, and for connections from now on: one that is open is made anew.
    #[doc(alias = "elicitation")]
    pub fn asking_in_runs(self) -> Self {
        self.connection.listener.asking.set_in_runs();
        self
    }

    /// Sets the time limit of each answer of the server: to a call, to a list, to a question how far a task is; and that of a
    /// new connection. 60 seconds by default.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.settings.timeout = limit;
        self
    }

    /// Sets the time limit of a task, with which a server that has the extension `io.modelcontextprotocol/tasks` may answer a
    /// call; one hour by default, without the time in which a person is asked. With [`timeout`](Self::timeout), it takes the
    /// place of [`CallOptions::timeout`](toolwright_runtime::CallOptions::timeout) for the tools of such a server that are listed
    /// from now on. It begins anew when a run is resumed.
    ///
    /// The result is asked for as often as the server wants: at most every 100
    /// milliseconds, at least every minute. A connection that is lost is opened again, and the same task is asked for. In
    /// a run, the id of the task is in the log: another process that resumes the run asks for the result, and the call is never
    /// made again. A call that is cancelled or late cancels its task.
    #[doc(alias = "long")]
    pub fn task_timeout(mut self, limit: Duration) -> Self {
        self.settings.task_timeout = limit;
        self
    }

    /// Reads the tools of the server. Definitions that cannot be used are left out, and written to the log of `tracing`.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn toolset(&self) -> Result<Toolset, ClientError> {
        Ok(self.list().await?.logged())
    }

    /// Reads the tools of the server, and what is wrong with those that cannot be used.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn list(&self) -> Result<Listed, ClientError> {
        let named = (String::new(), self.clone());
        let offer = self.offer().await?;
        Ok(listed::merge(&[(&named, &offer)]).await)
    }

    /// Reads the tools of the server into a registry, which then changes as the server does. Each call of this makes a
    /// registry of its own: make one, and share its clones.
    ///
    /// A model that was shown a tool before it changed cannot call what it has become: the call has an error.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn registry(&self) -> Result<ToolRegistry, ClientError> {
        let named = (String::new(), self.clone());
        let offer = self.offer().await?;
        let tools = listed::merge(&[(&named, &offer)]).await.logged();
        let followed = ToolRegistry::from(tools);
        registry::follow(&[named], vec![Some(offer)], &followed);
        Ok(followed)
    }

    async fn offer(&self) -> Result<Offer, ClientError> {
        self.connection.offer(self.settings.timeout).await
    }
}

/// The program with its arguments.
fn address(program: &std::process::Command) -> String {
    let words = iter::once(program.get_program()).chain(program.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    words.join("\0")
}

impl ClientError {
    fn start(error: io::Error) -> Self {
        Self::Start(Arc::new(error))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("trusts", &self.settings.trusts)
            .field("prefix", &self.settings.prefix)
            .finish_non_exhaustive()
    }
}
