//! Tasks belong to who began them.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use rmcp::{
    model::{TaskPayload, TaskStatus},
    service::ClientServiceExt,
    transport::{
        StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::json;
use tokio::{net::TcpListener, sync::Notify};
use toolwright::{
    ToolContext, ToolError,
    store::MemoryStore,
    tool,
    tool::{Capabilities, ExtensionRef},
    toolset,
};
use toolwright_mcp::{Caller, Refusal, Service, Visit};

use crate::client::{
    Capable, Running, begun, call, cancel, capable, get, past, result, text, update, versions,
};

/// Say who asks, when the gate is open.
#[tool(read_only, requires(database))]
async fn who_asks(
    #[context] cx: &ToolContext,
    #[context] caller: ExtensionRef<'_, Caller>,
) -> Result<String, ToolError> {
    cx.require::<Arc<Notify>>()?.notified().await;
    let may_write = caller.has_scope("write");
    Ok(format!("{} {may_write}", caller.id()))
}

async fn server(gate: &Arc<Notify>) -> SocketAddr {
    let service = Service::new(toolset![who_asks])
        .store("tests", MemoryStore::new())
        .with_extension(Arc::clone(gate))
        .long("who_asks")
        .scope("write", Capabilities::DATABASE);
    let http = service.http().owner(async |visit: Visit| {
        let user = visit.bearer().ok_or(Refusal::unauthorized("sign in"))?;
        Ok(Caller::owner(user).with_scopes(["read", "write"]))
    });
    let router = axum::Router::new().nest_service("/mcp", http);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn client(server: SocketAddr, user: &str) -> Running {
    // Clients of `reqwest` want one, also without TLS, where a package of the build asks for TLS.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config = StreamableHttpClientTransportConfig::with_uri(format!("http://{server}/mcp"));
    let transport = StreamableHttpClientTransport::from_config(config.auth_header(user));
    let [_, newest] = versions();
    let client = Capable::new(capable()).serve_with_lifecycle(transport, newest);
    client.await.unwrap()
}

#[tokio::test]
async fn a_task_of_another_owner_is_none() {
    let gate = Arc::new(Notify::new());
    let server = server(&gate).await;
    let (ada, eve) = (client(server, "ada").await, client(server, "eve").await);
    let id = begun(&ada, "who_asks", json!({})).await;
    for error in [
        get(&eve, &id).await.unwrap_err(),
        update(&eve, &id, [].into()).await.unwrap_err(),
        cancel(&eve, &id).await.unwrap_err(),
    ] {
        // As of one that nobody has begun.
        assert!(error.to_string().contains("there is no task"), "{error}");
    }
    gate.notify_one();
    let task = past(&ada, &id, TaskStatus::Working).await;
    assert_ne!(task.payload, TaskPayload::Cancelled);
    assert_eq!(text(&result(&task)), "ada true");
    call(&eve, "who_asks", json!({})).await.unwrap();
}

/// Serves, in this runtime, a tool for callers with one scope, where callers have the scope `read`.
async fn granting(store: MemoryStore, gate: &Arc<Notify>, scope: &str) -> SocketAddr {
    let service = Service::new(toolset![who_asks])
        .store("tests", store)
        .lease_time(Duration::from_millis(300))
        .with_extension(Arc::clone(gate))
        .long("who_asks")
        .scope(scope, Capabilities::DATABASE);
    let http = service.http().owner(async |visit: Visit| {
        let user = visit.bearer().ok_or(Refusal::unauthorized("sign in"))?;
        Ok(Caller::owner(user).with_scopes(["read"]))
    });
    let router = axum::Router::new().nest_service("/mcp", http);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

#[tokio::test]
async fn a_task_that_goes_on_elsewhere_needs_what_it_needs_there() {
    for (scope, is_granted) in [("read", true), ("write", false)] {
        let (store, gate) = (MemoryStore::new(), Arc::new(Notify::new()));
        let before = tokio::runtime::Runtime::new().unwrap();
        let first = (store.clone(), Arc::new(Notify::new()));
        let id = before.spawn(async move {
            let server = granting(first.0, &first.1, "read").await;
            begun(&client(server, "ada").await, "who_asks", json!({})).await
        });
        let id = id.await.unwrap();
        // The tool waits, and its server is gone.
        before.shutdown_background();
        gate.notify_one();
        let server = granting(store, &gate, scope).await;
        let ada = client(server, "ada").await;
        let task = past(&ada, &id, TaskStatus::Working).await;
        if is_granted {
            assert_eq!(text(&result(&task)), "ada false");
            continue;
        }
        let TaskPayload::Failed { error } = &task.payload else {
            panic!("{task:?}");
        };
        assert_eq!(error["code"], -32602);
        assert_eq!(error["message"], "Unknown tool: who_asks");
    }
}
