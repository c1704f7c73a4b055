//! Runs of sub-agents are kept beside the run of their call, and go on with it.

use std::{collections::BTreeMap, future::poll_fn, pin::Pin, task::Poll};

use futures_util::{Stream, stream};
use toolwright::{
    ChatModel,
    model::{ModelRequest, ModelStream, Usage},
    run::{Failure, Finish, ResumeError, RunOutcome, StoredRun},
    store::{RunFilter, RunStatus, RunSummary, Scope},
};

use super::{
    crashing::{End, Failing},
    *,
};

/// A model that calls a tool until it has this many results, and then says something: a new process goes on with it.
struct Steps(&'static str, usize, &'static str);

impl ChatModel for Steps {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let Self(tool, steps, text) = *self;
        let rounds = request.messages.iter().filter_map(|message| match message {
            toolwright::Message::Assistant(message) => Some(message.tool_rounds.iter().count()),
            toolwright::Message::User(_) => None,
        });
        let done = rounds.sum::<usize>();
        let arguments = match tool {
            "pay" => "{}",
            _ => r#"{"task": "Go on."}"#,
        };
        let mut response = if done < steps {
            ModelResponse::from_calls([ToolCall::new("a", tool, arguments)])
        } else {
            ModelResponse::from_text(text)
        };
        response.usage = Some(Usage::new(10, 1));
        Box::pin(stream::iter(response.into_events().into_iter().map(Ok)))
    }
}

/// A runner with an agent that has an agent that pays twice. The agents have no store of their own.
fn tree(store: impl Store, ran: &Ran) -> Runner {
    tree_for(store, ran, OVER)
}

/// The same, with this time of a lease.
fn tree_for(store: impl Store, ran: &Ran, lease_time: Duration) -> Runner {
    tree_builder(ran)
        .store("tests", store)
        .lease_time(lease_time)
        .build()
        .expect("is sound")
}

/// The same, without a store.
fn tree_builder(ran: &Ran) -> RunnerBuilder {
    let pay = counted("pay", Effects::Write, &ran.write);
    let set = |tool: Result<Toolset, _>| tool.expect("one name");
    let buyer = Runner::builder(Steps("pay", 2, "bought")).tools(set(Toolset::new().with(pay)));
    let buyer = buyer
        .build()
        .expect("is sound")
        .as_tool("buy", "Buys what is asked for.");
    let clerk = Runner::builder(Steps("buy", 1, "ordered"))
        .tools(set(Toolset::new().with(buyer.expect("is a tool"))));
    let clerk = clerk
        .build()
        .expect("is sound")
        .as_tool("order", "Orders what is needed.");
    Runner::builder(Steps("order", 1, "done"))
        .tools(set(Toolset::new().with(clerk.expect("is a tool"))))
}

async fn runs(store: &MemoryStore) -> BTreeMap<String, RunSummary> {
    let page = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("is listed");
    let runs = page.items.into_iter();
    runs.map(|run| (run.info.run_id.to_string(), run)).collect()
}

/// Drives the tree until its store ends like this at this append, and resumes it. It gives the outcome, unless the run was
/// not there or was over, how often was paid, and whether the store got that far.
async fn interrupted(end: End, at: usize) -> (Option<RunOutcome>, usize, bool) {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let failing = Failing::new(store.clone(), end, at);
    let mut handle = tree(failing.clone(), &ran).with_owner("ada").start("buy");
    let id = handle.id().clone();
    tokio::select! {
        () = async { while handle.next().await.is_some() {} } => {}
        () = failing.died() => {}
    }
    drop(handle);
    let mut outcome = None;
    let runner = tree(store.clone(), &ran);
    for recovered in runner.recover().await.expect("is read") {
        assert_eq!(recovered.run_id, id, "only the run at the top");
        let handle = recovered.handle.expect("it goes on");
        outcome = Some(handle.outcome().await.expect("it goes on"));
    }
    assert!(matches!(
        runner.resume(&id).start().await,
        Err(ResumeError::IsOver | ResumeError::Store(_))
    ));
    for (id, run) in runs(&store).await {
        assert!(
            run.status.is_over(),
            "{end:?} {at}: {id} is {:?}",
            run.status
        );
        assert_eq!(run.info.owner.as_deref(), Some("ada"));
    }
    (outcome, ran.counts().0, failing.has_failed())
}

