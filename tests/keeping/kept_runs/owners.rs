//! Owners: what another one has in the store is not there.

use std::sync::Mutex;

use futures_util::future::BoxFuture;
use toolwright::{
    run::{Failure, ResumeError, RunError, RunOutcome, StoreError, StoreErrorKind},
    runner::{WhenBusy, Within},
    store::{
        ConversationId, ConversationRef, ConversationVersion, Lease, LoadedRun, NewRun, RunFilter,
        Scope, SqliteStore,
    },
};

use super::{
    deciding::asking,
    delegated::{Done, delegated},
    *,
};

const CHAT: &str = "chat 42";

/// A runner whose model asks for a call that somebody has to approve, and then answers.
fn runner(store: impl Store) -> Runner {
    let replies = [calls(&["pay"])].into_iter();
    let replies = replies.chain((0..9).map(|_| ModelResponse::from_text("an answer")));
    let tools = asking(&Ran::default());
    builder(&ScriptedModel::new(replies), &tools, store)
        .suspends()
        .build()
        .expect("it is there")
}

fn said<T>(done: Result<T, ResumeError>) -> String {
    match done {
        Ok(_) => "it is there".to_owned(),
        Err(ResumeError::Store(error)) => format!("{:?}: {}", error.kind, error.message),
        Err(other) => other.to_string(),
    }
}

/// Each method that takes the id of a run.
type Method = for<'a> fn(&'a Runner, &'a RunId) -> BoxFuture<'a, String>;

const METHODS: [(&str, Method); 5] = [
    ("resume", |runner, id| {
        Box::pin(async move { said(runner.resume(id).start().await) })
    }),
    ("resume_as", |runner, id| {
        Box::pin(async move { said(runner.resume(id).answer_as::<u32>().start().await) })
    }),
    ("attach", |runner, id| {
        Box::pin(async { said(runner.attach(id, None).await) })
    }),
    ("attach after a record", |runner, id| {
        Box::pin(async { said(runner.attach(id, Some(0)).await) })
    }),
    ("abandon", |runner, id| {
        Box::pin(async { said(runner.abandon(id).await) })
    }),
];

fn chat() -> ConversationId {
    ConversationId::new(CHAT)
}

/// Asks in the conversation.
async fn ask(runner: &Runner, question: &str) -> Result<RunOutcome, RunError> {
    runner.request(question).within(chat()).run().await
}

/// Continues a conversation, and gives the kind of error of a run that did not begin. Nothing of the conversation is in it.
async fn refused(runner: &Runner, conversation: impl Within) -> (StoreErrorKind, Option<RunId>) {
    let error = runner
        .request("What was said?")
        .within(conversation)
        .run()
        .await
        .expect_err("it is refused");
    assert_eq!(error.outcome.conversation.messages().len(), 1);
    let Failure::Store(StoreError { kind, run_id, .. }) = error.failure else {
        panic!("{:?}", error.failure);
    };
    (kind, run_id)
}

async fn versions(store: &impl Store) -> Vec<ConversationVersion> {
    let versions = store
        .conversation(Scope::All, &ConversationId::new(CHAT), 0, None)
        .await;
    versions.expect("it is there")
}

/// Whose the conversations are.
async fn owners(store: &impl Store) -> Vec<Option<String>> {
    let page = store.conversations(Scope::All, None, 10).await;
    let items = page.expect("it is there").items.into_iter();
    items.map(|it| it.owner).collect()
}

/// All that the store has of a run and of its conversation.
async fn kept(store: &impl Store, run: &RunId) -> (LoadedRun, Vec<ConversationVersion>) {
    (
        store.load(Scope::All, run, 0).await.expect("it is there"),
        versions(store).await,
    )
}

