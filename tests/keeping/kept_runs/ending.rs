//! The end of a run in its store.

use std::sync::atomic::AtomicBool;

use toolwright::{
    message::{UserMessage, text_of},
    run::{Failure, Finish, Limits, OnLimit, ResumeError, StoreError, StoreErrorKind},
    runner::{InputRefusal, UserInput},
    store::{ConversationId, InboxContent, InboxItem, Lease, RunFilter, RunStatus, Scope},
};

use super::{
    delegated::{Done, delegated},
    *,
};

fn asking() -> Toolset {
    let tool = DynamicTool::builder("ask_user", "Asks the user a question.");
    Toolset::new()
        .with(tool.build_external().expect("is sound"))
        .expect("there is one")
}

#[tokio::test]
async fn a_run_that_is_over_at_once_frees_its_conversation() {
    let store = MemoryStore::new();
    let limits = Limits::default()
        .with_on_limit(OnLimit::Stop)
        .with_max_tokens(0);
    let answers = model([]);
    let runner = Runner::builder(answers)
        .store("tests", store.clone())
        .limits(limits);
    let runner = runner.build().unwrap();
    let chat = |question: &str| runner.request(question).within(ConversationId::new("chat"));
    for turn in 1..=2 {
        let outcome = chat("go").run().await.unwrap();
        assert!(
            matches!(outcome.finish, Finish::Limit { .. }),
            "{:?}",
            outcome.finish
        );
        let status = store
            .load(Scope::All, &outcome.run_id, 0)
            .await
            .unwrap()
            .status;
        assert_eq!(status, RunStatus::Finished);
        let id = ConversationId::new("chat");
        assert_eq!(
            store
                .conversation(Scope::All, &id, 0, None)
                .await
                .unwrap()
                .len(),
            turn
        );
    }
}

/// What a store keeps goes on by its id alone, so that nobody goes on with it twice.
#[tokio::test]
async fn a_run_that_a_store_keeps_is_no_data() {
    let runner = builder(
        &model([calls(&["ask_user"])]),
        &asking(),
        MemoryStore::new(),
    );
    let outcome = runner.build().unwrap().run("ask").await.unwrap();
    assert_eq!(
        (outcome.finish, outcome.suspended),
        (Finish::Suspended, None)
    );
    assert_eq!(outcome.pending.len(), 1);
}

#[tokio::test]
async fn a_run_that_goes_on_is_open_again() {
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["ask_user"])]), &asking(), store.clone());
    let id = runner.build().unwrap().run("ask").await.unwrap().run_id;
    let loaded = store.load(Scope::All, &id, 0).await.unwrap();
    assert_eq!(loaded.status, RunStatus::Suspended);
    let pending = loaded.pending;
    let answer = InboxContent::Resolution(pending[0].answer(toolwright::ToolOutput::text("blue")));
    store
        .put(Scope::All, &id, &InboxItem::new(answer))
        .await
        .unwrap();
    let runner = builder(&model([]), &asking(), store.clone()).lease_time(OVER);
    let runner = runner.build().unwrap();
    // It dies in the request to the model, again and again.
    for _ in 0..6 {
        let mut handle = runner.resume(&id).start().await.unwrap();
        handle.next().await.expect("it goes on");
        assert_eq!(
            store.load(Scope::All, &id, 0).await.unwrap().status,
            RunStatus::Open
        );
    }
    let error = runner.resume(&id).start().await.unwrap_err();
    assert!(matches!(error, ResumeError::Parked { .. }), "{error}");
}

