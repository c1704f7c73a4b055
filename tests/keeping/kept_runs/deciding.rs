//! Decisions, answers, messages and cancels that come through the inbox of a store.

use std::{sync::OnceLock, time::UNIX_EPOCH};

use toolwright::{
    approval::{ApprovalRequest, Decision},
    dispatch::CallOptions,
    message::UserMessage,
    run::{Finish, PendingCall},
    runner::{RunControl, RunEvent},
    store::{Append, InboxContent, InboxItem, Lease, LoadedRun, RunFilter, RunStatus, Scope},
};

use super::{
    delegated::{Done, delegated},
    *,
};

pub(super) fn asking(ran: &Ran) -> Toolset {
    let tool = DynamicTool::builder("pay", "Does something that is counted.")
        .policy(ToolPolicy::default().with_approval());
    let ran = Arc::clone(&ran.write);
    let tool = tool.build(move |_: ToolCall, _| {
        ran.fetch_add(1, Ordering::SeqCst);
        async { Ok::<_, ToolError>("paid") }
    });
    Toolset::new()
        .with(tool.expect("is sound"))
        .expect("is sound")
}

/// The first call of a suspended run that waits.
pub(super) fn pending(loaded: &LoadedRun) -> &PendingCall {
    assert_eq!(loaded.status, RunStatus::Suspended);
    &loaded.pending[0]
}

async fn suspended() -> (MemoryStore, RunId, Ran) {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let runner = builder(&model([calls(&["pay"])]), &asking(&ran), store.clone());
    let outcome = runner
        .suspends()
        .build()
        .expect("is sound")
        .run("buy")
        .await
        .expect("is sound");
    assert_eq!(outcome.finish, Finish::Suspended);
    (store, outcome.run_id, ran)
}

async fn resumed(store: &MemoryStore, id: &RunId, ran: &Ran) -> toolwright::run::RunOutcome {
    let runner = builder(&model([]), &asking(ran), store.clone()).suspends();
    let handle = runner
        .build()
        .expect("is sound")
        .resume(id)
        .start()
        .await
        .expect("is sound");
    handle.outcome().await.expect("is sound")
}

#[tokio::test]
async fn a_decision_comes_through_the_inbox_once() {
    let (store, id, ran) = suspended().await;
    let loaded = store.load(Scope::All, &id, 0).await.unwrap();
    let approve = || InboxContent::Resolution(pending(&loaded).approve());
    for item in ["click 1", "click 1", "click 2"] {
        store
            .put(Scope::All, &id, &InboxItem::with_id(item, approve()))
            .await
            .unwrap();
    }
    let outcome = resumed(&store, &id, &ran).await;
    assert_eq!(
        (outcome.finish, &*outcome.text),
        (Finish::Answered, "answer")
    );
    assert_eq!(ran.counts().0, 1);
    let decided = |record: &&Record| matches!(record, Record::CallDecided { .. });
    assert_eq!(log(&store, &id).await.iter().filter(decided).count(), 1);
}

#[tokio::test]
async fn a_decision_about_other_arguments_counts_for_nothing() {
    let (store, id, ran) = suspended().await;
    let loaded = store.load(Scope::All, &id, 0).await.unwrap();
    let mut other = pending(&loaded).clone();
    other.call.arguments = r#"{"sum": 1}"#.to_owned();
    let item = InboxItem::new(InboxContent::Resolution(other.approve()));
    store.put(Scope::All, &id, &item).await.unwrap();
    assert_eq!(resumed(&store, &id, &ran).await.finish, Finish::Suspended);
    assert_eq!(ran.counts().0, 0);
    // The item was taken, and is not in the way of the right one.
    let item = InboxItem::new(InboxContent::Resolution(pending(&loaded).deny("too much")));
    store.put(Scope::All, &id, &item).await.unwrap();
    assert_eq!(resumed(&store, &id, &ran).await.finish, Finish::Answered);
    assert_eq!(ran.counts().0, 0);
}

#[tokio::test]
async fn a_run_that_is_driven_hears_what_comes() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let runner = builder(&model([calls(&["pay"])]), &asking(&ran), store.clone());
    let runner = runner
        .suspend_after(Duration::from_secs(3600))
        .build()
        .unwrap();
    let mut handle = runner.start("buy");
    let id = handle.id().clone();
    while log_has_no_wait(&store, &id).await {
        handle.next().await.expect("it goes on");
    }
    let item = InboxItem::new(InboxContent::Cancel);
    store.put(Scope::All, &id, &item).await.unwrap();
    let outcome = handle.outcome().await.unwrap();
    assert_eq!(outcome.finish, Finish::Cancelled);
    assert_eq!(ran.counts().0, 0);
}

