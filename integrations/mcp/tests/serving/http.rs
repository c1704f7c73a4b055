use rmcp::transport::StreamableHttpClientTransport;
use serde_json::json;
use toolwright::{tool, toolset};
use toolwright_mcp::Service;

use crate::support::{Client, serve, texts, versions};

/// Add two numbers.
#[tool(read_only)]
fn add(
    /// The first number.
    x: i64,
    /// The second number.
    y: i64,
) -> i64 {
    x + y
}

#[tokio::test]
async fn a_router_serves_both_versions() {
    let service = Service::new(toolset![add]);
    let address = serve(service.http()).await;
    for version in versions() {
        let transport = StreamableHttpClientTransport::from_uri(&*address);
        let client = Client::over(transport, version, None).await;
        assert_eq!(client.running.list_all_tools().await.unwrap().len(), 1);
        let result = client.call("add", json!({"x": 2, "y": 3})).await;
        assert_eq!(texts(&result), ["5"]);
    }
}

#[tokio::test]
async fn another_host_or_site_is_refused() {
    let address = serve(Service::new(toolset![add]).http()).await;
    for (header, value) in [("host", "evil.example"), ("origin", "https://evil.example")] {
        let request = reqwest::Client::new()
            .post(&address)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .header(header, value)
            .body(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
        assert_eq!(request.send().await.unwrap().status(), 403, "{header}");
    }
}
