//! The time limit of a run that is stored, and goes on.

use std::time::Duration;

use tokio::time::Instant;
use toolwright::{
    ModelResponse, Runner, ToolCall, ToolContext, ToolError, ToolOutput, Toolset,
    dynamic::DynamicTool,
    run::{Finish, Limit, Limits, OnLimit, Record, Resolution, StoredRun},
    runner::{RunEvent, RunnerBuilder},
    testing::{ScriptedModel, ScriptedResponse},
};

const MAX: Duration = Duration::from_secs(60);
const WORK: Duration = Duration::from_secs(40);
const LEFT: Duration = Duration::from_secs(20);

fn calls(names: &[&str]) -> ScriptedResponse {
    ModelResponse::from_calls(names.iter().map(|name| ToolCall::new("", *name, "{}"))).into()
}

fn stall() -> ScriptedResponse {
    ScriptedResponse::Stall(ModelResponse::from_text("I am still think"))
}

fn builder(reply: ScriptedResponse, on_limit: OnLimit) -> RunnerBuilder {
    let work = DynamicTool::builder("work", "Takes a while.");
    let work = work.build(async |_: ToolCall, _: ToolContext| {
        tokio::time::sleep(WORK).await;
        Ok::<_, ToolError>("worked")
    });
    let question = DynamicTool::builder("ask_user", "Asks the user a question.");
    let tools = Toolset::new().with(work.expect("is sound"));
    let tools = tools.and_then(|tools| tools.with(question.build_external().expect("is sound")));
    Runner::builder(ScriptedModel::new([reply]))
        .tools(tools.expect("the names differ"))
        .limits(Limits::default().with_max_time(MAX).with_on_limit(on_limit))
        .suspends()
}

/// The log of a run up to a record.
async fn log_until(runner: RunnerBuilder, is_last: fn(&Record) -> bool) -> Vec<Record> {
    let mut run = runner.build().expect("is consistent").start("Work.");
    let mut log = Vec::new();
    while !log.last().is_some_and(is_last) {
        if let RunEvent::Recorded { record, .. } = run.next().await.expect("goes on") {
            log.push(record);
        }
    }
    log
}

/// Goes on, as another process does, with a model that says nothing. It gives how long that took.
async fn time_left(run: &StoredRun, on_limit: OnLimit, said: Option<Resolution>) -> Duration {
    let stored = serde_json::to_string(run).expect("serialises");
    let run: StoredRun = serde_json::from_str(&stored).expect("reads");
    let (runner, start) = (builder(stall(), on_limit), Instant::now());
    let run = runner
        .build()
        .expect("is consistent")
        .resume(run)
        .decide(said)
        .start()
        .await;
    let outcome = run
        .expect("goes on")
        .outcome()
        .await
        .expect("is no failure");
    let limit = Limit::Time { max: MAX };
    let summarized = false;
    assert_eq!(outcome.finish, Finish::Limit { limit, summarized });
    start.elapsed()
}

/// The run as older versions stored it.
fn without_times(run: &StoredRun) -> StoredRun {
    let mut stored = serde_json::to_value(run).expect("serialises");
    let records = stored["records"].as_array_mut().expect("is a list");
    records.retain(|record| record["type"] != "time_used");
    serde_json::from_value(stored).expect("reads")
}

#[tokio::test(start_paused = true)]
async fn a_suspended_run_has_what_is_left_of_its_time() {
    let runner = builder(calls(&["work", "ask_user"]), OnLimit::Stop);
    let run = runner.build().expect("is consistent").run("Work.").await;
    let run = run.expect("is no failure").suspended.expect("is suspended");
    assert_eq!(run.records().last(), Some(&Record::TimeUsed { time: WORK }));
    // The time in which it is stored is nobody's.
    tokio::time::advance(2 * MAX).await;
    let answer = || Some(run.pending()[0].answer(ToolOutput::text("green")));
    let left = time_left(&run, OnLimit::Stop, answer()).await;
    assert_eq!(left, LEFT);
    let left = time_left(&without_times(&run), OnLimit::Stop, answer()).await;
    assert_eq!(left, MAX, "nobody knows what it has used");
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_process_is_gone_has_what_is_left_of_its_time() {
    let runner = builder(calls(&["work"]), OnLimit::Stop);
    let log = log_until(runner, |record| matches!(record, Record::TimeUsed { .. })).await;
    let run = StoredRun::from_records(log).expect("is a log");
    assert_eq!(time_left(&run, OnLimit::Stop, None).await, LEFT);
    let old = without_times(&run);
    assert_eq!(time_left(&old, OnLimit::Stop, None).await, MAX);
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_time_is_up_has_only_that_of_its_summary() {
    let runner = builder(stall(), OnLimit::Summarize);
    let log = log_until(runner, |record| *record == Record::TimeLimitReached).await;
    let run = StoredRun::from_records(log).expect("is a log");
    let left = time_left(&run, OnLimit::Summarize, None).await;
    assert_eq!(left, Limits::default().summary_time);
}