/// An approver that is still thinking holds nothing up: a run is suspended when all that waits is for others.
#[tokio::test(start_paused = true)]
async fn the_question_to_an_approver_is_withdrawn_when_the_inbox_decides_first() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let ask = DynamicTool::builder("ask_user", "Asks the user a question.");
    let tools = asking(&ran).with(ask.build_external().expect("is sound"));
    let tools = tools.expect("the names differ");
    let thinks = async |_: ApprovalRequest| std::future::pending::<Decision>().await;
    let runner = builder(&model([calls(&["pay", "ask_user"])]), &tools, store.clone());
    let runner = runner.calls(CallOptions::new().with_approver(thinks));
    let mut handle = runner.build().expect("is sound").start("buy");
    let id = handle.id().clone();
    let pay = loop {
        handle.next().await.expect("it waits");
        let waiting = store
            .load(Scope::All, &id, 0)
            .await
            .expect("it is there")
            .pending;
        if let [pay, _] = &waiting[..] {
            break pay.clone();
        }
    };
    let item = InboxItem::new(InboxContent::Resolution(pay.approve()));
    store
        .put(Scope::All, &id, &item)
        .await
        .expect("it is there");
    let outcome = tokio::time::timeout(Duration::from_hours(1), handle.outcome()).await;
    let outcome = outcome.expect("it is suspended").expect("is sound");
    assert_eq!((outcome.finish, ran.counts().0), (Finish::Suspended, 1));
    assert_eq!(outcome.pending[0].call.name, "ask_user");
}

async fn log_has_no_wait(store: &MemoryStore, id: &RunId) -> bool {
    if store.load(Scope::All, id, 0).await.is_err() {
        return true;
    }
    let waits = |record: &Record| matches!(record, Record::CallDelayed { .. });
    !log(store, id).await.iter().any(waits)
}

#[tokio::test]
async fn a_message_reaches_the_model_once() {
    let (store, id, ran) = suspended().await;
    let loaded = store.load(Scope::All, &id, 0).await.unwrap();
    let message = InboxContent::Message(UserMessage::from("and hurry"));
    store
        .put(Scope::All, &id, &InboxItem::new(message))
        .await
        .unwrap();
    // It still waits, with the message in its log.
    assert_eq!(resumed(&store, &id, &ran).await.finish, Finish::Suspended);
    let decision = InboxContent::Resolution(pending(&loaded).approve());
    store
        .put(Scope::All, &id, &InboxItem::new(decision))
        .await
        .unwrap();
    let outcome = resumed(&store, &id, &ran).await;
    assert_eq!(
        (outcome.finish, outcome.pushed_messages),
        (Finish::Answered, 1)
    );
}

#[tokio::test]
async fn a_cancel_of_a_suspended_run_ends_it() {
    let (store, id, ran) = suspended().await;
    store
        .put(Scope::All, &id, &InboxItem::new(InboxContent::Cancel))
        .await
        .unwrap();
    assert_eq!(resumed(&store, &id, &ran).await.finish, Finish::Cancelled);
    let loaded = store.load(Scope::All, &id, 0).await.unwrap();
    assert_eq!((loaded.status, ran.counts().0), (RunStatus::Finished, 0));
}

/// Who decides needs no log to know what waits, also while somebody drives the run.
#[tokio::test(start_paused = true)]
async fn an_open_run_has_its_calls_that_wait() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let runner = builder(
        &model([calls(&["pay", "pay"])]),
        &asking(&ran),
        store.clone(),
    );
    let runner = runner.suspend_after(Duration::from_secs(60)).build();
    let mut handle = runner.expect("is consistent").start("buy");
    let mut delayed = 0;
    while delayed < 2 {
        let event = handle.next().await.expect("it asks about both");
        let record = matches!(
            event,
            RunEvent::Recorded {
                record: Record::CallDelayed { .. },
                ..
            }
        );
        delayed += usize::from(record);
    }
    let id = handle.id().clone();
    let waiting = async || {
        let loaded = store.load(Scope::All, &id, u64::MAX).await.unwrap();
        let listed = store.list(Scope::All, &RunFilter::default()).await.unwrap();
        assert_eq!(listed.items[0].pending, loaded.pending);
        (loaded.status, loaded.pending)
    };
    let (status, pending) = waiting().await;
    assert_eq!((status, pending.len()), (RunStatus::Open, 2));
    let approve = InboxContent::Resolution(pending[1].approve());
    store
        .put(Scope::All, &id, &InboxItem::new(approve))
        .await
        .unwrap();
    while ran.counts().0 == 0 {
        handle.next().await.expect("the other one waits");
    }
    assert_eq!(waiting().await, (RunStatus::Open, pending[..1].to_vec()));
    let deny = InboxContent::Resolution(pending[0].deny("no"));
    store
        .put(Scope::All, &id, &InboxItem::new(deny))
        .await
        .unwrap();
    assert_eq!(handle.outcome().await.unwrap().finish, Finish::Answered);
    assert_eq!(waiting().await, (RunStatus::Finished, Vec::new()));
}

