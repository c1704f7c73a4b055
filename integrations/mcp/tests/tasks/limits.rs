//! Rate limits, which calls in place and tasks share.

use rmcp::model::{CallToolResponse, ClientCapabilities, TaskStatus};
use serde_json::json;
use toolwright::{dispatch::CallOptions, store::MemoryStore, tool, toolset};
use toolwright_mcp::Service;

use crate::client::{Running, begun, call, connect, newest, past, result, text, versions};

/// Search, but not often.
#[tool(read_only, rate_limit("1/min", fail))]
fn search_slowly() -> &'static str {
    "found"
}

async fn in_place(client: &Running) -> String {
    let answer = call(client, "search_slowly", json!({})).await.unwrap();
    let CallToolResponse::Complete(result) = answer else {
        panic!("it is no result: {answer:?}")
    };
    text(&result).to_owned()
}

async fn as_task(client: &Running) -> String {
    let id = begun(client, "search_slowly", json!({})).await;
    let task = past(client, &id, TaskStatus::Working).await;
    text(&result(&task)).to_owned()
}

#[tokio::test]
async fn calls_in_place_and_tasks_share_a_rate_limit() {
    for (has_options, is_task_first) in [(false, true), (false, false), (true, true), (true, false)]
    {
        let mut service = Service::new(toolset![search_slowly])
            .store("tests", MemoryStore::new())
            .long("search_slowly");
        if has_options {
            service = service.calls(CallOptions::new());
        }
        let [_, version] = versions();
        let simple = connect(&service, version, ClientCapabilities::default()).await;
        let capable = newest(&service).await;
        let (first, second) = if is_task_first {
            (as_task(&capable).await, in_place(&simple).await)
        } else {
            (in_place(&simple).await, as_task(&capable).await)
        };
        assert_eq!(first, "found");
        assert!(second.contains("was called too often"), "{second}");
    }
}
