//! A process that dies, or a store that fails, at every append.

mod failing;

pub(super) use failing::{
    Asked, End, Failing, Interrupted, PanicsAtEnd, PanicsAtOnce, Silent, Slow, Watched,
};
use toolwright::{
    run::{Failure, Finish, ResumeError, StoreErrorKind},
    store::{RunStatus, Scope},
};

use super::*;
use toolwright::ToolContext;

/// Drives a run whose store ends like this at this append, then resumes it until it is over. It gives how often the tools
/// ran, and whether the store got that far.
async fn interrupted(end: End, at: usize) -> ((usize, usize), bool) {
    let (tools, ran) = tools();
    let store = MemoryStore::new();
    let failing = Failing::new(store.clone(), end, at);
    let script = || model([calls(&["pay", "look"]), calls(&["look"])]);
    let runner = builder(&script(), &tools, failing.clone()).lease_time(OVER);
    let mut handle = runner.build().expect("is sound").start("buy");
    let id = handle.id().clone();
    // A process that dies is one that is not polled any more.
    tokio::select! {
        () = async { while handle.next().await.is_some() {} } => {}
        () = failing.died() => {}
    }
    drop(handle);
    let failed = failing.has_failed();
    if store.load(Scope::All, &id, 0).await.is_err() {
        return (ran.counts(), failed);
    }
    // The model goes on where the conversation stands.
    let replies = log(&store, &id).await;
    let replies = replies
        .iter()
        .filter(|record| matches!(record, Record::Replied { .. }))
        .count();
    let script = [calls(&["pay", "look"]), calls(&["look"])]
        .into_iter()
        .skip(replies);
    let runner = builder(&model(script), &tools, store.clone())
        .lease_time(OVER)
        .build()
        .expect("is sound");
    match runner.resume(&id).start().await {
        Ok(handle) => {
            let outcome = handle.outcome().await.expect("it goes on");
            assert_eq!(
                (outcome.finish, &*outcome.text),
                (Finish::Answered, "answer"),
                "{end:?} {at}"
            );
            assert_eq!(outcome.conversation.messages().len(), 2);
        }
        Err(error) => assert_eq!(error, ResumeError::IsOver),
    }
    let status = store
        .load(Scope::All, &id, 0)
        .await
        .expect("is sound")
        .status;
    assert_eq!(status, RunStatus::Finished, "{end:?} {at}");
    (ran.counts(), failed)
}

/// What is interrupted between its start and its result may have run; nothing else is lost, and nothing that writes runs
/// twice.
#[tokio::test]
async fn no_write_runs_twice_wherever_the_process_dies() {
    let mut steps = 0;
    for end in [
        End::DiesBefore,
        End::DiesAfter,
        End::FailsBefore,
        End::FailsAfter,
    ] {
        for at in 0.. {
            let ((writes, reads), failed) = interrupted(end, at).await;
            assert!(writes <= 1, "{end:?} at append {at}: {writes} writes");
            if !failed {
                assert_eq!((writes, reads), (1, 2), "{end:?} was not met");
                break;
            }
            steps += 1;
        }
    }
    assert!(steps >= 16, "only {steps} steps");
}

/// A tool that writes in two steps, with a checkpoint between them, and counts each.
fn two_steps(ran: &Ran) -> Toolset {
    let ran = ran.clone();
    let tool = DynamicTool::builder("pay", "Pays in two steps.");
    let tool = tool.build(move |_: ToolCall, cx: ToolContext| {
        let ran = ran.clone();
        async move {
            if cx.last_checkpoint().is_none() {
                ran.write.fetch_add(1, Ordering::SeqCst);
                cx.checkpoint("reserved").await?;
            }
            assert!(matches!(cx.last_checkpoint(), None | Some("reserved")));
            ran.read.fetch_add(1, Ordering::SeqCst);
            Ok::<_, ToolError>("paid")
        }
    });
    Toolset::new()
        .with(tool.expect("is sound"))
        .expect("is one")
}

