//! The connection to a server, which is opened again when it is over.

use std::{collections::HashMap, time::Duration};

use rmcp::{
    RoleClient,
    model::{ListToolsRequest, PaginatedRequestParams, ProtocolVersion, ServerResult, Tool},
    service::{
        ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RunningService, ServiceError,
    },
    transport::{StreamableHttpClientTransport, TokioChildProcess, async_rw::AsyncRwTransport},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::Mutex,
};
use toolwright_core::{CancellationToken, tool::Fingerprint};

use super::{
    ClientError, Refused,
    asking::Asking,
    authorization::{AuthorizationError, Authorized},
    backoff::Backoff,
    bounded::Bounded,
    changes, definition,
    line::Line,
    listener::Listener,
    request,
};
use crate::digest::digest;

/// How a server is reached.
pub(crate) enum Way {
    Process(TokioChildProcess),
    Http(StreamableHttpClientTransport<reqwest::Client>),
    Authorized(StreamableHttpClientTransport<Authorized>),
    Pipe(
        Box<dyn AsyncRead + Send + Unpin>,
        Box<dyn AsyncWrite + Send + Unpin>,
    ),
}

type Open = Box<dyn Fn(&Asking) -> Result<Way, ClientError> + Send + Sync>;
type Running = RunningService<RoleClient, Listener>;

pub(crate) struct Connection {
    /// Where the server is: a URL, or a program with its arguments.
    address: String,
    open: Open,
    current: Mutex<Current>,
    known: Mutex<Known>,
    pub(crate) listener: Listener,
}

#[derive(Default)]
struct Current {
    opened: Option<Opened>,
    backoff: Backoff,
}

struct Opened {
    running: Running,
    over: CancellationToken,
    /// Whether the server was told that a person can be asked.
    asks: bool,
}

/// The definitions that the server had when they were read last.
#[derive(Default)]
struct Known {
    /// The number of changes that it had announced by then.
    changes: u64,
    tools: HashMap<String, Fingerprint>,
}

impl Opened {
    fn line(&self) -> Line {
        Line {
            peer: self.running.peer().clone(),
            over: self.over.clone(),
            listener: self.running.service().clone(),
        }
    }
}

/// What a server lists, as far as the limits go.
#[derive(Default)]
pub(crate) struct Offer {
    pub(crate) tools: Vec<Tool>,
    /// The number of changes that the server had announced before.
    pub(crate) changes: u64,
    /// Why the list is not read to its end.
    pub(crate) cut: Option<Refused>,
    /// Whether the server may answer calls with tasks.
    pub(crate) has_tasks: bool,
}

/// What is wrong with a tool before it is called.
pub(crate) enum Stale {
    Changed,
    Gone,
}

/// The largest number of tools that are read of a list.
const MAX_TOOLS: usize = 10_000;
/// The largest number of pages: empty ones have no end otherwise.
const MAX_PAGES: usize = 1_000;
/// The largest size of a list, in bytes of JSON.
const MAX_LIST: usize = 64 << 20;