/// Whatever was paid may be told as perhaps paid, and is never paid twice. Nothing else is done twice either: the runs below
/// go on where they were.
#[tokio::test]
async fn no_write_of_a_sub_agent_runs_twice_wherever_the_process_dies() {
    let (mut steps, mut whole) = (0, 0);
    for end in [
        End::DiesBefore,
        End::DiesAfter,
        End::FailsBefore,
        End::FailsAfter,
    ] {
        for at in 0.. {
            let (outcome, paid, failed) = interrupted(end, at).await;
            assert!(paid <= 2, "{end:?} at append {at}: paid {paid} times");
            if let Some(outcome) = outcome {
                assert_eq!(outcome.finish, Finish::Answered, "{end:?} at {at}");
                assert_eq!(outcome.text, "done");
                // Two requests of the top, two of the clerk and three of the buyer, and those that were made again.
                let calls = outcome.model_calls;
                whole += usize::from(paid == 2 && calls == 7);
            }
            if !failed {
                assert_eq!(paid, 2, "{end:?} was not met");
                break;
            }
            steps += 1;
        }
    }
    assert!(steps >= 40, "only {steps} steps");
    assert!(
        whole >= steps / 2,
        "{whole} of {steps} went on as if nothing had been"
    );
}

#[tokio::test]
async fn a_run_below_says_where_it_belongs() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let outcome = tree(store.clone(), &ran).run("buy").await.expect("ends");
    let runs = runs(&store).await;
    let id = outcome.run_id.to_string();
    let (clerk, buyer) = (format!("{id}.0.0.order"), format!("{id}.0.0.order.0.0.buy"));
    let ids: Vec<_> = runs.keys().cloned().collect();
    assert_eq!(ids, [id.clone(), clerk.clone(), buyer.clone()]);
    assert_eq!(runs[&id].info.parent(), None);
    let call = toolwright::run::CallId { round: 0, index: 0 };
    assert_eq!(runs[&clerk].info.parent(), Some((RunId::new(id), call)));
    assert_eq!(runs[&buyer].info.parent(), Some((RunId::new(clerk), call)));
    assert!(runs.values().all(|run| run.status == RunStatus::Finished));
}

/// A process that dies keeps no call from its result: the run of the sub-agent is over, and is not begun a second time.
#[tokio::test]
async fn a_run_below_that_is_over_gives_its_result_again() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let mut handle = tree(store.clone(), &ran).start("buy");
    let id = handle.id().clone();
    let below = RunId::new(format!("{id}.0.0.order"));
    // The reader stops when the run below is over, before the result of its call is written.
    loop {
        handle.next().await.expect("it is not over");
        let loaded = store.load(Scope::All, &below, 0).await;
        if loaded.is_ok_and(|loaded| loaded.status == RunStatus::Finished) {
            break;
        }
    }
    drop(handle);
    let handle = tree(store.clone(), &ran)
        .resume(&id)
        .start()
        .await
        .expect("goes on");
    let outcome = handle.outcome().await.expect("ends");
    assert_eq!((outcome.text.as_str(), ran.counts().0), ("done", 2));
    assert_eq!((outcome.model_calls, outcome.usage.output_tokens), (7, 7));
    assert_eq!(outcome.tool_calls, 4);
}

/// What a cancel leaves of the runs below is given up with the run at the top.
#[tokio::test]
async fn nothing_is_left_below_a_run_that_is_over() {
    for at in 1..40 {
        let (store, ran) = (MemoryStore::new(), Ran::default());
        let mut handle = tree(store.clone(), &ran).start("buy");
        let id = handle.id().clone();
        for _ in 0..at {
            if handle.next().await.is_none() {
                break;
            }
        }
        drop(handle);
        let runner = tree(store.clone(), &ran);
        if let Ok(handle) = runner.resume(&id).start().await {
            handle.cancel();
            let outcome = handle.outcome().await.expect("is cancelled");
            assert_eq!(outcome.finish, Finish::Cancelled);
        }
        for (id, run) in runs(&store).await {
            assert!(run.status.is_over(), "{at}: {id} is {:?}", run.status);
        }
    }
}

/// A run is given up while somebody drives it: nobody goes on with the runs below either.
#[tokio::test]
async fn nothing_is_left_below_a_run_that_is_given_up_while_it_is_driven() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let held = tree_for(store.clone(), &ran, Duration::from_hours(1));
    let mut handle = held.start("buy");
    let id = handle.id().clone();
    let below = RunId::new(format!("{id}.0.0.order.0.0.buy"));
    while store.load(Scope::All, &below, 0).await.is_err() {
        handle.next().await.expect("it is not over");
    }
    held.abandon(&id).await.expect("is given up");
    for (id, run) in runs(&store).await {
        assert_eq!(run.status, RunStatus::Abandoned, "{id}");
    }
    let lost = handle.outcome().await.expect_err("it is lost");
    assert!(matches!(
        lost.outcome.finish,
        Finish::Failed(Failure::Store(_))
    ));
}