async fn is_not_there(store: impl Store + Clone) {
    let application = runner(store.clone());
    let ada = application.with_owner("ada");
    let outcome = ask(&ada, "My number is 4711.").await.expect("it is there");
    let run = outcome.run_id;
    let before = kept(&store, &run).await;
    let unknown = RunId::new("unknown");
    for somebody in ["eve", ""] {
        let eve = application.with_owner(somebody);
        for (name, method) in METHODS {
            let expected = method(&eve, &unknown).await;
            assert!(expected.starts_with("NotFound"), "{name}: {expected}");
            assert_eq!(method(&eve, &run).await, expected, "{name}");
        }
        assert!(eve.recover().await.expect("it is there").is_empty());
        for found in [
            refused(&eve, chat()).await,
            refused(&eve, ConversationRef::new(CHAT, 0)).await,
        ] {
            assert_eq!(found, (StoreErrorKind::NotFound, None));
        }
        // No version of it is there, as of one that is unknown.
        let expected = refused(&eve, ConversationRef::new("unknown", 1)).await;
        let found = refused(&eve, ConversationRef::new(CHAT, 1)).await;
        assert_eq!(found, expected);
    }
    assert_eq!(kept(&store, &run).await, before, "nothing has changed");

    // The owner finds it, and so does the application.
    let busy = refused_busy(&ada).await;
    assert_eq!(busy, run);
    let busy = refused_busy(&application).await;
    assert_eq!(busy, run);
    for runner in [&ada, &application] {
        let mut reader = runner.attach(&run, None).await.expect("it is there");
        assert!(reader.next().await.expect("it is there").is_ok());
        drop(runner.resume(&run).start().await.expect("it is there"));
        release_newest(&store, &run).await;
    }
    assert_eq!(said(application.abandon(&run).await), "it is there");
    let outcome = ask(&ada, "And now?").await.expect("it is there");
    assert_eq!(outcome.conversation.messages().len(), 4);
    let outcome = application
        .request("And now?")
        .within(ConversationId::new(CHAT))
        .run()
        .await;
    assert_eq!(
        outcome.expect("it is there").conversation.messages().len(),
        6
    );
    assert_eq!(owners(&store).await, [Some("ada".to_owned())]);
    let eve = application.with_owner("eve");
    assert_eq!(
        refused(&eve, chat()).await,
        (StoreErrorKind::NotFound, None)
    );
}

async fn refused_busy(runner: &Runner) -> RunId {
    let error = ask(runner, "And now?").await.expect_err("it is refused");
    let Failure::Store(error) = error.failure else {
        panic!("{:?}", error.failure);
    };
    assert_eq!(error.kind, StoreErrorKind::ConversationBusy);
    error.run_id.expect("it is there")
}

/// Gives the lease of a handle back that was dropped.
async fn release_newest(store: &impl Store, run: &RunId) {
    let until = std::time::SystemTime::UNIX_EPOCH;
    for token in 1..9 {
        let _ = store.release(&Lease::new(run.clone(), token, until)).await;
    }
}

#[tokio::test]
async fn what_another_owner_has_is_not_there() {
    is_not_there(MemoryStore::new()).await;
}

