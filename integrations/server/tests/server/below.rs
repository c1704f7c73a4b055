//! Calls of sub-agents that wait for people.

use serde_json::json;
use toolwright::{
    Runner, Tool, Toolset,
    server::Server,
    store::{MemoryStore, RunFilter, Scope, Store},
    testing::ScriptedModel,
    tool, toolset,
};

use crate::{
    chat::{asks, submit},
    client::{get, post},
    rig::{Gate, Rig, builder_with, calls, says},
};

/// Delete a file for ever.
#[tool(approval)]
fn delete_file(path: String) -> String {
    format!("{path} is deleted")
}

/// A chat whose model asks an agent that deletes a file.
async fn chat(store: &MemoryStore) -> Rig {
    chat_with(store, |server| server).await
}

async fn chat_with(store: &MemoryStore, with: fn(Server) -> Server) -> Rig {
    let model = ScriptedModel::new([calls("delete_file", [r#"{"path":"a"}"#]), says("Deleted.")]);
    let cleaner = Runner::builder(model).tools(toolset![delete_file]);
    let cleaner = cleaner.suspends().build().expect("is consistent");
    let cleaner = cleaner.as_tool("clean_up", "Deletes what is asked for.");
    let cleaner = cleaner.expect("is a tool");
    assert_eq!(cleaner.definition().name, "clean_up");
    let tools = Toolset::new().with(cleaner).expect("one name");
    let model = ScriptedModel::new([
        calls("clean_up", [r#"{"task":"Delete a."}"#]),
        says("Done."),
    ]);
    let runner = builder_with(tools, model, &Gate::default()).store("chat", store.clone());
    let server = Server::new(runner.build().expect("is consistent"));
    Rig::start(with(server.expect("it has a store")), Gate::default()).await
}

/// Who calls an agent by hand approves that call, and none of those that its model makes.
#[tokio::test]
async fn a_call_by_hand_approves_no_call_of_an_agent() {
    for with in [Server::calls_by_hand, |server: Server| {
        server.calls_by_hand().self_approval()
    }] {
        let store = MemoryStore::new();
        let rig = chat_with(&store, with).await;
        let body = json!({"arguments": {"task": "Delete a."}, "approved": true});
        let events = post(rig.address, "/tools/clean_up/call", &body).await;
        let result = events.events().await.pop().expect("it has a result");
        assert_eq!(result["ok"], false, "{result}");
        let runs = get(rig.address, "/runs").await.json().await;
        let mut runs = runs["items"].as_array().expect("it is a list").iter();
        let run = runs.find(|run| {
            run["question"]
                .as_str()
                .is_some_and(|it| it.starts_with("clean_up"))
        });
        let run = run
            .and_then(|run| run["id"].as_str())
            .expect("it is one")
            .to_owned();
        let shown = get(rig.address, &format!("/runs/{run}")).await.json().await;
        assert_eq!(shown["status"], "suspended");
        assert_eq!(shown["pending"][0]["call"], "0.0 > 0.0");
        let body = json!({"decisions": [{"call": "0.0 > 0.0", "decision": "approve"}]});
        let decided = post(rig.address, &format!("/runs/{run}/decisions"), &body).await;
        assert_eq!(decided.status, 202);
        rig.stop().await;
    }
}

#[tokio::test]
async fn a_call_of_a_sub_agent_is_approved_by_its_place() {
    let store = MemoryStore::new();
    let rig = chat(&store).await;
    let asked = submit("c", &[asks("u1", "Delete a.")]);
    let events = post(rig.address, "/chat", &asked).await.events().await;
    let run = events[0]["messageId"].as_str().expect("it has an id");
    let request = events
        .iter()
        .find(|event| event["type"] == "tool-approval-request");
    let request = request.expect("it is asked for");
    let below = request["toolCallId"].as_str();
    assert_eq!(below, Some(&*format!("{run}.0.0.clean_up:0.0")));
    let shown = get(rig.address, &format!("/runs/{run}")).await.json().await;
    assert_eq!(shown["status"], "suspended");
    // Its place is what a decision names.
    let waiting = &shown["pending"][0];
    assert_eq!(waiting["agents"], json!(["clean_up"]));
    assert_eq!(waiting["call"], "0.0 > 0.0");
    assert_eq!(waiting["arguments"], json!({"path": "a"}));

    let decide = async |run: &str, call: &str| {
        let body = json!({"decisions": [{"call": call, "decision": "approve"}]});
        post(rig.address, &format!("/runs/{run}/decisions"), &body).await
    };
    let own = decide(run, "0.0").await;
    assert_eq!(own.refusal().await, (409, "not_waiting".to_owned()));
    assert_eq!(decide(run, "0.0 > 0.0").await.status, 202);
    let stream = get(rig.address, &format!("/runs/{run}/stream")).await;
    let stream = stream.text().await;
    assert!(stream.contains(r#""output":"Deleted.""#), "{stream}");

    // A page that has not heard of it denies, and hears that it comes too late.
    let late = |approved: bool| {
        let part = json!({
            "type": "tool-delete_file", "state": "approval-responded", "toolCallId": below,
            "input": {"path": "a"}, "approval": {"id": request["approvalId"], "approved": approved},
        });
        let message = json!({"id": run, "role": "assistant", "parts": [part]});
        submit("c", &[asks("u1", "Delete a."), message])
    };
    let denied = post(rig.address, "/chat", &late(false)).await;
    assert_eq!(denied.refusal().await, (409, "not_waiting".to_owned()));
    // One that says the same reads what followed. What it shows of the call is taken back.
    let rest = post(rig.address, "/chat", &late(true)).await.events().await;
    let mut about = rest.iter().filter(|it| it["toolCallId"].as_str() == below);
    assert_eq!(about.next(), Some(request));
    assert_eq!(
        about.next().expect("it is over")["type"],
        "tool-output-available"
    );
    rig.stop().await;
}

/// Whoever looks at the run of the sub-agent decides there. Its runner is with the run at the top, which goes on.
#[tokio::test]
async fn what_is_said_to_the_run_of_a_sub_agent_wakes_the_run_at_the_top() {
    let store = MemoryStore::new();
    let rig = chat(&store).await;
    let asked = submit("c", &[asks("u1", "Delete a.")]);
    let events = post(rig.address, "/chat", &asked).await.events().await;
    let run = events[0]["messageId"].as_str().expect("it has an id");
    let below = format!("{run}.0.0.clean_up");
    let body = json!({"decisions": [{"call": "0.0", "decision": "approve"}]});
    let decided = post(rig.address, &format!("/runs/{below}/decisions"), &body).await;
    assert_eq!(decided.status, 202);
    let stream = get(rig.address, &format!("/runs/{run}/stream")).await;
    let stream = stream.text().await;
    assert!(stream.contains(r#""output":"Deleted.""#), "{stream}");
    let page = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("is listed");
    assert_eq!(page.items.len(), 2);
    for run in page.items {
        assert!(
            run.status.is_over(),
            "{}: {:?}",
            run.info.run_id,
            run.status
        );
    }
    rig.stop().await;
}
