//! A call that has started and whose tool has not when its batch or its run is to stop: somebody reads that it starts,
//! and only then stops it.

use std::time::Duration;

use toolwright::{
    Dispatch, ErrorCategory, ModelResponse, Runner, ToolCall, ToolContext, ToolError, ToolOutput,
    ToolResult, Toolset,
    approval::{ApprovalRequest, Decision},
    dispatch::{CallOptions, DispatchEvent, DispatchOptions},
    redact::Secrets,
    run::{Finish, Limits, OnLimit, Record},
    runner::{RunEvent, RunnerBuilder},
    testing::ScriptedModel,
    tool::{CancellationToken, Effects, ToolPolicy},
};

use crate::handwritten::{Handwritten, echo};

/// A tool that fails at its first attempt, for a reason that may pass.
fn flaky() -> Toolset {
    let flaky = Handwritten::new("flaky", async |_, cx: ToolContext| match cx.attempt() {
        1 => Err(ToolError::new(
            ErrorCategory::NetworkError,
            "the line is dead",
        )),
        _ => Ok(ToolOutput::text("answered")),
    });
    let policy = ToolPolicy::default().with_effects(Effects::ReadOnly);
    one(flaky.with_policy(policy))
}

fn one(tool: Handwritten) -> Toolset {
    Toolset::new().with(tool).expect("one tool")
}

fn call(name: &str) -> ToolCall {
    ToolCall::new("a", name, "{}")
}

/// Runs a call of a tool, stops the run when the reader has read that an attempt starts, and gives the result.
async fn stopped_at(
    attempt: usize,
    name: &str,
    set: impl Fn(RunnerBuilder) -> RunnerBuilder,
    stops_late: bool,
) -> ToolResult {
    let reply = ModelResponse::from_calls([call(name)]);
    let limits = Limits::default()
        .with_max_time(Duration::from_secs(60))
        .with_on_limit(OnLimit::Stop);
    let runner = set(Runner::builder(ScriptedModel::new([reply])).limits(limits));
    let mut handle = runner.build().expect("is consistent").start("Go.");
    let mut starts = 0;
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { record, .. } = event
            && matches!(record, Record::CallStarted { .. })
        {
            starts += 1;
            if starts == attempt && stops_late {
                tokio::time::sleep(Duration::from_secs(61)).await;
            } else if starts == attempt {
                handle.cancel();
            }
        }
    }
    assert_eq!(starts, attempt);
    let outcome = handle.outcome().await.expect("ends");
    match outcome.finish {
        Finish::Limit { .. } => assert!(stops_late),
        ref finish => assert_eq!((finish, stops_late), (&Finish::Cancelled, false)),
    }
    let round = outcome.tool_rounds().next().expect("there was a round");
    round.results[0].clone()
}

#[tokio::test(start_paused = true)]
async fn one_of_a_batch_that_has_failed_before_ends_as_it_failed() {
    let token = CancellationToken::new();
    let context = ToolContext::default().with_cancellation(token.clone());
    let options = DispatchOptions::new().with_context(context);
    let (tools, calls) = (flaky(), [call("flaky")]);
    let mut stream = tools.dispatch_stream(&calls, &options);
    while let Some(event) = stream.next().await {
        if matches!(event, DispatchEvent::Started { attempt: 2, .. }) {
            token.cancel();
        }
    }
    let results = stream.results().await;
    let text = results[0].to_model_text();
    assert!(text.contains("the line is dead"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn one_of_a_run_that_has_failed_before_ends_as_it_failed() {
    for late in [false, true] {
        let result = stopped_at(2, "flaky", |runner| runner.tools(flaky()), late).await;
        let text = result.to_model_text();
        assert!(text.contains("the line is dead"), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_result_says_what_has_stopped_the_run() {
    for (late, says) in [
        (
            false,
            "not executed: the call was cancelled before it began",
        ),
        (true, "not executed: the time of the run is up"),
    ] {
        let result = stopped_at(1, "echo", |runner| runner.tools(one(echo())), late).await;
        assert!(result.to_model_text().ends_with(says), "{result:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_that_nothing_ran_with_are_not_told() {
    let set = |runner: RunnerBuilder| {
        let policy = ToolPolicy::default().with_approval();
        let edits =
            async |_: ApprovalRequest| Decision::approve_with(r#"{"key":"hunter2hunter2"}"#);
        let calls = CallOptions::new()
            .with_approver(edits)
            .with_redaction(Secrets::new(["hunter2hunter2"]));
        runner.tools(one(echo().with_policy(policy))).calls(calls)
    };
    for late in [false, true] {
        let result = stopped_at(1, "echo", set, late).await;
        let text = result.to_model_text();
        assert!(!text.contains("ran with"), "{text}");
        assert!(text.contains("not executed"), "{text}");
        assert_eq!(result.changes.len(), 1, "it was edited all the same");
    }
}
