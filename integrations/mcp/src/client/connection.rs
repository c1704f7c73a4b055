//! The connection to a server, which is opened again when it is over.

use std::time::Duration;

use rmcp::{
    RoleClient,
    model::{ListToolsResult, PaginatedRequestParams, ProtocolVersion},
    service::{ClientLifecycleMode, ClientServiceExt, Peer, RunningService, ServiceError},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use tokio::sync::Mutex;

use super::{ClientError, listener::Listener};

/// How a server is reached.
pub(crate) enum Way {
    Process(TokioChildProcess),
    Http(StreamableHttpClientTransport<reqwest::Client>),
}

type Open = Box<dyn Fn() -> Result<Way, ClientError> + Send + Sync>;

pub(crate) struct Connection {
    open: Open,
    current: Mutex<Option<RunningService<RoleClient, Listener>>>,
    pub(crate) listener: Listener,
}

impl Connection {
    pub(crate) fn new(open: impl Fn() -> Result<Way, ClientError> + Send + Sync + 'static) -> Self {
        Self {
            open: Box::new(open),
            current: Mutex::new(None),
            listener: Listener::default(),
        }
    }

    /// The other end, which is reached anew if it has gone.
    pub(crate) async fn peer(&self, limit: Duration) -> Result<Peer<RoleClient>, ClientError> {
        let opening = async {
            let mut current = self.current.lock().await;
            if let Some(running) = current.as_ref().filter(|it| !it.is_closed()) {
                return Ok(running.peer().clone());
            }
            *current = None;
            let mode = ClientLifecycleMode::Auto {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
                legacy_version: None,
            };
            let listener = self.listener.clone();
            let running = match (self.open)()? {
                Way::Process(process) => listener.serve_with_lifecycle(process, mode).await,
                Way::Http(transport) => listener.serve_with_lifecycle(transport, mode).await,
            };
            let running = running.map_err(|error| ClientError::Begin(error.to_string()))?;
            Ok(current.insert(running).peer().clone())
        };
        match tokio::time::timeout(limit, opening).await {
            Ok(peer) => peer,
            Err(_) => Err(ClientError::Late(limit)),
        }
    }
}

/// A page of the list of tools.
pub(crate) async fn page(
    peer: &Peer<RoleClient>,
    cursor: Option<String>,
) -> Result<ListToolsResult, ServiceError> {
    peer.list_tools(Some(PaginatedRequestParams::default().with_cursor(cursor)))
        .await
}
