//! Calls that a server answers with tasks.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::time::Instant;
use toolwright::{
    Dispatch as _, ErrorCategory, ToolCall, ToolContext, ToolResult, Toolset,
    approval::Decision,
    dispatch::{DispatchEvent, DispatchOptions},
    tool::{CallUpdate, CancellationToken},
};
use toolwright_mcp::Client;

use super::{
    asking_in_runs::{asked, requires},
    scripted,
    task_server::{Say, TaskServer, completed, task, working},
};

/// The result of a call of `go`, and the messages of its progress.
async fn dispatched(tools: &Toolset, options: &DispatchOptions) -> (ToolResult, Vec<String>) {
    let calls = [ToolCall::new("1", "go", "{}")];
    let mut events = tools.dispatch_stream(&calls, options);
    let mut messages = Vec::new();
    while let Some(event) = events.next().await {
        match event {
            DispatchEvent::Finished { result, .. } => return (result, messages),
            DispatchEvent::Update {
                update: CallUpdate::Progress(report),
                ..
            } => messages.push(report.message),
            _ => {}
        }
    }
    panic!("a call ends")
}

async fn result(client: &Client) -> ToolResult {
    let tools = client.toolset().await.unwrap();
    dispatched(&tools, &DispatchOptions::new()).await.0
}

async fn text(client: &Client) -> String {
    result(client).await.to_model_text().into_owned()
}

fn says(status: &str, more: Value) -> Say {
    Say::Result(task(status, more))
}