impl Connection {
    pub(crate) fn new(
        address: String,
        open: impl Fn(&Asking) -> Result<Way, ClientError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            address,
            open: Box::new(open),
            current: Mutex::default(),
            known: Mutex::default(),
            listener: Listener::default(),
        }
    }

    /// The other end, which is reached anew if it has gone: at once, and then after longer and longer waits.
    pub(crate) async fn line(&self, limit: Duration) -> Result<Line, ClientError> {
        let opening = async {
            let mut current = self.current.lock().await;
            let asks = self.listener.asking.is_possible();
            if let Some(opened) = &current.opened
                && opened.asks == asks
                && !opened.over.is_cancelled()
                && !opened.running.peer().is_transport_closed()
            {
                return Ok(opened.line());
            }
            current.opened = None;
            current.backoff.wait().await;
            let way = (self.open)(&self.listener.asking)?;
            let (running, over) = begin(self.listener.of_connection(), way).await?;
            let opened = Opened {
                running,
                over,
                asks,
            };
            let line = opened.line();
            current.opened = Some(opened);
            changes::announce(&line, &self.listener);
            Ok(line)
        };
        self.within(limit, opening).await?
    }

    /// Waits for something within a time limit, without the time in which a person is asked.
    pub(crate) async fn within<T>(
        &self,
        limit: Duration,
        what: impl Future<Output = T>,
    ) -> Result<T, ClientError> {
        tokio::select! {
            biased;
            what = what => Ok(what),
            () = self.listener.asking.late(limit) => Err(ClientError::Late(limit)),
        }
    }

    /// A digest of the address and the name of the server, which another server does not have. An address may have a
    /// secret.
    pub(crate) fn server(&self, line: &Line) -> String {
        let server = line.peer.peer_info();
        let info = server
            .as_ref()
            .and_then(|server| server.server_info.as_ref());
        let name = info.map_or("", |info| &*info.name);
        digest(&[&self.address, name])
    }

    /// Reads the list of tools.
    pub(crate) async fn offer(&self, limit: Duration) -> Result<Offer, ClientError> {
        let mut known = self.known.lock().await;
        self.read(&mut known, limit).await
    }

    async fn read(&self, known: &mut Known, limit: Duration) -> Result<Offer, ClientError> {
        let mut line = self.line(limit).await?;
        let mut has_ended = false;
        let (changes, mut offer) = loop {
            // Counted before: a change while it is read is one of the next list.
            let changes = self.listener.changes();
            match self.within(limit, pages(&line)).await? {
                Ok(offer) => break (changes, offer),
                // The session may have been over for long. A list has no effect, and is asked for once more.
                Err(_) if line.over.is_cancelled() && !has_ended => {
                    has_ended = true;
                    line = self.line(limit).await?;
                }
                Err(error) => {
                    return Err(match AuthorizationError::of(&error) {
                        Some(refused) => ClientError::Unauthorized(refused),
                        None => ClientError::List(error.to_string()),
                    });
                }
            }
        };
        offer.changes = changes;
        let server = line.peer.peer_info();
        offer.has_tasks = server.is_some_and(|server| server.capabilities.supports_tasks());
        let listed = offer.tools.iter().map(|tool| {
            let fingerprint = definition::of(tool).fingerprint();
            (tool.name.clone().into_owned(), fingerprint)
        });
        let tools = listed.collect();
        *known = Known { changes, tools };
        Ok(offer)
    }

    /// Compares the definition of a tool with what the server has now, which is read again if it has said that something
    /// changed, or was reached anew.
    pub(crate) async fn check(
        &self,
        name: &str,
        listed: Fingerprint,
        limit: Duration,
    ) -> Result<Option<Stale>, ClientError> {
        let mut known = self.known.lock().await;
        if known.changes != self.listener.changes() {
            self.read(&mut known, limit).await?;
        }
        Ok(match known.tools.get(name) {
            Some(now) if *now == listed => None,
            Some(_) => Some(Stale::Changed),
            None => Some(Stale::Gone),
        })
    }
}

async fn begin(listener: Listener, way: Way) -> Result<(Running, CancellationToken), ClientError> {
    let over = CancellationToken::new();
    let bounds = (over.clone(), listener.clone());
    let transport = match way {
        Way::Process(process) => Bounded::new(process, bounds),
        Way::Http(transport) => Bounded::new(transport, bounds),
        Way::Authorized(transport) => Bounded::new(transport, bounds),
        Way::Pipe(reader, writer) => Bounded::new(AsyncRwTransport::new(reader, writer), bounds),
    };
    let mode = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: None,
    };
    match listener.serve_with_lifecycle(transport, mode).await {
        Ok(running) => Ok((running, over)),
        Err(error) => Err(match refused(&error) {
            Some(refused) => ClientError::Unauthorized(refused),
            None => ClientError::Begin(error.to_string()),
        }),
    }
}

fn refused(error: &ClientInitializeError) -> Option<AuthorizationError> {
    match error {
        ClientInitializeError::TransportError { error, .. } => AuthorizationError::of(error),
        ClientInitializeError::LegacyFallbackFailed { discover, fallback } => {
            refused(fallback).or_else(|| refused(discover))
        }
        _ => None,
    }
}

async fn pages(line: &Line) -> Result<Offer, ServiceError> {
    let mut offer = Offer::default();
    let (mut cursor, mut bytes) = (None, 0);
    let mut cursors = Vec::new();
    loop {
        let asked = ListToolsRequest {
            params: Some(PaginatedRequestParams::default().with_cursor(cursor.clone())),
            ..ListToolsRequest::default()
        };
        let Some(ServerResult::ListToolsResult(page)) = request::send(line, asked.into()).await?
        else {
            return Err(ServiceError::UnexpectedResponse);
        };
        for tool in page.tools {
            bytes += definition::size(&tool);
            if offer.tools.len() == MAX_TOOLS || bytes > MAX_LIST {
                offer.cut = Some(Refused::TooMany);
                return Ok(offer);
            }
            offer.tools.push(tool);
        }
        cursors.extend(cursor);
        cursor = page.next_cursor;
        let Some(next) = &cursor else {
            return Ok(offer);
        };
        if cursors.contains(next) || cursors.len() >= MAX_PAGES {
            offer.cut = Some(Refused::Endless);
            return Ok(offer);
        }
    }
}
