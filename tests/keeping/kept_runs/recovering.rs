//! Runs of processes that are gone go on without anybody who asks again.

use tokio::sync::mpsc::unbounded_channel;
use toolwright::{
    run::{Failure, Finish, ResumeError, StoreError, StoreErrorKind},
    runner::{RunEvent, WhenBusy},
    store::{
        ConversationId, InboxContent, InboxItem, Lease, Page, RunFilter, RunStatus, RunSummary,
        Scope,
    },
};

use super::{
    deciding::asking,
    delegated::{Done, delegated},
    *,
};

/// Long enough for a first look that finds the run held.
const LEASE: Duration = Duration::from_secs(1);

fn runner(store: &MemoryStore) -> Runner {
    let answers = ["done", "and again"].map(ModelResponse::from_text);
    let builder = Runner::builder(ScriptedModel::new(answers)).store("tests", store.clone());
    builder.lease_time(LEASE).build().expect("it is right")
}

#[tokio::test]
async fn a_run_whose_process_is_gone_goes_on_when_its_lease_is_over() {
    let store = MemoryStore::new();
    let gone = runner(&store);
    let mut first = gone
        .request("buy")
        .within(ConversationId::new("chat"))
        .start();
    first.next().await.expect("it begins");
    drop(first);
    let next = runner(&store);
    let found = next.recover().await.expect("the store is read");
    assert!(found.is_empty(), "its lease is not over");
    let (found, mut runs) = unbounded_channel();
    let recovering = next.keep_recovering(|run| found.send(run).expect("somebody listens"));
    let over = async {
        let run = runs.recv().await.expect("it is found");
        run.handle.expect("it goes on").outcome().await
    };
    let outcome = tokio::select! {
        error = recovering => panic!("it ends: {error}"),
        outcome = over => outcome.expect("it answers"),
    };
    assert_eq!(outcome.finish, Finish::Answered);
    let outcome = next
        .request("again")
        .within(ConversationId::new("chat"))
        .run()
        .await;
    assert_eq!(outcome.expect("the conversation is free").text, "and again");
}

/// Nobody recovers here: who asks in the conversation goes on with it.
#[tokio::test]
async fn a_new_question_goes_on_with_a_run_whose_driver_is_gone() {
    for when_busy in [WhenBusy::Refuse, WhenBusy::Wait] {
        let store = MemoryStore::new();
        let next = |name: &str, answers: &[&str]| {
            let answers = answers.iter().map(|text| ModelResponse::from_text(*text));
            let builder = Runner::builder(ScriptedModel::new(answers));
            let builder = builder.store(name, store.clone()).when_busy(when_busy);
            builder.build().expect("it is right")
        };
        let chat = || ConversationId::new("chat");
        let first = next("tests", &["never heard"]);
        let mut first = first.request("buy").within(chat()).start();
        first.next().await.expect("it begins");
        let id = first.id().clone();
        drop(first);
        release(&store, &id).await;
        let next = next("tests", &["done", "and again"]);
        let outcome = next.request("again").within(chat()).run().await;
        let outcome = outcome.expect("the conversation is free");
        assert_eq!(outcome.text, "and again");
        assert_eq!(outcome.conversation.messages().len(), 4);
        let loaded = store.load(Scope::All, &id, 0).await.expect("it is there");
        assert_eq!(loaded.status, RunStatus::Finished);
    }
}

/// Labels of an application make no run of a sub-agent.
#[tokio::test]
async fn a_run_with_labels_of_a_run_below_is_recovered() {
    let store = MemoryStore::new();
    let asked = runner(&store).request("buy");
    let asked = ["toolwright.parent", "toolwright.call", "toolwright.root"]
        .into_iter()
        .fold(asked, |asked, label| asked.label(label, "0.0"));
    let mut run = asked.label("shop", "7").start();
    run.next().await.expect("it begins");
    let id = run.id().clone();
    drop(run);
    release(&store, &id).await;
    let info = store
        .load(Scope::All, &id, 0)
        .await
        .expect("it is there")
        .info;
    assert_eq!(info.labels.into_keys().collect::<Vec<_>>(), ["shop"]);
    let found = runner(&store).recover().await.expect("the store is read");
    assert_eq!(found.len(), 1);
}

/// It is not for this runner to go on with it.
#[tokio::test]
async fn a_run_of_a_runner_of_another_name_is_left_alone() {
    let store = MemoryStore::new();
    let named = |name: &str| {
        let model = ScriptedModel::new([ModelResponse::from_text("done")]);
        let runner = Runner::builder(model).store(name, store.clone());
        runner.build().expect("it is right")
    };
    let chat = || ConversationId::new("chat");
    let mut first = named("shop").request("buy").within(chat()).start();
    first.next().await.expect("it begins");
    let id = first.id().clone();
    drop(first);
    release(&store, &id).await;
    let again = named("support").request("again").within(chat()).run();
    let error = again.await.expect_err("it is busy");
    let Failure::Store(error) = error.failure else {
        panic!("{:?}", error.failure);
    };
    assert_eq!(
        (error.kind, error.run_id),
        (StoreErrorKind::ConversationBusy, Some(id))
    );
}

