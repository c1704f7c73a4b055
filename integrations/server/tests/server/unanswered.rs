//! Stores that are slow, and what waits for them.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, net::TcpStream, time::timeout};
use toolwright::{
    ModelResponse,
    run::{RunId, StoreErrorKind},
    server::{Server, ServerLimits},
    store::{Scope, Store},
    testing::ScriptedModel,
};

use crate::{
    chat::{asks, submit},
    client::{Response, get, post, send},
    rig::{Gate, Rig, builder, calls, says},
    watched_store::{Asked, WatchedStore},
};

/// A failure takes this long.
const PATIENCE: Duration = Duration::from_secs(30);

async fn served(
    store: &WatchedStore,
    lease_time: Duration,
    replies: Vec<ModelResponse>,
    set: impl FnOnce(Server) -> Server,
) -> Rig {
    let gate = Gate::default();
    let runner = builder(ScriptedModel::new(replies), &gate);
    let runner = runner.store("chat", store.clone());
    let runner = runner.lease_time(lease_time).build();
    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    Rig::start(set(server), gate).await
}

/// A run that waits for an approval.
async fn waiting(rig: &Rig) -> String {
    let asked = submit("c", &[asks("u1", "Delete a.")]);
    let events = post(rig.address, "/chat", &asked).await.events().await;
    let run = events[0]["messageId"].as_str().expect("it has an id");
    run.to_owned()
}