/// What a run records while it is suspended is read by whoever reads its events.
#[tokio::test(start_paused = true)]
async fn the_time_that_a_suspended_run_has_used_is_stored_and_read() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let used = Duration::from_secs(600);
    let runner = builder(&model([calls(&["pay"])]), &asking(&ran), store.clone());
    // So long that it is noted at the suspension only.
    let runner = runner.max_time(600 * used).suspend_after(used).build();
    let mut handle = runner.expect("is consistent").start("buy");
    let mut read = Vec::new();
    while let Some(event) = handle.next().await {
        if read.is_empty() {
            tokio::time::advance(used).await;
        }
        if let RunEvent::Recorded { record, .. } = event {
            read.push(record);
        }
    }
    let outcome = handle.outcome().await.expect("is no failure");
    assert_eq!(outcome.finish, Finish::Suspended);
    // The wait for people does not count.
    assert_eq!(read.last(), Some(&Record::TimeUsed { time: used }));
    assert_eq!(log(&store, &outcome.run_id).await, read);
}

/// Somebody decides when another process has just looked whether the run has news: nobody holds it meanwhile.
#[tokio::test]
async fn a_decision_that_comes_while_runs_are_recovered_is_heard() {
    let (store, id, ran) = suspended().await;
    let loaded = store.load(Scope::All, &id, 0).await.unwrap();
    let item = InboxItem::new(InboxContent::Resolution(pending(&loaded).approve()));
    let store = crashing::Interrupted::new(store, Some(item));
    let runner = builder(&model([]), &asking(&ran), store).suspends();
    let runner = runner.build().unwrap();
    assert!(runner.recover().await.unwrap().is_empty());
    let mut recovered = runner.recover().await.unwrap();
    let handle = recovered.pop().expect("it has news").handle.unwrap();
    assert_eq!(handle.outcome().await.unwrap().finish, Finish::Answered);
    assert_eq!(ran.counts().0, 1);
}

/// The store wakes nobody, so that what is in it is seen when it is looked at.
#[tokio::test(start_paused = true)]
async fn a_decision_that_comes_in_time_does_not_expire() {
    let (kept, id, _) = suspended().await;
    let loaded = kept.load(Scope::All, &id, 0).await.unwrap();
    let mut decided = pending(&loaded).clone();

    let (store, ran) = (MemoryStore::new(), Ran::default());
    let deaf = crashing::Interrupted::new(store.clone(), None);
    let runner = builder(&model([calls(&["pay"])]), &asking(&ran), deaf);
    let runner = runner
        .suspend_after(Duration::from_secs(3600))
        .pending_time(Duration::from_secs(60));
    let mut handle = runner.build().unwrap().start("buy");
    decided.run_id = handle.id().clone();
    while log_has_no_wait(&store, &decided.run_id).await {
        handle.next().await.expect("it goes on");
    }
    let item = InboxItem::new(InboxContent::Resolution(decided.approve()));
    store.put(Scope::All, &decided.run_id, &item).await.unwrap();
    let outcome = handle.outcome().await.unwrap();
    assert_eq!((outcome.finish, ran.counts().0), (Finish::Answered, 1));
}

/// An item that was made so long after its call began to wait.
fn made_after(pending: &PendingCall, millis: u64) -> InboxItem {
    let item = InboxItem::new(InboxContent::Resolution(pending.approve()));
    let mut item = serde_json::to_value(item).expect("is JSON");
    let since = pending.since.expect("is stored");
    let since = since.duration_since(UNIX_EPOCH).expect("is later");
    item["at_ms"] = (u64::try_from(since.as_millis()).expect("is near") + millis).into();
    serde_json::from_value(item).expect("is an item")
}

