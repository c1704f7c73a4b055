//! Each request about a task, in both versions.

use std::{sync::Arc, time::Duration};

use rmcp::model::{CallToolResponse, ClientCapabilities, ErrorCode, TaskPayload, TaskStatus};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::Notify;
use toolwright::{
    ModelResponse, Runner, ToolCall, ToolContext, ToolError, ToolInput, Toolset,
    schema::Schema,
    store::{MemoryStore, RunFilter, Scope, Store},
    testing::ScriptedModel,
    tool,
    tool::{Json, Question},
    toolset,
};
use toolwright_mcp::{Elicit, Elicited, Service};

use crate::client::{
    answers, begun, call, cancel, capable, connect, get, newest, past, result, text, update,
    versions,
};

/// A number.
#[derive(Serialize, Deserialize, ToolInput)]
struct Number {
    /// It.
    value: i64,
}

/// Double a number.
#[tool(read_only)]
async fn double(
    /// The number.
    value: i64,
) -> Json<Number> {
    Json(Number { value: value * 2 })
}

/// Fail, and say that there is no such place.
#[tool(read_only)]
async fn fail() -> Result<String, ToolError> {
    Err(ToolError::not_found("no such place"))
}

/// Fail, and say nothing.
#[tool(read_only)]
async fn break_down(
    /// How: by a panic, or by an error that is for the log.
    panics: bool,
) -> Result<String, ToolError> {
    assert!(!panics, "a secret");
    Err(ToolError::internal("a secret"))
}

/// Delete a file for ever.
#[tool(destructive, approval)]
async fn delete_file(
    /// The path of the file.
    path: String,
) -> String {
    format!("deleted {path}")
}

/// Wait until somebody opens the gate.
#[tool(read_only)]
async fn wait_at_gate(#[context] cx: &ToolContext) -> Result<String, ToolError> {
    cx.progress().step(1, 2, "at the gate");
    let gate = cx.require::<Arc<Notify>>()?;
    gate.notified().await;
    Ok("through".to_owned())
}

/// Book a table.
#[tool]
async fn book_table(#[context] ask: Elicit<Number>) -> Result<String, ToolError> {
    let ask = ask.named("guests");
    let (guests, children) = (ask.form("How many?").await?, ask.form("Children?").await?);
    let number = |said: Elicited<Number>| said.accepted().map_or(-1, |it| it.value);
    Ok(format!("{} and {}", number(guests), number(children)))
}

/// Ask what not every client can ask.
#[tool]
async fn ask_other(
    /// By an address, or else by a form with a form in it.
    by_address: bool,
    #[context] cx: &ToolContext,
) -> Result<String, ToolError> {
    let form = json!({"type": "object", "properties": {
        "guest": {"type": "object", "properties": {"name": {"type": "string"}}},
    }});
    let question = if by_address {
        Question::url("Sign in.", "https://example.com")
    } else {
        Question::form("Who comes?", Schema::from_value(&form))
    };
    Ok(format!("{:?}", cx.ask("other", question).await?))
}

/// Sign in at a page.
#[tool]
async fn sign_in(#[context] ask: Elicit<()>) -> Result<String, ToolError> {
    let opened = ask.url("Sign in.", "https://example.com").await?;
    Ok(format!("{opened:?}"))
}

fn service(store: &MemoryStore) -> (Service, Arc<Notify>) {
    let gate = Arc::new(Notify::new());
    let service = Service::new(toolset![
        double,
        fail,
        break_down,
        delete_file,
        wait_at_gate,
        book_table,
        ask_other,
        sign_in
    ])
    .store("tests", store.clone())
    .with_extension(Arc::clone(&gate))
    .long("double")
    .long("break_down")
    .long("delete_file")
    .long("wait_at_gate")
    .long("book_table")
    .long("ask_other")
    .long("sign_in")
    .only_as_task("fail");
    (service, gate)
}

