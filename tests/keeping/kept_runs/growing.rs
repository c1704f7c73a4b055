//! What a step does does not grow with what is there: a turn of a long conversation, a piece of a long reply.

use std::future::poll_fn;

use futures_util::stream::unfold;
use toolwright::{
    ChatModel, Conversation,
    model::{ModelEvent, ModelRequest, ModelStream},
    run::{Failure, StoreErrorKind},
    runner::RunEvent,
    store::{ConversationId, ConversationRef, ConversationVersion, Received, Scope},
};

use super::{delegated::Done, *};

const CHAT: &str = "chat";

/// A store that counts the versions of conversations that are read.
#[derive(Clone, Default)]
struct Counting {
    store: MemoryStore,
    read: Arc<AtomicUsize>,
}

impl Store for Counting {
    delegated::delegated!(create append lease inbox renew load others);

    fn conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        after: u64,
        up_to: Option<u64>,
    ) -> Done<'a, Vec<ConversationVersion>> {
        Box::pin(async move {
            let versions = self.store.conversation(scope, id, after, up_to).await?;
            self.read.fetch_add(versions.len(), Ordering::SeqCst);
            Ok(versions)
        })
    }
}

impl Counting {
    /// A runner that answers often.
    fn runner(&self) -> Runner {
        let answers = (0..200).map(|number| ModelResponse::from_text(format!("answer {number}")));
        let builder = Runner::builder(ScriptedModel::new(answers)).store("tests", self.clone());
        builder.build().expect("it is right")
    }

    /// The versions that were read since this was asked last.
    fn read(&self) -> usize {
        self.read.swap(0, Ordering::SeqCst)
    }

    async fn delete(&self) {
        let id = ConversationId::new(CHAT);
        let deleted = self.store.delete_conversation(Scope::All, &id).await;
        deleted.expect("nobody needs it");
    }
}

#[tokio::test]
async fn a_turn_reads_one_version_however_many_there_are() {
    let store = Counting::default();
    let runner = store.runner();
    let chat = |question: &str| runner.request(question).within(ConversationId::new(CHAT));
    for turn in 0..100 {
        let outcome = chat("a question").run().await.expect("it answers");
        assert_eq!(outcome.conversation.messages().len(), 2 * (turn + 1));
        assert!(store.read() <= 1, "turn {turn}");
    }
    let runner = store.runner();
    let other = |question: &str| runner.request(question).within(ConversationId::new(CHAT));
    other("a question").run().await.expect("it answers");
    assert_eq!(
        store.read(),
        100,
        "a process that does not know it reads all of it"
    );
    other("a question").run().await.expect("it answers");
    assert_eq!(store.read(), 1);
    // Two turns are new for the first one, which knows the version before them.
    let outcome = chat("a question").run().await.expect("it answers");
    assert_eq!(store.read(), 3);
    assert_eq!(outcome.conversation.messages().len(), 2 * 103);
}

#[tokio::test]
async fn a_conversation_that_was_begun_anew_is_not_the_one_that_is_known() {
    let store = Counting::default();
    let runner = store.runner();
    let chat = |question: &str| runner.request(question).within(ConversationId::new(CHAT));
    for _ in 0..3 {
        chat("a secret").run().await.expect("it answers");
    }
    store.delete().await;
    // The same words as before at the version that is known, after others.
    let runner = store.runner();
    let other = |question: &str| runner.request(question).within(ConversationId::new(CHAT));
    for question in ["one", "two", "a secret"] {
        other(question).run().await.expect("it answers");
    }
    let outcome = chat("and now").run().await.expect("it answers");
    let said: Vec<_> = outcome.conversation.messages().iter().collect();
    assert_eq!(said.len(), 8);
    let text = format!("{:?}", &said[..4]);
    assert!(!text.contains("secret"), "{text}");
    // A shorter one, and none at all.
    store.delete().await;
    other("short").run().await.expect("it answers");
    let outcome = chat("and now").run().await.expect("it answers");
    assert_eq!(outcome.conversation.messages().len(), 4);
    store.delete().await;
    let outcome = chat("and now").run().await.expect("it answers");
    assert_eq!(outcome.conversation.messages().len(), 2);
}

#[tokio::test]
async fn what_is_known_is_shown_to_its_owner_alone() {
    let store = Counting::default();
    let runner = store.runner();
    let [ada, eve] = ["ada", "eve"].map(|owner| {
        let runner = runner.with_owner(owner);
        move |question: &str| runner.request(question).within(ConversationId::new(CHAT))
    });
    ada("a secret").run().await.expect("it answers");
    let error = eve("what is it").run().await.expect_err("it is not there");
    let Failure::Store(failure) = &error.failure else {
        panic!("{error}");
    };
    assert_eq!(failure.kind, StoreErrorKind::NotFound);
    store.delete().await;
    let outcome = eve("what is it").run().await.expect("it is hers");
    assert_eq!(outcome.conversation.messages().len(), 2);
    ada("a secret")
        .run()
        .await
        .expect_err("it is another one's");
}

