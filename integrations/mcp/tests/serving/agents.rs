use std::sync::Arc;

use rmcp::{
    model::{CallToolRequest, CallToolRequestParams, ClientRequest, ElicitationAction},
    service::PeerRequestOptions,
    transport::{
        StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::Notify;
use toolwright::{
    ModelResponse, Runner, ToolCall, ToolContext, ToolInput, Toolset,
    runner::RunnerBuilder,
    store::{MemoryStore, RunFilter, RunStatus, Scope, Store},
    testing::ScriptedModel,
    tool, toolset,
};
use toolwright_mcp::{Caller, Service, Visit};

use crate::support::{Client, clients, serve, texts, versions};

/// Look up an order.
#[tool(read_only)]
fn find_order(
    /// The number of the order.
    order: u32,
) -> String {
    format!("{order} was sent")
}

/// Delete a file for ever.
#[tool(destructive, approval)]
fn delete_file(
    /// The path of the file.
    path: String,
) -> String {
    format!("deleted {path}")
}

#[derive(Deserialize, ToolInput)]
struct Question {
    /// The number of the order.
    order: u32,
}

#[derive(Serialize, Deserialize, ToolInput)]
struct Found {
    /// What is known of it.
    state: String,
}

/// Answers by one call of a tool, and then by a text.
fn agent(calls: usize, call: &ToolCall, answer: &str) -> RunnerBuilder {
    let replies = (0..calls).flat_map(|_| {
        let answer = ModelResponse::from_text(answer);
        [ModelResponse::from_calls([call.clone()]), answer]
    });
    Runner::builder(ScriptedModel::new(replies.collect::<Vec<_>>()))
        .tools(toolset![find_order, delete_file])
        .suspends()
}

fn support(builder: RunnerBuilder) -> Service {
    let agent = builder.build().unwrap();
    let agent = agent
        .as_tool("ask_support", "Answers questions about orders.")
        .unwrap();
    Service::new(Toolset::new().with(agent).unwrap())
}

#[tokio::test]
async fn a_run_is_a_call_with_progress() {
    let call = ToolCall::new("1", "find_order", r#"{"order": 7}"#);
    let service = support(agent(4, &call, "It was sent."));
    for mut client in clients(&service).await {
        let result = client
            .call("ask_support", json!({"task": "Where is order 7?"}))
            .await;
        assert_eq!(texts(&result), ["It was sent."]);
        let report = client.progress.recv().await.unwrap();
        assert_eq!(report.message.as_deref(), Some("calls find_order"));
    }
}

#[tokio::test]
async fn its_input_and_answer_are_typed() {
    let call = ToolCall::new("1", "find_order", r#"{"order": 7}"#);
    let agent = agent(4, &call, r#"{"state": "sent"}"#).build().unwrap();
    let agent = agent
        .as_tool("ask_support", "Answers questions about orders.")
        .unwrap();
    let agent = agent
        .input(|question: Question| format!("Where is order {}?", question.order))
        .unwrap()
        .answer::<Found>();
    let service = Service::new(Toolset::new().with(agent).unwrap());
    for client in clients(&service).await {
        let tools = client.running.list_all_tools().await.unwrap();
        assert_eq!(tools[0].input_schema["required"], json!(["order"]));
        let result = client.call("ask_support", json!({"order": 7})).await;
        assert_eq!(texts(&result), [r#"{"state":"sent"}"#]);
    }
}

#[tokio::test]
async fn its_run_is_in_the_store_of_its_owner() {
    let store = Arc::new(MemoryStore::new());
    let call = ToolCall::new("1", "find_order", r#"{"order": 7}"#);
    let service = support(agent(2, &call, "It was sent.").store("support", Arc::clone(&store)));
    let hook = async |visit: Visit| Ok(Caller::owner(visit.bearer().unwrap_or("nobody")));
    let address = serve(service.http().owner(hook)).await;
    for (version, owner) in versions().into_iter().zip(["ada", "bob"]) {
        let config = StreamableHttpClientTransportConfig::with_uri(&*address).auth_header(owner);
        let transport = StreamableHttpClientTransport::from_config(config);
        let client = Client::over(transport, version, None).await;
        client
            .call("ask_support", json!({"task": "Where is order 7?"}))
            .await;
        let runs = store
            .list(Scope::Owner(owner), &RunFilter::default())
            .await
            .unwrap();
        let statuses: Vec<_> = runs.items.iter().map(|run| run.status.clone()).collect();
        assert_eq!(statuses, [RunStatus::Finished], "{owner}");
    }
}

#[tokio::test]
async fn a_call_of_its_run_asks_the_person_where_it_can_wait() {
    let call = ToolCall::new("1", "delete_file", r#"{"path": "a.txt"}"#);
    for (version, expected) in versions()
        .into_iter()
        .zip(["Done.", "has to wait for people"])
    {
        let service = support(agent(1, &call, "Done."));
        let client = Client::begin(service, version, Some(ElicitationAction::Accept)).await;
        let result = client
            .call("ask_support", json!({"task": "Delete a.txt."}))
            .await;
        assert!(texts(&result)[0].contains(expected), "{result:?}");
    }
}

/// Wait until the call is cancelled.
#[tool]
async fn wait_for_ever(#[context] cx: &ToolContext) {
    cx.cancelled().await;
    cx.require::<Arc<Notify>>().unwrap().notify_one();
}

#[tokio::test]
async fn a_cancelled_request_cancels_the_run() {
    for version in versions() {
        let cancelled = Arc::new(Notify::new());
        let call = ToolCall::new("1", "wait_for_ever", "{}");
        let model = ScriptedModel::new([ModelResponse::from_calls([call])]);
        let runner = Runner::builder(model).tools(toolset![wait_for_ever]);
        let service = support(runner).with_extension(Arc::clone(&cancelled));
        let mut client = Client::begin(service, version, None).await;
        let call = CallToolRequestParams::new("ask_support");
        let arguments = json!({"task": "Wait."}).as_object().cloned().unwrap();
        let call = CallToolRequest::new(call.with_arguments(arguments));
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