#[tokio::test]
async fn what_another_owner_has_in_sqlite_is_not_there() {
    let folder = std::env::temp_dir().join(format!("toolwright-owners-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it is there");
    is_not_there(
        SqliteStore::open(folder.join("runs.db"))
            .await
            .expect("it is there"),
    )
    .await;
    std::fs::remove_dir_all(&folder).expect("it is there");
}

/// A conversation of a run that has saved nothing has no owner of its own yet.
#[tokio::test]
async fn a_conversation_that_another_owner_begins_is_not_there() {
    for when_busy in [WhenBusy::Refuse, WhenBusy::Wait] {
        let store = MemoryStore::new();
        let model = ScriptedModel::new((0..3).map(|_| ModelResponse::from_text("an answer")));
        let application = Runner::builder(model)
            .store("tests", store.clone())
            .when_busy(when_busy)
            .build()
            .expect("it is there");
        let [ada, eve] = ["ada", "eve"].map(|owner| application.with_owner(owner));
        let mut first = ada
            .request("My number is 4711.")
            .within(ConversationId::new(CHAT))
            .start();
        first.next().await.expect("it is there");
        assert_eq!(versions(&store).await, []);
        let found = refused(&eve, chat()).await;
        assert_eq!(found, (StoreErrorKind::NotFound, None), "{when_busy:?}");
        first.outcome().await.expect("it is there");
        assert_eq!(versions(&store).await.len(), 1);
    }
}

/// A store in which somebody else is faster: before a run is written, another one is, once.
#[derive(Clone)]
struct Faster {
    store: MemoryStore,
    other: Arc<Mutex<Option<Runner>>>,
}

impl Store for Faster {
    fn create<'a>(&'a self, run: &'a NewRun, time: Duration) -> Done<'a, Lease> {
        Box::pin(async move {
            let other = self.other.lock().expect("it is there").take();
            if let Some(other) = other {
                ask(&other, "My number is 4711.")
                    .await
                    .expect("it is there");
            }
            self.store.create(run, time).await
        })
    }

    delegated!(append load lease inbox renew conversation others);
}

#[tokio::test]
async fn of_two_owners_who_begin_a_conversation_at_once_one_has_it() {
    let store = MemoryStore::new();
    let model = || ScriptedModel::new([ModelResponse::from_text("an answer")]);
    let faster = Runner::builder(model()).store("tests", store.clone());
    let faster = faster.build().expect("it is there").with_owner("ada");
    let slower = Faster {
        store: store.clone(),
        other: Arc::new(Mutex::new(Some(faster))),
    };
    let eve = Runner::builder(model()).store("tests", slower).build();
    let eve = eve.expect("it is there").with_owner("eve");
    assert_eq!(
        refused(&eve, chat()).await,
        (StoreErrorKind::NotFound, None)
    );
    assert_eq!(owners(&store).await, [Some("ada".to_owned())]);
    let runs = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("it is there");
    assert_eq!(runs.items.len(), 1, "hers");
}

/// An id that was free again is another owner's now.
#[tokio::test]
async fn a_run_whose_conversation_is_another_owners_now_shows_nothing_of_it() {
    let store = MemoryStore::new();
    let answers = (0..3).map(|_| ModelResponse::from_text("an answer"));
    let application = Runner::builder(ScriptedModel::new(answers)).store("tests", store.clone());
    let application = application.build().expect("it is there");
    let [ada, eve] = ["ada", "eve"].map(|owner| application.with_owner(owner));
    ask(&eve, "Hello.").await.expect("it is there");
    let run = ask(&eve, "Hello again.").await.expect("it is there").run_id;
    store
        .delete_conversation(Scope::All, &ConversationId::new(CHAT))
        .await
        .expect("it is there");
    ask(&ada, "My number is 4711.").await.expect("it is there");
    let mut reader = eve.attach(&run, None).await.expect("it is there");
    let first = format!(
        "{:?}",
        reader
            .next()
            .await
            .expect("it is there")
            .expect("it is read")
    );
    assert!(
        first.contains("Hello again.") && !first.contains("4711"),
        "{first}"
    );
}

#[tokio::test]
async fn a_run_that_is_not_written_yet_is_read_by_its_owner_alone() {
    let application = runner(MemoryStore::new());
    let (ada, eve) = (application.with_owner("ada"), application.with_owner("eve"));
    let run = ada.start("My number is 4711.");
    let attached = eve.attach(run.id(), None).await;
    assert!(said(attached).starts_with("NotFound"));
    for runner in [&ada, &application] {
        drop(runner.attach(run.id(), None).await.expect("it is there"));
    }
}

#[tokio::test]
async fn a_conversation_that_the_application_continues_is_busy_for_its_owner() {
    let application = runner(MemoryStore::new());
    let ada = application.with_owner("ada");
    let asked = ask(&ada, "My number is 4711.").await.expect("it is there");
    application.abandon(&asked.run_id).await.expect("it waits");
    let mut run = application
        .request("And now?")
        .within(ConversationId::new(CHAT))
        .start();
    run.next().await.expect("it begins");
    let error = ask(&ada, "And then?").await.expect_err("it is busy");
    let Failure::Store(error) = error.failure else {
        panic!("{:?}", error.failure);
    };
    assert_eq!(error.kind, StoreErrorKind::ConversationBusy);
    assert_eq!(error.run_id, None);
}