#[tokio::test(start_paused = true)]
async fn the_result_is_asked_for_until_it_is_there() {
    let server = TaskServer::new(|number| match number {
        0 | 1 => says("working", json!({"statusMessage": "counting"})),
        2 => says("working", json!({"statusMessage": "adding up"})),
        3 => working(),
        _ => completed("seven"),
    });
    let tools = server.client().await.toolset().await.unwrap();
    let (result, messages) = dispatched(&tools, &DispatchOptions::new()).await;
    assert_eq!(result.to_model_text(), "seven");
    assert_eq!(messages, ["counting", "adding up"]);
    let [call] = &server.heard("tools/call")[..] else {
        panic!("one call")
    };
    assert_eq!(call["name"], "go");
    let asked = server.heard("tasks/get");
    assert_eq!(asked.len(), 5);
    assert!(
        asked.iter().all(|asked| asked["taskId"] == "t1"),
        "{asked:?}"
    );
    assert!(server.heard("tasks/cancel").is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_ends_without_a_result_says_why() {
    let error = json!({"code": -32603, "message": "no such book"});
    for (last, expected) in [
        (task("failed", json!({"error": error})), "no such book"),
        (task("cancelled", json!({})), "may have had its effect"),
        (
            task("completed", json!({"result": {}})),
            "did not answer as it must",
        ),
        (
            task(
                "completed",
                json!({"result": {"content": [{"type": "text", "text": "not here"}], "isError": true}}),
            ),
            "not here",
        ),
    ] {
        let server = TaskServer::new(move |_| Say::Result(last.clone()));
        let result = result(&server.client().await).await;
        let text = result.to_model_text();
        assert!(result.is_error() && text.contains(expected), "{text}");
        assert!(server.heard("tasks/cancel").is_empty(), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_the_server_has_lost_may_have_had_its_effect() {
    for code in [-32602, -32601, -32002] {
        let server = TaskServer::new(move |number| match number {
            0 => working(),
            _ => Say::Refuse(code, "there is no task t1"),
        });
        let text = text(&server.client().await).await;
        assert!(text.contains("there is no task t1"), "{text}");
        assert!(text.contains("may have had its effect"), "{text}");
        assert_eq!(server.heard("tasks/get").len(), 2);
        assert!(server.heard("tasks/cancel").is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_fails_is_asked_again_a_few_times() {
    let server = TaskServer::new(|number| match number {
        0..8 => Say::Refuse(-32603, "the store is away"),
        _ => completed("seven"),
    });
    assert_eq!(text(&server.client().await).await, "seven");

    let server = TaskServer::new(|_| Say::Refuse(-32603, "the store is away"));
    let (began, text) = (Instant::now(), text(&server.client().await).await);
    assert!(text.contains("the store is away"), "{text}");
    assert!(began.elapsed() < Duration::from_secs(60));
    assert_eq!(server.heard("tasks/get").len(), 11);
    assert_eq!(server.heard("tasks/cancel")[0]["taskId"], "t1");
}

#[tokio::test(start_paused = true)]
async fn a_lost_connection_and_silence_lose_no_task() {
    let server = TaskServer::new(|number| match number {
        0..5 => Say::Leave,
        5 => Say::Nothing,
        _ => completed("seven"),
    });
    assert_eq!(text(&server.client().await).await, "seven");
    assert_eq!(server.heard("tools/call").len(), 1);
    assert_eq!(server.heard("tasks/get").len(), 7);
}

fn asks(keys: &[&str]) -> Say {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let params = json!({"mode": "form", "message": "Who are you?", "requestedSchema": schema});
    let asked = json!({"method": "elicitation/create", "params": params});
    let asked: serde_json::Map<_, _> = keys
        .iter()
        .map(|key| ((*key).to_owned(), asked.clone()))
        .collect();
    says("input_required", json!({"inputRequests": asked}))
}

#[tokio::test(start_paused = true)]
async fn a_person_answers_each_question_once() {
    let server = TaskServer::scripted(|method, number| match (method, number) {
        ("tasks/get", 0 | 1) => asks(&["a"]),
        ("tasks/get", 2) => asks(&["a", "b"]),
        ("tasks/get", _) => completed("seven"),
        ("tasks/update", 0) => Say::Leave,
        _ => TaskServer::agrees(method),
    });
    let asked = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&asked);
    let client = server.client().await.asking(move |_, context| {
        assert!(context.is_some());
        *counted.lock().unwrap() += 1;
        async { Decision::approve_with(r#"{"name": "Ada"}"#) }
    });
    assert_eq!(text(&client).await, "seven");
    assert_eq!(*asked.lock().unwrap(), 2);
    let answer = json!({"action": "accept", "content": {"name": "Ada"}});
    let told = server.heard("tasks/update");
    // The first one was lost.
    for (told, key) in told.iter().zip(["a", "a", "b"]) {
        assert_eq!(told["taskId"], "t1");
        assert_eq!(told["inputResponses"], json!({key: answer}));
    }
    assert_eq!(told.len(), 3);
}

/// A client of the server, whose person says a name to each question, and the questions.
async fn named(server: &TaskServer) -> (Client, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let client = server.client().await.asking(move |question, _| {
        noted.lock().unwrap().push(question.message.clone());
        async { Decision::approve_with(r#"{"name": "Ada"}"#) }
    });
    (client, asked)
}

const TOO_SHORT: Say = Say::Refuse(-32602, "the name is too short");

#[tokio::test(start_paused = true)]
async fn a_question_whose_answer_is_refused_is_asked_again_with_the_reason() {
    let server = TaskServer::scripted(|method, number| match (method, number) {
        ("tasks/get", 0..3) => asks(&["a"]),
        ("tasks/get", _) => completed("seven"),
        ("tasks/update", 0) => TOO_SHORT,
        _ => TaskServer::agrees(method),
    });
    let (client, asked) = named(&server).await;
    assert_eq!(text(&client).await, "seven");
    let again = "The server refused the last answer: the name is too short\n\nWho are you?";
    assert_eq!(*asked.lock().unwrap(), ["Who are you?", again]);

    // The task was over before the answer.
    let server = TaskServer::scripted(|method, number| match (method, number) {
        ("tasks/get", 0) => asks(&["a"]),
        ("tasks/get", _) => completed("seven"),
        ("tasks/update", _) => TOO_SHORT,
        _ => TaskServer::agrees(method),
    });
    let (client, asked) = named(&server).await;
    assert_eq!(text(&client).await, "seven");
    assert_eq!(*asked.lock().unwrap(), ["Who are you?"]);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_refuses_each_answer_ends_the_call_with_the_reason() {
    let server = TaskServer::scripted(|method, _| match method {
        "tasks/get" => asks(&["a"]),
        "tasks/update" => TOO_SHORT,
        _ => TaskServer::agrees(method),
    });
    let (client, asked) = named(&server).await;
    let text = text(&client).await;
    assert!(text.contains("the name is too short"), "{text}");
    assert_eq!(asked.lock().unwrap().len(), 3);
    assert_eq!(server.heard("tasks/cancel").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_answers_ends_the_task() {
    let server = TaskServer::new(|_| asks(&["a"]));
    let text = text(&server.client().await).await;
    assert!(text.contains("nobody can be asked here"), "{text}");
    assert_eq!(server.heard("tasks/cancel").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cancelled_or_late_cancels_its_task() {
    let server = TaskServer::new(|_| working());
    let tools = server.client().await.toolset().await.unwrap();
    let token = CancellationToken::new();
    let options =
        DispatchOptions::new().with_context(ToolContext::new("").with_cancellation(token.clone()));
    let cancelling = async {
        server.hears("tasks/get", 2).await;
        token.cancel();
    };
    let ((result, _), ()) = tokio::join!(dispatched(&tools, &options), cancelling);
    assert!(result.to_model_text().contains("cancelled"), "{result:?}");
    server.hears("tasks/cancel", 1).await;

    let client = server.client().await.task_timeout(Duration::from_secs(5));
    let text = text(&client).await;
    assert!(text.contains("5s"), "{text}");
    server.hears("tasks/cancel", 2).await;
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_person_is_none_of_the_call_or_its_task() {
    let server = TaskServer::scripted(|method, number| match (method, number) {
        ("tools/call", 0) => requires("s1", &["a"]),
        ("tasks/get", 0) => {
            let asked = json!({"inputRequests": asked(&["b"])});
            Say::Result(task("input_required", asked))
        }
        ("tasks/get", _) => completed("seven"),
        _ => TaskServer::agrees(method),
    });
    let limit = Duration::from_secs(60);
    let client = server.client().await.timeout(limit).task_timeout(limit);
    let client = client.asking(move |_, _| async move {
        tokio::time::sleep(limit * 2).await;
        Decision::approve_with(r#"{"name": "Ada"}"#)
    });
    assert_eq!(text(&client).await, "seven");
}

#[tokio::test(start_paused = true)]
async fn without_a_run_a_dropped_call_cancels_its_task() {
    let server = TaskServer::new(|_| working());
    let tools = server.client().await.toolset().await.unwrap();
    let options = DispatchOptions::new();
    tokio::select! {
        _ = dispatched(&tools, &options) => panic!("it has no end"),
        () = server.hears("tasks/get", 1) => {}
    }
    server.hears("tasks/cancel", 1).await;
}

#[tokio::test(start_paused = true)]
async fn a_task_that_never_ends_is_late_after_an_hour() {
    let years = u64::MAX;
    let server = TaskServer::new(move |_| says("working", json!({"pollIntervalMs": years})));
    let (began, result) = (Instant::now(), result(&server.client().await).await);
    assert_eq!(
        result.outcome.unwrap_err().category,
        ErrorCategory::ExecutionTimeout
    );
    assert_eq!(began.elapsed().as_secs(), 60 * 60);
    // At least every minute.
    assert_eq!(server.heard("tasks/get").len(), 60);
    server.hears("tasks/cancel", 1).await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_in_a_hurry_is_asked_ten_times_a_second() {
    let server = TaskServer::new(|number| match number {
        0..100 => working(),
        _ => completed("seven"),
    });
    let (began, text) = (Instant::now(), text(&server.client().await).await);
    assert_eq!(text, "seven");
    let took = began.elapsed();
    assert!(
        took >= Duration::from_secs(10) && took < Duration::from_secs(11),
        "{took:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn another_task_and_another_id_are_no_answer() {
    for id in ["t2", ""] {
        let server = TaskServer::new(move |number| match number {
            0 => working(),
            _ => says(
                "completed",
                json!({"taskId": id, "result": scripted::text("wrong")}),
            ),
        });
        let text = text(&server.client().await).await;
        assert!(text.contains("did not answer as it must"), "{text}");
        let cancelled = server.heard("tasks/cancel");
        assert_eq!(
            (cancelled.len(), &cancelled[0]["taskId"]),
            (1, &json!("t1"))
        );
    }
    for id in [String::new(), "t".repeat(100_000)] {
        let bytes = id.len();
        let server = TaskServer::scripted(move |_, _| {
            Say::Result(task("working", json!({"resultType": "task", "taskId": id})))
        });
        let text = text(&server.client().await).await;
        assert!(text.contains(&format!("has {bytes} bytes")), "{text}");
        assert!(server.heard("tasks/get").is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn floods_of_questions_and_of_messages_have_an_end() {
    let server = TaskServer::scripted(|method, number| match method {
        "tasks/get" => asks(&[&format!("q{number}")]),
        _ => TaskServer::agrees(method),
    });
    let client = server.client().await;
    let client = client.asking(|_, _| async { Decision::deny("no") });
    let text = text(&client).await;
    assert!(text.contains("more questions"), "{text}");
    assert_eq!(server.heard("tasks/update").len(), 100);
    assert_eq!(server.heard("tasks/cancel").len(), 1);
}

#[tokio::test]
async fn a_flood_of_status_messages_loses_no_result() {
    let client = scripted::client(|mut line, _| async move {
        line.begin().await;
        let call = line.call(&[scripted::tool("go")]).await.unwrap();
        line.answer(&call, task("working", json!({"resultType": "task"})))
            .await;
        let asked = line.wait("tasks/get").await.unwrap();
        for number in 0..20_000 {
            let told = task("working", json!({"statusMessage": format!("{number}")}));
            line.send(json!({"jsonrpc": "2.0", "method": "notifications/tasks", "params": told}))
                .await;
        }
        let Say::Result(result) = completed("seven") else {
            unreachable!("it is a result")
        };
        line.answer(&asked, result).await;
        line.next().await;
    });
    assert_eq!(text(&client.await.unwrap()).await, "seven");
}
