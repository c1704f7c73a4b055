//! Batches of many calls leave time to other tasks, and poll no call in vain.

use std::{
    future::Future,
    num::NonZeroUsize,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{sleep, timeout};
use toolwright::{
    Dispatch, ToolCall, ToolOutput, Toolset,
    approval::{ApprovalRequest, Decision},
    dispatch::{CallOptions, DispatchOptions},
    tool::ToolPolicy,
};

use crate::handwritten::{Handwritten, echo};

const MANY: usize = 4_000;

/// Counts how often a future is polled.
struct Counted<F>(Pin<Box<F>>, Arc<AtomicUsize>);

impl<F: Future> Future for Counted<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.as_mut().poll(cx)
    }
}

fn nap() -> impl Future<Output = ()> + Send {
    sleep(Duration::from_millis(20))
}

fn many(name: &str) -> Vec<ToolCall> {
    vec![ToolCall::new("", name, ""); MANY]
}

#[tokio::test(start_paused = true)]
async fn calls_that_sleep_are_polled_a_few_times_each() {
    let polls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&polls);
    let tool = Handwritten::new("nap", move |_, _| {
        let nap = Counted(Box::pin(nap()), Arc::clone(&count));
        async move {
            nap.await;
            Ok(ToolOutput::default())
        }
    });
    let tools = Toolset::new().with(tool).expect("one tool");
    let options = DispatchOptions::from(
        CallOptions::new().with_concurrency(NonZeroUsize::new(MANY).expect("is not 0")),
    );
    let results = tools.dispatch_with(&many("nap"), &options).await;
    assert!(results.iter().all(|result| !result.is_error()));
    let polls = polls.load(Ordering::SeqCst);
    assert!(polls <= 3 * MANY, "{polls} polls of {MANY} calls");
}

#[tokio::test(start_paused = true)]
async fn approvals_that_sleep_are_polled_a_few_times_each() {
    let polls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&polls);
    let policy = ToolPolicy::default().with_approval();
    let tools = Toolset::new().with(echo().with_policy(policy));
    let options =
        DispatchOptions::from(CallOptions::new().with_approver(move |_: ApprovalRequest| {
            let nap = Counted(Box::pin(nap()), Arc::clone(&count));
            async move {
                nap.await;
                Decision::Approve
            }
        }));
    let tools = tools.expect("one tool");
    let results = tools.dispatch_with(&many("echo"), &options).await;
    assert!(results.iter().all(|result| !result.is_error()));
    let polls = polls.load(Ordering::SeqCst);
    assert!(polls <= 3 * MANY, "{polls} polls of {MANY} approvals");
}

#[tokio::test]
async fn the_results_of_a_stream_leave_time_to_others() {
    let tools = Toolset::new().with(echo()).expect("one tool");
    let (calls, options) = (many("echo"), DispatchOptions::new());
    let had_a_turn = Arc::new(AtomicBool::new(false));
    let other = || {
        had_a_turn.store(false, Ordering::SeqCst);
        let turn = Arc::clone(&had_a_turn);
        tokio::spawn(async move { turn.store(true, Ordering::SeqCst) });
    };
    other();
    tools.dispatch_stream(&calls, &options).results().await;
    assert!(had_a_turn.load(Ordering::SeqCst));

    other();
    let mut stream = tools.dispatch_stream(&calls, &options);
    while stream.next().await.is_some() {}
    assert!(had_a_turn.load(Ordering::SeqCst));
}

/// A tool that always has something to do uses up what its task may do in one go.
#[tokio::test(start_paused = true)]
async fn a_tool_that_never_waits_for_long_is_over_in_time() {
    let busy = Handwritten::new("busy", async |_, _| {
        loop {
            tokio::task::consume_budget().await;
        }
    });
    let policy = ToolPolicy::default().with_timeout(Duration::from_secs(1));
    let tools = Toolset::new().with(busy.with_policy(policy));
    let tools = tools.expect("one tool");
    let clock = async {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        tokio::time::advance(Duration::from_secs(1)).await;
    };
    let calls = [ToolCall::new("", "busy", "")];
    let both = async { tokio::join!(tools.dispatch(&calls), clock).0 };
    let results = timeout(Duration::from_hours(1), both).await;
    let error = results.expect("it ends")[0]
        .outcome
        .clone()
        .expect_err("is late");
    assert!(error.message.contains("longer than 1s"), "{error:?}");
}
