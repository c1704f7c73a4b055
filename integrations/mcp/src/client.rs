//! Tools of a server.

mod answer;
mod connection;
mod foreign;
mod listener;

use std::{ffi::OsStr, fmt, sync::Arc, time::Duration};

use rmcp::{
    service::ServiceError,
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use tokio::process::Command;
use toolwright_core::{DefinitionError, Toolset, ToolsetError};

use connection::Connection;

/// A server of the Model Context Protocol whose tools runs may call.
///
/// A foreign tool is not trusted: its definition and its results are text for the model and nothing more, its hints
/// decide nothing, and it counts as a tool that writes, until [`trust_hints`](Self::trust_hints). Its arguments are
/// checked before they are sent (with the feature `jsonschema`).
///
/// A server that has gone is started or reached again by the next call. The call under way then is not sent again: it
/// has an error, and the run continues.
///
/// Cheap to clone; clones share the connection.
#[derive(Clone)]
pub struct Client {
    connection: Arc<Connection>,
    trusts: bool,
    prefix: String,
    timeout: Duration,
}

/// What a server has on offer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Listed {
    /// The tools, in the order of the server.
    pub tools: Toolset,
    /// The definitions that no run can use, with what is wrong with them.
    pub refused: Vec<Refused>,
}

/// A definition that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The definition breaks a rule.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// Another tool has the name.
    #[error(transparent)]
    Set(#[from] ToolsetError),
}

/// The server cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The program did not start.
    #[error("the server did not start: {0}")]
    Start(Arc<std::io::Error>),
    /// The server did not begin as the protocol has it.
    #[error("the server did not begin a conversation of the Model Context Protocol: {0}")]
    Begin(String),
    /// The server did not answer in time.
    #[error("the server did not answer within {0:?}")]
    Late(Duration),
    /// The list of tools was not answered.
    #[error("the server did not list its tools: {0}")]
    List(String),
}

/// The time limit of a connection, of a list and of a call.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The largest number of tools that are read of a list.
const MAX_TOOLS: usize = 10_000;

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
        Self::connect(move || {
            let mut command = Command::new(&program);
            command.args(&arguments);
            TokioChildProcess::new(command)
                .map(connection::Way::Process)
                .map_err(|error| ClientError::Start(Arc::new(error)))
        })
        .await
    }

    /// Reaches a server over HTTP, such as `https://example.com/mcp`.
    ///
    /// # Errors
    ///
    /// When it is not reached, or is no server.
    pub async fn http(url: impl Into<String>) -> Result<Self, ClientError> {
        let url: Arc<str> = url.into().into();
        Self::connect(move || {
            let transport = StreamableHttpClientTransport::from_uri(Arc::clone(&url));
            Ok(connection::Way::Http(transport))
        })
        .await
    }

    async fn connect(
        open: impl Fn() -> Result<connection::Way, ClientError> + Send + Sync + 'static,
    ) -> Result<Self, ClientError> {
        let connection = Arc::new(Connection::new(open));
        connection.peer(TIMEOUT).await?;
        Ok(Self {
            connection,
            trusts: false,
            prefix: String::new(),
            timeout: TIMEOUT,
        })
    }

    /// Puts a prefix before each name, as in `files_read_file` with `"files_"`: for several servers in one set.
    pub fn prefixed(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Believes what the server says of the effects of its tools, so that a tool that only reads may run again.
    pub fn trust_hints(mut self) -> Self {
        self.trusts = true;
        self
    }

    /// Sets the time limit of a call, of a list, and of a new connection; 60 seconds by default.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = limit;
        self
    }

    /// Reads the tools of the server. Definitions that cannot be used are left out, and told in the log of `tracing`.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn toolset(&self) -> Result<Toolset, ClientError> {
        let listed = self.list().await?;
        for refused in &listed.refused {
            tracing::warn!(%refused, "a tool of the server cannot be used");
        }
        Ok(listed.tools)
    }

    /// Reads the tools of the server, and what is wrong with those that cannot be used.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn list(&self) -> Result<Listed, ClientError> {
        let peer = self.connection.peer(self.timeout).await?;
        let mut listed = Listed {
            tools: Toolset::new(),
            refused: Vec::new(),
        };
        let reading = async {
            let (mut cursor, mut seen) = (None, 0);
            loop {
                let page = connection::page(&peer, cursor).await?;
                for tool in page.tools {
                    seen += 1;
                    listed.add(foreign::tool(self, tool));
                }
                cursor = page.next_cursor;
                if cursor.is_none() || seen >= MAX_TOOLS {
                    return Ok::<_, ServiceError>(());
                }
            }
        };
        match tokio::time::timeout(self.timeout, reading).await {
            Ok(Ok(())) => Ok(listed),
            Ok(Err(error)) => Err(ClientError::List(error.to_string())),
            Err(_) => Err(ClientError::Late(self.timeout)),
        }
    }
}

impl Listed {
    fn add(&mut self, tool: Result<toolwright_core::DynamicTool, DefinitionError>) {
        let added = match tool {
            Ok(tool) => self.tools.clone().with(tool).map_err(Refused::from),
            Err(error) => Err(error.into()),
        };
        match added {
            Ok(tools) => self.tools = tools,
            Err(error) => self.refused.push(error),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("trusts", &self.trusts)
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}
