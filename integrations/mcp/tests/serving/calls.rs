use std::{future::pending, sync::Arc, time::Duration};

use rmcp::{
    model::{CallToolRequest, CallToolRequestParams, ClientRequest, ElicitationAction},
    service::PeerRequestOptions,
};
use serde_json::json;
use tokio::{sync::Notify, time::Instant};
use toolwright::{ToolContext, ToolError, tool, toolset};
use toolwright_mcp::Service;

use crate::support::{Client, clients, texts, versions};

/// Count to a number, and tell how far it is.
#[tool]
async fn count_to(
    /// The last number.
    #[tool(range(1..=100))]
    last: u32,
    #[context] cx: &ToolContext,
) -> Result<String, ToolError> {
    for number in 1..=last {
        cx.progress().step(number.into(), last.into(), "one more");
        tokio::task::yield_now().await;
    }
    Ok(format!("counted to {last}"))
}

/// Fail for a reason that a model can read.
#[tool]
async fn fail_clearly() -> Result<String, ToolError> {
    Err(ToolError::not_found("no such place"))
}

#[tokio::test]
async fn a_result_has_the_text_of_the_tool() {
    let client = Client::of(Service::new(toolset![count_to])).await;
    let result = client.call("count_to", json!({"last": 3})).await;
    assert_eq!(texts(&result), ["counted to 3"]);
    assert_ne!(result.is_error, Some(true));
}

#[tokio::test]
async fn a_failure_is_what_a_model_reads() {
    let client = Client::of(Service::new(toolset![count_to, fail_clearly])).await;
    let failed = client.call("fail_clearly", json!({})).await;
    assert_eq!(failed.is_error, Some(true));
    assert!(texts(&failed)[0].contains("no such place"), "{failed:?}");
    // Arguments that do not fit are for the model as well, which can mend them.
    let refused = client.call("count_to", json!({"last": 1000})).await;
    assert_eq!(refused.is_error, Some(true));
    assert!(texts(&refused)[0].contains("last"), "{refused:?}");
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    let client = Client::of(Service::new(toolset![fail_clearly])).await;
    let call = CallToolRequestParams::new("gone");
    let error = client.running.call_tool(call).await.unwrap_err();
    assert!(error.to_string().contains("Unknown tool: gone"), "{error}");
}

#[tokio::test]
async fn progress_is_told() {
    let mut client = Client::of(Service::new(toolset![count_to])).await;
    client.call("count_to", json!({"last": 3})).await;
    let first = client.progress.recv().await.unwrap();
    assert_eq!(first.total, Some(3.0));
    assert_eq!(first.message.as_deref(), Some("one more"));
}

/// Tell that it is done, and leave a task that holds the context.
#[tool]
async fn leave_a_task(#[context] cx: &ToolContext) {
    cx.progress().step(1, 1, "done");
    let cx = cx.clone();
    tokio::spawn(async move {
        pending::<()>().await;
        drop(cx);
    });
}

#[tokio::test(start_paused = true)]
async fn what_a_tool_leaves_does_not_hold_up_its_result() {
    let mut client = Client::of(Service::new(toolset![leave_a_task])).await;
    let begin = Instant::now();
    client.call("leave_a_task", json!({})).await;
    assert_eq!(begin.elapsed(), Duration::ZERO);
    let last = client.progress.recv().await.unwrap();
    assert_eq!(last.message.as_deref(), Some("done"));
}

/// Delete a file for ever.
#[tool(destructive, approval)]
async fn delete_file(
    /// The path of the file.
    path: String,
) -> String {
    format!("deleted {path}")
}

#[tokio::test]
async fn a_person_at_the_client_approves() {
    for version in versions() {
        for (answer, text) in [
            (ElicitationAction::Accept, "deleted a.txt"),
            (ElicitationAction::Decline, "declined"),
        ] {
            let service = Service::new(toolset![delete_file]);
            let client = Client::begin(service, version.clone(), Some(answer)).await;
            let result = client.call("delete_file", json!({"path": "a.txt"})).await;
            assert!(texts(&result)[0].contains(text), "{result:?}");
        }
    }
}

#[tokio::test]
async fn without_a_person_it_is_refused() {
    for version in versions() {
        let client = Client::begin(Service::new(toolset![delete_file]), version, None).await;
        let result = client.call("delete_file", json!({"path": "a.txt"})).await;
        assert_eq!(result.is_error, Some(true));
        assert!(
            texts(&result)[0].contains("cannot ask a person"),
            "{result:?}"
        );
    }
}

/// Search, but not often.
#[tool(read_only, rate_limit("1/min", fail))]
fn search_slowly() -> &'static str {
    "found"
}

#[tokio::test]
async fn clients_share_a_rate_limit() {
    let service = Service::new(toolset![search_slowly]);
    for (number, client) in clients(&service).await.iter().enumerate() {
        let result = client.call("search_slowly", json!({})).await;
        let text = texts(&result)[0];
        if number == 0 {
            assert_eq!(text, "found");
            continue;
        }
        assert_eq!(result.is_error, Some(true));
        assert!(text.contains("was called too often"), "{text}");
    }
}

/// Wait until the call is cancelled.
#[tool]
async fn wait_for_ever(#[context] cx: &ToolContext) {
    cx.progress().step(0, 1, "waiting");
    cx.cancelled().await;
    cx.require::<Arc<Notify>>().unwrap().notify_one();
}

#[tokio::test]
async fn a_cancelled_request_ends_the_call() {
    for version in versions() {
        let cancelled = Arc::new(Notify::new());
        let service = Service::new(toolset![wait_for_ever]).with_extension(Arc::clone(&cancelled));
        let mut client = Client::begin(service, version, None).await;
        let call = CallToolRequest::new(CallToolRequestParams::new("wait_for_ever"));
        let request = client.running.peer().send_cancellable_request(
            ClientRequest::CallToolRequest(call),
            PeerRequestOptions::no_options(),
        );
        let request = request.await.unwrap();
        client.progress.recv().await.unwrap();
        request.cancel(None).await.unwrap();
        cancelled.notified().await;
    }
}
