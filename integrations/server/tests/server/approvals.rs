//! Decisions about calls that wait, as a page sends them.

use serde_json::{Value, json};

use crate::{
    chat::{asks, submit},
    client::{get, post, types},
    rig::{Rig, calls, says},
};

/// What a client has of a message whose calls wait.
struct Waiting {
    run: String,
    calls: Vec<Value>,
}

impl Waiting {
    /// Asks a question whose answer waits for people.
    async fn ask(rig: &Rig) -> Self {
        let asked = submit("c", &[asks("u1", "Delete them.")]);
        let events = post(rig.address, "/chat", &asked).await.events().await;
        let last = events.last().expect("it ends");
        assert_eq!(
            (&last["type"], &last["finishReason"]),
            (&json!("finish"), &json!("tool-calls"))
        );
        Self::of(&events)
    }

    fn of(events: &[Value]) -> Self {
        let of_type = |wanted: &'static str| events.iter().filter(move |it| it["type"] == wanted);
        let calls = of_type("tool-approval-request").map(|request| {
            let id = &request["toolCallId"];
            let call = of_type("tool-input-available").find(|call| call["toolCallId"] == *id);
            let call = call.expect("a call is known before it is asked about");
            let name = call["toolName"].as_str().expect("it has a name");
            json!({
                "type": format!("tool-{name}"), "state": "approval-responded", "toolCallId": id,
                "input": call["input"], "approval": {"id": request["approvalId"]},
            })
        });
        let run = events[0]["messageId"].as_str().expect("it has an id");
        Self {
            run: run.to_owned(),
            calls: calls.collect(),
        }
    }

    /// The message of the client with decisions about some calls, by their places.
    fn decided(&self, decisions: &[(usize, bool)]) -> Value {
        let mut parts = self.calls.clone();
        for (place, part) in parts.iter_mut().enumerate() {
            match decisions.iter().find(|(call, _)| *call == place) {
                Some((_, approved)) => part["approval"]["approved"] = (*approved).into(),
                None => part["state"] = "approval-requested".into(),
            }
        }
        self.message(&parts)
    }

    fn message(&self, parts: &[Value]) -> Value {
        let message = json!({"id": self.run, "role": "assistant", "parts": parts});
        submit("c", &[asks("u1", "Delete them."), message])
    }
}

