//! Questions of calls, as a page shows and answers them.

use serde_json::{Value, json};
use toolwright::{
    ToolContext, ToolError, approval::Decision, schema::Schema, server::Server,
    testing::ScriptedModel, tool, tool::Question, toolset,
};

use crate::{
    chat::{asks, submit},
    client::{get, post},
    rig::{Gate, Rig, builder_with, calls, says},
};

const FORM: &str =
    r#"{"type": "object", "properties": {"size": {"enum": ["S", "M"]}}, "required": ["size"]}"#;

/// Order a shirt.
#[tool]
async fn order_shirt(#[context] cx: &ToolContext) -> Result<String, ToolError> {
    let question = Question::form("Which size?", Schema::from_text(FORM)?);
    Ok(match cx.ask("size", question).await? {
        Decision::ApproveWith { arguments } => format!("ordered: {arguments}"),
        _ => "no shirt".to_owned(),
    })
}

/// A server whose model orders a shirt.
async fn rig() -> Rig {
    let model = ScriptedModel::new([calls("order_shirt", ["{}"]), says("Done.")]);
    let runner = builder_with(toolset![order_shirt], model, &Gate::default()).build();
    let server = Server::new(runner.expect("is consistent")).expect("it has a store");
    Rig::start(server, Gate::default()).await
}

/// The last message of the chat.
async fn stored(rig: &Rig) -> Value {
    let chat = get(rig.address, "/chat/c").await.json().await;
    let messages = chat["messages"].as_array().expect("it is a list");
    messages.last().expect("there is one").clone()
}

fn part<'a>(message: &'a Value, kind: &str) -> &'a Value {
    let parts = message["parts"].as_array().expect("it has parts");
    let part = parts.iter().find(|part| part["type"] == kind);
    part.unwrap_or_else(|| panic!("{kind}: {message}"))
}

/// The message of the client with a decision about its question.
fn decided(message: &Value, approved: bool, reason: &str) -> Value {
    let mut call = part(message, "tool-order_shirt").clone();
    call["state"] = "approval-responded".into();
    call["approval"]["approved"] = approved.into();
    call["approval"]["reason"] = reason.into();
    let message = json!({"id": message["id"], "role": "assistant", "parts": [call]});
    submit("c", &[asks("u1", "A shirt."), message])
}

#[tokio::test]
async fn a_question_is_shown_and_answered_in_its_chat() {
    let form: Value = serde_json::from_str(FORM).expect("it is JSON");
    let question = json!({"message": "Which size?", "form": form});
    for (approved, reason, output) in [
        (true, r#"{"size":"M"}"#, r#"ordered: {"size":"M"}"#),
        (false, "", "no shirt"),
    ] {
        let rig = rig().await;
        let asked = submit("c", &[asks("u1", "A shirt.")]);
        let events = post(rig.address, "/chat", &asked).await.events().await;
        let sent = events.iter().find(|it| it["type"] == "data-question");
        assert_eq!(sent.expect("it is sent")["data"], question);
        // After a reload.
        let message = stored(&rig).await;
        let (call, shown) = (
            part(&message, "tool-order_shirt"),
            part(&message, "data-question"),
        );
        assert_eq!(call["state"], "approval-requested");
        assert_eq!(
            (&shown["id"], &shown["data"]),
            (&call["approval"]["id"], &question)
        );

        for unfit in ["", r#"{"size":"XL"}"#, "M"] {
            let refused = post(rig.address, "/chat", &decided(&message, true, unfit)).await;
            assert_eq!(refused.status, 400, "{unfit}");
            let error = &refused.json().await["error"];
            assert_eq!(
                (&error["code"], &error["approvalId"]),
                (&json!("unfit"), &shown["id"]),
                "{unfit}"
            );
        }
        let long = format!("{{{}}}", " ".repeat(1 << 20));
        let refused = post(rig.address, "/chat", &decided(&message, true, &long)).await;
        assert_eq!(refused.refusal().await, (413, "too_large".to_owned()));
        assert_eq!(stored(&rig).await, message, "the call waits on");

        let answer = decided(&message, approved, reason);
        let events = post(rig.address, "/chat", &answer).await.events().await;
        let result = events
            .iter()
            .find(|it| it["type"] == "tool-output-available");
        assert_eq!(result.expect("it ran")["output"], output);
        assert_eq!(events.last().expect("it ends")["finishReason"], "stop");
        // Sent twice it counts once, and another page hears that its own one does not count.
        let again = post(rig.address, "/chat", &answer).await.events().await;
        assert_eq!(again.last().expect("it ends")["finishReason"], "stop");
        let other = decided(&message, true, r#"{"size":"S"}"#);
        let refused = post(rig.address, "/chat", &other).await.refusal().await;
        assert_eq!(refused, (409, "not_waiting".to_owned()));
        let message = stored(&rig).await;
        assert_eq!(part(&message, "tool-order_shirt")["output"], output);
        rig.stop().await;
    }
}

#[tokio::test]
async fn a_question_is_answered_by_the_id_of_its_run() {
    let rig = rig().await;
    let asked = submit("c", &[asks("u1", "A shirt.")]);
    let events = post(rig.address, "/chat", &asked).await.events().await;
    let run = events[0]["messageId"].as_str().expect("it has an id");
    let shown = get(rig.address, &format!("/runs/{run}")).await.json().await;
    let waiting = &shown["pending"][0];
    assert_eq!(waiting["question"]["message"], "Which size?");
    let decide = async |arguments: Value| {
        let decision = json!({"call": waiting["call"], "asked": waiting["asked"], "decision": "approve", "arguments": arguments});
        let body = json!({"decisions": [decision]});
        post(rig.address, &format!("/runs/{run}/decisions"), &body).await
    };
    let refused = decide(json!({"size": 1})).await;
    assert_eq!(refused.status, 400);
    let error = &refused.json().await["error"];
    assert_eq!(
        (&error["code"], &error["call"]),
        (&json!("unfit"), &waiting["call"])
    );
    assert_eq!(decide(json!({"size": "S"})).await.status, 202);
    assert_eq!(decide(json!({"size": "S"})).await.status, 202);
    let other = decide(json!({"size": "M"})).await.refusal().await;
    assert_eq!(other, (409, "not_waiting".to_owned()));
    let stream = get(rig.address, "/chat/c/stream").await.events().await;
    assert_eq!(stream.last().expect("it ends")["finishReason"], "stop");
    rig.stop().await;
}