#[tokio::test]
async fn a_run_that_cannot_go_on_is_told_once_and_takes_no_other_with_it() {
    let store = MemoryStore::new();
    let (tools, _) = tools();
    let left = |name| {
        let builder = builder(&model([calls(&["pay"])]), &tools, store.clone());
        let runner = builder.lease_time(OVER).build().expect("it is right");
        async move {
            let mut run = runner
                .request("buy")
                .within(ConversationId::new(name))
                .start();
            while let Some(event) = run.next().await {
                if let RunEvent::Recorded { record, .. } = event
                    && matches!(record, Record::CallStarted { .. })
                {
                    break;
                }
            }
        }
    };
    left("one").await;
    left("two").await;
    // Without the tool that they have used nothing goes on.
    let bare = Runner::builder(ScriptedModel::new([ModelResponse::from_text("done")]));
    let bare = bare.store("tests", store.clone()).lease_time(LEASE);
    let bare = bare.build().expect("it is right");
    let (found, mut runs) = unbounded_channel();
    let recovering = bare.keep_recovering(|run| found.send(run).expect("somebody listens"));
    let told = async {
        let [one, two] = [runs.recv().await, runs.recv().await].map(|run| run.expect("told"));
        assert_ne!(one.run_id, two.run_id);
        assert!(one.handle.is_err() && two.handle.is_err());
        // Four more looks tell nothing.
        let again = tokio::time::timeout(4 * LEASE / 3, runs.recv()).await;
        assert!(again.is_err(), "told twice");
    };
    tokio::select! {
        error = recovering => panic!("it ends: {error}"),
        () = told => {}
    }
}

#[tokio::test]
async fn a_runner_without_a_store_says_so() {
    let runner = Runner::builder(ScriptedModel::new([ModelResponse::from_text("done")]));
    let runner = runner.build().expect("it is right");
    let error = runner.keep_recovering(|_| {}).await;
    assert!(matches!(error, ResumeError::NoStore), "{error}");
}

/// A store in memory with pages of one run, of which the second cannot be read.
struct OnePage {
    store: MemoryStore,
}

impl Store for OnePage {
    fn list<'a>(&'a self, scope: Scope<'a>, filter: &'a RunFilter) -> Done<'a, Page<RunSummary>> {
        Box::pin(async move {
            if filter.after.is_some() {
                return Err(StoreError::new(StoreErrorKind::Unavailable, "it is gone"));
            }
            let mut one = filter.clone();
            one.limit = 1;
            self.store.list(scope, &one).await
        })
    }

    delegated!(create append lease inbox renew load conversation rest);
}

/// What was found before is held, and is not to wait for the time of its lease.
#[tokio::test]
async fn a_page_that_cannot_be_read_takes_no_run_before_it_with_it() {
    let store = MemoryStore::new();
    for _ in 0..2 {
        let mut run = runner(&store).start("buy");
        run.next().await.expect("it begins");
        let id = run.id().clone();
        drop(run);
        release(&store, &id).await;
    }
    let answers = [ModelResponse::from_text("done")];
    let builder = Runner::builder(ScriptedModel::new(answers)).store("tests", OnePage { store });
    let found = builder.build().expect("it is right").recover().await;
    let [found] = <[_; 1]>::try_from(found.expect("the first page was read")).expect("one run");
    let outcome = found.handle.expect("it goes on").outcome().await;
    assert_eq!(outcome.expect("it answers").finish, Finish::Answered);
}

/// A store in memory that counts leases.
#[derive(Clone, Default)]
struct Leased {
    store: MemoryStore,
    leases: Arc<AtomicUsize>,
}

impl Store for Leased {
    fn lease<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, time: Duration) -> Done<'a, Lease> {
        self.leases.fetch_add(1, Ordering::SeqCst);
        self.store.lease(scope, run, time)
    }

    delegated!(create append inbox renew load conversation others);
}

/// Who decides about its call meanwhile would find it held.
#[tokio::test]
async fn a_suspended_run_that_nobody_spoke_to_is_not_held_while_runs_are_recovered() {
    let (store, ran) = (Leased::default(), Ran::default());
    let runner = builder(&model([calls(&["pay"])]), &asking(&ran), store.clone());
    let runner = runner.suspends().build().expect("is sound");
    let waits = runner.run("buy").await.expect("it waits");
    assert!(runner.recover().await.expect("is read").is_empty());
    assert_eq!(store.leases.load(Ordering::SeqCst), 0);
    let item = InboxItem::new(InboxContent::Resolution(waits.pending[0].approve()));
    store
        .put(Scope::All, &waits.run_id, &item)
        .await
        .expect("it waits");
    let found = runner.recover().await.expect("is read");
    let [found] = <[_; 1]>::try_from(found).expect("it is told");
    assert_eq!(store.leases.load(Ordering::SeqCst), 1);
    let outcome = found.handle.expect("it goes on").outcome().await;
    assert_eq!(outcome.expect("it answers").finish, Finish::Answered);
}
