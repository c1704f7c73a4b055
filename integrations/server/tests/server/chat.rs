//! The way of a chat, as the default transport of `useChat` goes it.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use toolwright::{
    Conversation,
    run::RunId,
    server::Server,
    store::{
        ConversationId, ConversationRef, ConversationVersion, MemoryStore, NewRun, RunInfo, Scope,
        Store,
    },
    testing::ScriptedModel,
};

use crate::{
    client::{events_of, get, post, types},
    rig::{Gate, Rig, builder, calls, says},
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
    let of_type = events
        .iter()
        .filter(|it| it["type"] == "tool-output-available");
    let mut outputs: Vec<_> = of_type.filter_map(|it| it["output"].as_i64()).collect();
    // Calls of a round end in any order.
    outputs[..2].sort_unstable();
    assert_eq!(outputs, [3, 7, 10]);
    let types = types(&events);
    assert_eq!(types.first(), Some(&"start"));
    assert_eq!(types.last(), Some(&"finish"));
    assert_eq!(
        types.iter().filter(|name| **name == "start-step").count(),
        3
    );

    let none = get(rig.address, "/chat/other/stream").await;
    assert_eq!(none.status, 204);
    assert_eq!(none.text().await, "");
    rig.stop().await;
}

/// The frames that a client puts together, without those whose pieces depend on when they were read.
fn whole(events: &[Value]) -> Vec<Value> {
    let mut whole: Vec<Value> = Vec::new();
    for event in events {
        if let (Some(last), Some(delta)) = (whole.last_mut(), event["delta"].as_str())
            && last["type"] == event["type"]
            && last["id"] == event["id"]
        {
            let all = last["delta"].as_str().unwrap_or_default().to_owned() + delta;
            last["delta"] = all.into();
            continue;
        }
        let is_piece = event["type"] == "tool-input-start" || event["type"] == "tool-input-delta";
        if !is_piece {
            whole.push(event.clone());
        }
    }
    whole
}

#[tokio::test]
async fn who_reads_a_run_anew_gets_all_of_it() {
    let rig = Rig::of([calls("wait", ["{}"]), says("All of it.")]).await;
    let mut first = post(rig.address, "/chat", &submit("c", &[asks("u1", "Wait.")])).await;
    let mut begun = String::new();
    while !begun.contains("tool-input-available") {
        let piece = first.piece().await.expect("it goes on");
        begun += &String::from_utf8(piece.expect("it goes on")).expect("it is text");
    }
    // The first one goes away, and others come: in the middle, and after the end.
    drop(first);
    let mut second = get(rig.address, "/chat/c/stream").await;
    let mut body = String::new();
    while !body.contains("tool-input-available") {
        let piece = second.piece().await.expect("it goes on");
        body += &String::from_utf8(piece.expect("it goes on")).expect("it is text");
    }
    rig.gate.open();
    let (rest, is_cut) = second.rest().await;
    assert!(!is_cut);
    let second = whole(&events_of(&(body + &rest)));
    let third = whole(&get(rig.address, "/chat/c/stream").await.events().await);
    assert_eq!(second, third);
    assert!(second.iter().any(|event| event["output"] == "it went on"));
    assert!(second.iter().any(|event| event["delta"] == "All of it."));
    rig.stop().await;
}

/// The texts of a chat, with the ids of its messages.
async fn texts(rig: &Rig, chat: &str) -> Vec<(String, String)> {
    let chat = get(rig.address, &format!("/chat/{chat}"))
        .await
        .json()
        .await;
    let messages = chat["messages"].as_array().expect("it has messages");
    let text = |message: &Value| {
        let parts = message["parts"].as_array().expect("it has parts");
        parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect()
    };
    let id = |message: &Value| message["id"].as_str().expect("it has an id").to_owned();
    messages
        .iter()
        .map(|message| (id(message), text(message)))
        .collect()
}

/// Sends a request of a chat, and waits for its end. It gives the id of the answer.
async fn answered(rig: &Rig, body: &Value) -> String {
    let events = post(rig.address, "/chat", body).await.events().await;
    assert_eq!(types(&events).last(), Some(&"finish"));
    let id = events[0]["messageId"].as_str();
    id.expect("it begins with its id").to_owned()
}

fn answer(id: &str) -> Value {
    json!({"id": id, "role": "assistant", "parts": []})
}

