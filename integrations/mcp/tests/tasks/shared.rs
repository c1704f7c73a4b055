//! Tasks that several services answer for.

use std::sync::Arc;

use rmcp::model::{TaskPayload, TaskStatus};
use serde_json::json;
use tokio::sync::Notify;
use toolwright::{
    ToolContext, ToolError,
    store::{MemoryStore, SqliteStore, Store},
    tool, toolset,
};
use toolwright_mcp::Service;

use crate::client::{answers, begun, cancel, get, newest, past, result, text, update};

/// Delete a file for ever.
#[tool(destructive, approval)]
async fn delete_file(
    /// The path of the file.
    path: String,
) -> String {
    format!("deleted {path}")
}

/// Wait until the gate opens.
#[tool(read_only)]
async fn wait_at_gate(#[context] cx: &ToolContext) -> Result<String, ToolError> {
    cx.require::<Arc<Notify>>()?.notified().await;
    Ok("through".to_owned())
}

fn service(store: impl Store + Clone) -> (Service, Arc<Notify>) {
    let gate = Arc::new(Notify::new());
    let service = Service::new(toolset![delete_file, wait_at_gate])
        .store("tests", store)
        .with_extension(Arc::clone(&gate))
        .long("delete_file")
        .long("wait_at_gate");
    (service, gate)
}

/// Both answer for tasks of the other.
async fn two_services(one: impl Store + Clone, other: impl Store + Clone) {
    let ((one, gate), (other, _)) = (service(one), service(other));
    let (one, other) = (newest(&one).await, newest(&other).await);

    let id = begun(&one, "wait_at_gate", json!({})).await;
    assert_eq!(
        get(&other, &id).await.unwrap().status(),
        TaskStatus::Working
    );
    gate.notify_one();
    let task = past(&other, &id, TaskStatus::Working).await;
    assert_eq!(text(&result(&task)), "through");
    assert_eq!(task, get(&one, &id).await.unwrap());

    let id = begun(&one, "wait_at_gate", json!({})).await;
    cancel(&other, &id).await.unwrap();
    let task = past(&other, &id, TaskStatus::Working).await;
    assert_eq!(task.payload, TaskPayload::Cancelled);

    let id = begun(&one, "delete_file", json!({"path": "a.txt"})).await;
    let asks = past(&other, &id, TaskStatus::Working).await;
    update(&other, &id, answers(&asks, "accept")).await.unwrap();
    // Said twice, it is done once.
    update(&one, &id, answers(&asks, "decline")).await.unwrap();
    let task = loop {
        let task = past(&one, &id, TaskStatus::Working).await;
        if task.status().is_terminal() {
            break task;
        }
    };
    assert_eq!(text(&result(&task)), "deleted a.txt");
}

#[tokio::test]
async fn two_services_over_one_memory() {
    let store = MemoryStore::new();
    two_services(store.clone(), store).await;
}

#[tokio::test]
async fn two_services_over_one_file() {
    let folder = tempfile();
    let open = || SqliteStore::open(folder.join("store"));
    two_services(open().await.unwrap(), open().await.unwrap()).await;
    std::fs::remove_dir_all(folder).unwrap();
}

/// A folder of this test.
fn tempfile() -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("toolwright-tasks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
