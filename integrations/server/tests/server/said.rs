//! What is said to a run by its id, or by its chat.

use serde_json::{Value, json};

use crate::{
    chat::{asks, submit},
    client::{Response, get, post, types},
    rig::{Rig, calls, says},
};

/// Begins a run that calls a tool, and reads on until the call is known.
async fn begun(rig: &Rig) -> (Response, String) {
    let mut answer = post(rig.address, "/chat", &submit("c", &[asks("u1", "Go.")])).await;
    let mut body = String::new();
    while !body.contains("tool-input-available") {
        let piece = answer.piece().await.expect("it goes on");
        body += &String::from_utf8(piece.expect("it goes on")).expect("it is text");
    }
    (answer, body)
}

#[tokio::test]
async fn a_run_under_way_is_cancelled() {
    let rig = Rig::of([calls("wait", ["{}"])]).await;
    let (answer, body) = begun(&rig).await;
    let told = post(rig.address, "/chat/c/cancel", &json!({})).await;
    assert_eq!(told.status, 202);
    let run = told.json().await["runId"].clone();
    let rest = body + &answer.text().await;
    let events = crate::client::events_of(&rest);
    assert_eq!(types(&events).last(), Some(&"abort"));
    assert_eq!(events[0]["messageId"], run);
    // It is over. A cancel by its own id has what it wants; by the id of the chat it may be meant for a run that is about to
    // begin. A message comes too late.
    let run = run.as_str().expect("it has an id");
    for path in ["/chat/c".to_owned(), format!("/runs/{run}")] {
        let again = post(rig.address, &format!("{path}/cancel"), &json!({})).await;
        if path.starts_with("/chat") {
            assert_eq!(
                again.refusal().await,
                (409, "not_running".to_owned()),
                "{path}"
            );
        } else {
            assert_eq!(again.status, 200, "{path}");
            assert_eq!(again.json().await["runId"], run);
        }
        let late = json!({"text": "And now?"});
        let late = post(rig.address, &format!("{path}/messages"), &late).await;
        assert_eq!(
            late.refusal().await,
            (409, "not_running".to_owned()),
            "{path}"
        );
    }
    let none = post(rig.address, "/chat/none/cancel", &json!({})).await;
    assert_eq!(none.refusal().await, (404, "not_found".to_owned()));
    rig.stop().await;
}

#[tokio::test]
async fn a_run_that_waits_is_cancelled() {
    let rig = Rig::of([calls("delete_file", [r#"{"path":"a"}"#])]).await;
    let (answer, body) = begun(&rig).await;
    let events = crate::client::events_of(&(body + &answer.text().await));
    let run = events[0]["messageId"].as_str().expect("it has an id");
    let told = post(rig.address, &format!("/runs/{run}/cancel"), &json!({})).await;
    assert_eq!(told.status, 202);
    let events = get(rig.address, "/chat/c/stream").await.events().await;
    assert_eq!(types(&events).last(), Some(&"abort"));
    let run = get(rig.address, &format!("/runs/{run}")).await.json().await;
    assert_eq!(run["status"], "finished");
    assert_eq!(run["finish"]["type"], "cancelled");
    assert!(run["usage"].is_object());
    rig.stop().await;
}

#[tokio::test]
async fn a_message_meanwhile_is_heard_once() {
    let rig = Rig::of([calls("wait", ["{}"]), says("I see.")]).await;
    let (answer, body) = begun(&rig).await;
    for _ in 0..2 {
        let more = json!({"text": "And be quick.", "id": "m1"});
        let told = post(rig.address, "/chat/c/messages", &more).await;
        assert_eq!(told.status, 202);
    }
    let empty = post(rig.address, "/chat/c/messages", &json!({"text": " "})).await;
    assert_eq!(empty.refusal().await.0, 400);
    rig.gate.open();
    let events = crate::client::events_of(&(body + &answer.text().await));
    let said = types(&events)
        .iter()
        .filter(|it| **it == "data-user-message")
        .count();
    assert_eq!(said, 1);
    rig.stop().await;
}

#[tokio::test]
async fn decisions_and_answers_come_by_the_id_of_the_run() {
    let rig = Rig::of([
        calls("delete_file", [r#"{"path":"a"}"#]),
        calls("ask_page", [r#"{"question":"Sure?"}"#]),
        says("Done."),
    ])
    .await;
    let (answer, body) = begun(&rig).await;
    let events = crate::client::events_of(&(body + &answer.text().await));
    let run = events[0]["messageId"]
        .as_str()
        .expect("it has an id")
        .to_owned();
    let tell = async |what: &str, body: Value| {
        post(rig.address, &format!("/runs/{run}/{what}"), &body).await
    };
    let decide = |call: &str| json!({"decisions": [{"call": call, "decision": "approve"}]});
    let wrong = tell("decisions", decide("0.1")).await;
    assert_eq!(wrong.refusal().await, (409, "not_waiting".to_owned()));
    let answers = json!({"call": "0.0", "output": "yes"});
    let wrong = tell("answers", answers).await;
    assert_eq!(wrong.refusal().await, (409, "not_waiting".to_owned()));
    assert_eq!(tell("decisions", decide("0.0")).await.status, 202);

    // It waits for the page now.
    let stream = get(rig.address, &format!("/runs/{run}/stream"))
        .await
        .events()
        .await;
    assert_eq!(
        stream.last().expect("it ends")["finishReason"],
        "tool-calls"
    );
    let digits = "12345678901234567890.0";
    let body = format!(r#"{{"call":"1.0","output":{{"n":{digits}}}}}"#);
    let path = format!("POST /runs/{run}/answers");
    let told = crate::client::send(rig.address, &path, &[], &body).await;
    assert_eq!(told.status, 202);
    let stream = get(rig.address, &format!("/runs/{run}/stream"))
        .await
        .text()
        .await;
    assert!(stream.contains(digits), "{stream}");
    assert!(stream.ends_with("data: [DONE]\n\n"));
    rig.stop().await;
}

/// A run that cannot go on, since its tools are others now, would keep its chat for ever.
#[tokio::test]
async fn a_run_whose_tools_have_changed_can_be_cancelled() {
    let store = toolwright::store::MemoryStore::new();
    let gate = crate::rig::Gate::default();
    let model =
        |replies: Vec<toolwright::ModelResponse>| toolwright::testing::ScriptedModel::new(replies);
    let first = model(vec![calls("delete_file", [r#"{"path":"a"}"#])]);
    let runner = crate::rig::builder(first, &gate)
        .store("chat", store.clone())
        .build();
    let server = toolwright::server::Server::new(runner.expect("it is consistent"));
    let rig = Rig::start(server.expect("it has a store"), gate.clone()).await;
    let asked = submit("c", &[asks("u1", "Delete a.")]);
    drop(post(rig.address, "/chat", &asked).await.text().await);
    rig.stop().await;

    let next = model(vec![says("Hello.")]);
    let runner = crate::rig::builder_with(toolwright::toolset![], next, &gate);
    let runner = runner.store("chat", store).build();
    let server = toolwright::server::Server::new(runner.expect("it is consistent"));
    let rig = Rig::start(server.expect("it has a store"), gate).await;
    let told = post(rig.address, "/chat/c/cancel", &json!({})).await;
    assert_eq!(told.status, 202);
    let asked = submit("c", &[asks("u2", "Hello?")]);
    let answer = post(rig.address, "/chat", &asked).await.text().await;
    assert!(answer.contains("[DONE]"), "{answer}");
    rig.stop().await;
}
