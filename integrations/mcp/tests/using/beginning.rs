//! How a conversation begins.

use serde_json::json;
use toolwright::testing;

use super::scripted::{self, text, tool};

/// It answers the question for the newer protocol when the client has begun as the older one has it.
#[tokio::test(start_paused = true)]
async fn a_program_that_starts_slowly_is_no_stranger() {
    let client = scripted::client(|mut line, _| async move {
        let probe = line.wait("server/discover").await.unwrap();
        let begin = line.wait("initialize").await.unwrap();
        line.refuse(&probe, -32601, "Method not found").await;
        let info = json!({
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "slow", "version": "1"},
        });
        line.answer(&begin, info).await;
        let call = line.call(&[tool("go")]).await.unwrap();
        line.answer(&call, text("went")).await;
    });
    let tools = client.await.unwrap().toolset().await.unwrap();
    let output = testing::call(&tools, "go", json!({})).await.unwrap();
    assert_eq!(output.to_text(), "went");
}
