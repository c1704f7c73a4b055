//! Three cases that loops of other frameworks get wrong, by name.

use std::sync::Arc;

use tokio::sync::Notify;
use toolwright::{
    ModelResponse, Runner, ToolCall, ToolError, ToolOutput, ToolResult, Toolset,
    run::{Finish, RunOutcome},
    runner::RunHandle,
    testing::ScriptedModel,
};

use crate::handwritten::Handwritten;

fn start(tools: Toolset, calls: [ToolCall; 2]) -> (RunHandle, ScriptedModel) {
    let answer = ModelResponse::from_text("done");
    let model = ScriptedModel::new([ModelResponse::from_calls(calls), answer]);
    let runner = Runner::builder(model.clone()).tools(tools).build();
    (runner.expect("is consistent").start("Go."), model)
}

fn results(outcome: &RunOutcome) -> Vec<&ToolResult> {
    outcome
        .tool_rounds()
        .flat_map(|round| round.results.iter())
        .collect()
}

#[tokio::test]
async fn two_calls_with_one_id() {
    let echo = Handwritten::new("echo", async |call, _| Ok(ToolOutput::text(call.arguments)));
    let tools = Toolset::new().with(echo).expect("is the only one");
    let call = |n: u32| ToolCall::new("same", "echo", format!(r#"{{"n":{n}}}"#));
    let (handle, model) = start(tools, [call(1), call(2)]);
    let outcome = handle.outcome().await.expect("answers");
    let texts: Vec<_> = results(&outcome)
        .iter()
        .map(|result| result.to_model_text())
        .collect();
    assert_eq!(texts, [r#"{"n":1}"#, r#"{"n":2}"#]);
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test]
async fn stop_while_one_of_two_has_finished() {
    let finished = Arc::new(Notify::new());
    let says = Arc::clone(&finished);
    let quick = Handwritten::new("quick", async |_, _| Ok(ToolOutput::text("kept")));
    let slow = Handwritten::new("slow", move |_, _| {
        let says = Arc::clone(&says);
        async move {
            says.notify_one();
            std::future::pending().await
        }
    });
    let tools = Toolset::new()
        .with(quick)
        .and_then(|tools| tools.with(slow));
    let calls = [
        ToolCall::new("a", "quick", "{}"),
        ToolCall::new("b", "slow", "{}"),
    ];
    let (handle, model) = start(tools.expect("the names differ"), calls);
    let control = handle.control();
    let run = tokio::spawn(handle.outcome());
    finished.notified().await;
    tokio::task::yield_now().await;
    control.cancel();
    let outcome = run.await.expect("runs").expect("is no failure");
    assert_eq!(outcome.finish, Finish::Cancelled);
    let results = results(&outcome);
    assert_eq!(results[0].to_model_text(), "kept");
    assert!(results[1].outcome.is_err(), "it is answered as well");
    assert!(!outcome.conversation.requires_tool_execution());
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn a_tool_that_fails_beside_one_that_succeeds() {
    let fails = Handwritten::new("fails", async |_, _| {
        Err(ToolError::not_found("no such city"))
    });
    let works = Handwritten::new("works", async |_, _| Ok(ToolOutput::text("sunny")));
    let tools = Toolset::new()
        .with(fails)
        .and_then(|tools| tools.with(works));
    let calls = [
        ToolCall::new("a", "fails", "{}"),
        ToolCall::new("b", "works", "{}"),
    ];
    let (handle, _) = start(tools.expect("the names differ"), calls);
    let outcome = handle.outcome().await.expect("answers");
    assert_eq!(outcome.finish, Finish::Answered);
    let results = results(&outcome);
    assert!(results[0].to_model_text().contains("no such city"));
    assert_eq!(results[1].to_model_text(), "sunny");
}