const FILES: [&str; 2] = [r#"{"path":"a.txt"}"#, r#"{"path":"b.txt"}"#];

fn outputs(events: &[Value]) -> Vec<&str> {
    let outputs = events
        .iter()
        .filter(|it| it["type"] == "tool-output-available");
    outputs.filter_map(|it| it["output"].as_str()).collect()
}

#[tokio::test]
async fn the_message_goes_on_when_all_is_decided() {
    let rig = Rig::of([calls("delete_file", FILES), says("Done.")]).await;
    let waiting = Waiting::ask(&rig).await;
    let chat = get(rig.address, "/chat/c").await.json().await;
    assert_eq!(
        (&chat["running"], &chat["waiting"]),
        (&json!(waiting.run), &json!(true))
    );
    let decided = waiting.decided(&[(0, true), (1, false)]);
    let rest = post(rig.address, "/chat", &decided).await.events().await;
    assert_eq!(rest[0], json!({"type": "start", "messageId": waiting.run}));
    assert_eq!(outputs(&rest), ["a.txt is deleted"]);
    let names = types(&rest);
    assert!(names.contains(&"tool-output-denied"));
    assert!(
        !names.contains(&"tool-input-available"),
        "the client has it: {names:?}"
    );
    let delta = rest.iter().filter_map(|it| it["delta"].as_str());
    assert_eq!(delta.collect::<String>(), "Done.");
    // The message as it is loaded is the same.
    let chat = get(rig.address, "/chat/c").await.json().await;
    let parts = chat["messages"][1]["parts"]
        .as_array()
        .expect("it has parts");
    let states: Vec<_> = parts
        .iter()
        .filter_map(|part| part["state"].as_str())
        .collect();
    assert_eq!(states, ["output-available", "output-denied", "done"]);
    rig.stop().await;
}

#[tokio::test]
async fn one_of_two_calls_runs_while_the_other_waits_on() {
    let rig = Rig::of([calls("delete_file", FILES), says("Done.")]).await;
    let waiting = Waiting::ask(&rig).await;
    let first = waiting.decided(&[(1, true)]);
    let rest = post(rig.address, "/chat", &first).await.events().await;
    assert_eq!(outputs(&rest), ["b.txt is deleted"]);
    assert_eq!(rest.last().expect("it ends")["finishReason"], "tool-calls");
    let second = waiting.decided(&[(0, true)]);
    let rest = post(rig.address, "/chat", &second).await.events().await;
    assert_eq!(outputs(&rest), ["a.txt is deleted"]);
    assert_eq!(rest.last().expect("it ends")["finishReason"], "stop");
    rig.stop().await;
}

#[tokio::test]
async fn two_pages_that_say_the_same_read_the_same() {
    let rig = Rig::of([calls("delete_file", [FILES[0]]), says("Done.")]).await;
    let waiting = Waiting::ask(&rig).await;
    let decided = waiting.decided(&[(0, true)]);
    let (one, other) = tokio::join!(
        post(rig.address, "/chat", &decided),
        post(rig.address, "/chat", &decided),
    );
    let (one, other) = tokio::join!(one.events(), other.events());
    let third = post(rig.address, "/chat", &decided).await.events().await;
    for events in [&one, &other, &third] {
        assert_eq!(outputs(events), ["a.txt is deleted"]);
        assert_eq!(events.last().expect("it ends")["finishReason"], "stop");
    }
    let log = get(rig.address, &format!("/runs/{}/log", waiting.run))
        .await
        .json()
        .await;
    let entries = log["entries"].as_array().expect("it has entries");
    let starts = entries
        .iter()
        .filter(|it| it["record"]["type"] == "call_started");
    assert_eq!(starts.count(), 1, "the file is deleted once");

    // Who says another thing now comes too late.
    let late = post(rig.address, "/chat", &waiting.decided(&[(0, false)])).await;
    assert_eq!(late.refusal().await, (409, "not_waiting".to_owned()));
    rig.stop().await;
}

#[tokio::test]
async fn what_is_forged_or_altered_does_nothing() {
    let rig = Rig::of([calls("delete_file", [FILES[0]])]).await;
    let waiting = Waiting::ask(&rig).await;
    let good = &waiting.decided(&[(0, true)])["messages"][1]["parts"][0];
    let change = |change: &dyn Fn(&mut Value)| {
        let mut part = good.clone();
        change(&mut part);
        waiting.message(&[part])
    };
    let of_another = |run: &str| {
        let mut message = waiting.decided(&[(0, true)]);
        message["messages"][1]["id"] = run.into();
        message
    };
    let mut of_another_chat = waiting.decided(&[(0, true)]);
    of_another_chat["id"] = "d".into();
    let wrong = [
        (
            409,
            change(&|part| part["input"]["path"] = "/etc/passwd".into()),
        ),
        (409, change(&|part| part["toolCallId"] = "0.1".into())),
        (409, change(&|part| part["type"] = "tool-add".into())),
        (409, change(&|part| part["approval"]["id"] = "1".into())),
        (400, change(&|part| part["approval"] = Value::Null)),
        (404, of_another("no run")),
        (404, of_another_chat),
    ];
    for (status, body) in wrong {
        let answer = post(rig.address, "/chat", &body).await;
        assert_eq!(answer.refusal().await.0, status, "{body}");
    }
    let run = get(rig.address, &format!("/runs/{}", waiting.run))
        .await
        .json()
        .await;
    assert_eq!(run["status"], "suspended");
    assert_eq!(run["pending"].as_array().map(Vec::len), Some(1));
    rig.stop().await;
}
