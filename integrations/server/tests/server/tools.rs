//! Tools, and calls of them by hand.

use std::{
    fmt::Write as _,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use toolwright::{
    approval::{ApprovalRequest, Decision},
    dispatch::CallOptions,
    run::Limits,
    server::Server,
    testing::ScriptedModel,
    tool, toolset,
};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

use crate::{
    client::{get, post},
    rig::{Gate, Rig, builder, builder_with, says},
};

#[tokio::test]
async fn a_page_learns_what_it_serves() {
    let rig = Rig::of([]).await;
    let info = get(rig.address, "/info").await.json().await;
    assert_eq!(
        (&info["name"], &info["playground"]),
        (&json!("chat"), &json!(false))
    );
    let tools = get(rig.address, "/tools").await.json().await;
    let delete = &tools["tools"][1];
    assert_eq!(delete["name"], "delete_file");
    assert_eq!(delete["policies"]["approval"], true);
    assert_eq!(delete["parameters"]["required"], json!(["path"]));
    let one = get(rig.address, "/tools/add").await.json().await;
    assert_eq!(one["effects"], "read_only");
    let none = get(rig.address, "/tools/none").await.refusal().await;
    assert_eq!(none, (404, "not_found".to_owned()));
    let method = post(rig.address, "/info", &json!({})).await;
    assert_eq!(method.refusal().await.0, 405);
    rig.stop().await;
}

/// Book a journey.
#[tool]
fn book(to: String, from: String, day: String, adults: u32) {
    drop((to, from, day, adults));
}

/// A page shows the arguments as they were declared, and what providers are sent as it is sent.
#[tokio::test]
async fn arguments_stand_in_the_order_of_their_declaration() {
    let in_order = |name: &str, text: &str| {
        for begins in text.split("\"properties\":").skip(1) {
            let places: Vec<_> = ["\"to\"", "\"from\"", "\"day\"", "\"adults\""]
                .iter()
                .map(|argument| begins.find(argument).expect("it has all"))
                .collect();
            assert!(places.is_sorted(), "{name}: {begins}");
        }
    };
    let gate = Gate::default();
    let runner = builder_with(toolset![book], ScriptedModel::new([says("Hello.")]), &gate);
    let server = Server::new(runner.build().expect("it is consistent")).expect("it has a store");
    let rig = Rig::start(server.playground(true).calls_by_hand(), gate).await;
    for path in ["/tools", "/tools/book"] {
        let text = get(rig.address, path).await.text().await;
        assert!(text.contains("\"properties\":"), "{text}");
        in_order(path, &text);
    }
    let arguments = r#"{"to":"Oslo","from":"Bergen","day":"today","adults":2}"#;
    let asked = json!({ "argumentsText": arguments });
    let refused = post(rig.address, "/tools/book/call", &asked).await;
    let refused = refused.text().await;
    assert!(
        refused.contains(&format!("\"arguments\":{arguments}")),
        "{refused}"
    );
    rig.stop().await;
}

/// Nothing runs, whatever the caller says, and whether there is such a tool or not.
#[tokio::test]
async fn a_call_by_hand_is_refused_unless_it_is_switched_on() {
    for shows_page in [false, true] {
        let rig = Rig::with([], |server| server.playground(shows_page)).await;
        for (tool, body) in [
            ("add", json!({"arguments": {"a": 1, "b": 2}})),
            (
                "delete_file",
                json!({"arguments": {"path": "a.txt"}, "approved": true}),
            ),
            ("none", json!({"arguments": {}})),
        ] {
            let refused = post(rig.address, &format!("/tools/{tool}/call"), &body).await;
            let refused = refused.refusal().await;
            assert_eq!(refused, (403, "forbidden".to_owned()), "{tool}");
        }
        let info = get(rig.address, "/info").await.json().await;
        assert_eq!(info["callsByHand"], false);
        let tools = get(rig.address, "/tools").await.json().await;
        assert_eq!(tools["tools"].as_array().map(Vec::len), Some(4));
        rig.stop().await;
    }
}

/// A server whose callers may call tools.
async fn open() -> Rig {
    Rig::with([], Server::calls_by_hand).await
}

async fn called(rig: &Rig, tool: &str, body: &Value) -> Value {
    let events = post(rig.address, &format!("/tools/{tool}/call"), body).await;
    events.events().await.pop().expect("it has a result")
}

#[tokio::test]
async fn a_tool_is_called_by_hand() {
    let rig = open().await;
    let info = get(rig.address, "/info").await.json().await;
    assert_eq!(info["callsByHand"], true);
    let result = called(&rig, "add", &json!({"arguments": {"a": 1, "b": 2}})).await;
    assert_eq!(
        (&result["ok"], &result["output"], &result["forModel"]),
        (&json!(true), &json!(3), &json!("3"))
    );
    assert!(result["elapsedMs"].is_u64());
    let result = called(&rig, "add", &json!({"argumentsText": "{\"a\": 1,"})).await;
    assert_eq!(result["category"], "invalidArguments");
    assert_eq!(result["ok"], false);
    // Each is a run of this call alone.
    let runs = get(rig.address, "/runs").await.json().await;
    let runs = runs["items"].as_array().expect("it is a list");
    let question = |run: &Value| run["question"].as_str().map(str::to_owned);
    let mut questions: Vec<_> = runs.iter().filter_map(question).collect();
    questions.sort();
    assert_eq!(questions, [r#"add {"a": 1,"#, r#"add {"a":1,"b":2}"#]);
    assert!(
        runs.iter().all(|run| run["status"] == "finished"),
        "{runs:?}"
    );
    let both = json!({"arguments": {}, "argumentsText": ""});
    let wrong = post(rig.address, "/tools/add/call", &both).await;
    assert_eq!(wrong.refusal().await.0, 400);
    let elsewhere = post(
        rig.address,
        "/tools/ask_page/call",
        &json!({"arguments": {}}),
    )
    .await;
    assert_eq!(elsewhere.refusal().await, (409, "external".to_owned()));
    rig.stop().await;
}

#[tokio::test]
async fn a_call_that_changes_something_has_to_be_approved() {
    let rig = Rig::with([], |server| server.calls_by_hand().self_approval()).await;
    let mut body = json!({"arguments": {"path": "a.txt"}});
    let refused = post(rig.address, "/tools/delete_file/call", &body).await;
    assert_eq!(refused.status, 409);
    let refused = refused.json().await;
    assert_eq!(refused["error"]["code"], "approval_required");
    assert_eq!(refused["error"]["arguments"], body["arguments"]);
    assert_eq!(refused["error"]["selfApproval"], true);
    // One that cannot run needs no approval.
    let result = called(&rig, "delete_file", &json!({"arguments": {"file": 1}})).await;
    assert_eq!(result["category"], "invalidArguments");
    body["approved"] = true.into();
    let result = called(&rig, "delete_file", &body).await;
    assert_eq!(result["output"], "a.txt is deleted");
    rig.stop().await;
}

/// The word of the caller is not the approval of the application.
#[tokio::test]
async fn a_caller_does_not_approve_its_own_call() {
    let approved = json!({"arguments": {"path": "a.txt"}, "approved": true});
    let rig = open().await;
    let info = get(rig.address, "/info").await.json().await;
    assert_eq!(info["selfApproval"], false);
    let unapproved = json!({"arguments": {"path": "a.txt"}});
    let refused = post(rig.address, "/tools/delete_file/call", &unapproved).await;
    let refused = refused.json().await;
    assert_eq!(refused["error"]["code"], "approval_required");
    assert_eq!(refused["error"]["selfApproval"], false);
    let result = called(&rig, "delete_file", &approved).await;
    assert_eq!(result["category"], "permissionDenied", "{result}");
    rig.stop().await;

    for allows in [true, false] {
        let gate = Gate::default();
        let calls = CallOptions::new().with_extension(gate.clone());
        let calls = calls.with_approver(move |request: ApprovalRequest| async move {
            if request.call.arguments.contains("a.txt") && allows {
                return Decision::Approve;
            }
            Decision::deny("files are kept")
        });
        let runner = builder(ScriptedModel::new([says("Hello.")]), &gate).calls(calls);
        let server = Server::new(runner.build().expect("it is consistent"));
        let rig = Rig::start(server.expect("it has a store").calls_by_hand(), gate).await;
        let result = called(&rig, "delete_file", &approved).await;
        assert_eq!(result["ok"], allows, "{result}");
        rig.stop().await;
    }
}

/// Its run is one of the caller, who sees it and does not decide about it while the application is asked.
#[tokio::test]
async fn a_caller_does_not_approve_the_run_of_its_call() {
    let gate = Gate::default();
    let ask = async |_: ApprovalRequest| std::future::pending::<Decision>().await;
    let calls = CallOptions::new()
        .with_extension(gate.clone())
        .with_approver(ask);
    let runner = builder(ScriptedModel::new([says("Hello.")]), &gate).calls(calls);
    let server = Server::new(runner.build().expect("it is consistent"));
    let rig = Rig::start(server.expect("it has a store").calls_by_hand(), gate).await;
    let approved = json!({"arguments": {"path": "a.txt"}, "approved": true});
    let deciding = async {
        let run = loop {
            let runs = get(rig.address, "/runs").await.json().await;
            let Some(run) = runs["items"][0]["id"].as_str() else {
                continue;
            };
            let shown = get(rig.address, &format!("/runs/{run}")).await.json().await;
            if shown["pending"][0]["call"] == "0.0" {
                break run.to_owned();
            }
        };
        let path = format!("/runs/{run}/decisions");
        let approve = json!({"decisions": [{"call": "0.0", "decision": "approve"}]});
        let refused = post(rig.address, &path, &approve).await;
        assert_eq!(refused.refusal().await, (403, "forbidden".to_owned()));
        let deny = json!({"decisions": [{"call": "0.0", "decision": "deny", "reason": "no"}]});
        assert_eq!(post(rig.address, &path, &deny).await.status, 202);
    };
    let (result, ()) = tokio::join!(called(&rig, "delete_file", &approved), deciding);
    assert_eq!(result["category"], "permissionDenied", "{result}");
    rig.stop().await;
}

/// A call without a run takes no longer than a run may.
#[tokio::test]
async fn a_call_by_hand_has_the_time_of_a_run() {
    let gate = Gate::default();
    let limits = Limits::default().with_max_time(Duration::from_millis(20));
    let runner = builder(ScriptedModel::new([says("Hello.")]), &gate).limits(limits);
    let server = Server::new(runner.build().expect("it is consistent"));
    let rig = Rig::start(server.expect("it has a store").calls_by_hand(), gate).await;
    let result = called(&rig, "wait", &json!({"arguments": {}})).await;
    assert_eq!(result["category"], "executionTimeout", "{result}");
    rig.stop().await;
}

/// Writes down the fields of every event.
struct Notes(Arc<Mutex<String>>);

impl Visit for Notes {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let mut notes = self.0.lock().expect("nothing panics");
        write!(notes, "{field}={value:?} ").expect("a text takes everything");
    }
}

impl Subscriber for Notes {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Self(Arc::clone(&self.0)));
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[tokio::test]
async fn a_call_by_hand_is_traced() {
    let notes = Arc::new(Mutex::new(String::new()));
    let traced = tracing::subscriber::set_default(Notes(Arc::clone(&notes)));
    let rig = open().await;
    called(&rig, "add", &json!({"arguments": {"a": 1, "b": 2}})).await;
    drop(traced);
    let notes = notes.lock().expect("nothing panics").clone();
    for expected in [
        "call by hand",
        r#"gen_ai.tool.name="add""#,
        "approved=false",
    ] {
        assert!(notes.contains(expected), "{notes}");
    }
    rig.stop().await;
}

#[tokio::test]
async fn the_page_is_there_where_it_is_wanted() {
    let rig = Rig::with([], |server| server.playground(true)).await;
    let page = get(rig.address, "/").await;
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy").expect("it has one");
    assert!(policy.starts_with("default-src 'self';") && !policy.contains("unsafe"));
    assert_eq!(page.header("x-frame-options"), Some("DENY"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let page = page.text().await;
    let script = page.split("<script").nth(1).expect("it has a script");
    assert!(
        script.contains("src=\"./app.js\"></script>"),
        "none is in the page itself"
    );
    let script = get(rig.address, "/app.js").await;
    assert_eq!(
        script.header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
    assert!(script.text().await.len() > 10_000);

    let tool = get(rig.address, "/tools/add").await.json().await;
    let sent = tool["providers"].as_array().expect("it has providers");
    let strict = sent.iter().find(|it| it["provider"] == "openai_strict");
    let strict = strict.unwrap_or_else(|| panic!("{sent:?}"));
    assert_eq!(
        strict["definition"]["parameters"]["required"],
        json!(["a", "b"])
    );
    assert!(
        tool["promptLock"]
            .as_str()
            .expect("it is a text")
            .contains("Add two numbers.")
    );
    rig.stop().await;

    let rig = Rig::of([]).await;
    assert_eq!(get(rig.address, "/").await.status, 404);
    let tool = get(rig.address, "/tools/add").await.json().await;
    assert_eq!(tool["providers"], Value::Null);
    rig.stop().await;
}
