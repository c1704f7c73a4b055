//! A run has a time, and so has each request to its model.

use std::{
    future::{Future, pending, poll_fn},
    num::NonZeroUsize,
    pin::pin,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use tokio::time::{Instant, sleep};
use toolwright::{
    ModelError, ModelResponse, Runner, ToolCall, ToolOutput, ToolResult, Toolset,
    approval::{ApprovalPolicy, ApprovalRequest, Decision},
    dispatch::{CallOptions, OversizedOutput},
    message::Part,
    middleware::{after, before},
    model::{ModelErrorKind, ModelEvent},
    run::{Failure, Finish, Limit, Limits, OnLimit, Record, Run, RunConfig, RunOutcome},
    runner::{RunEvent, RunnerBuilder},
    testing::{ScriptedModel, ScriptedResponse},
};

use crate::handwritten::{Handwritten, echo, hang};

const MAX: Duration = Duration::from_secs(5);
const GRACE: Duration = Duration::from_millis(250);

fn calls(names: &[&str]) -> ScriptedResponse {
    let call = |name: &&str| ToolCall::new("id", *name, "x".repeat(400));
    ModelResponse::from_calls(names.iter().map(call)).into()
}

fn stall() -> ScriptedResponse {
    ScriptedResponse::Stall(ModelResponse::from_text("I am still think"))
}

fn text(text: &str) -> ScriptedResponse {
    ModelResponse::from_text(text).into()
}

fn busy(wait: Duration) -> ScriptedResponse {
    ModelError::new(ModelErrorKind::Overloaded, "busy")
        .with_retry_after(wait)
        .into()
}

fn tools() -> Toolset {
    let tools = Toolset::new()
        .with(echo())
        .and_then(|tools| tools.with(hang()));
    tools.expect("two names")
}

fn builder(script: Vec<ScriptedResponse>, on_limit: OnLimit) -> RunnerBuilder {
    let limits = Limits::default()
        .with_max_rounds(1)
        .with_max_time(MAX)
        .with_on_limit(on_limit);
    Runner::builder(ScriptedModel::new(script))
        .calls(unlimited())
        .limits(limits)
}

/// Calls without a time limit of their own.
fn unlimited() -> CallOptions {
    CallOptions::new().with_timeout(None)
}

/// Reads a run to its end, and gives its outcome, its log and how long it took.
async fn read(runner: RunnerBuilder) -> (RunOutcome, Vec<Record>, Duration) {
    let from = Instant::now();
    let mut handle = runner.build().expect("is consistent").start("question");
    let mut log = Vec::new();
    let read = async {
        while let Some(event) = handle.next().await {
            if let RunEvent::Recorded { record, .. } = event {
                log.push(record);
            }
        }
    };
    let ended = tokio::time::timeout(Duration::from_hours(1), read).await;
    ended.expect("the run ends");
    let took = from.elapsed();
    let outcome = handle
        .outcome()
        .await
        .unwrap_or_else(|error| *error.outcome);
    let (replayed, missing) = Run::replay(&log).expect("is a log");
    assert_eq!(
        (replayed.outcome(), missing),
        (Some(outcome.clone()), Vec::new())
    );
    assert!(!outcome.conversation.requires_tool_execution());
    (outcome, log, took)
}

/// A script that is still under way when the time is up, how its runner is made, and how long what runs
/// may go on.
type Case = (
    &'static str,
    Vec<ScriptedResponse>,
    fn(RunnerBuilder) -> RunnerBuilder,
    Duration,
);

fn cases() -> Vec<Case> {
    let plain: fn(RunnerBuilder) -> RunnerBuilder = |runner| runner.tools(tools());
    vec![
        ("the model streams", vec![stall()], plain, Duration::ZERO),
        (
            "the model says nothing",
            vec![ScriptedResponse::Stall(ModelResponse::default())],
            plain,
            Duration::ZERO,
        ),
        (
            "it is not streamed",
            vec![stall()],
            |runner| runner.streaming(false).tools(tools()),
            Duration::ZERO,
        ),
        (
            "the model is waited for",
            vec![busy(Duration::from_secs(50))],
            plain,
            Duration::ZERO,
        ),
        (
            "calls run",
            vec![calls(&["echo", "hang", "hang"])],
            plain,
            GRACE,
        ),
        (
            "calls wait",
            vec![calls(&["hang", "echo"])],
            |runner| {
                let one = unlimited().with_concurrency(NonZeroUsize::MIN);
                runner.calls(one).tools(tools())
            },
            GRACE,
        ),
        (
            "a middleware hangs before the tool",
            vec![calls(&["echo"])],
            |runner| runner.tools(tools().layer(before(async |_, _| pending().await))),
            GRACE,
        ),
        (
            "a middleware hangs after the tool",
            vec![calls(&["echo"])],
            |runner| runner.tools(tools().layer(after(async |_, _, _| pending().await))),
            GRACE,
        ),
        (
            "a sink hangs",
            vec![calls(&["echo"])],
            |runner| {
                let sink = async |_: OversizedOutput| pending().await;
                let calls = unlimited().with_max_output(100).with_overflow(sink);
                runner.tools(tools()).calls(calls)
            },
            GRACE,
        ),
    ]
}

#[tokio::test(start_paused = true)]
async fn a_run_ends_in_time_wherever_it_waits() {
    let limit = Limit::Time { max: MAX };
    for (place, script, made, grace) in cases() {
        for (on_limit, finish) in [
            (
                OnLimit::Stop,
                Finish::Limit {
                    limit,
                    summarized: false,
                },
            ),
            (OnLimit::Error, Finish::Failed(Failure::Limit(limit))),
        ] {
            let (outcome, log, took) = read(made(builder(script.clone(), on_limit))).await;
            assert_eq!(outcome.finish, finish, "{place}");
            assert!(took >= MAX && took <= MAX + grace, "{place}: {took:?}");
            let times = log
                .iter()
                .filter(|record| **record == Record::TimeLimitReached);
            assert_eq!(times.count(), 1, "{place}");
        }
    }
}

/// People may take days: their wait has a limit of its own, also where an approver is asked.
#[tokio::test(start_paused = true)]
async fn time_in_which_only_people_are_waited_for_does_not_count() {
    for (decides_after, waited) in [
        (Duration::from_hours(48), Duration::from_hours(48)),
        (Duration::from_hours(1_000), RunConfig::PENDING_TIME),
    ] {
        let calls = calls(&["echo"]);
        let approver = move |_: ApprovalRequest| async move {
            sleep(decides_after).await;
            Decision::Approve
        };
        let asked = unlimited().with_approvals(ApprovalPolicy::All);
        let runner = builder(vec![calls, text("done")], OnLimit::Stop).tools(tools());
        let runner = runner.calls(asked.with_approver(approver)).build();
        let begun = Instant::now();
        let outcome = runner.expect("is consistent").run("question").await;
        let outcome = outcome.expect("answers");
        assert_eq!(outcome.finish, Finish::Answered);
        let took = begun.elapsed();
        assert!(took >= waited && took < waited + MAX, "{took:?}");
        let round = outcome.tool_rounds().next().expect("is one");
        let is_denied = decides_after > waited;
        assert_eq!(round.results[0].is_error(), is_denied);
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_sums_up_when_its_time_is_up() {
    let limit = Limit::Time { max: MAX };
    for (place, script, made, grace) in cases() {
        let mut summed_up = script.clone();
        summed_up.push(text("So far: nothing."));
        let (outcome, _, took) = read(made(builder(summed_up, OnLimit::Summarize))).await;
        let summarized = true;
        assert_eq!(
            outcome.finish,
            Finish::Limit { limit, summarized },
            "{place}"
        );
        assert_eq!(outcome.text, "So far: nothing.", "{place}");
        assert!(took <= MAX + grace, "{place}: {took:?}");

        // A summary that does not come is not waited for either.
        for endless in [stall(), busy(Duration::from_secs(50))] {
            let mut script = script.clone();
            script.push(endless);
            let (outcome, _, took) = read(made(builder(script, OnLimit::Summarize))).await;
            let summarized = false;
            assert_eq!(
                outcome.finish,
                Finish::Limit { limit, summarized },
                "{place}"
            );
            assert_eq!(
                outcome.warnings.last().expect("is one").code,
                "summary_failed"
            );
            let longest = MAX + grace + Limits::SUMMARY_TIME;
            assert!(took > MAX && took <= longest, "{place}: {took:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn finished_work_is_kept_and_a_tool_may_say_its_last() {
    let listens = Handwritten::new("listens", async |_, cx| {
        cx.cancelled().await;
        sleep(Duration::from_millis(100)).await;
        Ok(ToolOutput::text("half of it"))
    });
    let tools = tools().with(listens).expect("three names");
    let script = vec![calls(&["echo", "listens", "hang"]), text("done")];
    let (outcome, _, _) = read(builder(script, OnLimit::Summarize).tools(tools)).await;
    let round = outcome.tool_rounds().next().expect("is one");
    let texts: Vec<_> = round
        .results
        .iter()
        .map(ToolResult::to_model_text)
        .collect();
    assert!(
        texts[0].starts_with("xx") && texts[1] == "half of it",
        "{texts:?}"
    );
    assert!(texts[2].contains("cancelled while it ran"), "{texts:?}");
    assert_eq!((outcome.rounds, outcome.text.as_str()), (1, "done"));
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_run_goes_on_while_it_sums_up_at_another_bound() {
    let script = vec![calls(&["echo"]), stall()];
    let (outcome, _, took) = read(builder(script, OnLimit::Summarize).tools(tools())).await;
    let (limit, summarized) = (Limit::Rounds { max: 1 }, false);
    assert_eq!(
        (outcome.finish, took),
        (Finish::Limit { limit, summarized }, MAX)
    );
}

#[tokio::test(start_paused = true)]
async fn a_run_can_be_cancelled_when_its_time_is_up() {
    for (script, at) in [
        (vec![calls(&["hang"])], MAX + GRACE / 2),
        (vec![stall(), stall()], MAX + Duration::from_secs(1)),
    ] {
        let runner = builder(script, OnLimit::Summarize).tools(tools());
        let handle = runner.build().expect("is consistent").start("question");
        let (from, token) = (Instant::now(), handle.cancellation());
        let cancel = async {
            sleep(at).await;
            token.cancel();
        };
        let (outcome, ()) = tokio::join!(handle.outcome(), cancel);
        assert_eq!(outcome.expect("is an outcome").finish, Finish::Cancelled);
        assert!(from.elapsed() <= MAX + Duration::from_secs(1));
    }
}

/// The clock stands still for as long as anything goes on: a run that waited busily would not end.
#[tokio::test(start_paused = true)]
async fn a_run_waits_quietly_when_its_time_is_up_after_a_cancel() {
    for before in [Duration::ZERO, GRACE / 2] {
        let runner = builder(vec![calls(&["hang"])], OnLimit::Stop).tools(tools());
        let handle = runner.build().expect("is consistent").start("question");
        let token = handle.cancellation();
        let cancel = async {
            sleep(MAX.saturating_sub(before)).await;
            token.cancel();
        };
        let polls = AtomicUsize::new(0);
        let mut outcome = pin!(handle.outcome());
        let counted = poll_fn(|cx| {
            let polls = polls.fetch_add(1, Ordering::SeqCst);
            assert!(polls < 100, "it waits busily");
            outcome.as_mut().poll(cx)
        });
        let (outcome, ()) = tokio::join!(counted, cancel);
        assert!(outcome.is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_never_waits_is_stopped_in_time() {
    let endless = ModelResponse::new(vec![Part::Text("x".into()); 3_000]);
    for reply in [ScriptedResponse::Stall(endless.clone()), endless.into()] {
        let script = vec![reply, text("so far")];
        let runner = builder(script, OnLimit::Stop).max_time(Duration::ZERO);
        let (outcome, _, _) = read(runner).await;
        let (limit, summarized) = (
            Limit::Time {
                max: Duration::ZERO,
            },
            false,
        );
        assert_eq!(outcome.finish, Finish::Limit { limit, summarized });
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_has_a_time_and_is_sent_again() {
    let time = Duration::from_secs(2);
    let silent = || ScriptedResponse::Stall(ModelResponse::default());
    for streaming in [true, false] {
        let build = |script: Vec<ScriptedResponse>| {
            let runner = Runner::builder(ScriptedModel::new(script)).streaming(streaming);
            runner.model_timeout(time)
        };
        let (outcome, _, took) = read(build(vec![silent(), silent(), text("done")])).await;
        assert_eq!(
            (outcome.finish, outcome.model_retries),
            (Finish::Answered, 2)
        );
        assert!(took >= 2 * time);
        let retries = Limits::default().model_retries;
        let script = (0..=retries).map(|_| silent()).collect();
        let (outcome, _, _) = read(build(script)).await;
        let Finish::Failed(Failure::Model(error)) = outcome.finish else {
            panic!("{:?}", outcome.finish)
        };
        assert_eq!(
            (error.kind, error.retryable),
            (ModelErrorKind::Transport, true)
        );
        assert_eq!(outcome.model_calls, retries + 1);
    }
}

/// What somebody has read of a reply is not asked for again.
#[tokio::test(start_paused = true)]
async fn a_reply_that_takes_too_long_keeps_what_has_come() {
    let runner = Runner::builder(ScriptedModel::new(vec![stall(), text("done")]));
    let (outcome, log, took) = read(runner.model_timeout(MAX)).await;
    assert!(matches!(outcome.finish, Finish::Failed(Failure::Model(_))));
    assert_eq!(took, MAX);
    let partial = log.iter().find_map(|record| match record {
        Record::ModelFailed { error } => error.partial.as_ref(),
        _ => None,
    });
    assert_eq!(partial.expect("is kept").text, "I am still think");
}

/// The time that a reader takes is not the model's.
#[tokio::test(start_paused = true)]
async fn a_slow_reader_does_not_use_up_the_time_of_the_model() {
    let pieces = ModelResponse::new(vec![Part::Text("xy".into()); 10]);
    let runner =
        Runner::builder(ScriptedModel::new([pieces])).model_timeout(Duration::from_secs(1));
    let mut handle = runner.build().expect("is one").start("question");
    let mut pieces = 0;
    while let Some(event) = handle.next().await {
        pieces += usize::from(matches!(event, RunEvent::Delta(ModelEvent::Text(_))));
        sleep(Duration::from_secs(3)).await;
    }
    let outcome = handle.outcome().await.expect("answers");
    assert_eq!((outcome.finish, pieces), (Finish::Answered, 20));
}

/// Without a limit nothing is timed.
#[test]
fn a_run_without_limits_needs_no_timer() {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let outcome = runtime.expect("builds").block_on(async {
        let model = ScriptedModel::new([calls(&["echo"]), text("done")]);
        let runner = Runner::builder(model).tools(tools()).calls(unlimited());
        runner.build().expect("is one").run("question").await
    });
    assert_eq!(outcome.expect("answers").text, "done");
}