fn asking() -> Vec<ModelResponse> {
    vec![calls("delete_file", [r#"{"path":"a"}"#])]
}

#[tokio::test]
async fn a_store_that_does_not_answer_is_given_up() {
    let store = WatchedStore::new();
    // A store has a second at least.
    let rig = served(&store, Duration::from_millis(500), asking(), |server| {
        server
    })
    .await;
    let run = waiting(&rig).await;
    let message = json!({"text": "And be quick."});
    let asked = submit("d", &[asks("u1", "Hello.")]);
    for (held, path, body) in [
        (Asked::List, "/chat/c/cancel".to_owned(), json!({})),
        (
            Asked::Look,
            format!("/runs/{run}/messages"),
            message.clone(),
        ),
        (Asked::Put, format!("/runs/{run}/messages"), message),
        (Asked::Conversation, "/chat".to_owned(), asked),
    ] {
        store.hold(Some(held));
        let answer = timeout(PATIENCE, post(rig.address, &path, &body)).await;
        let answer = answer.unwrap_or_else(|_| panic!("{held:?} is waited for"));
        assert_eq!(answer.refusal().await, (503, "unavailable".to_owned()));
        store.hold(None);
    }
    rig.stop().await;
}

#[tokio::test]
async fn the_application_waits_for_no_store_without_end_either() {
    let none = Vec::<ModelResponse>::new();
    let store = WatchedStore::new();
    let runner = builder(ScriptedModel::new(none), &Gate::default()).store("chat", store.clone());
    let runner = runner.lease_time(Duration::from_millis(500)).build();
    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    store.hold(Some(Asked::Conversation));
    let asked = timeout(PATIENCE, server.conversation(None, "c")).await;
    let error = asked.expect("it is given up").expect_err("it is held");
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    store.hold(None);
    let none = server.conversation(None, "c").await.expect("it answers");
    assert!(none.is_none());
}

/// Three long bodies have no room at once.
#[tokio::test]
async fn a_body_that_was_read_keeps_no_room() {
    let store = WatchedStore::new();
    let rig = served(&store, PATIENCE, vec![], |server| {
        let mut limits = ServerLimits::default();
        limits.body_bytes = 200 << 10;
        limits.bodies_bytes = 200 << 10;
        limits.body_time = Duration::from_secs(2);
        server.limits(limits).calls_by_hand()
    })
    .await;
    let long = "x".repeat(180 << 10);
    store.hold(Some(Asked::Conversation));
    let address = rig.address;
    let chats = ["c", "d"].map(|chat| {
        let asked = submit(chat, &[asks("u1", &long)]);
        tokio::spawn(async move { post(address, "/chat", &asked).await.status })
    });
    let both = timeout(PATIENCE, store.asked(Asked::Conversation, 2)).await;
    both.expect("both are read");
    let more = json!({"arguments": {"a": 1, "b": 2}, "long": long});
    let answer = post(rig.address, "/tools/add/call", &more).await;
    assert_eq!(answer.status, 200);
    store.hold(None);
    for chat in chats {
        chat.await.expect("it is answered");
    }
    rig.stop().await;
}

#[tokio::test]
async fn no_log_is_loaded_to_know_what_waits() {
    for what in ["decisions", "answers"] {
        let store = WatchedStore::new();
        let rig = served(&store, PATIENCE, asking(), |server| server).await;
        let run = waiting(&rig).await;
        let (looks, loads) = (store.count(Asked::Look), store.count(Asked::Load));
        let body = match what {
            "decisions" => json!({"decisions": [{"call": "0.1", "decision": "deny"}]}),
            _ => json!({"call": "0.0", "output": "yes"}),
        };
        let body = body.to_string();
        let mut socket = TcpStream::connect(rig.address).await.expect("it listens");
        let head = format!(
            "POST /runs/{run}/{what} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            rig.address,
            body.len()
        );
        socket
            .write_all(head.as_bytes())
            .await
            .expect("it is taken");
        let looked = timeout(PATIENCE, store.asked(Asked::Look, looks + 1)).await;
        looked.expect("it is known whose run it is");
        socket
            .write_all(body.as_bytes())
            .await
            .expect("it is taken");
        let answer = Response::read(socket).await;
        assert_eq!(answer.refusal().await, (409, "not_waiting".to_owned()));
        assert_eq!(store.count(Asked::Load), loads, "{what}");
        rig.stop().await;
    }
}

/// Somebody holds the run who hears nothing.
#[tokio::test]
async fn one_task_wakes_a_run_however_much_is_said() {
    let store = WatchedStore::new();
    let rig = served(&store, PATIENCE, asking(), |server| server).await;
    let run = waiting(&rig).await;
    let (id, time) = (RunId::new(run.as_str()), Duration::from_secs(600));
    let lease = store
        .lease(Scope::All, &id, time)
        .await
        .expect("nobody drives it");
    let cancel = json!({"afterRound": true});
    for _ in 0..8 {
        let told = post(rig.address, &format!("/runs/{run}/cancel"), &cancel).await;
        assert_eq!(told.status, 202);
    }
    let before = store.count(Asked::Look);
    store.hold(Some(Asked::Look));
    let one = timeout(PATIENCE, store.asked(Asked::Look, before + 1)).await;
    one.expect("it is looked at");
    // Each looks at least once a second.
    let two = timeout(
        Duration::from_millis(1500),
        store.asked(Asked::Look, before + 2),
    );
    assert!(two.await.is_err(), "several tasks wake it");
    store.hold(None);
    store.release(&lease).await.expect("it is held");
    rig.stop().await;
}

#[tokio::test]
async fn a_message_that_came_too_late_is_refused() {
    let store = WatchedStore::new();
    let rig = served(&store, PATIENCE, vec![says("Done.")], |server| server).await;
    let address = rig.address;
    let message = || json!({"text": "Wait, one more thing.", "id": "m1"});
    let asked = submit("c", &[asks("u1", "Go.")]);
    // The end of the run is about to be written.
    store.hold(Some(Asked::Append));
    let answer = post(address, "/chat", &asked).await;
    timeout(PATIENCE, store.asked(Asked::Append, 1))
        .await
        .expect("it comes to its end");
    let put = store.count(Asked::Put);
    let told = tokio::spawn(async move { post(address, "/chat/c/messages", &message()).await });
    timeout(PATIENCE, store.asked(Asked::Put, put + 1))
        .await
        .expect("it is put");
    store.hold(None);
    let told = told.await.expect("it is answered");
    assert_eq!(told.refusal().await, (409, "not_running".to_owned()));
    let events = answer.events().await;
    let is_said = |it: &&Value| it["type"] == "data-user-message";
    assert_eq!(events.iter().filter(is_said).count(), 0);
    let runs = get(address, "/runs").await.json().await;
    let run = runs["items"][0]["id"].as_str().expect("it has an id");
    let path = format!("POST /runs/{run}/messages");
    let again = send(address, &path, &[], &message().to_string()).await;
    assert_eq!(again.refusal().await, (409, "not_running".to_owned()));
    rig.stop().await;
}

/// The store has the first one, and the run has not taken it yet.
#[tokio::test]
async fn another_decision_about_a_call_is_refused_and_the_same_one_is_not() {
    let store = WatchedStore::new();
    let rig = served(&store, PATIENCE, asking(), |server| server).await;
    let path = format!("/runs/{}/decisions", waiting(&rig).await);
    let deny =
        |reason| json!({"decisions": [{"call": "0.0", "decision": "deny", "reason": reason}]});
    let appends = store.count(Asked::Append);
    store.hold(Some(Asked::Append));
    let (address, first) = (rig.address, (path.clone(), deny("it is needed")));
    let first = tokio::spawn(async move { post(address, &first.0, &first.1).await.status });
    let appended = timeout(PATIENCE, store.asked(Asked::Append, appends + 1)).await;
    appended.expect("the run goes on");
    let approve = json!({"decisions": [{"call": "0.0", "decision": "approve"}]});
    for other in [deny("it is mine"), approve] {
        let refused = post(rig.address, &path, &other).await;
        let expected = (409, "not_waiting".to_owned());
        assert_eq!(refused.refusal().await, expected, "{other}");
    }
    let same = post(rig.address, &path, &deny("it is needed")).await;
    assert_eq!(same.status, 202);
    store.hold(None);
    assert_eq!(first.await.expect("it is answered"), 202);
    rig.stop().await;
}