#[tokio::test]
async fn a_question_is_asked_again_and_edited() {
    let rig = Rig::of(["one", "two", "two again", "one again", "three"].map(says)).await;
    let first = answered(&rig, &submit("c", &[asks("u1", "1?")])).await;
    let messages = [asks("u1", "1?"), answer(&first), asks("u2", "2?")];
    let second = answered(&rig, &submit("c", &messages)).await;
    assert_eq!(
        texts(&rig, "c").await,
        [
            ("u1", "1?"),
            (&*first, "one"),
            ("u2", "2?"),
            (&*second, "two")
        ]
        .map(|(id, text)| (id.to_owned(), text.to_owned()))
    );

    let mut again = submit("c", &messages);
    again["trigger"] = "regenerate-message".into();
    again["messageId"] = second.as_str().into();
    let another = answered(&rig, &again).await;
    assert_ne!(another, second);
    let shown: Vec<_> = texts(&rig, "c")
        .await
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    assert_eq!(shown, ["1?", "one", "2?", "two again"]);

    // The first question is another one now: all after it is gone.
    let mut edited = submit("c", &[asks("u1", "Another 1?")]);
    edited["messageId"] = "u1".into();
    let new = answered(&rig, &edited).await;
    let shown: Vec<_> = texts(&rig, "c")
        .await
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    assert_eq!(shown, ["Another 1?", "one again"]);

    // The model is told the same.
    let next = [asks("u1", "Another 1?"), answer(&new), asks("u3", "3?")];
    answered(&rig, &submit("c", &next)).await;
    let run = get(rig.address, "/runs?limit=1").await.json().await;
    let id = run["items"][0]["id"].as_str().expect("it is there");
    assert_eq!(run["items"][0]["labels"]["after"], new);
    let stream = get(rig.address, &format!("/runs/{id}/stream"))
        .await
        .events()
        .await;
    assert_eq!(stream[0]["messageId"], id);
    let version = run["items"][0]["conversation"]["version"].as_u64();
    assert_eq!(
        version,
        Some(6),
        "three answers, two ways back, and one more answer before it"
    );
    rig.stop().await;
}

#[tokio::test]
async fn a_message_that_is_sent_twice_is_answered_once() {
    let rig = Rig::of(["one", "two"].map(says)).await;
    let asked = submit("c", &[asks("u1", "1?")]);
    let first = answered(&rig, &asked).await;
    assert_eq!(answered(&rig, &asked).await, first);
    // Another one with the same text is another one.
    let next = submit("c", &[asks("u1", "1?"), answer(&first), asks("u2", "1?")]);
    let second = answered(&rig, &next).await;
    assert_ne!(second, first);
    assert_eq!(answered(&rig, &next).await, second);
    let runs = get(rig.address, "/runs").await.json().await;
    assert_eq!(runs["items"].as_array().map(Vec::len), Some(2));
    rig.stop().await;
}

/// A client that has loaded the chat meanwhile does not have what it sent at first.
#[tokio::test]
async fn a_message_that_is_sent_as_it_was_loaded_is_answered_once() {
    let rig = Rig::of(["one", "two"].map(says)).await;
    let file = json!({
        "type": "file", "mediaType": "text/plain", "filename": "a.txt", "url": "data:text/plain;base64,aGk=",
    });
    let message = json!({"id": "u1", "role": "user", "parts": [file.clone(), {"type": "text", "text": "1?"}]});
    let first = answered(&rig, &submit("c", &[message])).await;
    let chat = get(rig.address, "/chat/c").await.json().await;
    assert_eq!(chat["messages"][0]["parts"][0], file);
    let loaded = submit("c", &[chat["messages"][0].clone()]);
    assert_eq!(answered(&rig, &loaded).await, first);
    let runs = get(rig.address, "/runs").await.json().await;
    assert_eq!(runs["items"].as_array().map(Vec::len), Some(1));
    rig.stop().await;
}

#[tokio::test]
async fn a_chat_has_one_run_at_a_time() {
    let rig = Rig::of([calls("wait", ["{}"]), says("Done."), says("Again.")]).await;
    let first = post(rig.address, "/chat", &submit("c", &[asks("u1", "Wait.")])).await;
    let second = post(rig.address, "/chat", &submit("c", &[asks("u2", "Now!")])).await;
    assert_eq!(second.status, 409);
    let busy = second.json().await;
    assert_eq!(busy["error"]["code"], "busy");
    let chat = get(rig.address, "/chat/c").await.json().await;
    assert_eq!(chat["running"], busy["error"]["runId"]);
    assert_eq!(chat["waiting"], false);
    // The same message sent once more is no other one.
    let same = post(rig.address, "/chat", &submit("c", &[asks("u1", "Wait.")])).await;
    assert_eq!(same.status, 200);
    rig.gate.open();
    let (first, same) = (first.events().await, same.events().await);
    assert_eq!(whole(&first), whole(&same));
    let chat = get(rig.address, "/chat/c").await.json().await;
    assert_eq!(chat["running"], Value::Null);
    rig.stop().await;
}

#[tokio::test]
async fn chats_are_listed_once_each() {
    let rig = Rig::of(["one", "two", "three"].map(says)).await;
    let first = answered(&rig, &submit("a", &[asks("u1", "First?")])).await;
    answered(&rig, &submit("b", &[asks("u1", "Second?")])).await;
    let messages = [asks("u1", "First?"), answer(&first), asks("u2", "Third?")];
    let last = answered(&rig, &submit("a", &messages)).await;
    let mut listed = Vec::new();
    let mut path = "/chat?limit=1".to_owned();
    loop {
        let page = get(rig.address, &path).await.json().await;
        listed.extend(page["items"].as_array().expect("it has items").clone());
        match page["next"].as_str() {
            Some(next) => path = format!("/chat?limit=1&after={next}"),
            None => break,
        }
    }
    let listed: Vec<_> = listed
        .iter()
        .map(|chat| (&chat["id"], &chat["title"]))
        .collect();
    assert_eq!(
        listed,
        [
            (&json!("a"), &json!("First?")),
            (&json!("b"), &json!("Second?"))
        ]
    );
    let chats = get(rig.address, "/chat").await.json().await;
    assert_eq!(chats["items"][0]["runId"], last);
    assert_eq!(chats["items"][0]["status"], "finished");
    rig.stop().await;
}

