//! People decide about the calls of sub-agents.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use toolwright::{
    Runner, ToolOutput,
    approval::{ApprovalRequest, Decision},
    dispatch::CallOptions,
    run::{CallId, Delay, Finish, Record, RunId},
    runner::{RunEvent, RunnerBuilder},
    tool::ToolPolicy,
};

use super::{agent, asks, builder, calls, runner, says};
use crate::handwritten::Handwritten;

/// A tool that needs an approval, and how often it ran.
fn pay() -> (Handwritten, Arc<AtomicUsize>) {
    let ran = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&ran);
    let pay = Handwritten::new("pay", move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        async { Ok(ToolOutput::text("paid")) }
    });
    (pay.with_policy(ToolPolicy::default().with_approval()), ran)
}

/// A run with an agent that has an agent that pays.
fn tree(
    wait: Duration,
    outer: impl FnOnce(RunnerBuilder) -> RunnerBuilder,
) -> (Runner, Arc<AtomicUsize>) {
    let (pay, ran) = pay();
    let inner = builder([calls([("pay", "{}")]), says("found")], [pay]).suspend_after(wait);
    let inner = inner.build().expect("builds");
    let middle = runner([asks("inner"), says("passed on")], [agent(&inner, "inner")]);
    let outer = outer(builder(
        [asks("middle"), says("end")],
        [agent(&middle, "middle")],
    ));
    (outer.build().expect("builds"), ran)
}

#[tokio::test]
async fn the_approver_of_the_run_at_the_top_decides_for_those_below() {
    for decision in [Decision::Approve, Decision::deny("too much")] {
        let (asked, is_no) = (Arc::<AtomicUsize>::default(), decision != Decision::Approve);
        let counted = Arc::clone(&asked);
        let approver = move |request: ApprovalRequest| {
            assert_eq!(request.call.name, "pay");
            counted.fetch_add(1, Ordering::SeqCst);
            let decision = decision.clone();
            async move { decision }
        };
        let options = CallOptions::new().with_approver(approver);
        let (outer, ran) = tree(Duration::ZERO, |outer| outer.calls(options));
        // A call that is denied is answered, and its run goes on.
        let outcome = outer.run("?").await.expect("ends");
        assert_eq!((outcome.finish, outcome.model_calls), (Finish::Answered, 6));
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        assert_eq!(ran.load(Ordering::SeqCst), usize::from(!is_no));
    }
}

/// The call of the run below that waits for an approval, if an event says so.
fn waits(event: &RunEvent) -> Option<(RunId, CallId)> {
    let RunEvent::Nested { run_id, event, .. } = event else {
        return None;
    };
    match &**event {
        RunEvent::Recorded {
            record: Record::CallDelayed { call, why },
            ..
        } if *why == Delay::Approval => Some((run_id.clone(), *call)),
        event => waits(event),
    }
}

#[tokio::test(start_paused = true)]
async fn somebody_decides_through_the_control_of_the_run_at_the_top() {
    for (is_yes, paid) in [(Some(true), 1), (Some(false), 0), (None, 0)] {
        let (outer, ran) = tree(Duration::from_hours(1), |outer| outer);
        let mut handle = outer.start("?");
        let control = handle.control();
        let mut waited = None;
        while let Some(event) = handle.next().await {
            let Some((run, call)) = waits(&event) else {
                continue;
            };
            assert!(control.below(&RunId::new("another")).is_none());
            let below = control.below(&run).expect("it is under way");
            match is_yes {
                Some(true) => below.approve(call).expect("it waits"),
                Some(false) => below.deny(call, "no").expect("it waits"),
                None => {}
            }
            waited = Some(run);
        }
        let run = waited.expect("it waits");
        assert!(control.below(&run).is_none(), "it is over");
        let outcome = handle.outcome().await.expect("ends");
        assert_eq!(outcome.finish, Finish::Answered);
        assert_eq!(ran.load(Ordering::SeqCst), paid);
        // Nobody said anything: the run below has not asked its model again.
        let requests = if is_yes.is_some() { 6 } else { 5 };
        assert_eq!(outcome.model_calls, requests);
    }
}

#[tokio::test]
async fn a_call_that_cannot_wait_without_a_store_says_what_to_add() {
    let (pay, ran) = pay();
    let inner = builder([calls([("pay", "{}")])], [pay]).suspends();
    let inner = agent(&inner.build().expect("builds"), "inner");
    let outcome = runner([asks("inner"), says("end")], [inner])
        .run("go")
        .await;
    let outcome = outcome.expect("it ends");
    let round = outcome.tool_rounds().next().expect("there is a round");
    let error = round.results[0]
        .outcome
        .as_ref()
        .expect_err("nobody decides");
    assert_eq!(
        error.message,
        "the agent `inner` has to wait for people, and cannot do so here"
    );
    let log = error.log.as_deref().expect("it is for the application");
    for way in ["RunnerBuilder::store", "with_approver", "suspend_after"] {
        assert!(log.contains(way), "{log}");
    }
    assert_eq!(ran.load(Ordering::SeqCst), 0);
}
