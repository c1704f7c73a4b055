use std::{sync::Arc, time::Duration};

use serde_json::json;
use tokio::{net::TcpListener, sync::Notify};
use toolwright::{
    Dispatch as _, ErrorCategory, Tool as _, ToolCall, ToolContext, ToolError, Toolset,
    dispatch::{DispatchEvent, DispatchOptions},
    message::Image,
    testing, tool,
    tool::{CallUpdate, Effects},
    toolset,
};
use toolwright_mcp::{Client, Service};

/// Draw a point, and tell how far it is.
#[tool(read_only)]
async fn draw(#[context] cx: &ToolContext) -> Image {
    cx.progress().step(1, 2, "half of it");
    tokio::task::yield_now().await;
    Image::from_bytes("image/png", b"\x89PNG")
}

/// Fail for a reason that a model can read.
#[tool]
async fn fail_clearly() -> Result<String, ToolError> {
    Err(ToolError::not_found("no such place"))
}

/// Wait until the call is cancelled.
#[tool]
async fn wait_for_ever(#[context] cx: &ToolContext) {
    cx.progress().step(0, 1, "waiting");
    cx.cancelled().await;
    cx.require::<Arc<Notify>>().unwrap().notify_one();
}

async fn served(tools: Toolset, cancelled: Arc<Notify>) -> Client {
    let service = Service::new(tools).with_extension(cancelled);
    let router = axum::Router::new().nest_service("/mcp", service.http());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    Client::http(format!("http://{address}/mcp")).await.unwrap()
}

#[tokio::test]
async fn parts_and_failures_come_through() {
    let client = served(toolset![draw, fail_clearly], Arc::default()).await;
    let tools = client.toolset().await.unwrap();
    let output = testing::call(&tools, "draw", json!({})).await.unwrap();
    assert_eq!(output.images().count(), 1);
    let error = testing::call(&tools, "fail_clearly", json!({}))
        .await
        .unwrap_err();
    assert!(error.message.contains("no such place"), "{error:?}");
}

#[tokio::test]
async fn hints_are_believed_where_the_application_says_so() {
    let client = served(toolset![draw], Arc::default()).await;
    for (client, effects) in [
        (client.clone(), Effects::Write),
        (client.trust_hints(), Effects::ReadOnly),
    ] {
        let tools = client.prefixed("studio_").toolset().await.unwrap();
        assert_eq!(tools.find("studio_draw").unwrap().policy().effects, effects);
    }
}

#[tokio::test]
async fn progress_is_progress() {
    let client = served(toolset![draw], Arc::default()).await;
    let tools = client.toolset().await.unwrap();
    let calls = [ToolCall::new("a", "draw", "{}")];
    let options = DispatchOptions::new();
    let mut events = tools.dispatch_stream(&calls, &options);
    let mut heard = Vec::new();
    while let Some(event) = events.next().await {
        if let DispatchEvent::Update {
            update: CallUpdate::Progress(report),
            ..
        } = event
        {
            heard.push(report.message);
        }
    }
    assert_eq!(heard, ["half of it"]);
}

#[tokio::test]
async fn a_call_that_is_late_is_cancelled_at_the_server() {
    let cancelled = Arc::new(Notify::new());
    let client = served(toolset![wait_for_ever], Arc::clone(&cancelled)).await;
    let tools = client
        .timeout(Duration::from_millis(300))
        .toolset()
        .await
        .unwrap();
    let error = testing::call(&tools, "wait_for_ever", json!({}))
        .await
        .unwrap_err();
    assert_eq!(error.category, ErrorCategory::ExecutionTimeout, "{error:?}");
    cancelled.notified().await;
}
