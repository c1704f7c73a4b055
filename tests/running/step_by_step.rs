//! Whoever reads a run has read each of its steps before the next one is made.

use std::{future::pending, time::Duration};

use toolwright::{
    ModelResponse, Runner, ToolCall,
    approval::{ApprovalPolicy, ApprovalRequest},
    dispatch::CallOptions,
    run::Record,
    runner::{RunEvent, RunHandle, RunnerBuilder},
    testing::{ScriptedModel, ScriptedResponse},
    tool, toolset,
};

fn calls(name: &str, arguments: &str) -> ScriptedResponse {
    let call = || ToolCall::new("a", name, arguments);
    ModelResponse::from_calls([call(), call()]).into()
}

/// Count to a number.
#[tool]
fn count(n: u32) -> u32 {
    n
}

/// Reads to the end, and asks with each record how often the model was asked by then.
async fn check(model: &ScriptedModel, handle: &mut RunHandle, place: &str) -> usize {
    let (mut rounds, mut replies) = (0, 0);
    while let Some(event) = handle.next().await {
        let RunEvent::Recorded { record, .. } = event else {
            continue;
        };
        replies += usize::from(matches!(record, Record::Replied { .. }));
        let of_calls = matches!(
            record,
            Record::CallFinished { .. } | Record::CallDelayed { .. } | Record::TimeLimitReached
        );
        if of_calls {
            assert_eq!(model.requests().len(), replies, "{place}: {record:?}");
            rounds += 1;
        }
    }
    rounds
}

#[tokio::test(start_paused = true)]
async fn the_model_is_asked_when_all_results_were_read() {
    let plain: fn(RunnerBuilder) -> RunnerBuilder = |runner| runner;
    let asks: fn(RunnerBuilder) -> RunnerBuilder = |runner| {
        let calls = CallOptions::new().with_approvals(ApprovalPolicy::All);
        runner.calls(calls.with_approver(|_: ApprovalRequest| pending()))
    };
    for (place, first, made) in [
        ("calls run", calls("count", r#"{"n":1}"#), plain),
        ("calls do not fit", calls("count", "{}"), asks),
        ("there is no such tool", calls("none", "{}"), asks),
        ("the time is up", calls("count", r#"{"n":1}"#), asks),
    ] {
        let model = ScriptedModel::new([first, ModelResponse::from_text("done").into()]);
        let runner = Runner::builder(model.clone()).tools(toolset![count]);
        let runner = made(runner.max_time(Duration::from_secs(5)));
        let mut handle = runner.build().expect("builds").start("question");
        assert!(check(&model, &mut handle, place).await >= 2, "{place}");
        let outcome = handle.outcome().await.expect("ends");
        assert_eq!(outcome.text, "done", "{place}");
    }
}
