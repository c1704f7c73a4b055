//! Calls that are decided, as pages see them that were not asked.

use serde_json::{Value, json};
use toolwright::{
    server::Server, store::MemoryStore, testing::ScriptedModel, tool, tool::Extension, toolset,
};

use crate::{
    chat::{asks, submit},
    client::{Response, events_of, get, post},
    rig::{Gate, Rig, builder_with, calls, says},
};

/// Pay a bill, once the bank answers.
#[tool(approval)]
async fn pay(#[context] bank: Extension<Gate>, euros: u32) -> String {
    bank.pass().await;
    format!("{euros} euros are paid")
}

/// A server whose model pays a bill of 5 euros.
async fn bank() -> Rig {
    let gate = Gate::default();
    let model = ScriptedModel::new([calls("pay", [r#"{"euros":5}"#]), says("Paid.")]);
    let runner = builder_with(toolset![pay], model, &gate).store("chat", MemoryStore::new());
    let server = Server::new(runner.build().expect("it is consistent"));
    Rig::start(server.expect("it has a store"), gate).await
}

/// The only call of the answer in a chat as it is loaded.
async fn loaded(rig: &Rig, version: &str) -> Value {
    let chat = get(rig.address, &format!("/chat/c{version}"))
        .await
        .json()
        .await;
    let parts = chat["messages"][1]["parts"].as_array().cloned();
    let mut parts = parts.unwrap_or_else(|| panic!("{chat}"));
    parts.retain(|part| part["toolCallId"].is_string());
    assert_eq!(parts.len(), 1, "{parts:?}");
    parts.remove(0)
}

/// A decision of a page that shows the call as one that nobody has decided about.
fn decide(events: &[Value], approved: bool) -> Value {
    let request = events
        .iter()
        .find(|it| it["type"] == "tool-approval-request");
    let request = request.expect("somebody is asked");
    let part = json!({
        "type": "tool-pay", "state": "approval-responded", "toolCallId": request["toolCallId"],
        "input": {"euros": 5}, "approval": {"id": request["approvalId"], "approved": approved},
    });
    let message = json!({"id": events[0]["messageId"], "role": "assistant", "parts": [part]});
    submit("c", &[asks("u1", "Pay."), message])
}

async fn until(answer: &mut Response, text: &str) -> String {
    let mut body = String::new();
    while !body.contains(text) {
        let piece = answer.piece().await.expect("it goes on");
        body += &String::from_utf8(piece.expect("it goes on")).expect("it is text");
    }
    body
}

#[tokio::test]
async fn a_page_that_comes_late_sees_what_was_decided() {
    let rig = bank().await;
    let asked = submit("c", &[asks("u1", "Pay.")]);
    let events = post(rig.address, "/chat", &asked).await.events().await;
    for version in ["", "?v=7"] {
        let call = loaded(&rig, version).await;
        assert_eq!(call["state"], "approval-requested", "{version}");
        assert_eq!(call["approval"]["approved"], Value::Null, "{version}");
    }
    let mut approving = post(rig.address, "/chat", &decide(&events, true)).await;
    assert_eq!(approving.status, 200);
    until(&mut approving, "start").await;

    // Another page is loaded while the call runs.
    let mut late = get(rig.address, "/chat/c/stream").await;
    let seen = until(&mut late, "tool-approval-request").await;
    let seen = if seen.matches("tool-input-available").count() < 2 {
        seen + &until(&mut late, "tool-input-available").await
    } else {
        seen
    };
    let last = events_of(&seen).pop().expect("it has events");
    assert_eq!(last["type"], "tool-input-available", "it runs: {seen}");
    for version in ["", "?v=7"] {
        let call = loaded(&rig, version).await;
        assert_eq!(call["state"], "approval-responded", "{version}");
        assert_eq!(call["approval"]["approved"], true, "{version}");
    }
    let denied = post(rig.address, "/chat", &decide(&events, false)).await;
    assert_eq!(denied.refusal().await, (409, "not_waiting".to_owned()));

    rig.gate.open();
    let (rest, is_cut) = late.rest().await;
    assert!(!is_cut && rest.contains("5 euros are paid"), "{rest}");
    for version in ["", "?v=7"] {
        let call = loaded(&rig, version).await;
        assert_eq!(call["state"], "output-available", "{version}");
        assert_eq!(call["approval"]["approved"], true, "{version}");
    }
    let denied = post(rig.address, "/chat", &decide(&events, false)).await;
    assert_eq!(denied.refusal().await, (409, "not_waiting".to_owned()));
    rig.stop().await;
}

#[tokio::test]
async fn a_denied_call_is_loaded_as_one() {
    let rig = bank().await;
    let asked = submit("c", &[asks("u1", "Pay.")]);
    let events = post(rig.address, "/chat", &asked).await.events().await;
    let rest = post(rig.address, "/chat", &decide(&events, false)).await;
    drop(rest.events().await);
    for version in ["", "?v=7"] {
        let call = loaded(&rig, version).await;
        assert_eq!(call["state"], "output-denied", "{version}");
        assert_eq!(call["approval"]["approved"], false, "{version}");
    }
    rig.stop().await;
}