#[tokio::test]
async fn a_message_that_comes_too_late_is_told() {
    struct Late(MemoryStore);

    impl toolwright::ChatModel for Late {
        fn stream<'a>(
            &'a self,
            _: &'a toolwright::model::ModelRequest,
        ) -> toolwright::model::ModelStream<'a> {
            Box::pin(futures_util::stream::once(async {
                let runs = self
                    .0
                    .list(Scope::All, &RunFilter::default())
                    .await
                    .expect("is read");
                let message = InboxContent::Message(UserMessage::from("wait"));
                let run = &runs.items[0].info.run_id;
                self.0
                    .put(Scope::All, run, &InboxItem::new(message))
                    .await
                    .expect("it is open");
                Err(toolwright::ModelError::new(
                    toolwright::model::ModelErrorKind::InvalidRequest,
                    "no",
                ))
            }))
        }
    }

    let store = MemoryStore::new();
    let runner = Runner::builder(Late(store.clone())).store("tests", store.clone());
    let error = runner.build().unwrap().run("go").await.unwrap_err();
    let heard = error.outcome.pushed_messages as usize + error.outcome.unread.len();
    assert_eq!(heard, 1, "{:?}", error.outcome.unread);
}

#[tokio::test]
async fn a_damaged_run_is_given_up() {
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["ask_user"])]), &asking(), store.clone());
    let runner = runner.build().unwrap();
    let chat = |question: &str| runner.request(question).within(ConversationId::new("chat"));
    let id = chat("ask").run().await.unwrap().run_id;
    let lease = store.lease(Scope::All, &id, OVER).await.unwrap();
    let next = store.load(Scope::All, &id, 0).await.unwrap().entries.len() as u64;
    let append = toolwright::store::Append::new(next, vec!["no entry".to_owned()]);
    store.append(&lease, &append).await.unwrap();

    let error = runner.resume(&id).start().await.unwrap_err();
    let ResumeError::Store(error) = error else {
        panic!("{error}");
    };
    assert_eq!(
        (error.kind, error.sequence),
        (StoreErrorKind::Corrupt, Some(next))
    );
    runner.abandon(&id).await.unwrap();
    let answers = builder(&model([]), &asking(), store).build().unwrap();
    answers
        .request("again")
        .within(ConversationId::new("chat"))
        .run()
        .await
        .unwrap();
}

/// A store that panics when a run is created or appended to loses the run, as one that does not answer: it is open in the
/// store, or was never there.
#[tokio::test]
async fn a_store_that_panics_loses_the_run() {
    for at in 0..2 {
        panics_at(at).await;
    }
}

async fn panics_at(at: usize) {
    let (tools, ran) = tools();
    let memory = MemoryStore::new();
    let end = crashing::End::Panics;
    let store = crashing::Failing::new(memory.clone(), end, at);
    let runner = builder(&model([calls(&["pay"])]), &tools, store).lease_time(OVER);
    let handle = runner.build().expect("it works").start("buy");
    let id = handle.id().clone();
    let error = handle.outcome().await.expect_err("the store panics");
    let Failure::Store(failure) = &error.failure else {
        panic!("{error}");
    };
    assert_eq!(failure.kind, StoreErrorKind::Unavailable);
    assert!(failure.message.contains("the store is broken"), "{failure}");
    if at == 0 {
        assert!(memory.load(Scope::All, &id, 0).await.is_err());
        return;
    }
    let runner = builder(&model([calls(&["pay"])]), &tools, memory)
        .build()
        .expect("it works");
    let outcome = runner
        .resume(&id)
        .start()
        .await
        .expect("it works")
        .outcome()
        .await
        .expect("it works");
    assert_eq!((outcome.finish, ran.counts().0), (Finish::Answered, 1));
}

