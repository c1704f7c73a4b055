//! Tools as a service.

mod answer;
mod approval;
mod asking;
mod bounded;
mod call;
mod caller;
mod completion;
mod content;
mod definition;
mod elicit;
mod fields;
mod handler;
mod http;
mod meta;
mod page;
mod prompt;
mod resource;
mod scopes;
mod task;
mod template;
mod updates;

use std::{collections::BTreeMap, num::NonZeroUsize, sync::Arc, time::Duration};

use rmcp::{ServiceExt, model::MetaObject, service::QuitReason};
use serde_json::Value;
use toolwright_core::{ToolRegistry, Toolset, tool::Capabilities};
use toolwright_runtime::{CallOptions, DispatchOptions};

use asking::StateKey;
use bounded::Bounded;
pub use caller::Caller;
use definition::Seen;
pub use elicit::{Elicit, Elicited};
pub use fields::Fields;
use handler::Handler;
pub use http::{HttpService, ProtectedResource};
pub use prompt::Prompt;
use prompt::ServedPrompt;
pub use resource::Resource;
use resource::ServedResource;
use scopes::Scopes;
use task::TaskSettings;
pub use updates::ResourceUpdates;

/// Tools that are served by the Model Context Protocol.
///
/// Both versions of the protocol are spoken: 2025-11-25 with its handshake, and 2026-07-28.
///
/// A client sees each tool as it is declared: name, title, description, schemas, hints. The keys of schemas are sorted, also
/// the names of parameters, unless the program turns on the feature `preserve_order` of `serde_json`: `rmcp` holds a schema
/// in its `Map`. A call has the time limit, the rate
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
    pub(crate) seen: Seen,
    pub(crate) tool_meta: BTreeMap<String, MetaObject>,
    pub(crate) prompts: Vec<ServedPrompt>,
    pub(crate) resources: Vec<ServedResource>,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) instructions: Option<String>,
    pub(crate) options: DispatchOptions,
    pub(crate) page: NonZeroUsize,
    pub(crate) fresh: Duration,
    /// What the scopes of callers grant over HTTP.
    scopes: Scopes,
    pub(crate) tasks: TaskSettings,
    pub(crate) state_key: StateKey,
    pub(crate) updates: Option<ResourceUpdates>,
}

/// The number of items in a page of a list.
const PAGE: NonZeroUsize = NonZeroUsize::new(1_000).expect("it is not 0");

impl Service {
    /// Serves these tools. A [`ToolRegistry`] may change while it is served: its clients are told.
    pub fn new(tools: impl Into<ToolRegistry>) -> Self {
        let tools = tools.into();
        // Calls in place and tasks, however the tools change, have one rate limiter.
        let calls = CallOptions::new().with_rate_limiter_of(&tools.snapshot());
        let served = Served {
            tools,
            seen: Seen::default(),
            tool_meta: BTreeMap::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            name: "toolwright".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: None,
            options: DispatchOptions::from(calls),
            page: PAGE,
            fresh: Duration::ZERO,
            scopes: Scopes::default(),
            tasks: TaskSettings::default(),
            state_key: StateKey::random(),
            updates: None,
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
        self.with(|served| {
            served.options.calls = calls.with_rate_limiter_of(&served.tools.snapshot());
        })
    }

    /// Makes a scope of the [caller](Caller::with_scopes) what grants these capabilities over HTTP: a tool that requires one of
    /// them is listed and runs only for callers with the scope, whatever [`CallOptions::with_granted`] grants. A call without it
    /// is answered by 403 with the scope, so that a client can ask its user for it. It has no effect without
    /// [`HttpService::owner`].
    pub fn scope(self, scope: impl Into<String>, grants: Capabilities) -> Self {
        self.with(|served| served.scopes.push(scope.into(), grants))
    }

    /// Adds a value to the context of each call. Tools find it by its type.
    pub fn with_extension<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.with(|served| {
            let context = std::mem::take(&mut served.options.context);
            served.options.context = context.with_extension(value);
        })
    }

    /// Adds to the `_meta` of a tool in the list, which is passed on as it is: the page that shows its results, for example
    /// (MCP Apps).
    ///
    /// ```
    /// use serde_json::json;
    /// use toolwright::{Toolset, mcp};
    ///
    /// let page = json!({"resourceUri": "ui://weather"});
    /// let service = mcp::Service::new(Toolset::new()).tool_meta("get_weather", [("ui", page)]);
    /// ```
    pub fn tool_meta<K: Into<String>>(
        self,
        tool: impl Into<String>,
        entries: impl IntoIterator<Item = (K, Value)>,
    ) -> Self {
        let tool = tool.into();
        self.with(|served| {
            let mut all = served.tool_meta.remove(&tool);
            meta::extend(&mut all, entries);
            served.tool_meta.extend(all.map(|meta| (tool, meta)));
        })
    }

    /// Sets the number of items in a page of a list; 1,000 by default.
    pub fn page_size(self, items: NonZeroUsize) -> Self {
        self.with(|served| served.page = items)
    }

    /// Sets the time for which a client may keep a list without asking again, in the protocol of 2026-07-28; none by default.
    pub fn lists_fresh_for(self, time: Duration) -> Self {
        self.with(|served| served.fresh = time)
    }

    /// Sets the key by which the service signs what a client keeps between a [question](Elicit) and its answer, in the protocol
    /// of 2026-07-28: 32 random bytes. By default it is drawn anew for each `Service`. Set the same one where several
    /// processes answer for a client, or where a question can be answered after a restart.
    ///
    /// What is signed is valid for one day, for one owner, and for a call with the same arguments. All else is refused.
    pub fn state_key(self, key: [u8; 32]) -> Self {
        self.with(|served| served.state_key = StateKey::new(key))
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
        self.served.recover_tasks();
        let handler = Handler::new(Arc::clone(&self.served));
        let running = handler.serve(Bounded::new(reader, writer)).await;
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
        let served = Arc::make_mut(&mut self.served);
        change(served);
        served.seen = Seen::default();
        served.tasks.changed();
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

/// The error of a service: what it cannot offer, or its end that is no regular one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// A prompt or a resource cannot be offered.
    #[error("`{name}` cannot be offered: {why}")]
    Offer {
        /// The name of the prompt, or the address of the resource.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// It is not the origin of pages: see [`HttpService::allow_origin`].
    #[error("`{0}` is not an origin: name each one with its scheme, as in `https://app.example`")]
    Origin(String),
    /// The client did not begin as the protocol has it.
    #[error("the client did not begin a conversation of the Model Context Protocol: {0}")]
    Begin(String),
    /// The connection ended by a failure.
    #[error("the connection ended: {0}")]
    Ended(String),
}

impl ServiceError {
    fn offer(name: &str, why: &'static str) -> Self {
        let name = name.to_owned();
        Self::Offer { name, why }
    }
}

impl Served {
    /// For how long a client may keep a list, in milliseconds.
    pub(crate) fn fresh_ms(&self) -> u64 {
        u64::try_from(self.fresh.as_millis()).unwrap_or(u64::MAX)
    }
}
