//! Questions of a server that wait in a stored run: another driver tells the server the answer, and does not call again.

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use toolwright::{
    ModelResponse, Runner, ToolCall, ToolError, ToolInput, Toolset,
    approval::Decision,
    run::{Finish, RunOutcome, WaitsFor},
    runner::{OnChanged, RunHandle},
    store::{InboxContent, InboxItem, MemoryStore, Scope, Store as _},
    testing::ScriptedModel,
    tool,
    tool::Extension,
    toolset,
};
use toolwright_mcp::{Client, Elicit, Elicited, Service};

use super::{
    resumed_tasks::result,
    scripted::{self, tool},
    task_server::{Say, TaskServer, completed, task},
};

async fn tools(server: &TaskServer) -> Toolset {
    let client = server.client().await.asking_in_runs();
    client.toolset().await.unwrap()
}

/// Drives runs of a store, as a process does.
fn runner(
    store: &MemoryStore,
    tools: Toolset,
    responses: impl IntoIterator<Item = ModelResponse>,
) -> Runner {
    let runner = Runner::builder(ScriptedModel::new(responses)).tools(tools);
    let runner = runner.suspends().on_changed_tools(OnChanged::Proceed);
    let runner = runner
        .store("tests", store.clone())
        .lease_time(Duration::ZERO);
    runner.build().unwrap()
}

/// Calls a tool, whose server asks.
async fn begun(store: &MemoryStore, tools: Toolset, call: ToolCall) -> RunOutcome {
    let responses = [
        ModelResponse::from_calls([call]),
        ModelResponse::from_text("done"),
    ];
    runner(store, tools, responses).run("go").await.unwrap()
}

/// Another process resumes the run with the answer to its question.
async fn answered(
    store: &MemoryStore,
    tools: Toolset,
    waits: &RunOutcome,
    answer: Decision,
) -> RunHandle {
    assert_eq!(waits.finish, Finish::Suspended);
    let [pending] = &waits.pending[..] else {
        panic!("{:?}", waits.pending)
    };
    assert_eq!(pending.waits_for, WaitsFor::Question);
    let answer = InboxItem::new(InboxContent::Resolution(pending.decide(answer)));
    store.put(Scope::All, &waits.run_id, &answer).await.unwrap();
    let runner = runner(store, tools, [ModelResponse::from_text("done")]);
    let resumed = runner.resume(&waits.run_id).start().await;
    resumed.unwrap()
}

async fn decided(
    store: &MemoryStore,
    tools: Toolset,
    waits: &RunOutcome,
    answer: Decision,
) -> RunOutcome {
    let handle = answered(store, tools, waits, answer).await;
    handle.outcome().await.unwrap()
}

fn go() -> ToolCall {
    ToolCall::new("1", "go", "{}")
}

fn named(name: &str) -> Decision {
    Decision::approve_with(json!({"name": name}).to_string())
}

pub(super) fn asked(keys: &[&str]) -> Value {
    let schema =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let params = json!({"mode": "form", "message": "Who are you?", "requestedSchema": schema});
    let asked = json!({"method": "elicitation/create", "params": params});
    keys.iter()
        .map(|key| ((*key).to_owned(), asked.clone()))
        .collect()
}

pub(super) fn requires(state: &str, keys: &[&str]) -> Say {
    Say::Result(
        json!({"resultType": "input_required", "inputRequests": asked(keys), "requestState": state}),
    )
}

fn answers(names: &[(&str, &str)]) -> Value {
    let answer = |name| json!({"action": "accept", "content": {"name": name}});
    let answers = names
        .iter()
        .map(|(key, name)| ((*key).to_owned(), answer(*name)));
    answers.collect()
}

fn text(text: &str) -> Say {
    Say::Result(scripted::text(text))
}

#[derive(serde::Deserialize, ToolInput)]
struct Party {
    /// The number of guests.
    guests: u8,
}

/// Book a table in a restaurant.
#[tool]
async fn book_table(
    #[context] ask: Elicit<Party>,
    #[context] Extension(booked): Extension<Arc<AtomicUsize>>,
) -> Result<String, ToolError> {
    Ok(match ask.form("For how many people?").await? {
        Elicited::Accepted(Party { guests }) => {
            booked.fetch_add(1, Ordering::Relaxed);
            format!("booked for {guests}")
        }
        _ => "not booked".to_owned(),
    })
}