/// To begin is the store's own code as well.
#[tokio::test(start_paused = true)]
async fn a_store_that_panics_before_its_future_exists_loses_the_run() {
    for at in ["create", "renew", "append"] {
        let store = MemoryStore::new();
        let store = crashing::PanicsAtOnce { store, at };
        let silent = toolwright::testing::ScriptedResponse::Stall(ModelResponse::default());
        let model = ScriptedModel::new([silent]);
        let runner = builder(&model, &asking(), store).model_timeout(None);
        let ended = runner.build().expect("it works").run("buy").await;
        let error = ended.expect_err("the store panics");
        let Failure::Store(failure) = &error.failure else {
            panic!("{at}: {error}");
        };
        assert_eq!(failure.kind, StoreErrorKind::Unavailable, "{at}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_never_answers_loses_the_run() {
    for at in 0.. {
        let (tools, ran) = tools();
        let store = crashing::Failing::new(MemoryStore::new(), crashing::End::Hangs, at);
        let runner = builder(&model([calls(&["pay"])]), &tools, store.clone());
        let ended = runner.build().unwrap().run("buy").await;
        if !store.has_failed() {
            assert!(at >= 3, "only {at} appends");
            break;
        }
        let error = ended.unwrap_err();
        let Failure::Store(failure) = &error.failure else {
            panic!("{error}");
        };
        assert_eq!(failure.kind, StoreErrorKind::Unavailable);
        assert!(ran.counts().0 <= 1);
    }
}

/// A run that is cancelled, or whose time is up, waits for its store as long as its calls have to end, and ten seconds: not
/// for the time of a lease. A cancel is left to whoever goes on with the run.
#[tokio::test(start_paused = true)]
async fn a_store_that_never_answers_holds_no_run_that_is_to_stop() {
    const STOPS: Duration = Duration::from_mins(1);
    for cancels in [true, false] {
        for at in 1.. {
            let (tools, _) = tools();
            let kept = MemoryStore::new();
            let store = crashing::Failing::new(kept.clone(), crashing::End::Hangs, at);
            let mut runner = builder(&model([calls(&["pay"])]), &tools, store.clone());
            if !cancels {
                runner = runner.limits(Limits::default().with_max_time(STOPS));
            }
            let runner = runner.lease_time(Duration::from_hours(1)).build().unwrap();
            let (handle, began) = (runner.start("buy"), tokio::time::Instant::now());
            let (control, id) = (handle.control(), handle.id().clone());
            tokio::spawn(async move {
                if cancels {
                    tokio::time::sleep(STOPS).await;
                    control.cancel();
                }
            });
            let ended = handle.outcome().await;
            if !store.has_failed() {
                assert!(at >= 3, "only {at} appends");
                break;
            }
            assert!(ended.is_err(), "append {at}");
            assert!(began.elapsed() < 2 * STOPS, "append {at}, {cancels}");
            let inbox = kept.inbox(Scope::All, &id, 0).await.expect("it is there");
            assert_eq!(inbox.len(), usize::from(cancels), "append {at}");
        }
    }
}

/// A store in memory whose runs another driver takes at some time.
#[derive(Default)]
struct Taken {
    store: MemoryStore,
    is_taken: Arc<AtomicBool>,
}

impl Store for Taken {
    fn renew<'a>(&'a self, lease: &'a Lease, time: Duration) -> Done<'a, Lease> {
        if self.is_taken.load(Ordering::SeqCst) {
            let error = StoreError::new(StoreErrorKind::LeaseLost, "another driver has it");
            return Box::pin(async { Err(error) });
        }
        self.store.renew(lease, time)
    }

    delegated!(create append lease inbox load conversation others);
}

/// The check does not end, and its message is given back with the run that is lost.
#[tokio::test(start_paused = true)]
async fn a_message_whose_check_a_lost_lease_ends_is_given_back() {
    let store = Taken::default();
    let is_taken = Arc::clone(&store.is_taken);
    let runner = Runner::builder(model([])).store("tests", store);
    let runner = runner.check_input(move |input: UserInput| {
        let is_taken = Arc::clone(&is_taken);
        async move {
            if text_of(&input.message.parts) == "and milk" {
                is_taken.store(true, Ordering::SeqCst);
                std::future::pending::<()>().await;
            }
            Ok::<_, InputRefusal>(input.message)
        }
    });
    let handle = runner.build().expect("is sound").start("buy");
    handle.push("and milk").expect("it is under way");
    let error = handle.outcome().await.expect_err("it is lost");
    assert!(
        matches!(&error.failure, Failure::Store(lost) if lost.kind == StoreErrorKind::LeaseLost),
        "{error}"
    );
    assert_eq!(error.outcome.unread, [UserMessage::from("and milk")]);
}