/// Wherever the process dies: the step before the checkpoint is done at most once, and the one after it follows if the
/// checkpoint was stored.
#[tokio::test]
async fn a_write_with_a_checkpoint_goes_on_from_there_wherever_the_process_dies() {
    let mut went_on = 0;
    for end in [
        End::DiesBefore,
        End::DiesAfter,
        End::FailsBefore,
        End::FailsAfter,
    ] {
        for at in 0.. {
            let ran = Ran::default();
            let (store, tools) = (MemoryStore::new(), two_steps(&ran));
            let failing = Failing::new(store.clone(), end, at);
            let runner = builder(&model([calls(&["pay"])]), &tools, failing.clone());
            let runner = runner.lease_time(OVER).build().expect("is sound");
            let mut handle = runner.start("buy");
            let id = handle.id().clone();
            tokio::select! {
                () = async { while handle.next().await.is_some() {} } => {}
                () = failing.died() => {}
            }
            drop(handle);
            let before = ran.counts();
            let records = if store.load(Scope::All, &id, 0).await.is_ok() {
                log(&store, &id).await
            } else {
                Vec::new()
            };
            let is_there = |record: &Record| matches!(record, Record::CallCheckpointed { .. });
            let has_checkpoint = records.iter().any(is_there);
            assert!(
                before.1 == 0 || has_checkpoint,
                "{end:?} {at}: it went on too early"
            );
            if !records.is_empty() {
                let replied = |record: &Record| matches!(record, Record::Replied { .. });
                let rounds = records.iter().filter(|record| replied(record)).count();
                let script = [calls(&["pay"])].into_iter().skip(rounds);
                let runner = builder(&model(script), &tools, store.clone());
                let runner = runner.lease_time(OVER).build().expect("is sound");
                match runner.resume(&id).start().await {
                    Ok(handle) => drop(handle.outcome().await.expect("it goes on")),
                    Err(error) => assert_eq!(error, ResumeError::IsOver),
                }
            }
            let (first, second) = ran.counts();
            assert!(first <= 1, "{end:?} {at}: {first}");
            if has_checkpoint {
                assert!(second >= 1, "{end:?} {at}: it goes on");
                went_on += usize::from(before.1 == 0);
            }
            if !failing.has_failed() {
                assert_eq!((first, second), (1, 1), "{end:?} was not met");
                break;
            }
        }
    }
    assert!(went_on >= 2, "it went on {went_on} times");
}

/// A call of a driver that has lost its run must not go on.
#[tokio::test]
async fn a_checkpoint_that_the_store_does_not_take_is_an_error() {
    let (store, error) = (MemoryStore::new(), Arc::new(std::sync::Mutex::new(None)));
    let failing = Failing::new(store, End::FailsBefore, 2);
    let tool = DynamicTool::builder("pay", "Pays in a task of its own.");
    let (ended, heard) = (error.clone(), Arc::new(tokio::sync::Notify::new()));
    let notify = heard.clone();
    let tool = tool.build(move |_: ToolCall, cx: ToolContext| {
        let (ended, notify) = (ended.clone(), notify.clone());
        async move {
            let task = tokio::spawn(async move {
                *ended.lock().expect("is sound") = Some(cx.checkpoint("reserved").await);
                notify.notify_one();
            });
            task.await.expect("is sound");
            Ok::<_, ToolError>("paid")
        }
    });
    let tools = Toolset::new()
        .with(tool.expect("is sound"))
        .expect("is one");
    let runner = builder(&model([calls(&["pay"])]), &tools, failing);
    let runner = runner.build().expect("is sound");
    let failed = runner.run("buy").await.expect_err("the store fails");
    assert!(matches!(failed.failure, Failure::Store(_)), "{failed}");
    heard.notified().await;
    let error = error
        .lock()
        .expect("is sound")
        .take()
        .expect("it has ended");
    let error = format!("{:?}", error.expect_err("it was not recorded"));
    assert!(error.contains("was not recorded"), "{error}");
}

#[tokio::test]
async fn a_store_that_takes_nothing_stops_the_run_before_the_act() {
    let (tools, ran) = tools();
    let store = Failing::new(MemoryStore::new(), End::FailsBefore, 1);
    let runner = builder(&model([calls(&["pay"])]), &tools, store)
        .build()
        .unwrap();
    let error = runner.run("buy").await.unwrap_err();
    let Failure::Store(failure) = &error.failure else {
        panic!("{error}");
    };
    assert_eq!(failure.kind, StoreErrorKind::Unavailable);
    assert_eq!(ran.counts(), (0, 0));
    assert_eq!(error.outcome.conversation.messages().len(), 2);
}

/// A driver that was stopped past its lease and goes on.
#[tokio::test]
async fn a_driver_that_lost_its_lease_does_nothing_more() {
    let (tools, ran) = tools();
    let store = MemoryStore::new();
    let script = model([calls(&["pay"]), calls(&["pay"])]);
    let runner = builder(&script, &tools, store.clone())
        .lease_time(OVER)
        .build()
        .unwrap();
    let mut stale = runner.start("buy");
    let id = stale.id().clone();
    while ran.counts().0 == 0 {
        stale.next().await.expect("it goes on");
    }
    let taken = store
        .lease(Scope::All, &id, Duration::from_secs(60))
        .await
        .unwrap();
    let error = stale.outcome().await.unwrap_err();
    let Failure::Store(failure) = &error.failure else {
        panic!("{error}");
    };
    assert_eq!(failure.kind, StoreErrorKind::LeaseLost);
    assert_eq!(ran.counts().0, 1, "the second payment was not made");
    store.release(&taken).await.unwrap();
    let answers = builder(&model([]), &tools, store).build().unwrap();
    let outcome = answers
        .resume(&id)
        .start()
        .await
        .unwrap()
        .outcome()
        .await
        .unwrap();
    assert_eq!((outcome.finish, ran.counts().0), (Finish::Answered, 1));
}

#[tokio::test]
async fn a_store_that_panics_after_the_end_takes_no_answer_with_it() {
    let (tools, _) = tools();
    let runner = builder(&model([]), &tools, PanicsAtEnd::default());
    let runner = runner.build().expect("is sound");
    assert_eq!(runner.run("buy").await.expect("answers").text, "answer");
}