#[tokio::test]
async fn a_version_that_somebody_else_saves_is_read() {
    let store = Counting::default();
    let runner = store.runner();
    let chat = |question: &str| runner.request(question).within(ConversationId::new(CHAT));
    let before = chat("one").run().await.expect("it answers").conversation;
    let mut now: Conversation = before.clone();
    now.push_user("from elsewhere");
    now.push_response(ModelResponse::from_text("noted"));
    let version = ConversationVersion::following(&before, 2, &now).expect("it is written");
    let id = ConversationId::new(CHAT);
    let saved = store.save_conversation(Scope::All, &id, &version).await;
    saved.expect("nobody continues it");
    let outcome = chat("two").run().await.expect("it answers");
    assert_eq!(outcome.conversation.messages()[..4], *now.messages());
}

/// A store that counts how often the future that waits for an inbox is polled.
#[derive(Clone, Default)]
struct Polled {
    store: MemoryStore,
    polls: Arc<AtomicUsize>,
}

impl Store for Polled {
    delegated::delegated!(create append lease renew load conversation others);

    fn inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> Done<'a, Vec<Received>> {
        self.store.inbox(scope, run, after)
    }

    fn wait_for_inbox<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, after: u64) -> Done<'a, ()> {
        let mut waiting = self.store.wait_for_inbox(scope, run, after);
        Box::pin(poll_fn(move |cx| {
            self.polls.fetch_add(1, Ordering::SeqCst);
            waiting.as_mut().poll(cx)
        }))
    }
}

/// A model whose reply comes in a thousand pieces, each after others had their turn.
#[derive(Debug)]
struct InPieces;

impl ChatModel for InPieces {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let pieces = (0..1_000).map(|_| ModelEvent::Text("x".to_owned()));
        let end = ModelResponse::from_text("").into_events().into_iter();
        let end = end.filter(|event| !matches!(event, ModelEvent::Text(_)));
        let events: Vec<_> = pieces.chain(end).collect();
        Box::pin(unfold(events.into_iter(), async |mut events| {
            tokio::task::yield_now().await;
            events.next().map(|event| (Ok(event), events))
        }))
    }
}

#[tokio::test]
async fn what_waits_for_the_inbox_is_not_polled_with_each_piece() {
    let store = Polled::default();
    let runner = Runner::builder(InPieces).store("tests", store.clone());
    let mut run = runner.build().expect("it is right").start("Hello.");
    let mut pieces = 0;
    while let Some(event) = run.next().await {
        pieces += usize::from(matches!(event, RunEvent::Delta(ModelEvent::Text(_))));
    }
    assert_eq!(pieces, 1_000);
    let polls = store.polls.load(Ordering::SeqCst);
    assert!((1..20).contains(&polls), "polled {polls} times");
}

/// Versions that say nothing of their own, as another program may save them.
fn unmarked(questions: [&str; 3]) -> Vec<ConversationVersion> {
    let (mut before, mut versions) = (Conversation::new(), Vec::new());
    for (number, question) in (1..).zip(questions) {
        let mut now = before.clone();
        now.push_user(question);
        now.push_response(ModelResponse::from_text("noted"));
        let version = ConversationVersion::following(&before, number, &now);
        let text = version.expect("it is written").text;
        let (mark, rest) = text[1..].split_once(',').expect("it has fields");
        assert!(mark.starts_with("\"mark\":"), "{text}");
        versions.push(ConversationVersion::new(number, format!("{{{rest}")));
        before = now;
    }
    versions
}

#[tokio::test]
async fn versions_that_look_the_same_are_of_no_other_conversation() {
    let store = Counting::default();
    let runner = store.runner();
    let id = ConversationId::new(CHAT);
    for (owner, questions) in [
        ("ada", ["a secret", "more", "thanks"]),
        ("eve", ["hello", "there", "thanks"]),
    ] {
        for version in unmarked(questions) {
            let saved = store
                .save_conversation(Scope::Owner(owner), &id, &version)
                .await;
            saved.expect("it is the next one");
        }
        let runner = runner.with_owner(owner);
        if owner == "ada" {
            // The newest version is read, and none follows it.
            let other = ConversationRef::new(CHAT, 1);
            let refused = runner.request("too late").within(other).run().await;
            refused.expect_err("it has gone on");
            store.delete().await;
            continue;
        }
        let chat = |question: &str| runner.request(question).within(ConversationId::new(CHAT));
        let outcome = chat("and now").run().await.expect("it answers");
        let text = format!("{:?}", outcome.conversation.messages());
        assert!(!text.contains("secret"), "{text}");
        assert_eq!(outcome.conversation.messages().len(), 8);
    }
}
