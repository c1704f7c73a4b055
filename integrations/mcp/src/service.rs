//! Tools as a service.

mod asking;
mod call;
mod content;
mod definition;
mod handler;
mod http;
mod page;

use std::{num::NonZeroUsize, sync::Arc, time::Duration};

use rmcp::{ServiceExt, service::QuitReason};
use toolwright_core::{ToolContext, ToolRegistry, Toolset};
use toolwright_runtime::{CallOptions, DispatchOptions};

use handler::Handler;
pub use http::HttpService;

/// Tools that are served by the Model Context Protocol.
///
/// Both versions of the protocol are spoken: 2025-11-25 with its handshake, and 2026-07-28.
///
/// A client sees each tool as it is declared: name, title, description, schemas, hints. A call has the time limit, the rate
/// limits and the limit of output of its tool, and what [`calls`](Self::calls) sets. A tool whose
/// capabilities are not [granted](CallOptions::with_granted) is not listed, nor is one that the application answers
/// itself. If a call needs an approval, the person at the client is asked where the client has forms (elicitation), unless
/// there is an [approver](CallOptions::with_approver) of the application; otherwise the call is refused.
#[derive(Debug, Clone)]
pub struct Service {
    pub(crate) served: Arc<Served>,
}

/// What connections share.
#[derive(Debug, Clone)]
pub(crate) struct Served {
    pub(crate) tools: ToolRegistry,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) instructions: Option<String>,
    pub(crate) options: DispatchOptions,
    pub(crate) page: NonZeroUsize,
    pub(crate) fresh: Duration,
}

/// The number of tools in a page of a list.
const PAGE: NonZeroUsize = NonZeroUsize::new(1_000).expect("it is not 0");

impl Service {
    /// Serves these tools. A [`ToolRegistry`] may change while it is served: its clients are told.
    pub fn new(tools: impl Into<ToolRegistry>) -> Self {
        let served = Served {
            tools: tools.into(),
            name: "toolwright".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: None,
            options: DispatchOptions::new(),
            page: PAGE,
            fresh: Duration::ZERO,
        };
        Self {
            served: Arc::new(served),
        }
    }

    /// Sets the name and the version of the server, as its clients show them; `toolwright` and its version by default.
    pub fn named(self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.with(|served| {
            served.name = name.into();
            served.version = version.into();
        })
    }

    /// Sets a text for the model of the client about how the tools are used together; none by default.
    pub fn instructions(self, text: impl Into<String>) -> Self {
        self.with(|served| served.instructions = Some(text.into()))
    }

    /// Sets the settings of calls: limits, grants, approvals, redaction.
    pub fn calls(self, calls: CallOptions) -> Self {
        self.with(|served| served.options.calls = calls)
    }

    /// Adds a value to the context of each call. Tools find it by its type.
    pub fn with_extension<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.with(|served| {
            let context = std::mem::take(&mut served.options.context);
            served.options.context = context.with_extension(value);
        })
    }

    /// Sets the number of tools in a page of the list; 1,000 by default.
    pub fn page_size(self, tools: NonZeroUsize) -> Self {
        self.with(|served| served.page = tools)
    }

    /// Sets the time for which a client may keep a list without asking again, in the protocol of 2026-07-28; none by default.
    pub fn lists_fresh_for(self, time: Duration) -> Self {
        self.with(|served| served.fresh = time)
    }

    /// Serves the client at the standard input and output of this process, until that closes its end.
    ///
    /// Nothing else may write to the standard output: log to the standard error.
    ///
    /// # Errors
    ///
    /// When the client is not one of this protocol, or goes before it has said so.
    ///
    /// # Cancel safety
    ///
    /// Dropped, calls that run are cancelled.
    pub async fn serve_stdio(&self) -> Result<(), ServiceError> {
        let (input, output) = rmcp::transport::io::stdio_pipes();
        self.serve((input, output)).await
    }

    /// Serves the client at the other end of a pipe: a reader and a writer of lines.
    ///
    /// # Errors
    ///
    /// As [`serve_stdio`](Self::serve_stdio).
    ///
    /// # Cancel safety
    ///
    /// As [`serve_stdio`](Self::serve_stdio).
    pub async fn serve<R, W>(&self, (reader, writer): (R, W)) -> Result<(), ServiceError>
    where
        R: tokio::io::AsyncRead + Send + Unpin + 'static,
        W: tokio::io::AsyncWrite + Send + Unpin + 'static,
    {
        let handler = Handler::new(Arc::clone(&self.served));
        let running = handler.serve((reader, writer)).await;
        let running = running.map_err(|error| ServiceError::Begin(error.to_string()))?;
        match running.waiting().await {
            Ok(QuitReason::JoinError(error)) | Err(error) => {
                Err(ServiceError::Ended(error.to_string()))
            }
            Ok(_) => Ok(()),
        }
    }

    /// The service over HTTP, which a router mounts.
    pub fn http(&self) -> HttpService {
        HttpService::new(self)
    }

    fn with(mut self, change: impl FnOnce(&mut Served)) -> Self {
        change(Arc::make_mut(&mut self.served));
        self
    }
}

/// Serves tools at the standard input and output of this process, with the defaults of [`Service`].
///
/// # Errors
///
/// As [`Service::serve_stdio`].
pub async fn serve_stdio(tools: Toolset) -> Result<(), ServiceError> {
    Service::new(tools).serve_stdio().await
}

/// The end of a service that is no regular one.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// The client did not begin as the protocol has it.
    #[error("the client did not begin a conversation of the Model Context Protocol: {0}")]
    Begin(String),
    /// The connection ended by a failure.
    #[error("the connection ended: {0}")]
    Ended(String),
}

impl Served {
    /// The context of a call.
    pub(crate) fn context(&self) -> ToolContext {
        self.options.context.clone()
    }
}
