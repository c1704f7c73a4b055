//! What becomes of a run whose driver is gone when somebody asks in its conversation.

use tokio::time::timeout;
use toolwright::{
    ToolContext,
    model::ModelSettings,
    run::{Failure, RunError, RunOutcome, StoreError, StoreErrorKind},
    runner::{RunOptions, WhenBusy},
    store::{
        Append, ConversationId, ConversationRef, ConversationVersion, InboxContent, InboxItem,
        Lease, LoadedRun, RunStatus, Scope,
    },
};

use super::{
    delegated::{Done, delegated},
    *,
};

const CHAT: &str = "chat";

/// A store that shows runs as they were, counts leases, fails one append, and may be gone when a run is over.
#[derive(Clone, Default)]
struct Late {
    store: MemoryStore,
    /// Where every run is shown to stand until it is leased, unless its log is read.
    shown: Option<RunStatus>,
    leases: Arc<AtomicUsize>,
    /// The appends until the one that fails, with itself; 0 if none does.
    fails: Arc<AtomicUsize>,
    /// The run after whose end conversations cannot be read.
    last: Option<RunId>,
}

impl Store for Late {
    delegated!(create inbox renew others);

    fn append<'a>(&'a self, lease: &'a Lease, append: &'a Append) -> Done<'a, ()> {
        let left = self.fails.load(Ordering::SeqCst);
        self.fails.store(left.saturating_sub(1), Ordering::SeqCst);
        if left == 1 {
            let error = StoreError::new(StoreErrorKind::Unavailable, "the disk is full");
            return Box::pin(async { Err(error) });
        }
        self.store.append(lease, append)
    }

    fn lease<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, time: Duration) -> Done<'a, Lease> {
        self.leases.fetch_add(1, Ordering::SeqCst);
        self.store.lease(scope, run, time)
    }

    fn load<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, from: u64) -> Done<'a, LoadedRun> {
        Box::pin(async move {
            let mut loaded = self.store.load(scope, run, from).await?;
            let is_before = from > 0 && self.leases.load(Ordering::SeqCst) == 0;
            if let (Some(shown), true) = (&self.shown, is_before) {
                loaded.status = shown.clone();
            }
            Ok(loaded)
        })
    }

    fn conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        after: u64,
        up_to: Option<u64>,
    ) -> Done<'a, Vec<ConversationVersion>> {
        Box::pin(async move {
            if let Some(last) = &self.last
                && self.store.load(scope, last, 0).await?.status.is_over()
            {
                return Err(StoreError::new(StoreErrorKind::Unavailable, "it is gone"));
            }
            self.store.conversation(scope, id, after, up_to).await
        })
    }
}

fn runner(answers: &[&str], store: impl Store) -> RunnerBuilder {
    let answers = answers.iter().map(|text| ModelResponse::from_text(*text));
    Runner::builder(ScriptedModel::new(answers)).store("tests", store)
}

/// Begins a run in the conversation and leaves it: it is open, and nobody holds it.
async fn left(runner: &Runner, store: &MemoryStore) -> RunId {
    let chat = ConversationId::new(CHAT);
    let mut run = runner.request("buy").within(chat).start();
    run.next().await.expect("it begins");
    let id = run.id().clone();
    drop(run);
    release(store, &id).await;
    id
}

/// Says where a run stands that was left.
async fn stands(store: &MemoryStore, run: &RunId, status: RunStatus) {
    let next = log(store, run).await.len() as u64;
    let lease = store.lease(Scope::All, run, Duration::from_secs(60)).await;
    let mut append = Append::new(next, Vec::new());
    append.status = Some(status);
    let appended = store.append(&lease.expect("it is free"), &append).await;
    appended.expect("it is held");
}

async fn ask(runner: &Runner) -> Result<RunOutcome, RunError> {
    let chat = ConversationId::new(CHAT);
    runner.request("again").within(chat).run().await
}

fn kind(asked: Result<RunOutcome, RunError>) -> StoreErrorKind {
    match asked.expect_err("it does not begin").failure {
        Failure::Store(error) => error.kind,
        other => panic!("{other:?}"),
    }
}

async fn status(store: &MemoryStore, run: &RunId) -> RunStatus {
    store
        .load(Scope::All, run, 0)
        .await
        .expect("it is there")
        .status
}

#[tokio::test]
async fn a_run_that_was_suspended_just_then_goes_on_only_if_somebody_spoke() {
    for speaks in [false, true] {
        let store = MemoryStore::new();
        let id = left(
            &runner(&[], store.clone()).build().expect("it works"),
            &store,
        )
        .await;
        stands(&store, &id, RunStatus::Suspended).await;
        if speaks {
            let item = InboxItem::new(InboxContent::Message("and milk".into()));
            store.put(Scope::All, &id, &item).await.expect("it works");
        }
        let late = Late {
            store: store.clone(),
            shown: Some(RunStatus::Open),
            ..Late::default()
        };
        let asked = ask(&runner(&["done, with milk", "yes"], late)
            .build()
            .expect("it works"))
        .await;
        if speaks {
            assert_eq!(asked.expect("it works").text, "yes");
        } else {
            assert_eq!(kind(asked), StoreErrorKind::ConversationBusy);
            assert_eq!(status(&store, &id).await, RunStatus::Suspended);
        }
    }
}

