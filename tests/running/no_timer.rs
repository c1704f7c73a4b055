//! Where nothing is to be timed, nothing asks for tokio's time driver. Outside of tokio everything runs that needs
//! no tokio by itself.

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use futures_util::FutureExt;
use toolwright::{
    Dispatch, ErrorCategory, ModelError, ModelResponse, Runner, ToolCall, ToolContext, ToolOutput,
    ToolResult, Toolset,
    approval::{ApprovalRequest, Decision},
    dispatch::{CallOptions, DispatchOptions, dispatch_fn},
    model::ModelErrorKind,
    run::{Finish, OnLimit},
    runner::RunEvent,
    testing::{ScriptedModel, ScriptedReply},
    tool,
    tool::{Backoff, CancellationToken, ToolPolicy},
    toolset,
};

use crate::handwritten::{Handwritten, echo};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future on a plain executor.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::park(),
        }
    }
}

/// Without a runtime, and on one that has no time.
fn everywhere<F: Future<Output = ()>>(test: impl Fn() -> F) {
    block_on(test());
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("it starts").block_on(test());
}

/// Ends when it hears that it should.
fn obedient() -> Handwritten {
    Handwritten::new("obedient", async |_, cx: ToolContext| {
        cx.cancelled().await;
        Ok(ToolOutput::text("heard"))
    })
}

fn tools() -> Toolset {
    let asked = ToolPolicy::default().with_approval();
    let asks = Handwritten::new("asks", async |_, _| Ok(ToolOutput::text("yes")));
    let tools = Toolset::new().with(echo());
    let tools = tools.and_then(|tools| tools.with(asks.with_policy(asked)));
    tools
        .and_then(|tools| tools.with(obedient()))
        .expect("the names differ")
}

fn call(name: &str) -> ToolCall {
    ToolCall::new("", name, "{}")
}

fn runner(script: impl IntoIterator<Item = ScriptedReply>) -> Runner {
    let builder = Runner::builder(ScriptedModel::new(script))
        .tools(tools())
        .calls(
            CallOptions::new()
                .with_approver(async |_: ApprovalRequest| Decision::Approve)
                .with_timeout(None),
        );
    let none = std::time::Duration::ZERO;
    let builder = builder.model_backoff(Backoff::new(none, none));
    builder.build().expect("is consistent")
}

#[test]
fn a_run_that_answers() {
    everywhere(async || {
        let busy = ModelError::new(ModelErrorKind::Overloaded, "once more");
        let runner = runner([
            ModelResponse::from_calls([call("echo"), call("asks"), call("unknown")]).into(),
            busy.into(),
            ModelResponse::from_text("done").into(),
        ]);
        assert_eq!(runner.run("Go.").await.expect("answers").text, "done");
    });
}

#[test]
fn a_run_that_is_cancelled_while_the_model_is_asked() {
    everywhere(async || {
        let runner = runner([ScriptedReply::Stall(ModelResponse::from_text("So far"))]);
        let mut handle = runner.start("Go.");
        while let Some(event) = handle.next().await {
            if let RunEvent::Delta(_) = event {
                handle.cancel();
            }
        }
        let outcome = handle.outcome().await.expect("is cancelled");
        assert_eq!(outcome.finish, Finish::Cancelled);
    });
}

#[test]
fn a_run_that_is_cancelled_before_it_begins() {
    everywhere(async || {
        let handle = runner([]).start("Go.");
        handle.cancel();
        let outcome = handle.outcome().await.expect("is cancelled");
        assert_eq!(outcome.finish, Finish::Cancelled);
    });
}

#[test]
fn a_run_whose_calls_end_when_they_are_told() {
    everywhere(async || {
        let calls = ModelResponse::from_calls([call("obedient"), call("obedient")]);
        let handle = runner([calls.into()]).start("Go.");
        let token = handle.cancellation().clone();
        let stop = async {
            for _ in 0..10 {
                yield_once().await;
            }
            token.cancel();
        };
        let (outcome, ()) = tokio::join!(handle.outcome(), stop);
        let outcome = outcome.expect("is cancelled");
        let round = outcome.tool_rounds().next().expect("there is one");
        assert_eq!(round.results[0].to_model_text(), "heard");
    });
}

/// A time for decisions is not looked at while nobody waits, nor by a run that does not stay for them.
#[test]
fn a_run_that_is_suspended_at_once() {
    everywhere(async || {
        let call = ModelResponse::from_calls([call("echo"), call("asks")]);
        let builder = Runner::builder(ScriptedModel::new([call])).tools(tools());
        let runner = builder
            .calls(CallOptions::new().with_timeout(None))
            .pending_time(std::time::Duration::from_secs(60))
            .suspends()
            .build();
        let outcome = runner.expect("is consistent").run("Go.").await;
        assert_eq!(outcome.expect("is no failure").finish, Finish::Suspended);
    });
}

