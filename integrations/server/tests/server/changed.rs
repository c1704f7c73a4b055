//! Runs that go on in another program than the one that began them.

use serde_json::json;
use toolwright::{
    ModelResponse, Toolset,
    run::RunId,
    runner::{OnChanged, RunnerBuilder},
    server::Server,
    store::{Append, InboxContent, MemoryStore, RunStatus, Scope, Store},
    testing::ScriptedModel,
    toolset,
};

use crate::{
    chat::{asks, submit},
    client::{get, post},
    rig::{Gate, Rig, builder, builder_with, calls, says},
};

/// A tool of the same name as that of the other tests, which is another.
mod other {
    /// Delete a folder and all that is in it.
    #[toolwright::tool(approval)]
    pub(super) fn delete_file(path: String) -> String {
        format!("{path} and all in it is deleted")
    }
}

fn program(store: &MemoryStore, replies: Vec<ModelResponse>) -> RunnerBuilder {
    let model = ScriptedModel::new(replies);
    builder(model, &Gate::default()).store("chat", store.clone())
}

/// A program with other tools.
fn with_tools(tools: Toolset, store: &MemoryStore, replies: Vec<ModelResponse>) -> RunnerBuilder {
    let model = ScriptedModel::new(replies);
    builder_with(tools, model, &Gate::default()).store("chat", store.clone())
}

async fn serves(runner: RunnerBuilder) -> Rig {
    let runner = runner.build().expect("it is consistent");
    let server = Server::new(runner).expect("it has a store");
    Rig::start(server, Gate::default()).await
}

/// A run that waits for an approval, and whose program has ended.
async fn waiting(store: &MemoryStore) -> String {
    let asking = vec![calls("delete_file", [r#"{"path":"a"}"#])];
    let rig = serves(program(store, asking)).await;
    let asked = submit("c", &[asks("u1", "Delete a.")]);
    let events = post(rig.address, "/chat", &asked).await.events().await;
    rig.stop().await;
    let run = events[0]["messageId"].as_str().expect("it has an id");
    run.to_owned()
}

#[tokio::test]
async fn an_approval_is_asked_for_anew_if_the_tool_is_another() {
    let store = MemoryStore::new();
    let run = waiting(&store).await;
    let changed = with_tools(toolset![other::delete_file], &store, vec![says("Done.")]);
    let rig = serves(changed.on_changed_tools(OnChanged::Proceed)).await;
    let decide = async |asked: Option<u32>| {
        let mut decision = json!({"call": "0.0", "decision": "approve"});
        if let Some(asked) = asked {
            decision["asked"] = asked.into();
        }
        let body = json!({"decisions": [decision]});
        post(rig.address, &format!("/runs/{run}/decisions"), &body).await
    };
    let stream = async || {
        get(rig.address, &format!("/runs/{run}/stream"))
            .await
            .text()
            .await
    };
    assert_eq!(decide(None).await.status, 202);
    let again = stream().await;
    assert_eq!(again.matches("tool-approval-request").count(), 2, "{again}");
    let shown = get(rig.address, &format!("/runs/{run}")).await.json().await;
    assert_eq!(shown["status"], "suspended");
    assert_eq!(shown["pending"][0]["asked"], 1);
    // The client that has not heard of that sends the same once more.
    let same = decide(None).await;
    assert_eq!(same.refusal().await, (409, "asked_again".to_owned()));
    assert_eq!(decide(Some(1)).await.status, 202);
    let done = stream().await;
    assert!(done.contains("a and all in it is deleted"), "{done}");
    rig.stop().await;
}

/// What is said to a run that does not go on counts later: whoever has said it is told so.
#[tokio::test]
async fn what_is_said_to_a_run_that_does_not_go_on_is_kept() {
    let store = MemoryStore::new();
    let run = waiting(&store).await;
    let rig = serves(with_tools(toolset![], &store, vec![])).await;
    let body = json!({"decisions": [{"call": "0.0", "decision": "approve"}]});
    let path = format!("/runs/{run}/decisions");
    let answer = post(rig.address, &path, &body).await;
    assert_eq!(answer.status, 409);
    let error = answer.json().await["error"].clone();
    assert_eq!(
        (&error["code"], &error["kept"]),
        (&json!("tools_changed"), &json!(true))
    );
    rig.stop().await;

    // The program from before goes on with it, and hears it.
    let rig = serves(program(&store, vec![says("Done.")])).await;
    let stream = get(rig.address, &format!("/runs/{run}/stream")).await;
    let stream = stream.text().await;
    assert!(stream.contains("a is deleted"), "{stream}");
    rig.stop().await;
}

/// A newer program can go on with it.
#[tokio::test]
async fn a_run_of_a_newer_program_is_not_given_up() {
    let store = MemoryStore::new();
    let run = RunId::new(waiting(&store).await);
    let lease = store
        .lease(Scope::All, &run, std::time::Duration::from_secs(60))
        .await;
    let lease = lease.expect("nobody has it");
    let loaded = store.load(Scope::All, &run, 0).await.expect("it is there");
    let next = loaded.entries.len() as u64;
    let append = Append::new(next, vec![r#"{"version":1000}"#.to_owned()]);
    store.append(&lease, &append).await.expect("it is held");
    store.release(&lease).await.expect("it is held");

    let rig = serves(program(&store, vec![])).await;
    let answer = post(rig.address, &format!("/runs/{run}/cancel"), &json!({})).await;
    assert_eq!(answer.status, 500);
    assert_eq!(answer.json().await["error"]["kept"], true);
    let loaded = store.load(Scope::All, &run, 0).await.expect("it is there");
    assert_ne!(loaded.status, RunStatus::Abandoned);
    let inbox = store
        .inbox(Scope::All, &run, loaded.taken)
        .await
        .expect("it is there");
    let is_cancel =
        |item: &toolwright::store::Received| *item.item.content() == InboxContent::Cancel;
    assert!(inbox.iter().any(is_cancel), "a newer program hears it");
    rig.stop().await;
}