/// What counts is when it was decided, and not when the run is resumed.
#[tokio::test]
async fn a_decision_counts_that_was_made_in_time() {
    const TIME: Duration = Duration::from_millis(5);
    for (after, finds) in [(5, 1), (6, 0)] {
        let (store, ran) = (MemoryStore::new(), Ran::default());
        let runner = builder(&model([calls(&["pay"])]), &asking(&ran), store.clone());
        let runner = runner.suspends().pending_time(TIME).build().unwrap();
        let id = runner.run("buy").await.unwrap().run_id;
        let loaded = store.load(Scope::All, &id, 0).await.unwrap();
        let call = pending(&loaded);
        store
            .put(Scope::All, &id, &made_after(call, after))
            .await
            .unwrap();
        while call
            .since
            .is_some_and(|since| since.elapsed().is_ok_and(|waited| waited <= TIME))
        {
            tokio::task::yield_now().await;
        }
        let outcome = resumed(&store, &id, &ran).await;
        assert_eq!(outcome.finish, Finish::Answered);
        assert_eq!(ran.counts().0, finds, "{after} milliseconds");
    }
}

/// A call that waits too long of a run that is cancelled meanwhile: the cancel ends it, and not the time.
#[tokio::test]
async fn a_call_of_a_run_that_is_cancelled_does_not_expire() {
    const TIME: Duration = Duration::from_millis(1);
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let runner = builder(&model([calls(&["pay"])]), &asking(&ran), store.clone());
    let runner = runner.suspends().pending_time(TIME).build().unwrap();
    let waits = runner.run("buy").await.unwrap();
    let cancel = InboxItem::new(InboxContent::Cancel);
    store.put(Scope::All, &waits.run_id, &cancel).await.unwrap();
    let since = waits.pending[0].since.expect("it waits");
    while since.elapsed().is_ok_and(|waited| waited <= TIME) {
        tokio::task::yield_now().await;
    }
    let outcome = resumed(&store, &waits.run_id, &ran).await;
    assert_eq!((&outcome.finish, ran.counts().0), (&Finish::Cancelled, 0));
    let round = outcome.tool_rounds().next().expect("there is one");
    let told = round.results[0].to_model_text();
    assert!(told.contains("cancelled"), "{told}");
    assert!(!told.contains("decided"), "{told}");
}

/// Without a time it could not be said whether it came in time.
#[tokio::test]
async fn an_item_without_a_time_is_none() {
    let (store, id, _) = suspended().await;
    let loaded = store.load(Scope::All, &id, 0).await.unwrap();
    let item = InboxItem::with_id("old", InboxContent::Resolution(pending(&loaded).approve()));
    let mut old = serde_json::to_value(&item).unwrap();
    let whole = serde_json::from_value::<InboxItem>(old.clone()).unwrap();
    assert_eq!((&whole, whole.at()), (&item, item.at()));
    assert!(old.as_object_mut().unwrap().remove("at_ms").is_some());
    assert!(serde_json::from_value::<InboxItem>(old).is_err());
}

/// A store in memory with runs that are cancelled while they are written down as suspended.
#[derive(Clone, Default)]
struct Cancelling {
    store: MemoryStore,
    control: Arc<OnceLock<RunControl>>,
}

impl Store for Cancelling {
    fn append<'a>(&'a self, lease: &'a Lease, append: &'a Append) -> Done<'a, ()> {
        if matches!(append.status, Some(RunStatus::Suspended)) {
            self.control.get().expect("it is set").cancel();
        }
        self.store.append(lease, append)
    }

    delegated!(create lease inbox renew load conversation others);
}

#[tokio::test]
async fn a_cancel_that_comes_while_a_run_is_suspended_is_not_lost() {
    let (store, ran) = (Cancelling::default(), Ran::default());
    let runner = builder(&model([calls(&["pay"])]), &asking(&ran), store.clone());
    let handle = runner.suspends().build().unwrap().start("buy");
    let id = handle.id().clone();
    assert!(store.control.set(handle.control()).is_ok());
    assert_eq!(handle.outcome().await.unwrap().finish, Finish::Suspended);
    let outcome = resumed(&store.store, &id, &ran).await;
    assert_eq!((outcome.finish, ran.counts().0), (Finish::Cancelled, 0));
}
