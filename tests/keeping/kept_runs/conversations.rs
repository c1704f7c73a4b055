//! Conversations of a store.

use toolwright::{
    run::{Failure, StoreErrorKind},
    store::{ConversationId, ConversationVersion, Scope},
};

use super::*;

async fn stored(store: &MemoryStore, id: &str) -> (usize, toolwright::Conversation) {
    let versions = store
        .conversation(Scope::All, &ConversationId::new(id), 0, None)
        .await
        .expect("is sound");
    (
        versions.len(),
        ConversationVersion::join(&versions).expect("is sound"),
    )
}

#[tokio::test]
async fn runs_of_a_conversation_continue_it() {
    let store = MemoryStore::new();
    let script = ScriptedModel::new(["one", "two", "three"].map(ModelResponse::from_text));
    let runner = Runner::builder(script)
        .store("chat", store.clone())
        .build()
        .unwrap();
    let chat = |question: &str| {
        runner
            .request(question)
            .within(ConversationId::new("chat 1"))
    };
    for (turn, answer) in ["one", "two", "three"].into_iter().enumerate() {
        let outcome = chat("next").run().await.unwrap();
        assert_eq!(outcome.text, answer);
        assert_eq!(outcome.conversation.messages().len(), 2 * (turn + 1));
        assert_eq!(
            stored(&store, "chat 1").await,
            (turn + 1, outcome.conversation)
        );
    }
}

/// The bytes of a conversation grow with its messages, and so do those of each run.
#[tokio::test]
async fn a_hundred_turns_are_linear() {
    let store = MemoryStore::new();
    let script = ScriptedModel::new((0..100).map(|_| ModelResponse::from_text("an answer")));
    let runner = Runner::builder(script)
        .store("chat", store.clone())
        .build()
        .unwrap();
    let chat = |question: &str| runner.request(question).within(ConversationId::new("long"));
    let mut bytes = Vec::new();
    for _ in 0..100 {
        let outcome = chat("a question").run().await.unwrap();
        let run = store.load(Scope::All, &outcome.run_id, 0).await.unwrap();
        let versions = store
            .conversation(Scope::All, &ConversationId::new("long"), 0, None)
            .await
            .unwrap();
        let newest = versions.last().unwrap().text.len();
        bytes.push(newest + run.entries.iter().map(String::len).sum::<usize>());
    }
    let (early, late) = (bytes[1], bytes[99]);
    assert!(
        late <= early + 20,
        "a turn grew from {early} to {late} bytes"
    );
}

#[tokio::test]
async fn a_second_run_of_a_conversation_is_refused_while_one_is_open() {
    let (tools, ran) = tools();
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["pay"])]), &tools, store.clone())
        .build()
        .unwrap();
    let chat = |question: &str| runner.request(question).within(ConversationId::new("busy"));
    let mut first = chat("buy").start();
    first.next().await.unwrap();
    let error = chat("buy again").run().await.unwrap_err();
    let Failure::Store(failure) = &error.failure else {
        panic!("{error}");
    };
    assert_eq!(failure.kind, StoreErrorKind::ConversationBusy);
    assert_eq!(failure.run_id.as_ref(), Some(first.id()));
    first.outcome().await.unwrap();
    assert_eq!(ran.counts().0, 1);
    assert_eq!(stored(&store, "busy").await.0, 1);
}

#[tokio::test]
async fn a_run_that_was_interrupted_goes_on_in_its_conversation() {
    let (tools, _) = tools();
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["look"])]), &tools, store.clone());
    let runner = runner.lease_time(OVER).build().unwrap();
    let chat = |question: &str| runner.request(question).within(ConversationId::new("trip"));
    let mut handle = chat("look").start();
    let id = handle.id().clone();
    for _ in 0..3 {
        handle.next().await.unwrap();
    }
    drop(handle);
    let answers = ScriptedModel::new([ModelResponse::from_text("seen")]);
    let runner = builder(&answers, &tools, store.clone()).build().unwrap();
    let outcome = runner
        .resume(&id)
        .start()
        .await
        .unwrap()
        .outcome()
        .await
        .unwrap();
    assert_eq!(stored(&store, "trip").await, (1, outcome.conversation));
}