async fn yield_once() {
    let mut yielded = false;
    std::future::poll_fn(|cx| {
        cx.waker().wake_by_ref();
        if std::mem::replace(&mut yielded, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

#[test]
fn batches_that_end_or_are_cancelled() {
    everywhere(async || {
        let token = CancellationToken::new();
        let cx = ToolContext::default().with_cancellation(token.clone());
        let options = DispatchOptions::from(CallOptions::new().with_timeout(None)).with_context(cx);
        let tools = tools();
        let calls = [call("echo"), call("unknown")];
        let results = tools.dispatch_with(&calls, &options).await;
        assert_eq!(results[0].to_model_text(), "{}");
        let run = async |call: &ToolCall, _| Ok(call.name.clone());
        let results = dispatch_fn(&calls, &options, run).await;
        assert_eq!(results[0].to_model_text(), "echo");

        let calls = [call("obedient"), call("obedient")];
        let mut stream = tools.dispatch_stream(&calls, &options);
        assert!(stream.next().await.is_some());
        let stop = async {
            yield_once().await;
            token.cancel();
        };
        let (results, ()) = tokio::join!(stream.results(), stop);
        assert_eq!(results[0].to_model_text(), "heard");
        // Nothing starts where it is cancelled already.
        let results = tools.dispatch_with(&calls, &options).await;
        assert!(results.iter().all(ToolResult::is_error));
    });
}

#[test]
fn what_needs_a_timer_says_so_once_and_leaves_an_outcome() {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("it starts").block_on(async {
        let busy = ModelError::new(ModelErrorKind::Overloaded, "once more");
        let builder = Runner::builder(ScriptedModel::new([busy]));
        let mut handle = builder.build().expect("is consistent").start("Go.");
        let read = async { while handle.next().await.is_some() {} };
        let read = AssertUnwindSafe(read).catch_unwind().await;
        assert!(read.is_err(), "tokio says that it has no timers");
        // The end of the log can be read.
        while handle.next().await.is_some() {}
        let outcome = handle.outcome().await.expect("it broke off");
        assert_eq!(
            (outcome.finish, outcome.model_calls),
            (Finish::Cancelled, 1)
        );
    });
}

#[test]
fn a_call_that_ran_when_a_timer_was_missing_may_have_taken_effect() {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("it starts").block_on(async {
        let calls = ModelResponse::from_calls([call("obedient")]);
        let runner = Runner::builder(ScriptedModel::new([calls]))
            .tools(tools())
            .calls(CallOptions::new().with_timeout(None))
            .max_time(std::time::Duration::from_secs(60))
            .suspends();
        let mut handle = runner.build().expect("is consistent").start("Go.");
        let read = async { while handle.next().await.is_some() {} };
        assert!(AssertUnwindSafe(read).catch_unwind().await.is_err());
        while handle.next().await.is_some() {}
        let outcome = handle.outcome().await.expect("it broke off");
        let round = outcome.tool_rounds().next().expect("there is one");
        let text = round.results[0].to_model_text();
        assert!(text.ends_with("; it may have taken effect"), "{text}");
    });
}

/// Compute in a thread that blocks.
#[tool(read_only)]
fn blocks(n: u64) -> u64 {
    n * 2
}

/// Compute in a task.
#[tool(read_only, spawn)]
async fn computes(n: u64) -> u64 {
    yield_once().await;
    n * 3
}

/// Fail a few times.
#[tool(read_only)]
fn panics(n: u64) -> u64 {
    panic!("{n}")
}

/// Wait for a word that never comes.
#[tool(read_only, timeout = "20ms")]
async fn waits() -> u64 {
    std::future::pending().await
}

/// Wait for it in a task.
#[tool(read_only, spawn, timeout = "20ms")]
async fn waits_in_a_task() -> u64 {
    std::future::pending().await
}

/// Block until it is told to stop.
#[tool(read_only, timeout = "20ms")]
fn blocks_until(#[context] cx: &ToolContext) -> u64 {
    block_on(cx.cancelled());
    7
}

fn all() -> Toolset {
    toolset![
        blocks,
        computes,
        panics,
        waits,
        waits_in_a_task,
        blocks_until
    ]
}

const N: &str = r#"{"n": 7}"#;

#[test]
fn calls_of_all_kinds_run_on_any_executor() {
    let tools = all();
    let call = |name, arguments| {
        let call = ToolCall::new("1", name, arguments);
        block_on(tools.call(&call, &ToolContext::default()))
    };
    assert_eq!(call("blocks", N).to_model_text(), "14");
    assert_eq!(call("computes", N).to_model_text(), "21");
    assert!(call("panics", N).is_error());
    for name in ["waits", "waits_in_a_task", "blocks_until"] {
        let error = call(name, "{}").outcome.expect_err("its time is over");
        assert_eq!(
            error.category,
            ErrorCategory::ExecutionTimeout,
            "{name}: {error}"
        );
    }
}

#[test]
fn a_batch_and_a_run_are_timed_on_any_executor() {
    let names = ["blocks", "computes", "waits", "blocks_until"];
    let calls: Vec<_> = names
        .iter()
        .map(|name| ToolCall::new(*name, *name, N))
        .collect();
    let deadline = std::time::Duration::from_millis(100);
    let options = DispatchOptions::default().with_deadline(deadline);
    let results = block_on(all().dispatch_with(&calls, &options));
    let are_errors = results.iter().map(ToolResult::is_error);
    assert_eq!(are_errors.collect::<Vec<_>>(), [false, false, true, true]);

    let script = [
        ModelResponse::from_calls(calls).into(),
        ScriptedReply::Stall(ModelResponse::from_text("So far")),
    ];
    let runner = Runner::builder(ScriptedModel::new(script)).tools(all());
    let runner = runner.max_time(deadline).on_limit(OnLimit::Stop).build();
    let outcome = block_on(runner.expect("is consistent").run("Go.")).expect("ends");
    assert!(
        matches!(outcome.finish, Finish::Limit { .. }),
        "{:?}",
        outcome.finish
    );
    assert_eq!(outcome.tool_rounds().count(), 1);
}
