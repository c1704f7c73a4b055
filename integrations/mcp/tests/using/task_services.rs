//! Tasks of our own service.

use std::{sync::Arc, time::Duration};

use tokio::{net::TcpListener, sync::Notify};
use toolwright::{
    ErrorCategory, ToolContext, ToolError, approval::Decision, store::MemoryStore, testing, tool,
    toolset,
};
use toolwright_mcp::{Client, Service};

/// Wait until somebody opens the gate.
#[tool(read_only)]
async fn wait_at_gate(#[context] cx: &ToolContext) -> Result<String, ToolError> {
    cx.require::<Arc<Notify>>()?.notified().await;
    Ok("through".to_owned())
}

/// Wait until the call is cancelled.
#[tool]
async fn wait_for_ever(#[context] cx: &ToolContext) -> Result<(), ToolError> {
    cx.cancelled().await;
    cx.require::<Arc<Notify>>()?.notify_one();
    Ok(())
}

/// Delete a file for ever.
#[tool(destructive, approval)]
async fn delete_file() -> &'static str {
    "deleted"
}

fn service(notify: &Arc<Notify>) -> Service {
    Service::new(toolset![wait_at_gate, wait_for_ever, delete_file])
        .store("tests", MemoryStore::new())
        .with_extension(Arc::clone(notify))
        .only_as_task("wait_at_gate")
        .only_as_task("wait_for_ever")
        .only_as_task("delete_file")
}

async fn by_pipe(service: Service) -> Client {
    let client = Client::pipe(move || {
        let (here, there) = tokio::io::duplex(1 << 16);
        let service = service.clone();
        tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
        Ok(tokio::io::split(here))
    });
    client.await.unwrap()
}

async fn by_http(service: Service) -> Client {
    let router = axum::Router::new().nest_service("/mcp", service.http());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    Client::http(format!("http://{address}/mcp")).await.unwrap()
}

async fn called(client: &Client, name: &str) -> Result<String, ToolError> {
    let tools = client.toolset().await.unwrap();
    let output = testing::call(&tools, name, serde_json::json!({})).await?;
    Ok(output.to_text().into_owned())
}

/// A task that ends, one that is late, and one that asks.
async fn works(client: Client, notify: Arc<Notify>) {
    notify.notify_one();
    assert_eq!(called(&client, "wait_at_gate").await.unwrap(), "through");

    let late = client.clone().task_timeout(Duration::from_millis(300));
    let error = called(&late, "wait_for_ever").await.unwrap_err();
    assert_eq!(error.category, ErrorCategory::ExecutionTimeout, "{error:?}");
    notify.notified().await;

    let asking = client.asking(|question, _| async move {
        assert!(question.message.contains("delete_file"));
        Decision::Approve
    });
    assert_eq!(called(&asking, "delete_file").await.unwrap(), "deleted");
}

#[tokio::test]
async fn tasks_over_a_pipe() {
    let notify = Arc::default();
    works(by_pipe(service(&notify)).await, notify).await;
}

#[tokio::test]
async fn tasks_over_http() {
    let notify = Arc::default();
    works(by_http(service(&notify)).await, notify).await;
}
