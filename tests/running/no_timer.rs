//! Where nothing is to be timed, nothing asks for tokio's time driver. What needs tokio elsewhere says so.

use std::{
    future::{Future, ready},
    panic::AssertUnwindSafe,
    task::Poll,
};

use futures_util::FutureExt;
use toolwright::{
    Dispatch, ErrorCategory, ModelError, ModelResponse, Runner, ToolCall, ToolContext, ToolError,
    ToolOutput, ToolResult, Toolset,
    approval::{ApprovalRequest, Decision},
    dispatch::{CallOptions, DispatchOptions, dispatch_fn},
    model::ModelErrorKind,
    run::Finish,
    runner::RunEvent,
    testing::{ScriptedModel, ScriptedResponse},
    tool,
    tool::{Backoff, CancellationToken, Effects, ToolPolicy},
    toolset,
};

use crate::handwritten::{Handwritten, echo};

/// On a runtime of tokio that has no time.
fn without_time(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("it starts").block_on(test);
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

fn runner(script: impl IntoIterator<Item = ScriptedResponse>) -> Runner {
    let builder = Runner::builder(ScriptedModel::new(script))
        .tools(tools())
        .calls(
            CallOptions::new()
                .with_approver(async |_: ApprovalRequest| Decision::Approve)
                .with_timeout(None),
        );
    let none = std::time::Duration::ZERO;
    let builder = builder.model_backoff(Backoff::new(none, none));
    let builder = builder
        .max_time(None)
        .model_timeout(None)
        .pending_time(None);
    builder.build().expect("is consistent")
}

#[test]
fn a_run_that_answers() {
    without_time(async {
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
    without_time(async {
        let runner = runner([ScriptedResponse::Stall(ModelResponse::from_text("So far"))]);
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
    without_time(async {
        let handle = runner([]).start("Go.");
        handle.cancel();
        let outcome = handle.outcome().await.expect("is cancelled");
        assert_eq!(outcome.finish, Finish::Cancelled);
    });
}

#[test]
fn a_run_whose_calls_end_when_they_are_told() {
    without_time(async {
        let calls = ModelResponse::from_calls([call("obedient"), call("obedient")]);
        let handle = runner([calls.into()]).start("Go.");
        let token = handle.cancellation();
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
    without_time(async {
        let call = ModelResponse::from_calls([call("echo"), call("asks")]);
        let builder = Runner::builder(ScriptedModel::new([call])).tools(tools());
        let runner = builder
            .calls(CallOptions::new().with_timeout(None))
            .pending_time(std::time::Duration::from_secs(60))
            .max_time(None)
            .model_timeout(None)
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
    without_time(async {
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
    n * 3
}

/// Wait for a word that never comes.
#[tool(read_only, timeout = "20ms")]
async fn waits(n: u64) -> u64 {
    std::future::pending::<()>().await;
    n
}

/// Say a number.
#[tool(read_only)]
async fn says(n: u64) -> u64 {
    n
}

#[test]
fn outside_of_tokio_a_call_that_needs_it_fails_and_says_why() {
    let tools = toolset![blocks, computes, waits, says];
    let names = ["blocks", "computes", "waits", "says"];
    let calls = names.map(|name| ToolCall::new("", name, r#"{"n": 7}"#));
    let options = DispatchOptions::from(CallOptions::new().with_timeout(None));
    let results = tools.dispatch_with(&calls, &options).now_or_never();
    let results = results.expect("nothing is waited for");
    let (last, needy) = results.split_last().expect("there are four");
    assert_eq!(last.to_model_text(), "7");
    for result in needy {
        let error = result.outcome.as_ref().expect_err("it needs tokio");
        assert_eq!(error.category, ErrorCategory::Unknown);
        let log = error.log.as_deref().expect("there is a log text");
        assert!(log.contains("Tokio"), "{log}");
    }
}

#[test]
fn outside_of_tokio_a_batch_that_needs_a_timer_panics() {
    let gone = ToolError::new(ErrorCategory::NetworkError, "gone");
    let fails = Handwritten::new("fails", move |_, _| ready(Err(gone.clone())))
        .with_policy(ToolPolicy::default().with_effects(Effects::ReadOnly));
    let tools = Toolset::new().with(fails).expect("one tool");
    let (calls, options) = ([call("fails")], DispatchOptions::new());
    let batch = tools.dispatch_with(&calls, &options);
    let panic = AssertUnwindSafe(batch).catch_unwind().now_or_never();
    assert!(matches!(panic, Some(Err(_))), "the wait is not timed");
}
