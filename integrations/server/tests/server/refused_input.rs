//! What a check of the input refuses or redacts is in nothing that the server stores or shows.

use std::{
    fmt::Write as _,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde_json::{Value, json};
use toolwright::{
    message::text_of,
    runner::{InputRefusal, UserInput},
    server::Server,
    store::{MemoryStore, RunFilter, Scope, Store},
    testing::ScriptedModel,
};

use crate::{
    chat::{asks, submit},
    client::{get, post},
    rig::{Gate, Rig, builder, calls, says},
};

const SECRET: &str = "hunter2-4711";

/// A server whose runner refuses what has the secret and "password", and redacts the secret elsewhere.
async fn rig(model: &ScriptedModel, store: &MemoryStore) -> Rig {
    let gate = Gate::default();
    let runner = builder(model.clone(), &gate)
        .store("chat", store.clone())
        .check_input(async |input: UserInput| {
            let text = text_of(&input.message.parts);
            if text.contains("password") {
                let refusal = InputRefusal::new("Leave passwords out.");
                return Err(refusal.stored_as("(a password)"));
            }
            Ok(text.replace(SECRET, "[redacted]").into())
        })
        .build();
    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    Rig::start(server.with_error_details(), gate).await
}

/// All that the server shows of a chat and of its runs.
async fn shown(address: SocketAddr, chat: &str, runs: &[String]) -> String {
    let mut paths = vec![
        "/chat".to_owned(),
        "/runs".to_owned(),
        format!("/chat/{chat}"),
        format!("/chat/{chat}/stream"),
        format!("/chat/{chat}/stream?v=7"),
        format!("/chat/{chat}/stream?format=plain"),
    ];
    for run in runs {
        paths.push(format!("/runs/{run}"));
        for of_run in ["log", "stream", "events", "fixture"] {
            paths.push(format!("/runs/{run}/{of_run}"));
        }
    }
    let mut all = String::new();
    for path in paths {
        let text = get(address, &path).await.text().await;
        writeln!(all, "{path}: {text}").expect("a text takes everything");
    }
    all
}

async fn stored(store: &MemoryStore) -> (String, Vec<String>) {
    let runs = store.list(Scope::All, &RunFilter::default()).await;
    let (mut all, mut ids) = (String::new(), Vec::new());
    for run in runs.expect("is listed").items {
        let id = run.info.run_id.clone();
        let loaded = store.load(Scope::All, &id, 0).await.expect("is loaded");
        let inbox = store.inbox(Scope::All, &id, 0).await.expect("is read");
        write!(all, "{run:?} {loaded:?} {inbox:?}").expect("a text takes everything");
        if let Some(chat) = &run.info.conversation {
            let versions = store.conversation(Scope::All, &chat.id, 0, None).await;
            write!(all, "{:?}", versions.expect("is read")).expect("a text takes everything");
        }
        ids.push(id.to_string());
    }
    (all, ids)
}

#[tokio::test]
async fn a_chat_that_was_refused_shows_what_the_application_says() {
    let (model, store) = (ScriptedModel::new([says("Hello.")]), MemoryStore::new());
    let rig = rig(&model, &store).await;
    let said = format!("My password is {SECRET}.");
    let asked = submit("c", &[asks("u1", &said)]);
    let first = post(rig.address, "/chat", &asked).await.text().await;
    assert!(first.contains("Leave passwords out."), "{first}");
    // A client that did not hear of it gets the same run.
    let again = post(rig.address, "/chat", &asked).await.text().await;
    let (of_store, runs) = stored(&store).await;
    assert_eq!(runs.len(), 1);
    let chat = get(rig.address, "/chat/c").await.json().await;
    let texts: Vec<&Value> = chat["messages"]
        .as_array()
        .expect("it has messages")
        .iter()
        .flat_map(|message| message["parts"].as_array().expect("it has parts"))
        .filter(|part| part["type"] == "text")
        .map(|part| &part["text"])
        .collect();
    assert_eq!(texts, ["(a password)", "Leave passwords out."]);
    let chats = get(rig.address, "/chat").await.json().await;
    assert_eq!(chats["items"][0]["title"], "(a password)");
    let next = submit("c", &[asks("u1", &said), asks("u2", "Hello.")]);
    let next = post(rig.address, "/chat", &next).await.text().await;
    assert!(next.contains("Hello."), "{next}");
    let shown = shown(rig.address, "c", &runs).await;
    let requests = format!("{:?}", model.requests());
    for all in [
        first,
        again,
        of_store,
        stored(&store).await.0,
        next,
        shown,
        requests,
    ] {
        assert!(!all.contains(SECRET), "{all}");
    }
    rig.stop().await;
}

#[tokio::test]
async fn messages_to_a_run_are_checked_before_they_are_put() {
    let (model, store) = (
        ScriptedModel::new([calls("wait", ["{}"]), says("Done."), says("More.")]),
        MemoryStore::new(),
    );
    let rig = rig(&model, &store).await;
    let said = format!("Wait, {SECRET}.");
    let asked = submit("c", &[asks("u1", &said)]);
    let stream = post(rig.address, "/chat", &asked).await;
    let (_, runs) = stored(&store).await;
    for text in ["My password is hunter2-4711.", "And hunter2-4711."] {
        let path = format!("/runs/{}/messages", runs[0]);
        let pushed = post(rig.address, &path, &json!({ "text": text })).await;
        assert_eq!(pushed.status, 202, "{text}");
    }
    let path = "/chat/c/messages";
    let pushed = post(rig.address, path, &json!({ "text": said })).await;
    assert_eq!(pushed.status, 202);
    rig.gate.open();
    let stream = stream.text().await;
    assert!(stream.contains("Leave passwords out."), "{stream}");
    let shown = shown(rig.address, "c", &runs).await;
    let requests = format!("{:?}", model.requests());
    assert!(requests.contains("And [redacted]."), "{requests}");
    for all in [stream, stored(&store).await.0, shown, requests] {
        assert!(!all.contains(SECRET), "{all}");
    }
    rig.stop().await;
}

/// A check may be a model, which does not say the same twice.
#[tokio::test]
async fn a_message_that_is_sent_twice_has_one_run_whatever_its_check_makes_of_it() {
    let (store, gate) = (MemoryStore::new(), Gate::default());
    let model = ScriptedModel::new([says("Hello."), says("Hello again.")]);
    let count = Arc::new(AtomicUsize::new(0));
    let runner = builder(model, &gate)
        .store("chat", store.clone())
        .check_input(move |input: UserInput| {
            let number = count.fetch_add(1, Ordering::SeqCst);
            async move {
                let text = text_of(&input.message.parts);
                Ok::<_, InputRefusal>(format!("{text} ({number})").into())
            }
        })
        .build();
    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    let rig = Rig::start(server, gate).await;
    let asked = submit("c", &[asks("u1", "Hello?")]);
    let first = post(rig.address, "/chat", &asked).await.events().await;
    let again = post(rig.address, "/chat", &asked).await.events().await;
    assert_eq!(first[0]["messageId"], again[0]["messageId"]);
    // As a page that was loaded again has it.
    let loaded = submit("c", &[asks("u1", "Hello? (0)")]);
    let loaded = post(rig.address, "/chat", &loaded).await.events().await;
    assert_eq!(first[0]["messageId"], loaded[0]["messageId"]);
    assert_eq!(stored(&store).await.1.len(), 1);
    // Another text is another message.
    let other = submit("c", &[asks("u1", "Goodbye?")]);
    let other = post(rig.address, "/chat", &other).await.events().await;
    assert_ne!(first[0]["messageId"], other[0]["messageId"]);
    rig.stop().await;
}
