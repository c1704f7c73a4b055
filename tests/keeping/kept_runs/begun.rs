//! Calls that have begun, and do not go on: nothing says that they were not executed.

use toolwright::{
    approval::{ApprovalRequest, Decision},
    dispatch::CallOptions,
    run::{Finish, WaitsFor},
    runner::{OnChanged, RunEvent},
};

use super::{
    asking::{next, reserving, results, resumed, runner, suspended},
    *,
};

const RESERVES: &str = "Reserves, asks and pays.";

#[tokio::test]
async fn one_that_is_cancelled_before_it_goes_on_may_have_taken_effect() {
    let ran = Ran::default();
    let tools = reserving(ToolPolicy::default(), RESERVES, &ran);
    let run = suspended(runner(&tools)).await;
    let opened = run.pending()[0].approve_with("{}");
    let resuming = next(&tools).resume(run).decide([opened]).start();
    let mut handle = resuming.await.expect("goes on");
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded {
            record: Record::CallStarted { .. },
            ..
        } = event
        {
            handle.cancel();
        }
    }
    let outcome = handle.outcome().await.expect("does not fail");
    let text = results(&outcome);
    assert!(text.contains("may have taken effect"), "{text}");
    assert_eq!(ran.counts(), (1, 1));
}

#[tokio::test]
async fn one_whose_tool_is_gone_may_have_taken_effect() {
    let ran = Ran::default();
    let tools = reserving(ToolPolicy::default(), RESERVES, &ran);
    let run = suspended(runner(&tools)).await;
    let without = Runner::builder(model([])).tools(Toolset::new());
    let without = without.suspends().on_changed_tools(OnChanged::Proceed);
    let without = without.build().expect("is sound");
    let opened = Decision::approve_with("{}");
    let outcome = resumed(&without, run, opened).await.expect("goes on");
    let text = results(&outcome);
    assert!(text.contains("may have taken effect"), "{text}");
}

/// Its arguments are those with which it has begun.
#[tokio::test]
async fn an_approver_that_edits_one_has_denied_it() {
    let ran = Ran::default();
    let policy = ToolPolicy::default().with_approval();
    let tools = reserving(policy, RESERVES, &ran);
    let run = suspended(runner(&tools)).await;
    let outcome = resumed(&next(&tools), run, Decision::Approve).await;
    let run = outcome.expect("goes on").suspended.expect("it asks");
    assert_eq!(run.pending()[0].waits_for, WaitsFor::Question);

    let tools = reserving(policy, "Reserves more, asks and pays.", &ran);
    let approver = async |request: ApprovalRequest| match request.question {
        Some(_) => Decision::approve_with("{}"),
        None => Decision::approve_with(r#"{"more": true}"#),
    };
    let calls = CallOptions::default().with_approver(approver);
    let runner = Runner::builder(model([])).tools(tools).calls(calls);
    let runner = runner.on_changed_tools(OnChanged::Proceed);
    let runner = runner.build().expect("is sound");
    let handle = runner.resume(run).start().await.expect("goes on");
    let outcome = handle.outcome().await.expect("does not fail");
    assert_eq!(outcome.finish, Finish::Answered);
    let text = results(&outcome);
    assert!(text.contains("may have taken effect"), "{text}");
    assert_eq!(ran.counts(), (1, 1));
}