#[tokio::test]
async fn a_run_that_was_parked_just_then_stays_parked() {
    let store = MemoryStore::new();
    let id = left(
        &runner(&[], store.clone()).build().expect("it works"),
        &store,
    )
    .await;
    let reason = "a reason".to_owned();
    let parked = RunStatus::Parked { reason };
    stands(&store, &id, parked.clone()).await;
    let item = InboxItem::new(InboxContent::Message("and milk".into()));
    store.put(Scope::All, &id, &item).await.expect("it works");
    let late = Late {
        store: store.clone(),
        shown: Some(RunStatus::Open),
        ..Late::default()
    };
    let asked = ask(&runner(&["done", "yes"], late).build().expect("it works")).await;
    assert_eq!(kind(asked), StoreErrorKind::ConversationBusy);
    assert_eq!(status(&store, &id).await, parked);
}

#[tokio::test]
async fn a_question_at_a_version_leaves_the_run_alone() {
    for when_busy in [WhenBusy::Refuse, WhenBusy::Wait] {
        let store = MemoryStore::new();
        let runner = runner(&["done", "yes"], store.clone()).when_busy(when_busy);
        let runner = runner.build().expect("it works");
        let id = left(&runner, &store).await;
        let asked = runner
            .request("again")
            .within(ConversationRef::new(CHAT, 0));
        assert_eq!(kind(asked.run().await), StoreErrorKind::ConversationBusy);
        assert_eq!(status(&store, &id).await, RunStatus::Open);
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_is_gone_after_the_run_fails_one_that_does_not_wait() {
    let store = MemoryStore::new();
    let id = left(
        &runner(&[], store.clone()).build().expect("it works"),
        &store,
    )
    .await;
    let late = Late {
        store,
        last: Some(id),
        ..Late::default()
    };
    let next = runner(&["done", "yes"], late).build().expect("it works");
    let asked = timeout(Duration::from_secs(60), ask(&next)).await;
    let kind = kind(asked.expect("it asks no more"));
    assert_eq!(kind, StoreErrorKind::Unavailable);
}

/// The store fails one append of the run that goes on.
#[tokio::test(start_paused = true)]
async fn a_run_that_is_lost_again_is_tried_again() {
    for at in [1, 2] {
        let store = MemoryStore::new();
        let before = runner(&[], store.clone()).build().expect("it works");
        let id = left(&before, &store).await;
        let late = Late {
            store: store.clone(),
            fails: Arc::new(AtomicUsize::new(at)),
            ..Late::default()
        };
        let waits = runner(&["done", "done", "yes"], late)
            .lease_time(OVER)
            .when_busy(WhenBusy::Wait)
            .build()
            .expect("it works");
        let asked = timeout(Duration::from_secs(600), ask(&waits)).await;
        let asked = asked.expect("it does not wait for ever");
        asked.expect("it begins");
        assert_eq!(status(&store, &id).await, RunStatus::Finished);
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_that_cannot_go_on_is_tried_once() {
    let store = MemoryStore::new();
    let (tools, _) = tools();
    let builder = builder(&model([]), &tools, store.clone())
        .build()
        .expect("it works");
    left(&builder, &store).await;
    let late = Late {
        store,
        ..Late::default()
    };
    let bare = runner(&["done", "yes"], late.clone()).when_busy(WhenBusy::Wait);
    let bare = bare.build().expect("it works");
    let asked = timeout(Duration::from_secs(60), ask(&bare)).await;
    assert!(asked.is_err(), "its tools are others");
    assert_eq!(late.leases.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_run_goes_on_without_the_options_of_the_question() {
    let store = MemoryStore::new();
    let answers = ["done", "yes"].map(ModelResponse::from_text);
    let model = ScriptedModel::new(answers);
    let next = Runner::builder(model.clone()).store("tests", store.clone());
    let next = next.build().expect("it works");
    left(&next, &store).await;
    let settings = ModelSettings::new().with_temperature(0.5);
    let asked = next
        .request("again")
        .with(RunOptions::new().with_settings(settings.clone()));
    asked
        .within(ConversationId::new(CHAT))
        .run()
        .await
        .expect("it works");
    let requests = model.requests();
    let sent: Vec<_> = requests.iter().map(|request| &request.settings).collect();
    assert_eq!(sent, [&ModelSettings::new(), &settings]);
}

struct User(&'static str);

/// A runner whose tool says who asks.
fn who(store: &MemoryStore) -> RunnerBuilder {
    let who = DynamicTool::builder("who", "Says who asks.").build(
        async |_: ToolCall, cx: ToolContext| {
            Ok::<_, ToolError>(cx.require::<User>().map_or("nobody", |user| user.0))
        },
    );
    let tools = Toolset::new()
        .with(who.expect("it works"))
        .expect("it works");
    builder(
        &model([calls(&["who"]), ModelResponse::from_text("done")]),
        &tools,
        store.clone(),
    )
}

#[tokio::test]
async fn a_run_goes_on_without_the_user_of_the_question() {
    for (is_extended, restored, expected) in [
        (false, None, Some("nobody")),
        (true, None, None),
        (true, Some(User("ada again")), Some("ada again")),
    ] {
        let store = MemoryStore::new();
        let mut first = who(&store).build().expect("it works");
        if is_extended {
            first = first.with_extension(User("ada"));
        }
        let id = left(&first, &store).await;
        let mut next = who(&store);
        if let Some(User(name)) = restored {
            next = next.restore_extensions(move |_, runner| runner.with_extension(User(name)));
        }
        let eve = next.build().expect("it works").with_extension(User("eve"));
        let asked = ask(&eve).await;
        let Some(expected) = expected else {
            assert_eq!(kind(asked), StoreErrorKind::ConversationBusy);
            continue;
        };
        assert_eq!(asked.expect("it works").text, "answer");
        let said = log(&store, &id)
            .await
            .into_iter()
            .find_map(|record| match record {
                Record::CallFinished { result, .. } => Some(result.to_model_text().into_owned()),
                _ => None,
            });
        assert_eq!(said.as_deref(), Some(expected));
    }
}