/// A program went back to ask a question again, and was gone before it asked.
#[tokio::test]
async fn a_way_back_that_led_nowhere_is_seen() {
    let (store, gate) = (MemoryStore::new(), Gate::default());
    let model = ScriptedModel::new(["one", "two", "three"].map(says));
    let runner = builder(model, &gate).store("chat", store.clone()).build();
    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    let rig = Rig::start(server, gate).await;
    let first = answered(&rig, &submit("c", &[asks("u1", "1?")])).await;
    let messages = [asks("u1", "1?"), answer(&first), asks("u2", "2?")];
    let second = answered(&rig, &submit("c", &messages)).await;

    let id = ConversationId::new("*/c");
    let versions = store
        .conversation(Scope::All, &id, 0, None)
        .await
        .expect("it is there");
    let then = ConversationVersion::join(&versions[..1]).expect("it is one");
    let now = ConversationVersion::join(&versions).expect("it is one");
    let back = ConversationVersion::following(&now, 3, &then).expect("it is written");
    store
        .save_conversation(Scope::All, &id, &back)
        .await
        .expect("it is the next");

    let messages = [
        asks("u1", "1?"),
        answer(&first),
        asks("u2", "2?"),
        answer(&second),
        asks("u3", "3?"),
    ];
    answered(&rig, &submit("c", &messages)).await;
    let shown: Vec<_> = texts(&rig, "c")
        .await
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    assert_eq!(shown, ["1?", "one", "3?", "three"], "as the model has it");
    rig.stop().await;
}

/// A chat that came from elsewhere goes on, and is shown from its beginning.
#[tokio::test]
async fn what_was_said_before_the_first_run_is_shown() {
    let (store, gate) = (MemoryStore::new(), Gate::default());
    let runner = builder(ScriptedModel::new([says("Hello again.")]), &gate);
    let runner = runner.store("chat", store.clone()).build();
    let mut before = Conversation::new();
    before.push_user("Hello?");
    before.push_response(says("Hello."));
    let version = ConversationVersion::following(&Conversation::new(), 1, &before);
    let version = version.expect("it is written");
    let id = ConversationId::new("*/c");
    store
        .save_conversation(Scope::All, &id, &version)
        .await
        .expect("it is the first");

    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    let rig = Rig::start(server, gate).await;
    let shown = async || -> Vec<String> {
        texts(&rig, "c")
            .await
            .into_iter()
            .map(|(_, text)| text)
            .collect()
    };
    assert_eq!(shown().await, ["Hello?", "Hello."]);
    answered(&rig, &submit("c", &[asks("u1", "Again?")])).await;
    assert_eq!(
        shown().await,
        ["Hello?", "Hello.", "Again?", "Hello again."]
    );
    rig.stop().await;
}

/// A run whose log is damaged was given up: the chat goes on without it.
#[tokio::test]
async fn a_damaged_run_does_not_take_its_chat_with_it() {
    let store = MemoryStore::new();
    let gate = Gate::default();
    let model = ScriptedModel::new([says("It is sunny.")]);
    let runner = builder(model, &gate).store("chat", store.clone());
    let server = Server::new(runner.build().expect("it is consistent"));
    let mut info = RunInfo::new(RunId::new("damaged"), "chat", SystemTime::UNIX_EPOCH);
    info.labels.insert("chat".to_owned(), "c".to_owned());
    info.conversation = Some(ConversationRef::new("*/c", 0));
    let run = NewRun::new(info, vec!["no entry".to_owned()]);
    let lease = store.create(&run, Duration::from_secs(60)).await;
    let lease = lease.expect("it is new");
    store
        .abandon(Scope::All, &lease.run_id)
        .await
        .expect("it is not over");
    let rig = Rig::start(server.expect("it has a store"), gate).await;

    let chats = get(rig.address, "/chat").await.json().await;
    assert_eq!(
        (&chats["items"][0]["id"], &chats["items"][0]["title"]),
        (&json!("c"), &json!(""))
    );
    assert_eq!(get(rig.address, "/chat/c").await.status, 200);
    let asked = submit("c", &[asks("u1", "How is it?")]);
    drop(post(rig.address, "/chat", &asked).await.events().await);
    let chats = get(rig.address, "/chat").await.json().await;
    assert_eq!(chats["items"][0]["title"], "How is it?");
    let chat = get(rig.address, "/chat/c").await.json().await;
    assert_eq!(chat["messages"].as_array().map(Vec::len), Some(2), "{chat}");
    rig.stop().await;
}
