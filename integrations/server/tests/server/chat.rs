//! The way of a chat, as the default transport of `useChat` goes it.

use serde_json::{Value, json};

use crate::{
    client::{get, post, types},
    rig::{Rig, calls, says},
};

/// A message of the user, as a client sends it.
pub(crate) fn asks(id: &str, text: &str) -> Value {
    json!({"id": id, "role": "user", "parts": [{"type": "text", "text": text}]})
}

/// A new message.
pub(crate) fn submit(chat: &str, messages: &[Value]) -> Value {
    json!({"id": chat, "messages": messages, "trigger": "submit-message"})
}

#[tokio::test]
async fn two_rounds_of_parallel_calls_are_one_message() {
    let rig = Rig::of([
        calls("add", [r#"{"a":1,"b":2}"#, r#"{"a":3,"b":4}"#]),
        calls("add", [r#"{"a":3,"b":7}"#]),
        says("It is 10."),
    ])
    .await;
    let asked = submit("c", &[asks("u1", "1+2+3+4?")]);
    let answer = post(rig.address, "/chat", &asked).await;
    assert_eq!(answer.header("x-vercel-ai-ui-message-stream"), Some("v1"));
    let events = answer.events().await;
    let outputs: Vec<_> = events
        .iter()
        .filter(|event| event["type"] == "tool-output-available")
        .map(|event| event["output"].clone())
        .collect();
    assert_eq!(outputs, [json!(3), json!(7), json!(10)]);
    let types = types(&events);
    assert_eq!(types.first(), Some(&"start"));
    assert_eq!(types.last(), Some(&"finish"));
    assert_eq!(
        types.iter().filter(|name| **name == "start-step").count(),
        3
    );

    // Who reads it anew gets the same, from its start.
    let again = get(rig.address, "/chat/c/stream").await.events().await;
    assert_eq!(again[0], events[0]);
    assert_eq!(again.last(), events.last());
    let other = get(rig.address, "/chat/other/stream").await;
    assert_eq!(other.status, 204);
    rig.stop().await;
}

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