#[tokio::test]
async fn a_question_of_our_service_waits_in_the_run_of_our_client() {
    for (decision, expected, count) in [
        (
            Decision::approve_with(r#"{"guests": 3}"#),
            "booked for 3",
            1,
        ),
        (Decision::deny("no"), "not booked", 0),
    ] {
        let booked = Arc::new(AtomicUsize::new(0));
        let service = Service::new(toolset![book_table]).with_extension(Arc::clone(&booked));
        let tools = || async {
            let service = service.clone();
            let client = Client::pipe(move || {
                let (here, there) = tokio::io::duplex(1 << 16);
                let service = service.clone();
                tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
                Ok(tokio::io::split(here))
            });
            let client = client.await.unwrap().asking_in_runs();
            client.toolset().await.unwrap()
        };
        let store = MemoryStore::new();
        let call = ToolCall::new("1", "book_table", "{}");
        let waits = begun(&store, tools().await, call).await;
        let question = waits.pending[0].question.as_ref().unwrap();
        assert_eq!(question.message, "For how many people?");
        let outcome = decided(&store, tools().await, &waits, decision).await;
        assert_eq!(result(&outcome), expected);
        assert_eq!(booked.load(Ordering::Relaxed), count);
    }
}

/// Two keys at once, and one of them again with the same words.
#[tokio::test]
async fn a_call_is_begun_once_however_often_its_server_asks() {
    let server = TaskServer::scripted(|method, number| match (method, number) {
        ("tools/call", 0) => requires("s1", &["a", "b"]),
        ("tools/call", 1) => requires("s2", &["a"]),
        _ => text("hello"),
    });
    let store = MemoryStore::new();
    let mut outcome = begun(&store, tools(&server).await, go()).await;
    for name in ["Ada", "Bob", "Eve"] {
        outcome = decided(&store, tools(&server).await, &outcome, named(name)).await;
    }
    assert_eq!(result(&outcome), "hello");

    let called = server.heard("tools/call");
    let told: Vec<_> = called
        .iter()
        .map(|call| (&call["requestState"], &call["inputResponses"]))
        .collect();
    let first = answers(&[("a", "Ada"), ("b", "Bob")]);
    let second = answers(&[("a", "Eve")]);
    assert_eq!(
        told,
        [
            (&Value::Null, &Value::Null),
            (&json!("s1"), &first),
            (&json!("s2"), &second)
        ]
    );
}

#[tokio::test]
async fn answers_that_may_have_had_their_effect_are_not_sent_again() {
    for is_read in [false, true] {
        let mut definition = tool("go");
        definition["annotations"] = json!({"readOnlyHint": is_read});
        let server = TaskServer::scripted(|method, number| match (method, number) {
            ("tools/call", 0 | 2) => requires("s1", &["a"]),
            ("tools/call", 1) => Say::Nothing,
            _ => text("hello"),
        });
        let server = server.named("scripted", definition);
        let tools = || async {
            let client = server.client().await.trust_hints().asking_in_runs();
            client.toolset().await.unwrap()
        };
        let store = MemoryStore::new();
        let waits = begun(&store, tools().await, go()).await;
        let mut handle = answered(&store, tools().await, &waits, named("Ada")).await;
        // The process ends when the server has the answers.
        let driven = async { while handle.next().await.is_some() {} };
        tokio::select! {
            () = driven => panic!("the server is silent"),
            () = server.hears("tools/call", 2) => {}
        }
        drop(handle);
        let runner = runner(&store, tools().await, [ModelResponse::from_text("done")]);
        let handle = runner.resume(&waits.run_id).start().await.unwrap();
        let result = result(&handle.outcome().await.unwrap());
        if is_read {
            assert_eq!(result, "hello");
            assert_eq!(server.heard("tools/call").len(), 4);
        } else {
            assert!(result.contains("may have had its effect"), "{result}");
            assert_eq!(server.heard("tools/call").len(), 2);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_goes_on_while_its_question_waits() {
    let server = TaskServer::scripted(|method, number| match (method, number) {
        ("tasks/get", 0 | 1) => Say::Result(task(
            "input_required",
            json!({"inputRequests": asked(&["a"])}),
        )),
        ("tasks/get", _) => completed("seven"),
        _ => TaskServer::agrees(method),
    });
    let store = MemoryStore::new();
    let waits = begun(&store, tools(&server).await, go()).await;
    let outcome = decided(&store, tools(&server).await, &waits, named("Ada")).await;
    assert_eq!(result(&outcome), "seven");
    assert_eq!(server.heard("tools/call").len(), 1);
    assert!(server.heard("tasks/cancel").is_empty());
    let told = server.heard("tasks/update");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["inputResponses"], answers(&[("a", "Ada")]));
}

/// The call asks, and so does the task that it becomes, by the same key and in the same words.
#[tokio::test(start_paused = true)]
async fn the_question_of_a_task_is_not_that_of_its_call() {
    let server = TaskServer::scripted(|method, number| match (method, number) {
        ("tools/call", 0) => requires("s1", &["a"]),
        ("tasks/get", 0 | 1) => Say::Result(task(
            "input_required",
            json!({"inputRequests": asked(&["a"])}),
        )),
        ("tasks/get", _) => completed("seven"),
        _ => TaskServer::agrees(method),
    });
    let store = MemoryStore::new();
    let mut outcome = begun(&store, tools(&server).await, go()).await;
    for name in ["Ada", "Bob"] {
        outcome = decided(&store, tools(&server).await, &outcome, named(name)).await;
    }
    assert_eq!(result(&outcome), "seven");
    let told = server.heard("tasks/update");
    assert_eq!(told[0]["inputResponses"], answers(&[("a", "Bob")]));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_away_does_not_lose_the_answer() {
    let server = TaskServer::scripted(|_, number| match number {
        0 => requires("s1", &["a"]),
        _ => text("hello"),
    });
    let store = MemoryStore::new();
    let waits = begun(&store, tools(&server).await, go()).await;

    let (away, open) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(None)));
    let (is_away, opened) = (Arc::clone(&away), Arc::clone(&open));
    let there = server.clone();
    let client = Client::pipe(move || {
        if is_away.load(Ordering::Relaxed) > 0 {
            is_away.fetch_sub(1, Ordering::Relaxed);
            return Err(io::ErrorKind::ConnectionRefused.into());
        }
        let (here, pipe) = tokio::io::duplex(1 << 16);
        let task = tokio::spawn(there.clone().serve(pipe));
        *opened.lock().unwrap() = Some(task);
        Ok(tokio::io::split(here))
    });
    let client = client.await.unwrap().asking_in_runs();
    let tools = client.toolset().await.unwrap();
    open.lock().unwrap().take().unwrap().abort();
    away.store(5, Ordering::Relaxed);
    // All else runs before the clock does: the client notices the end.
    tokio::time::sleep(Duration::from_millis(1)).await;
    let outcome = decided(&store, tools, &waits, named("Ada")).await;
    assert_eq!(result(&outcome), "hello");
    assert_eq!(away.load(Ordering::Relaxed), 0);
    assert_eq!(server.heard("tools/call").len(), 2);
}

#[tokio::test]
async fn nobody_is_asked_where_a_part_has_no_answer() {
    let server = TaskServer::scripted(|_, _| {
        let mut asked = asked(&["a"]);
        let params = json!({"messages": [], "maxTokens": 1});
        asked["b"] = json!({"method": "sampling/createMessage", "params": params});
        Say::Result(json!({"resultType": "input_required", "inputRequests": asked}))
    });
    let outcome = begun(&MemoryStore::new(), tools(&server).await, go()).await;
    assert!(
        result(&outcome).contains("sampling"),
        "{}",
        result(&outcome)
    );
}

#[tokio::test]
async fn questions_that_no_log_keeps_are_refused_with_their_size() {
    let server = TaskServer::scripted(|_, _| requires(&"s".repeat(1 << 16), &["a"]));
    let outcome = begun(&MemoryStore::new(), tools(&server).await, go()).await;
    let text = result(&outcome);
    assert!(
        text.contains("questions of 6") && text.contains("may have had"),
        "{text}"
    );
}

#[tokio::test]
async fn another_server_is_not_told_the_answer() {
    let server = TaskServer::scripted(|_, _| requires("s1", &["a"]));
    let store = MemoryStore::new();
    let waits = begun(&store, tools(&server).await, go()).await;
    let other = TaskServer::scripted(|_, _| text("wrong")).named("other", tool("go"));
    let outcome = decided(&store, tools(&other).await, &waits, named("Ada")).await;
    assert!(result(&outcome).contains("may have had its effect"));
    assert!(other.heard("tools/call").is_empty());
}

#[tokio::test]
async fn outside_of_a_run_a_hook_answers_or_nobody() {
    for has_hook in [true, false] {
        let server = TaskServer::scripted(|_, number| match number {
            0 => requires("s1", &["a"]),
            _ => text("hello"),
        });
        let mut client = server.client().await.asking_in_runs();
        if has_hook {
            client = client.asking(|_, _| async { named("Ada") });
        }
        let tools = client.toolset().await.unwrap();
        let called = toolwright::testing::call(&tools, "go", json!({})).await;
        match called {
            Ok(output) => assert!(has_hook && output.to_text() == "hello"),
            Err(error) => assert!(!has_hook && error.message.contains("nobody can be asked")),
        }
    }
}
