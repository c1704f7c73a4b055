//! Two servers over one store, as two processes have it: a run is driven by the one, and its client talks to the other.

use serde_json::{Value, json};
use toolwright::{
    ModelResponse, ToolCall, server::Server, store::MemoryStore, testing::ScriptedModel,
};

use crate::{
    chat::{asks, submit},
    client::{Response, events_of, get, post, types},
    rig::{Gate, Rig, builder, says},
};

/// Two servers whose runners share the store and nothing else. The first one has a model.
async fn two(replies: [ModelResponse; 2]) -> [Rig; 2] {
    let (store, gate) = (MemoryStore::new(), Gate::default());
    let models = [
        ScriptedModel::new(replies),
        ScriptedModel::new(Vec::<ModelResponse>::new()),
    ];
    let servers = models.map(|model| {
        let runner = builder(model, &gate).store("chat", store.clone()).build();
        Server::new(runner.expect("it is consistent")).expect("it has a store")
    });
    let [one, other] = servers;
    [
        Rig::start(one, gate.clone()).await,
        Rig::start(other, gate).await,
    ]
}

/// Two calls side by side: one waits for the gate, and the other for people.
fn both() -> ModelResponse {
    ModelResponse::from_calls([
        ToolCall::new("", "wait", "{}"),
        ToolCall::new("", "delete_file", r#"{"path":"a.txt"}"#),
    ])
}

/// Begins a run, and reads until somebody is asked.
async fn begun(rig: &Rig) -> (Response, String) {
    let mut answer = post(rig.address, "/chat", &submit("c", &[asks("u1", "Go.")])).await;
    let mut body = String::new();
    while !body.contains("tool-approval-request") {
        let piece = answer.piece().await.expect("it goes on");
        body += &String::from_utf8(piece.expect("it goes on")).expect("it is text");
    }
    (answer, body)
}

#[tokio::test]
async fn a_decision_reaches_a_run_that_another_process_drives() {
    let [driver, other] = two([both(), says("Done.")]).await;
    let (answer, body) = begun(&driver).await;
    let events = events_of(&body);
    let request = events
        .iter()
        .find(|it| it["type"] == "tool-approval-request");
    let request = request.expect("somebody is asked");
    let run = events[0]["messageId"].as_str().expect("it has an id");
    let part = json!({
        "type": "tool-delete_file", "state": "approval-responded", "toolCallId": request["toolCallId"],
        "input": {"path": "a.txt"}, "approval": {"id": request["approvalId"], "approved": true},
    });
    let message = json!({"id": run, "role": "assistant", "parts": [part]});
    let decided = submit("c", &[asks("u1", "Go."), message]);
    let rest = post(other.address, "/chat", &decided).await;
    assert_eq!(rest.status, 200);
    driver.gate.open();
    let (first, second) = tokio::join!(answer.text(), rest.events());
    for events in [events_of(&(body + &first)), second] {
        let is_deleted = |it: &Value| it["output"] == "a.txt is deleted";
        assert!(events.iter().any(is_deleted), "{events:?}");
        assert_eq!(events.last().expect("it ends")["finishReason"], "stop");
    }
    driver.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn a_cancel_reaches_a_run_that_another_process_drives() {
    let [driver, other] = two([both(), says("Done.")]).await;
    let (answer, body) = begun(&driver).await;
    // Who reads it elsewhere reads its records.
    let cancel = json!({});
    let (told, read) = tokio::join!(
        post(other.address, "/chat/c/cancel", &cancel),
        get(other.address, "/chat/c/stream"),
    );
    assert_eq!(told.status, 202);
    let (first, second) = tokio::join!(answer.text(), read.events());
    for events in [events_of(&(body + &first)), second] {
        assert_eq!(types(&events).last(), Some(&"abort"));
    }
    driver.stop().await;
    other.stop().await;
}
