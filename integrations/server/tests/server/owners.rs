//! Owners, who see nothing of each other.

use serde_json::json;
use toolwright::{
    server::{Caller, Refusal, Server, Visit},
    testing::ScriptedModel,
};

use crate::{
    chat::{asks, submit},
    client::{Response, get, post, send},
    rig::{Gate, Own, Rig, builder, calls, says},
};

/// The caller is whom the header `user` names.
async fn caller(visit: Visit) -> Result<Caller, Refusal> {
    let user = visit
        .headers
        .get("user")
        .and_then(|user| user.to_str().ok());
    let user = user.ok_or_else(|| Refusal::unauthorized("say who you are"))?;
    Ok(Caller::owner(user))
}

async fn as_user(rig: &Rig, user: &str, line: &str, body: &str) -> Response {
    send(rig.address, line, &[("user", user)], body).await
}

#[tokio::test]
async fn what_somebody_else_has_is_not_there() {
    let replies = [
        calls("delete_file", [r#"{"path":"a"}"#]),
        calls("add", ["{}"]),
    ];
    let rig = Rig::with(replies, |server: Server| server.owner(caller)).await;
    let asked = submit("c", &[asks("u1", "Go.")]).to_string();
    let events = as_user(&rig, "ada", "POST /chat", &asked)
        .await
        .events()
        .await;
    let run = events[0]["messageId"].as_str().expect("it has an id");
    let approve = json!({"decisions": [{"call": "0.0", "decision": "approve"}]}).to_string();
    let claim = json!({"id": "c", "messages": [{"id": run, "role": "assistant", "parts": []}]});
    let (claim, answer) = (
        claim.to_string(),
        json!({"call": "0.0", "output": 1}).to_string(),
    );
    for (line, body) in [
        ("GET /chat/c", ""),
        (&format!("GET /runs/{run}"), ""),
        (&format!("GET /runs/{run}/log"), ""),
        (&format!("GET /runs/{run}/stream"), ""),
        (&format!("GET /runs/{run}/events"), ""),
        (&format!("POST /runs/{run}/cancel"), "{}"),
        (&format!("POST /runs/{run}/messages"), r#"{"text":"Hi"}"#),
        (&format!("POST /runs/{run}/decisions"), &approve),
        (&format!("POST /runs/{run}/answers"), &answer),
        ("POST /chat", &claim),
        ("POST /chat/c/cancel", "{}"),
        ("POST /chat/c/messages", r#"{"text":"Hi"}"#),
    ] {
        let unknown = line
            .replace(run, "unknown")
            .replace("chat/c", "chat/unknown");
        let unknown = as_user(&rig, "eve", &unknown, &body.replace(run, "unknown")).await;
        assert_eq!(
            unknown.refusal().await,
            (404, "not_found".to_owned()),
            "{line}"
        );
        let answer = as_user(&rig, "eve", line, body).await;
        assert_eq!(
            answer.refusal().await,
            (404, "not_found".to_owned()),
            "{line}"
        );
    }
    let stream = as_user(&rig, "eve", "GET /chat/c/stream", "").await;
    assert_eq!(stream.status, 204);
    for line in ["GET /chat", "GET /runs", "GET /runs?chat=c"] {
        let page = as_user(&rig, "eve", line, "").await.json().await;
        assert_eq!(page["items"], json!([]), "{line}");
        assert_eq!(page["next"], json!(null));
        let own = as_user(&rig, "ada", line, "").await.json().await;
        assert_eq!(own["items"].as_array().map(Vec::len), Some(1), "{line}");
    }
    // A chat of the same id is another one, and ids that look like the store's reach nothing.
    for chat in ["c", "ada/c", "../ada/c"] {
        let asked = submit(chat, &[asks("u1", "Mine.")]).to_string();
        let answer = as_user(&rig, "eve", "POST /chat", &asked).await;
        assert_eq!(answer.status, 200, "{chat}");
        drop(answer.text().await);
    }
    let ada = as_user(&rig, "ada", "GET /chat/c", "").await.json().await;
    assert_eq!(ada["messages"].as_array().map(Vec::len), Some(2));
    let nobody = send(rig.address, "GET /runs", &[], "").await;
    assert_eq!(nobody.refusal().await, (401, "unauthorized".to_owned()));
    let empty = send(rig.address, "GET /runs", &[("user", " ")], "").await;
    assert_eq!(empty.refusal().await, (403, "forbidden".to_owned()));
    rig.stop().await;
}

/// The user that the application's own layer has found.
#[derive(Clone)]
struct User(&'static str);

#[tokio::test]
async fn the_hook_sees_the_user_of_an_outer_layer() {
    let runner = builder(ScriptedModel::new([says("Hello.")]), &Gate::default()).build();
    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    let server = server.owner(async |visit: Visit| match visit.extensions.get() {
        Some(User(name)) => Ok(Caller::owner(*name)),
        None => Err(Refusal::unauthorized("sign in first")),
    });
    let own = Own::start(server, |router| router.layer(axum::Extension(User("ada")))).await;
    let asked = submit("c", &[asks("u1", "Hello.")]);
    drop(post(own.address, "/chat", &asked).await.text().await);
    let runs = get(own.address, "/runs").await.json().await;
    assert_eq!(runs["items"][0]["owner"], "ada");
    own.stop().await;
}
