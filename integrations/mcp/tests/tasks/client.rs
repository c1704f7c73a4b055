//! A client that has tasks.

use rmcp::{
    ClientHandler, RoleClient,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams,
        ClientCapabilities, ClientConfig, DetailedTask, GetTaskParams, InputResponses,
        ProtocolVersion, TaskPayload, TaskStatus, UpdateTaskParams,
    },
    service::{ClientLifecycleMode, ClientServiceExt, RunningService, ServiceError},
};
use serde_json::{Value, json};
use toolwright_mcp::Service;

pub(crate) struct Capable(ClientCapabilities);

impl Capable {
    pub(crate) fn new(capabilities: ClientCapabilities) -> Self {
        Self(capabilities)
    }
}

impl ClientHandler for Capable {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.capabilities = self.0.clone();
        info
    }
}

pub(crate) type Running = RunningService<RoleClient, Capable>;

/// With a handshake, and without one.
pub(crate) fn versions() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Discover { preferred_versions },
    ]
}

/// What a client with tasks and a person can do.
pub(crate) fn capable() -> ClientCapabilities {
    ClientCapabilities::builder()
        .enable_elicitation()
        .enable_tasks()
        .build()
}

/// A client of a service, with these capabilities.
pub(crate) async fn connect(
    service: &Service,
    version: ClientLifecycleMode,
    capabilities: ClientCapabilities,
) -> Running {
    let (here, there) = tokio::io::duplex(4_096);
    let service = service.clone();
    tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
    let client = Capable::new(capabilities).serve_with_lifecycle(here, version);
    client.await.unwrap()
}

/// A client of the newest version with tasks and a person.
pub(crate) async fn newest(service: &Service) -> Running {
    let [_, newest] = versions();
    connect(service, newest, capable()).await
}

pub(crate) async fn call(
    client: &Running,
    name: &'static str,
    arguments: Value,
) -> Result<CallToolResponse, ServiceError> {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    let call = CallToolRequestParams::new(name).with_arguments(arguments);
    client.call_tool_once(call).await
}

/// The id of the task of a call.
pub(crate) async fn begun(client: &Running, name: &'static str, arguments: Value) -> String {
    match call(client, name, arguments).await.unwrap() {
        CallToolResponse::Task(created) => {
            assert_eq!(created.task.status, TaskStatus::Working);
            created.task.task_id
        }
        other => panic!("no task: {other:?}"),
    }
}

pub(crate) async fn get(client: &Running, id: &str) -> Result<DetailedTask, ServiceError> {
    Ok(client.get_task(GetTaskParams::new(id)).await?.task)
}

/// Asks until the task is no longer of this status.
pub(crate) async fn past(client: &Running, id: &str, status: TaskStatus) -> DetailedTask {
    loop {
        let task = get(client, id).await.unwrap();
        if task.status() != status {
            return task;
        }
        tokio::task::yield_now().await;
    }
}

pub(crate) async fn update(
    client: &Running,
    id: &str,
    said: InputResponses,
) -> Result<(), ServiceError> {
    client.update_task(UpdateTaskParams::new(id, said)).await
}

pub(crate) async fn cancel(client: &Running, id: &str) -> Result<(), ServiceError> {
    client.cancel_task(CancelTaskParams::new(id)).await
}

/// The same answer to all questions of a task.
pub(crate) fn answers(task: &DetailedTask, action: &str) -> InputResponses {
    let TaskPayload::InputRequired { input_requests } = &task.payload else {
        panic!("it asks nothing: {task:?}")
    };
    let keys = input_requests.keys();
    keys.map(|key| (key.clone(), json!({"action": action})))
        .collect()
}

/// The result of a task that is completed.
pub(crate) fn result(task: &DetailedTask) -> CallToolResult {
    let TaskPayload::Completed { result } = &task.payload else {
        panic!("it is not completed: {task:?}")
    };
    serde_json::from_value(Value::Object(result.clone())).unwrap()
}

pub(crate) fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}