#[tokio::test]
async fn a_long_call_is_a_task() {
    for version in versions() {
        let (service, _) = service(&MemoryStore::new());
        let client = connect(&service, version, capable()).await;
        let id = begun(&client, "double", json!({"value": 21})).await;
        let task = past(&client, &id, TaskStatus::Working).await;
        assert_eq!(result(&task).structured_content, Some(json!({"value": 42})));
        assert_eq!(task.task.task_id, id);
        assert!(task.task.created_at.ends_with('Z'), "{task:?}");
        assert!(task.task.last_updated_at >= task.task.created_at);
        assert_eq!(
            (task.task.ttl_ms, task.task.poll_interval_ms),
            (None, Some(1_000))
        );
        // It stays.
        assert_eq!(get(&client, &id).await.unwrap(), task);
    }
}

#[tokio::test]
async fn a_failure_of_the_tool_is_a_result() {
    let (service, _) = service(&MemoryStore::new());
    let client = newest(&service).await;
    let id = begun(&client, "fail", json!({})).await;
    let failed = result(&past(&client, &id, TaskStatus::Working).await);
    assert_eq!(failed.is_error, Some(true));
    assert!(text(&failed).contains("no such place"), "{failed:?}");
    // So are arguments that do not fit.
    let id = begun(&client, "double", json!({"value": "x"})).await;
    let refused = result(&past(&client, &id, TaskStatus::Working).await);
    assert_eq!(refused.is_error, Some(true));
    assert!(text(&refused).contains("value"), "{refused:?}");
}

#[tokio::test]
async fn a_failure_without_a_reason_is_that_of_the_task() {
    let (service, _) = service(&MemoryStore::new());
    let client = newest(&service).await;
    for panics in [true, false] {
        let id = begun(&client, "break_down", json!({"panics": panics})).await;
        let task = past(&client, &id, TaskStatus::Working).await;
        let TaskPayload::Failed { error } = &task.payload else {
            panic!("it did not fail: {task:?}")
        };
        assert_eq!(error["code"], -32603);
        assert_eq!(error["message"], "the tool failed with an internal error");
    }
}

#[tokio::test]
async fn a_client_without_tasks_waits_or_is_refused() {
    for version in versions() {
        let (service, _) = service(&MemoryStore::new());
        let client = connect(&service, version, ClientCapabilities::default()).await;
        let answer = call(&client, "double", json!({"value": 2})).await.unwrap();
        assert!(
            matches!(answer, CallToolResponse::Complete(_)),
            "{answer:?}"
        );
        let refused = call(&client, "fail", json!({})).await.unwrap_err();
        assert!(refused.to_string().contains("capability"), "{refused}");
    }
}

#[tokio::test]
async fn a_short_call_has_its_result() {
    let service = Service::new(toolset![double]).store("tests", MemoryStore::new());
    let client = newest(&service).await;
    let answer = call(&client, "double", json!({"value": 2})).await.unwrap();
    assert!(
        matches!(answer, CallToolResponse::Complete(_)),
        "{answer:?}"
    );
}

#[tokio::test]
async fn a_person_approves_or_declines() {
    for version in versions() {
        for (action, said) in [("accept", "deleted a.txt"), ("decline", "declined it")] {
            let (service, _) = service(&MemoryStore::new());
            let client = connect(&service, version.clone(), capable()).await;
            let id = begun(&client, "delete_file", json!({"path": "a.txt"})).await;
            let asks = past(&client, &id, TaskStatus::Working).await;
            let said_to_none = [("approval 7.7 0".to_owned(), json!({"action": "accept"}))];
            update(&client, &id, said_to_none.into()).await.unwrap();
            assert_eq!(get(&client, &id).await.unwrap().payload, asks.payload);
            update(&client, &id, answers(&asks, action)).await.unwrap();
            // What is answered is not asked any more.
            let task = get(&client, &id).await.unwrap();
            assert_ne!(task.status(), TaskStatus::InputRequired, "{task:?}");
            let task = past(&client, &id, TaskStatus::Working).await;
            assert!(text(&result(&task)).contains(said), "{task:?}");
        }
    }
}

