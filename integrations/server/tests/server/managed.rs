//! Chats that their owner names, exports and deletes, and conversations that the application reads.

use serde_json::{Value, json};
use toolwright::{
    ToolInput,
    dispatch::CallOptions,
    message::text_of,
    redact::Secrets,
    runner::UserInput,
    server::{Caller, Refusal, Server, Visit},
    store::{MemoryStore, RunFilter, Scope, Store},
    testing::ScriptedModel,
};

use crate::{
    chat::{asks, submit},
    client::{Response, get, post, send},
    rig::{Gate, Rig, builder, calls, says},
    watched_store::WatchedStore,
};

async fn caller(visit: Visit) -> Result<Caller, Refusal> {
    let user = visit.headers.get("user");
    let user = user.and_then(|user| user.to_str().ok());
    user.map(Caller::owner)
        .ok_or_else(|| Refusal::unauthorized("say who you are"))
}

/// A server of several owners, whose checks refuse bad words.
async fn rig(store: &MemoryStore) -> Rig {
    let gate = Gate::default();
    let model = ScriptedModel::new([
        says("One."),
        says("Two."),
        calls("delete_file", [r#"{"path":"a"}"#]),
    ]);
    let options = CallOptions::new().with_extension(gate.clone());
    let hidden = options.with_redaction(Secrets::new(["sk-4711-of-ada"]));
    let runner = builder(model, &gate)
        .calls(hidden)
        .store("chat", store.clone())
        .check_input(async |input: UserInput| {
            if text_of(&input.message.parts).contains("damn") {
                return Err("Mind your words.");
            }
            Ok(input.message)
        });
    let server = Server::new(runner.build().expect("it is consistent"));
    Rig::start(server.expect("it has a store").owner(caller), gate).await
}

async fn of(rig: &Rig, user: &str, line: &str, body: &str) -> Response {
    send(rig.address, line, &[("user", user)], body).await
}

async fn ask(rig: &Rig, user: &str, chat: &str, text: &str) {
    let asked = submit(chat, &[asks("u1", text)]).to_string();
    let answer = of(rig, user, "POST /chat", &asked).await;
    assert_eq!(answer.status, 200);
    drop(answer.text().await);
}

async fn title(rig: &Rig, user: &str) -> Value {
    let listed = of(rig, user, "GET /chat", "").await.json().await;
    listed["items"][0]["title"].clone()
}

#[tokio::test]
async fn an_owner_names_a_chat() {
    let store = MemoryStore::new();
    let rig = rig(&store).await;
    ask(&rig, "ada", "c", "My key is sk-4711-of-ada.").await;
    // What redaction hides in what tools say is not in a list of chats either.
    assert_eq!(title(&rig, "ada").await, "My key is [redacted].");
    let long = format!("{{\"title\": \"{}\"}}", "a".repeat(81));
    let named = r#"{"title": "Keys of sk-4711-of-ada"}"#;
    for (user, chat, body, status) in [
        ("eve", "c", named, 404),
        ("ada", "none", named, 404),
        ("ada", "c", &long, 400),
        ("ada", "c", r#"{"title": " "}"#, 400),
        ("ada", "c", r#"{"title": "a\u202eb"}"#, 400),
        ("ada", "c", r#"{"title": "damn"}"#, 400),
        ("ada", "c", named, 200),
    ] {
        let answer = of(&rig, user, &format!("PATCH /chat/{chat}"), body).await;
        assert_eq!(answer.status, status, "{user} {body}");
    }
    assert_eq!(title(&rig, "ada").await, "Keys of [redacted]");
    let renamed = of(&rig, "ada", "PATCH /chat/c", r#"{"title": "Keys"}"#).await;
    assert_eq!(renamed.json().await, json!({"id": "c", "title": "Keys"}));
    let file = of(&rig, "ada", "GET /chat/c/export", "").await;
    let kind = file.header("content-disposition");
    assert_eq!(kind, Some("attachment; filename=\"chat.json\""));
    let file = file.json().await;
    assert_eq!(file["title"], "Keys");
    assert_eq!(file["messages"].as_array().map(Vec::len), Some(2));
    let other = of(&rig, "eve", "GET /chat/c/export", "").await;
    assert_eq!(other.refusal().await.0, 404);
    let first = of(&rig, "ada", "PATCH /chat/c", r#"{"title": null}"#).await;
    assert_eq!(first.status, 200);
    assert_eq!(title(&rig, "ada").await, "My key is [redacted].");
    rig.stop().await;
}

#[tokio::test]
async fn an_owner_deletes_a_chat() {
    let store = MemoryStore::new();
    let rig = rig(&store).await;
    ask(&rig, "ada", "c", "One?").await;
    ask(&rig, "eve", "c", "Two?").await;
    of(&rig, "ada", "PATCH /chat/c", r#"{"title": "Mine"}"#).await;
    // A run that waits is not over.
    ask(&rig, "ada", "busy", "Delete a.").await;
    let busy = of(&rig, "ada", "DELETE /chat/busy", "").await;
    assert_eq!(busy.refusal().await, (409, "busy".to_owned()));
    for (user, status) in [("bob", 404), ("ada", 204), ("ada", 404)] {
        let deleted = of(&rig, user, "DELETE /chat/c", "").await;
        assert_eq!(deleted.status, status, "{user}");
    }
    let gone = of(&rig, "ada", "GET /chat/c", "").await;
    assert_eq!(gone.refusal().await.0, 404);
    let stays = of(&rig, "eve", "GET /chat/c", "").await.json().await;
    assert_eq!(stays["title"], "Two?");
    let runs = store.list(Scope::Owner("ada"), &RunFilter::default()).await;
    assert_eq!(runs.expect("is listed").items.len(), 1);
    let kept = store.conversations(Scope::Owner("ada"), None, 9).await;
    let ids = kept.expect("is listed").items;
    assert!(
        ids.iter().all(|it| it.id.as_str().ends_with("/busy")),
        "{ids:?}"
    );
    // Its id is free: the chat begins anew.
    rig.stop().await;
}

/// What is left of it hides no message that comes then.
#[tokio::test]
async fn a_deletion_that_breaks_off_hides_nothing_and_is_completed_when_it_is_sent_again() {
    for at in 0.. {
        let store = WatchedStore::new();
        let model = ScriptedModel::new(["One.", "Two.", "Three."].map(says));
        let gate = Gate::default();
        let runner = builder(model, &gate).store("chat", store.clone()).build();
        let server = Server::new(runner.expect("it is consistent"));
        let rig = Rig::start(server.expect("it has a store"), gate).await;
        let say = async |id: &str, text: &str| {
            let asked = submit("c", &[asks(id, text)]);
            post(rig.address, "/chat", &asked).await.text().await
        };
        say("u1", "One?").await;
        say("u2", "Two?").await;
        send(rig.address, "PATCH /chat/c", &[], r#"{"title": "Mine"}"#).await;
        store.fail_after(Some(at));
        let deleted = send(rig.address, "DELETE /chat/c", &[], "").await;
        store.fail_after(None);
        let is_deleted = deleted.status == 204;
        // From the fourth operation on the chat is empty: also the same message is a new one then.
        let (id, text) = if at > 2 {
            ("u2", "Two?")
        } else {
            ("u3", "Three?")
        };
        let said = say(id, text).await;
        assert!(said.contains("Three."), "{at}: {said}");
        let newest = get(rig.address, "/chat/c/stream").await.text().await;
        assert!(newest.contains("Three."), "{at}: {newest}");
        let shown = get(rig.address, "/chat/c").await.text().await;
        assert!(shown.contains("Three."), "{at}: {shown}");
        assert_eq!(shown.contains("One."), at <= 2, "{at}: {shown}");
        let again = send(rig.address, "DELETE /chat/c", &[], "").await;
        assert_eq!(again.status, 204, "{at}");
        let gone = get(rig.address, "/chat/c").await;
        assert_eq!(gone.refusal().await.0, 404);
        let runs = store.list(Scope::All, &RunFilter::default()).await;
        assert_eq!(runs.expect("is listed").items, []);
        let kept = store.conversations(Scope::All, None, 9).await;
        assert_eq!(kept.expect("is listed").items, []);
        rig.stop().await;
        if is_deleted {
            assert!(at > 8, "a list, a conversation, two runs and a title: {at}");
            break;
        }
        assert_eq!(deleted.refusal().await, (503, "unavailable".to_owned()));
    }
}

#[tokio::test]
async fn the_application_reads_the_conversation_of_a_chat() {
    let store = MemoryStore::new();
    let gate = Gate::default();
    let runner = builder(ScriptedModel::new([says("One.")]), &gate).store("chat", store.clone());
    let runner = runner.build().expect("it is consistent");
    let reads = Server::new(runner.clone()).expect("it has a store");
    let server = Server::new(runner).expect("it has a store");
    let rig = Rig::start(server.owner(caller), gate).await;
    ask(&rig, "a/da", "c", "One?").await;
    let conversation = reads.conversation(Some("a/da"), "c").await;
    let conversation = conversation.expect("is read").expect("is there");
    assert_eq!(conversation.messages().len(), 2);
    for (owner, chat) in [(Some("eve"), "c"), (Some("a/da"), "d"), (None, "c")] {
        let none = reads.conversation(owner, chat).await;
        assert_eq!(none.expect("is read"), None);
    }
    let id = Server::conversation_id(Some("a/da"), "c");
    let versions = store.conversation(Scope::All, &id, 0, None).await;
    assert_eq!(versions.expect("is read").len(), 1);
    rig.stop().await;
}

/// What the page of a weather service shows.
#[derive(serde::Deserialize, ToolInput)]
#[expect(dead_code, reason = "the page reads it")]
struct Weather {
    city: String,
    degrees: i32,
}

#[tokio::test]
async fn a_typed_answer_reaches_the_page() {
    let unfit = says(r#"{"city": "Oslo"}"#);
    let fits = says("Here it is: {\"city\": \"Oslo\",\n \"degrees\": 4}");
    let rig = Rig::with([unfit, fits], Server::answer_as::<Weather>).await;
    let answer = json!({"city": "Oslo", "degrees": 4});
    let of = |events: &[Value]| {
        let found = events.iter().find(|it| it["type"] == "data-answer");
        found.map(|it| it["data"].clone())
    };
    let asked = submit("c", &[asks("u1", "Weather?")]);
    let events = post(rig.address, "/chat", &asked).await.events().await;
    assert_eq!(of(&events), Some(answer.clone()), "{events:#?}");
    let chat = get(rig.address, "/chat/c").await.json().await;
    let parts = chat["messages"][1]["parts"].as_array();
    assert_eq!(of(parts.expect("it has parts")), Some(answer.clone()));
    let plain = get(rig.address, "/chat/c/stream?format=plain").await;
    let done = plain.events().await.pop().expect("it ends");
    assert_eq!(done["answer"], answer);
    rig.stop().await;
}

/// A city whose schema takes any name, and its own code only one that there is.
#[derive(ToolInput)]
#[expect(dead_code, reason = "the page reads it")]
struct City {
    name: String,
}

impl<'de> serde::Deserialize<'de> for City {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Value::deserialize(deserializer)?;
        match read["name"].as_str() {
            Some(name) if name != "Atlantis" => Ok(Self {
                name: name.to_owned(),
            }),
            _ => Err(serde::de::Error::custom("there is no such city")),
        }
    }
}

#[tokio::test]
async fn the_answer_of_a_run_that_was_decided_about_is_of_the_type() {
    let script = [
        calls("delete_file", [r#"{"path":"a"}"#]),
        says(r#"{"name": "Atlantis"}"#),
        says(r#"{"name": "Oslo"}"#),
    ];
    let rig = Rig::with(script, Server::answer_as::<City>).await;
    let asked = submit("c", &[asks("u1", "Delete a, and name a city.")]);
    let events = post(rig.address, "/chat", &asked).await.events().await;
    let run = events[0]["messageId"].as_str().expect("it has an id");
    let body = json!({"decisions": [{"call": "0.0", "decision": "approve"}]});
    let decided = post(rig.address, &format!("/runs/{run}/decisions"), &body).await;
    assert_eq!(decided.status, 202);
    let stream = get(rig.address, &format!("/runs/{run}/stream")).await;
    let events = stream.events().await;
    let answer = events.iter().find(|it| it["type"] == "data-answer");
    assert_eq!(
        answer.expect("there is one")["data"],
        json!({"name": "Oslo"})
    );
    rig.stop().await;
}

/// What a client gives as an id becomes a label, which people read.
#[tokio::test]
async fn ids_of_clients_are_bounded() {
    let rig = Rig::of([says("Hello.")]).await;
    let long = "a".repeat(257);
    for id in ["", " ", "a\u{202e}b", "a\nb", "a\u{0}", &long] {
        let message = post(rig.address, "/chat", &submit("c", &[asks(id, "Hi.")])).await;
        assert_eq!(message.refusal().await.0, 400, "{id:?}");
        let chat = post(rig.address, "/chat", &submit(id, &[asks("u1", "Hi.")])).await;
        assert_eq!(chat.refusal().await.0, 400, "{id:?}");
    }
    let runs = get(rig.address, "/runs").await.json().await;
    assert_eq!(runs["items"], json!([]));
    let fits = "a".repeat(256);
    let asked = submit(&fits, &[asks(&fits, "Hi.")]);
    assert_eq!(post(rig.address, "/chat", &asked).await.status, 200);
    rig.stop().await;
}