/// A run is dropped after so many polls, wherever it and those below are, and another runner goes on with it.
#[tokio::test]
async fn a_drop_at_every_poll_loses_no_run_and_pays_nothing_twice() {
    let mut whole = 0;
    for at in 0.. {
        let (store, ran) = (MemoryStore::new(), Ran::default());
        let mut handle = tree(store.clone(), &ran).start("buy");
        let (id, mut left) = (handle.id().clone(), at);
        let is_over = poll_fn(|cx| {
            if left == 0 {
                return Poll::Ready(false);
            }
            left -= 1;
            match Pin::new(&mut handle).poll_next(cx) {
                Poll::Ready(None) => Poll::Ready(true),
                Poll::Ready(Some(_)) => {
                    cx.waker().wake_by_ref();
                    Poll::Pending
                }
                Poll::Pending => Poll::Pending,
            }
        });
        let is_over = is_over.await;
        drop(handle);
        if is_over {
            assert!(at > 40, "{at} polls");
            assert!(
                whole > at / 2,
                "{whole} of {at} went on as if nothing had been"
            );
            assert_eq!(ran.counts().0, 2);
            return;
        }
        if store.load(Scope::All, &id, 0).await.is_err() {
            assert_eq!(
                ran.counts().0,
                0,
                "{at}: nothing runs before its run is there"
            );
            continue;
        }
        match tree(store.clone(), &ran).resume(&id).start().await {
            Ok(handle) => {
                let outcome = handle.outcome().await.expect("goes on");
                let end = (outcome.finish, &*outcome.text);
                assert_eq!(end, (Finish::Answered, "done"), "{at}");
                whole += usize::from(ran.counts().0 == 2 && outcome.model_calls == 7);
            }
            Err(error) => assert_eq!(error, ResumeError::IsOver, "{at}"),
        }
        assert!(ran.counts().0 <= 2, "{at}: paid {} times", ran.counts().0);
        for (id, run) in runs(&store).await {
            assert!(run.status.is_over(), "{at}: {id} is {:?}", run.status);
        }
    }
}

/// A log may leave its store, and the runs below stay there.
#[tokio::test]
async fn a_runner_without_the_store_begins_no_run_below_a_second_time() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let mut handle = tree(store, &ran).start("buy");
    let mut records = Vec::new();
    while ran.counts().0 == 0 {
        let event = handle.next().await.expect("it is not over");
        if let toolwright::runner::RunEvent::Recorded { record, .. } = event {
            records.push(record);
        }
    }
    drop(handle);
    let stored = StoredRun::from_records(records).expect("is a log");
    let runner = tree_builder(&ran).build().expect("is sound");
    let handle = runner.resume(stored).start().await.expect("goes on");
    let outcome = handle.outcome().await.expect("ends");
    let text = format!("{:?}", outcome.conversation);
    assert!(
        text.contains("was interrupted; it may have taken effect"),
        "{text}"
    );
    assert_eq!((outcome.finish, ran.counts().0), (Finish::Answered, 1));
}

/// A decision that comes through the inbox of the run of a sub-agent, from anywhere.
#[tokio::test]
async fn a_decision_in_the_inbox_of_a_run_below_is_heard() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let policy = ToolPolicy::default().with_approval();
    let pay = counted("pay", Effects::Write, &ran.write).with_policy(policy);
    let set = |tool: Result<Toolset, _>| tool.expect("one name");
    let buyer = Runner::builder(Steps("pay", 1, "bought"))
        .tools(set(Toolset::new().with(pay)))
        .suspend_after(Duration::from_hours(1));
    let buyer = buyer
        .build()
        .expect("is sound")
        .as_tool("buy", "Buys what is asked for.");
    let runner = Runner::builder(Steps("buy", 1, "done"))
        .tools(set(Toolset::new().with(buyer.expect("is a tool"))))
        .store("tests", store.clone());
    let mut handle = runner.build().expect("is sound").start("buy");
    while let Some(event) = handle.next().await {
        let toolwright::runner::RunEvent::Nested { run_id, event, .. } = event else {
            continue;
        };
        let toolwright::runner::RunEvent::Recorded { record, .. } = *event else {
            continue;
        };
        if let Record::CallDelayed { call, .. } = record {
            let decision = serde_json::json!({
                "run_id": run_id, "id": call, "name": "pay", "arguments": "{}",
                "resolved": {"type": "decision", "content": {"type": "approve"}},
            });
            let decision = serde_json::from_value(decision).expect("is a decision");
            let item = toolwright::store::InboxItem::new(
                toolwright::store::InboxContent::Resolution(decision),
            );
            store
                .put(Scope::All, &run_id, &item)
                .await
                .expect("it is there");
        }
    }
    let outcome = handle.outcome().await.expect("ends");
    assert_eq!((outcome.text.as_str(), ran.counts().0), ("done", 1));
}
