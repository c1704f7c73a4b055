//! Runs that wait for their conversation.

use futures_util::FutureExt;
use tokio::time::Instant;
use toolwright::{
    Message,
    message::Part,
    run::{Finish, StoreErrorKind},
    runner::{RunHandle, WhenBusy},
    store::{ConversationId, ConversationVersion, Scope},
};

use super::*;

/// A runner that waits. Its model gives these answers.
fn waiting(answers: &[&str], store: &MemoryStore) -> RunnerBuilder {
    let answers = answers.iter().map(|text| ModelResponse::from_text(*text));
    Runner::builder(ScriptedModel::new(answers))
        .store("chat", store.clone())
        .when_busy(WhenBusy::Wait)
}

/// Polls a run that is not to get anywhere.
fn waits(handle: &mut RunHandle) {
    assert!(handle.next().now_or_never().is_none(), "it waits");
}

/// The messages of a conversation, in short.
async fn said(store: &MemoryStore, id: &str) -> Vec<String> {
    let versions = store
        .conversation(Scope::All, &ConversationId::new(id), 0, None)
        .await;
    let conversation = ConversationVersion::join(&versions.expect("is read")).expect("is sound");
    let messages = conversation.messages().iter();
    let texts = messages.map(|message| match message {
        Message::User(message) => match &message.parts[0] {
            Part::Text(text) => text.clone(),
            other => panic!("{other:?}"),
        },
        Message::Assistant(message) => message.text(),
    });
    texts.collect()
}

#[tokio::test(start_paused = true)]
async fn runs_of_a_conversation_begin_in_their_order() {
    let store = MemoryStore::new();
    let runner = waiting(&["1", "2", "3", "4"], &store).build().unwrap();
    let chat = |question: &str| runner.request(question).within(ConversationId::new("chat"));
    let mut first = chat("a").start();
    first.next().await.unwrap();
    let [mut third, mut second] = ["c", "b"].map(|text| chat(text).start());
    waits(&mut second);
    waits(&mut third);
    waits(&mut second);
    // Another conversation goes its own way.
    assert_eq!(
        runner
            .request("x")
            .within(ConversationId::new("other"))
            .run()
            .await
            .unwrap()
            .text,
        "1"
    );

    let began = Instant::now();
    first.outcome().await.unwrap();
    waits(&mut third);
    let (third, second) = tokio::join!(third.outcome(), second.outcome());
    assert_eq!((&*second.unwrap().text, &*third.unwrap().text), ("3", "4"));
    assert_eq!(said(&store, "chat").await, ["a", "2", "b", "3", "c", "4"]);
    assert_eq!(began.elapsed(), Duration::ZERO, "each was woken");
}

/// Two runners know nothing of each other, as two processes.
#[tokio::test(start_paused = true)]
async fn a_run_begins_when_that_of_another_process_is_over() {
    for is_abandoned in [false, true] {
        let store = MemoryStore::new();
        let [one, other] = [(); 2].map(|()| waiting(&["an answer"], &store).build().unwrap());
        let mut first = one.request("a").within(ConversationId::new("chat")).start();
        let id = first.id().clone();
        first.next().await.unwrap();
        let mut second = other
            .request("b")
            .within(ConversationId::new("chat"))
            .start();
        let time = tokio::time::timeout(Duration::from_secs(60), second.next()).await;
        assert!(time.is_err(), "it waits as long as the other one");
        if is_abandoned {
            store.abandon(Scope::All, &id).await.unwrap();
        } else {
            first.outcome().await.unwrap();
        }
        let over = Instant::now();
        let outcome = second.outcome().await.unwrap();
        assert!(over.elapsed() <= Duration::from_secs(1));
        let messages = outcome.conversation.messages().len();
        assert_eq!(messages, if is_abandoned { 2 } else { 4 });
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_that_waits_can_be_cancelled_or_dropped() {
    let store = MemoryStore::new();
    let runner = waiting(&["1", "2"], &store).build().unwrap();
    let chat = |question: &str| runner.request(question).within(ConversationId::new("chat"));
    let mut first = chat("a").start();
    first.next().await.unwrap();
    let [mut cancelled, mut dropped, mut last] = ["b", "c", "d"].map(|text| chat(text).start());
    waits(&mut cancelled);
    waits(&mut dropped);
    waits(&mut last);
    let id = cancelled.id().clone();
    cancelled.push("too late").unwrap();
    cancelled.cancel();
    let outcome = cancelled.outcome().await.unwrap();
    assert_eq!(outcome.finish, Finish::Cancelled);
    assert_eq!((outcome.rounds, outcome.unread.len()), (0, 1));
    let found = store.load(Scope::All, &id, 0).await.unwrap_err();
    assert_eq!(found.kind, StoreErrorKind::NotFound);

    drop(dropped);
    first.outcome().await.unwrap();
    last.outcome().await.unwrap();
    assert_eq!(said(&store, "chat").await, ["a", "1", "d", "2"]);
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_run_begins_when_it_does() {
    let store = MemoryStore::new();
    let runner = waiting(&["1", "2"], &store)
        .max_time(Duration::from_secs(5))
        .build()
        .unwrap();
    let chat = |question: &str| runner.request(question).within(ConversationId::new("chat"));
    let mut first = waiting(&["0"], &store)
        .build()
        .unwrap()
        .request("a")
        .within(ConversationId::new("chat"))
        .start();
    first.next().await.unwrap();
    let mut second = chat("b").start();
    let time = tokio::time::timeout(Duration::from_secs(60), second.next()).await;
    assert!(time.is_err());
    first.outcome().await.unwrap();
    assert_eq!(second.outcome().await.unwrap().finish, Finish::Answered);
}