#[tokio::test]
async fn without_a_person_an_approval_is_refused_at_once() {
    let (service, _) = service(&MemoryStore::new());
    let [_, newest] = versions();
    let nobody = ClientCapabilities::builder().enable_tasks().build();
    let client = connect(&service, newest, nobody).await;
    let refused = call(&client, "delete_file", json!({"path": "a.txt"})).await;
    let Ok(CallToolResponse::Complete(refused)) = refused else {
        panic!("{refused:?}")
    };
    assert!(
        text(&refused).contains("cannot ask a person"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_tool_asks_within_a_task_and_another_service_hands_on_the_answers() {
    let store = MemoryStore::new();
    for version in versions() {
        let client = connect(&service(&store).0, version.clone(), capable()).await;
        let id = begun(&client, "book_table", json!({})).await;
        for (message, value) in [("How many?", json!(3)), ("Children?", json!(1))] {
            let other = connect(&service(&store).0, version.clone(), capable()).await;
            let asks = past(&other, &id, TaskStatus::Working).await;
            let TaskPayload::InputRequired { input_requests } = &asks.payload else {
                panic!("it asks nothing: {asks:?}")
            };
            let (key, asked) = input_requests.iter().next().unwrap();
            let asked = serde_json::to_value(asked).unwrap();
            assert_eq!(asked["params"]["message"], message);
            let schema = &asked["params"]["requestedSchema"];
            assert_eq!(schema["properties"]["value"]["type"], "integer");
            let say = |said| update(&other, &id, [(key.clone(), said)].into());
            for (unfit, why) in [
                (
                    json!({"action": "accept", "content": {"value": "many"}}),
                    "value",
                ),
                (json!({"action": "accept", "content": {}}), "value"),
                (json!({"action": "shrug"}), "shrug"),
            ] {
                let Err(rmcp::ServiceError::McpError(error)) = say(unfit).await else {
                    panic!("it does not fit")
                };
                assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
                let is_told = error.message.contains(&**key) && error.message.contains(why);
                assert!(is_told, "{error:?}");
                assert_eq!(get(&other, &id).await.unwrap().payload, asks.payload);
            }
            let said = json!({"action": "accept", "content": {"value": value}});
            say(said).await.unwrap();
        }
        let task = past(&client, &id, TaskStatus::Working).await;
        assert_eq!(text(&result(&task)), "3 and 1");
    }
}

#[tokio::test]
async fn a_task_opens_no_address_at_a_client_that_has_forms_alone() {
    let (service, _) = service(&MemoryStore::new());
    let client = newest(&service).await;
    let id = begun(&client, "sign_in", json!({})).await;
    let task = past(&client, &id, TaskStatus::Working).await;
    assert_eq!(text(&result(&task)), "Unsupported");
}

/// Nobody could answer, and the task would wait for days.
#[tokio::test]
async fn what_the_client_of_a_task_cannot_ask_is_denied() {
    for version in versions() {
        let (service, _) = service(&MemoryStore::new());
        let client = connect(&service, version, capable()).await;
        for (by_address, why) in [
            (true, "no URL elicitation"),
            (false, "cannot show this form"),
        ] {
            let id = begun(&client, "ask_other", json!({"by_address": by_address})).await;
            let task = past(&client, &id, TaskStatus::Working).await;
            let denied = text(&result(&task)).to_owned();
            assert!(denied.contains("Deny") && denied.contains(why), "{denied}");
        }
    }
}

#[tokio::test]
async fn the_last_progress_is_its_message() {
    let (service, gate) = service(&MemoryStore::new());
    let client = newest(&service).await;
    let id = begun(&client, "wait_at_gate", json!({})).await;
    let message = loop {
        let task = get(&client, &id).await.unwrap().task;
        if let Some(message) = task.status_message {
            break message;
        }
    };
    assert_eq!(message, "at the gate");
    gate.notify_one();
    let task = past(&client, &id, TaskStatus::Working).await;
    assert_eq!(text(&result(&task)), "through");
    assert_eq!(task.task.status_message, None);
}

#[tokio::test]
async fn a_cancelled_task_ends() {
    for version in versions() {
        let (service, _) = service(&MemoryStore::new());
        let client = connect(&service, version, capable()).await;
        let running = begun(&client, "wait_at_gate", json!({})).await;
        let waiting = begun(&client, "delete_file", json!({"path": "a.txt"})).await;
        past(&client, &waiting, TaskStatus::Working).await;
        for (id, status) in [
            (&running, TaskStatus::Working),
            (&waiting, TaskStatus::InputRequired),
        ] {
            cancel(&client, id).await.unwrap();
            let task = loop {
                let task = past(&client, id, status).await;
                if task.status().is_terminal() {
                    break task;
                }
            };
            assert_eq!(task.payload, TaskPayload::Cancelled);
            // Once more does no harm.
            cancel(&client, id).await.unwrap();
        }
    }
}

#[tokio::test]
async fn an_unknown_task_is_an_invalid_parameter() {
    let (service, _) = service(&MemoryStore::new());
    let client = newest(&service).await;
    for error in [
        get(&client, "gone").await.unwrap_err(),
        update(&client, "gone", [].into()).await.unwrap_err(),
        cancel(&client, "gone").await.unwrap_err(),
    ] {
        let rmcp::ServiceError::McpError(error) = error else {
            panic!("{error:?}")
        };
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
        assert!(error.message.contains("no task gone"), "{error:?}");
    }
}

#[tokio::test]
async fn a_run_of_another_service_is_no_task() {
    let store = MemoryStore::new();
    let (service, _) = service(&store);
    let client = newest(&service).await;
    let id = begun(&client, "double", json!({"value": 1})).await;
    let other = Service::new(toolset![double]).store("other", store);
    let error = get(&newest(&other).await, &id).await.unwrap_err();
    assert!(error.to_string().contains("no task"), "{error}");
}

/// Until it is deleted as well: the time of this test stands.
#[tokio::test(start_paused = true)]
async fn an_expired_task_is_gone() {
    let (service, _) = service(&MemoryStore::new());
    let service = service.tasks_kept_for(Duration::ZERO);
    let client = newest(&service).await;
    let id = begun(&client, "double", json!({"value": 1})).await;
    let error = loop {
        match get(&client, &id).await {
            Ok(task) => assert_eq!(task.task.ttl_ms, Some(0)),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("has expired"), "{error}");
}

#[tokio::test]
async fn a_tool_that_is_not_there_is_an_error_of_the_protocol() {
    let (service, _) = service(&MemoryStore::new());
    let service = service.long("gone");
    let error = call(&newest(&service).await, "gone", json!({}))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("Unknown tool"), "{error}");
}

/// Nobody could answer, and the task would wait for days.
#[tokio::test]
async fn an_agent_of_a_client_without_forms_is_refused_its_approvals() {
    let file = ToolCall::new("1", "delete_file", r#"{"path": "a.txt"}"#);
    let replies = [
        ModelResponse::from_calls([file]),
        ModelResponse::from_text("It is there still."),
    ];
    let agent = Runner::builder(ScriptedModel::new(replies)).tools(toolset![delete_file]);
    let agent = agent.suspends().build().unwrap();
    let agent = agent.as_tool("ask_support", "Answers questions.").unwrap();
    let store = MemoryStore::new();
    let service = Service::new(Toolset::new().with(agent).unwrap())
        .store("tests", store.clone())
        .long("ask_support");
    let [_, newest] = versions();
    let without_forms = ClientCapabilities::builder().enable_tasks().build();
    let client = connect(&service, newest, without_forms).await;
    let id = begun(&client, "ask_support", json!({"task": "Delete a.txt."})).await;
    let task = past(&client, &id, TaskStatus::Working).await;
    assert_eq!(text(&result(&task)), "It is there still.");
    let page = store.list(Scope::All, &RunFilter::default()).await.unwrap();
    let below = page.items.iter().find(|run| run.info.parent().is_some());
    let run = &below.unwrap().info.run_id;
    let log = store
        .load(Scope::All, run, 0)
        .await
        .unwrap()
        .entries
        .concat();
    assert!(log.contains("the client cannot ask a person"), "{log}");
}
