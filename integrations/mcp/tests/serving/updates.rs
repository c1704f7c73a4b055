use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll},
    time::Duration,
};

use rmcp::{
    ClientHandler, RoleClient,
    model::{
        ErrorCode, ResourceUpdatedNotificationParam, ServerNotification, SubscribeRequestParams,
        SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::{ClientLifecycleMode, ClientServiceExt, NotificationContext, RunningService},
    transport::{
        StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde::Deserialize;
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader},
    sync::mpsc,
    time::timeout,
};
use toolwright::{ToolInput, tool, toolset, toolset::ToolRegistry};
use toolwright_mcp::{Caller, Refusal, ResourceUpdates, Service, Visit};

use crate::support::{serve, versions};

/// Keeps what it is told.
struct Told(mpsc::UnboundedSender<String>);

impl ClientHandler for Told {
    async fn on_resource_updated(
        &self,
        change: ResourceUpdatedNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.0.send(change.uri).unwrap();
    }
}

/// A client that watches addresses.
struct Watcher {
    client: RunningService<RoleClient, Told>,
    told: mpsc::UnboundedReceiver<String>,
}

impl Watcher {
    /// Over HTTP, as an owner.
    async fn begin(address: &str, version: ClientLifecycleMode, owner: &str) -> Self {
        let config = StreamableHttpClientTransportConfig::with_uri(address).auth_header(owner);
        let transport = StreamableHttpClientTransport::from_config(config);
        let (tell, told) = mpsc::unbounded_channel();
        let client = Told(tell).serve_with_lifecycle(transport, version).await;
        let client = client.unwrap();
        Self { client, told }
    }

    async fn watch(&mut self, version: &ClientLifecycleMode, addresses: &[&str]) {
        if *version == ClientLifecycleMode::Initialize {
            for address in addresses {
                self.subscribe(address).await.unwrap();
            }
            return;
        }
        let filter = SubscriptionFilter::builder().resource_subscriptions(addresses.to_vec());
        let mut changes = self.client.listen(filter.build()).await.unwrap();
        let (tell, told) = mpsc::unbounded_channel();
        self.told = told;
        tokio::spawn(async move {
            while let Ok(Some(change)) = changes.next().await {
                let ServerNotification::ResourceUpdatedNotification(change) = change else {
                    panic!("{change:?}")
                };
                if tell.send(change.params.uri).is_err() {
                    return;
                }
            }
        });
    }

    #[expect(deprecated, reason = "it is that of 2025-11-25")]
    async fn subscribe(&self, address: &str) -> Result<(), rmcp::ServiceError> {
        let request = SubscribeRequestParams::new(address);
        self.client.subscribe(request).await
    }

    #[expect(deprecated, reason = "it is that of 2025-11-25")]
    async fn unsubscribe(&self, address: &str) -> Result<(), rmcp::ServiceError> {
        let request = UnsubscribeRequestParams::new(address);
        self.client.unsubscribe(request).await
    }
}

#[derive(Deserialize, ToolInput)]
#[expect(dead_code, reason = "it is watched, and not read")]
struct Shelf {
    id: String,
}

fn service() -> Service {
    service_of(ToolRegistry::new())
}

fn service_of(tools: ToolRegistry) -> Service {
    let service = Service::new(tools);
    let stock = service.resource("stock://books", async |(), _cx| Ok("7 books"));
    let notes = stock.unwrap();
    let notes = notes.resource("notes://all", async |(), _cx| Ok("none"));
    let shelves = notes.unwrap();
    shelves
        .resource("shelf://{id}", async |_: Shelf, _cx| Ok("books"))
        .unwrap()
}

async fn address_of(service: &Service) -> String {
    let owner = async |visit: Visit| {
        let token = visit.bearer();
        let token = token.ok_or_else(|| Refusal::unauthorized("sign in"))?;
        Ok(Caller::owner(token))
    };
    serve(service.http().owner(owner)).await
}

#[tokio::test]
async fn who_watches_is_told_of_what_concerns_them() {
    for version in versions() {
        let updates = ResourceUpdates::new();
        let address = address_of(&service().resource_updates(&updates)).await;
        let mut watchers = Vec::new();
        for (owner, addresses) in [
            ("ada", &["stock://books", "notes://all"][..]),
            ("bob", &["notes://all"]),
        ] {
            let mut watcher = Watcher::begin(&address, version.clone(), owner).await;
            watcher.watch(&version, addresses).await;
            watchers.push(watcher);
        }
        // The last is for both, so that what comes before it is all.
        updates.changed("stock://books");
        updates.changed_for("bob", "notes://all");
        updates.changed("stock://unknown");
        updates.changed_for("ada", "notes://all");
        updates.changed_for("eve", "notes://all");
        updates.changed("notes://all");
        let expected: [&[&str]; 2] = [
            &["stock://books", "notes://all", "notes://all"],
            &["notes://all", "notes://all"],
        ];
        for (watcher, expected) in watchers.iter_mut().zip(expected) {
            for expected in expected {
                assert_eq!(watcher.told.recv().await.unwrap(), *expected);
            }
            assert!(watcher.told.is_empty());
        }
    }
}

/// A writer that fails once after it was told to.
struct Failing<W>(W, Arc<AtomicBool>);

impl<W: AsyncWrite + Unpin> AsyncWrite for Failing<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.1.swap(false, SeqCst) {
            return Poll::Ready(Err(io::ErrorKind::Interrupted.into()));
        }
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_that_cannot_be_sent_ends_no_watch() {
    let [legacy, _] = versions();
    let updates = ResourceUpdates::new();
    let service = service().resource_updates(&updates);
    let fails = Arc::new(AtomicBool::new(false));
    let (here, there) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(there);
    let writer = Failing(writer, Arc::clone(&fails));
    tokio::spawn(async move { service.serve((reader, writer)).await });
    let (tell, told) = mpsc::unbounded_channel();
    let client = Told(tell).serve_with_lifecycle(here, legacy.clone()).await;
    let client = client.unwrap();
    let mut watcher = Watcher { client, told };
    watcher
        .watch(&legacy, &["stock://books", "notes://all"])
        .await;
    fails.store(true, SeqCst);
    updates.changed("stock://books");
    while fails.load(SeqCst) {
        tokio::task::yield_now().await;
    }
    updates.changed("notes://all");
    let telling = async { while watcher.told.recv().await.unwrap() != "notes://all" {} };
    let time = Duration::from_secs(10);
    timeout(time, telling).await.unwrap();
}

#[tokio::test]
async fn what_is_not_watched_any_more_is_not_told() {
    let [legacy, _] = versions();
    let updates = ResourceUpdates::new();
    let address = address_of(&service().resource_updates(&updates)).await;
    let mut watcher = Watcher::begin(&address, legacy.clone(), "ada").await;
    watcher
        .watch(&legacy, &["stock://books", "notes://all"])
        .await;
    watcher.unsubscribe("stock://books").await.unwrap();
    updates.changed("stock://books");
    updates.changed("notes://all");
    assert_eq!(watcher.told.recv().await.unwrap(), "notes://all");
}

#[tokio::test]
async fn a_client_that_missed_changes_is_told_of_all_that_it_watches() {
    for version in versions() {
        let updates = ResourceUpdates::new();
        let address = address_of(&service().resource_updates(&updates)).await;
        let mut watcher = Watcher::begin(&address, version.clone(), "ada").await;
        watcher
            .watch(&version, &["stock://books", "notes://all"])
            .await;
        for number in 0..10_000 {
            updates.changed(format!("stock://{number}"));
        }
        for expected in ["notes://all", "stock://books"] {
            assert_eq!(watcher.told.recv().await.unwrap(), expected);
        }
    }
}

#[tokio::test]
async fn only_resources_are_watched_and_only_where_updates_are_told() {
    let [legacy, newest] = versions();
    for (is_told, code) in [
        (true, ErrorCode::RESOURCE_NOT_FOUND),
        (false, ErrorCode::METHOD_NOT_FOUND),
    ] {
        let mut service = service();
        if is_told {
            service = service.resource_updates(&ResourceUpdates::new());
        }
        let address = address_of(&service).await;
        let watcher = Watcher::begin(&address, legacy.clone(), "ada").await;
        let Err(rmcp::ServiceError::McpError(error)) = watcher.subscribe("gone://").await else {
            panic!("it is watched")
        };
        assert_eq!(error.code, code);
        let watcher = Watcher::begin(&address, newest.clone(), "ada").await;
        let filter =
            SubscriptionFilter::builder().resource_subscriptions(["stock://books", "gone://"]);
        let changes = watcher.client.listen(filter.build()).await.unwrap();
        let accepted = changes.acknowledged().resource_subscriptions.as_deref();
        let expected = ["stock://books".to_owned()];
        assert_eq!(accepted, is_told.then_some(&expected[..]));
    }
}

#[tokio::test]
async fn a_session_watches_a_thousand_resources_of_short_addresses() {
    let [legacy, newest] = versions();
    let service = service().resource_updates(&ResourceUpdates::new());
    let address = address_of(&service).await;
    let watcher = Watcher::begin(&address, legacy, "ada").await;
    let mut all: Vec<_> = (0..1_001).map(|id| format!("shelf://{id}")).collect();
    for (count, shelf) in all.iter().enumerate() {
        let answer = watcher.subscribe(shelf).await;
        assert_eq!(answer.is_ok(), count < 1_000, "{shelf}: {answer:?}");
    }
    // One that is watched already, and one in the place of another.
    watcher.subscribe("shelf://7").await.unwrap();
    watcher.unsubscribe("shelf://7").await.unwrap();
    watcher.subscribe("shelf://1000").await.unwrap();
    watcher.unsubscribe("shelf://8").await.unwrap();
    let long = format!("shelf://{}", "a".repeat(8 << 10));
    watcher.subscribe(&long).await.unwrap_err();

    let watcher = Watcher::begin(&address, newest, "ada").await;
    all.insert(0, long);
    let filter = SubscriptionFilter::builder().resource_subscriptions(all.clone());
    let changes = watcher.client.listen(filter.build()).await.unwrap();
    let accepted = changes.acknowledged().resource_subscriptions.as_deref();
    assert_eq!(accepted, Some(&all[1..=1_000]));
}

#[tokio::test]
async fn long_addresses_are_watched_up_to_their_bytes() {
    let [legacy, newest] = versions();
    let service = service().resource_updates(&ResourceUpdates::new());
    let address = address_of(&service).await;
    let watcher = Watcher::begin(&address, legacy, "ada").await;
    let shelf = |id| format!("shelf://{id:08000}");
    let all: Vec<_> = (0..40).map(shelf).collect();
    for (count, shelf) in all.iter().enumerate() {
        let answer = watcher.subscribe(shelf).await;
        assert_eq!(answer.is_ok(), count < 32, "{count}: {answer:?}");
    }
    watcher.subscribe(&all[7]).await.unwrap();
    watcher.unsubscribe(&all[7]).await.unwrap();
    watcher.subscribe(&all[32]).await.unwrap();

    let watcher = Watcher::begin(&address, newest, "ada").await;
    let filter = SubscriptionFilter::builder().resource_subscriptions(all.clone());
    let changes = watcher.client.listen(filter.build()).await.unwrap();
    let accepted = changes.acknowledged().resource_subscriptions.as_deref();
    assert_eq!(accepted, Some(&all[..32]));
}

/// Read the stock.
#[tool(read_only)]
fn read_stock() -> u8 {
    7
}

#[tokio::test]
async fn what_changes_after_the_acknowledgement_is_told() {
    // A task of its own has its turn before those of the service that the acknowledgement wakes as well.
    tokio::spawn(change_after_the_acknowledgement())
        .await
        .unwrap();
}

async fn change_after_the_acknowledgement() {
    let (updates, tools) = (ResourceUpdates::new(), ToolRegistry::new());
    let service = service_of(tools.clone()).resource_updates(&updates);
    let (here, there) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
    let (reader, mut writer) = tokio::io::split(here);
    let mut lines = BufReader::new(reader).lines();
    let listen = json!({
        "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
        "params": {
            "notifications": {"toolsListChanged": true, "resourceSubscriptions": ["stock://books"]},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "quick", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    });
    let listen = format!("{listen}\n");
    writer.write_all(listen.as_bytes()).await.unwrap();
    let acknowledged = lines.next_line().await.unwrap().unwrap();
    updates.changed("stock://books");
    tools.update(|all| all.merge(toolset![read_stock])).unwrap();
    assert!(acknowledged.contains("acknowledged"), "{acknowledged}");
    let mut told = Vec::new();
    for _ in 0..2 {
        let line = timeout(Duration::from_secs(60), lines.next_line()).await;
        told.push(line.unwrap().unwrap().unwrap());
    }
    for part in ["stock://books", "tools/list_changed"] {
        assert!(told.iter().any(|line| line.contains(part)), "{told:?}");
    }
}
