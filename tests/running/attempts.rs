//! Calls that wait and are run again: what is repeated, when, and what it holds up.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::time::{Instant, sleep};
use toolwright::{
    Dispatch, ErrorCategory, ModelResponse, Runner, ToolCall, ToolContext, ToolError, ToolOutput,
    Toolset,
    approval::{ApprovalRequest, Approver, Decision},
    dispatch::{CallOptions, DispatchOptions},
    rate_limit::RateLimit,
    run::{Delay, Record},
    runner::RunEvent,
    testing::ScriptedModel,
    tool::{Backoff, BoxFuture, Effects, ToolPolicy},
};

use crate::handwritten::{Handwritten, echo};

/// Fails so often before it succeeds, and writes down when it ran and with which key.
fn flaky(failures: u32, error: &ToolError, seen: &Seen) -> Handwritten {
    let (error, seen) = (error.clone(), Arc::clone(seen));
    let work = move |_: ToolCall, cx: ToolContext| {
        let (error, seen) = (error.clone(), Arc::clone(&seen));
        async move {
            let key = cx.idempotency_key().expect("it is in a batch or in a run");
            seen.lock()
                .expect("nothing panics")
                .push((Instant::now(), key));
            if cx.attempt() <= failures {
                return Err(error);
            }
            Ok(ToolOutput::text(cx.attempt().to_string()))
        }
    };
    let policy = ToolPolicy::default().with_effects(Effects::Idempotent);
    Handwritten::new("flaky", work).with_policy(policy)
}

type Seen = Arc<Mutex<Vec<(Instant, String)>>>;

fn network() -> ToolError {
    ToolError::new(ErrorCategory::NetworkError, "gone")
}

fn set(tools: impl IntoIterator<Item = Handwritten>) -> Toolset {
    let mut tools = tools.into_iter();
    tools
        .try_fold(Toolset::new(), Toolset::with)
        .expect("the names differ")
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(id, name, arguments)
}

fn options() -> DispatchOptions {
    call_options().into()
}

fn call_options() -> CallOptions {
    CallOptions::new().with_backoff(Backoff::default().without_jitter())
}

#[tokio::test(start_paused = true)]
async fn what_may_pass_is_run_again_with_the_same_key() {
    let seen = Seen::default();
    let tools = set([flaky(2, &network(), &seen), echo()]);
    let calls = [call("a", "flaky", "{}"), call("b", "echo", "{}")];
    let start = Instant::now();
    let results = tools.dispatch_with(&calls, &options()).await;
    assert_eq!(results[0].to_model_text(), "3", "the third attempt");
    let seen = seen.lock().expect("nothing panics");
    let after: Vec<_> = seen
        .iter()
        .map(|(at, _)| at.duration_since(start))
        .collect();
    assert_eq!(after, [0, 200, 600].map(Duration::from_millis));
    assert!(seen.iter().all(|(_, key)| *key == seen[0].1));
}

#[tokio::test(start_paused = true)]
async fn keys_differ_between_calls_and_batches_and_stay_where_a_batch_is_done_again() {
    let seen = Seen::default();
    let tools = set([flaky(0, &network(), &seen)]);
    let calls = [call("x", "flaky", "{}"), call("x", "flaky", "{}")];
    tools.dispatch(&calls).await;
    tools.dispatch(&calls).await;
    let again = DispatchOptions::new().with_batch_id("order-7");
    tools.dispatch_with(&calls, &again).await;
    tools.dispatch_with(&calls, &again).await;
    let seen = seen.lock().expect("nothing panics");
    let keys: Vec<_> = seen.iter().map(|(_, key)| key.as_str()).collect();
    assert_eq!(keys[4..6], keys[6..8]);
    let mut different = keys[..6].to_vec();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 6, "{keys:?}");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_writes_and_a_failure_that_stays_are_not_repeated() {
    let seen = Seen::default();
    let writes = flaky(9, &network(), &seen).with_policy(ToolPolicy::default());
    let results = set([writes]).dispatch(&[call("", "flaky", "")]).await;
    assert!(results[0].is_error());
    let stays = flaky(9, &ToolError::not_found("no"), &seen);
    set([stays]).dispatch(&[call("", "flaky", "")]).await;
    let late = network().with_retry_after(Duration::from_hours(2));
    set([flaky(9, &late, &seen)])
        .dispatch(&[call("", "flaky", "")])
        .await;
    assert_eq!(seen.lock().expect("nothing panics").len(), 3, "one each");
}

#[tokio::test(start_paused = true)]
async fn the_wait_is_at_least_what_the_error_asks_and_no_run_time() {
    let seen = Seen::default();
    let asks = network().with_retry_after(Duration::from_secs(30));
    let policy = ToolPolicy::default()
        .with_effects(Effects::ReadOnly)
        .with_timeout(Duration::from_secs(1));
    let tools = set([flaky(1, &asks, &seen).with_policy(policy)]);
    let start = Instant::now();
    let results = tools.dispatch(&[call("", "flaky", "")]).await;
    assert_eq!(results[0].to_model_text(), "2");
    // Those that are told the same time do not come back together.
    let waited = start.elapsed().as_secs_f64();
    assert!((30.0..=37.5).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_holds_up_a_barrier_and_nobody_else() {
    let order = Arc::new(Mutex::new(Vec::new()));
    let note = |name: &'static str| {
        let order = Arc::clone(&order);
        Handwritten::new(name, move |call: ToolCall, _| {
            order.lock().expect("nothing panics").push(call.id);
            std::future::ready(Ok(ToolOutput::default()))
        })
    };
    let alone = note("alone").with_policy(ToolPolicy::default().with_sequential());
    let tools = set([
        flaky(1, &network(), &Seen::default()),
        note("beside"),
        alone,
    ]);
    let calls = [
        call("1", "flaky", ""),
        call("2", "beside", ""),
        call("3", "alone", ""),
        call("4", "beside", ""),
    ];
    let one = call_options().with_concurrency(NonZeroUsize::MIN).into();
    let mut stream = tools.dispatch_stream(&calls, &one);
    let mut finished = Vec::new();
    while let Some(event) = stream.next().await {
        if let toolwright::dispatch::DispatchEvent::Finished { index, .. } = event {
            finished.push(index);
        }
    }
    assert_eq!(finished, [1, 0, 2, 3]);
    assert_eq!(*order.lock().expect("nothing panics"), ["2", "3", "4"]);
}

#[tokio::test(start_paused = true)]
async fn a_run_waits_records_why_and_tries_again() {
    let seen = Seen::default();
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("a", "flaky", "{}"), call("b", "echo", "{}")]),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model)
        .tools(set([flaky(2, &network(), &seen), echo()]))
        .calls(CallOptions::new().with_backoff(Backoff::default().without_jitter()));
    let mut handle = runner.build().expect("builds").start("question");
    let start = Instant::now();
    let mut waits = 0;
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded {
            record: Record::CallDelayed { why, .. },
            ..
        } = event
        {
            assert!(matches!(why, Delay::Retry { error } if error == network()));
            waits += 1;
        }
    }
    assert_eq!((waits, start.elapsed()), (2, Duration::from_millis(600)));
    let id = handle.id().to_string();
    let outcome = handle.outcome().await.expect("answers");
    let round = outcome.tool_rounds().next().expect("one round");
    assert_eq!(round.results[0].to_model_text(), "3");
    let seen = seen.lock().expect("nothing panics");
    assert!(seen.iter().all(|(_, key)| *key == format!("{id}.0.0")));
}

/// Takes a second for each decision, and decides by the arguments.
struct Person;

impl Approver for Person {
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'_, Decision> {
        Box::pin(async move {
            sleep(Duration::from_secs(1)).await;
            match request.call.arguments.as_str() {
                "no" => Decision::deny("it is late"),
                "edit" => Decision::ApproveWith {
                    arguments: "edited".into(),
                },
                "panic" => panic!("nobody is perfect"),
                _ => Decision::Approve,
            }
        })
    }
}

/// A tool that needs an approval, and one beside it.
fn guarded() -> Toolset {
    let guarded = Handwritten::new("guarded", async |call, _| {
        Ok(ToolOutput::text(call.arguments))
    });
    set([
        guarded.with_policy(ToolPolicy::default().with_approval()),
        echo(),
    ])
}

const ASKED: [&str; 4] = ["yes", "no", "edit", "panic"];

fn check_decided(texts: &[String]) {
    assert_eq!(texts[0], "yes");
    // The model reads what its call ran with.
    assert!(texts[2].starts_with("edited\nNote from the application: "));
    assert!(texts[1].contains("permissionDenied") && texts[1].contains("it is late"));
    assert!(texts[3].contains("permissionDenied") && !texts[3].contains("perfect"));
    assert_eq!(texts[4], "beside");
}

#[tokio::test(start_paused = true)]
async fn calls_that_need_an_approval_wait_for_it_together() {
    let mut calls: Vec<_> = ASKED.map(|text| call("", "guarded", text)).into();
    calls.push(call("", "echo", "beside"));
    let options = DispatchOptions::from(
        CallOptions::new()
            .with_approver(Person)
            .with_concurrency(NonZeroUsize::MIN)
            .with_timeout(Duration::from_millis(1)),
    );
    let start = Instant::now();
    let results = guarded().dispatch_with(&calls, &options).await;
    let texts: Vec<_> = results
        .iter()
        .map(|result| result.to_model_text().into_owned())
        .collect();
    check_decided(&texts);
    assert_eq!(start.elapsed(), Duration::from_secs(1));

    let calls = [call("", "guarded", "yes")];
    let results = guarded().dispatch(&calls).await;
    assert!(results[0].to_model_text().contains("permissionDenied"));
}

#[tokio::test(start_paused = true)]
async fn a_run_asks_and_records_what_was_decided() {
    let mut calls: Vec<_> = ASKED.map(|text| call("", "guarded", text)).into();
    calls.push(call("", "echo", "beside"));
    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model).tools(guarded()).calls(
        CallOptions::new()
            .with_concurrency(NonZeroUsize::MIN)
            .with_approver(Person),
    );
    let mut handle = runner.build().expect("builds").start("question");
    let mut decided = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded {
            record: Record::CallDecided { call, .. },
            ..
        } = event
        {
            decided.push(call.index);
        }
    }
    decided.sort_unstable();
    assert_eq!(decided, [0, 1, 2, 3]);
    let outcome = handle.outcome().await.expect("answers");
    let round = outcome.tool_rounds().next().expect("one round");
    let texts: Vec<_> = round
        .results
        .iter()
        .map(|result| result.to_model_text().into_owned())
        .collect();
    check_decided(&texts);
    assert_eq!(
        round.calls().next().expect("is there").arguments,
        "yes",
        "the model's own text stays"
    );
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_makes_calls_wait_and_not_run_longer() {
    let policy = ToolPolicy::default()
        .with_rate_limit(RateLimit::per_second(2))
        .with_timeout(Duration::from_millis(1));
    let calls: Vec<_> = (0..6).map(|i| call("", "echo", &i.to_string())).collect();
    let start = Instant::now();
    let results = set([echo().with_policy(policy)]).dispatch(&calls).await;
    assert!(results.iter().all(|result| !result.is_error()));
    assert_eq!(start.elapsed(), Duration::from_secs(2));

    let fails = RateLimit::per_second(2).with_on_excess(toolwright::rate_limit::OnExcess::Fail);
    let policy = ToolPolicy::default()
        .with_rate_limit(fails)
        .with_effects(Effects::ReadOnly);
    let tools = set([echo().with_policy(policy)]);
    let results = tools.dispatch(&calls).await;
    let errors = results.iter().filter(|result| result.is_error()).count();
    assert_eq!(errors, 4);

    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model).tools(tools).build().expect("builds");
    let outcome = runner.run("question").await.expect("answers");
    let round = outcome.tool_rounds().next().expect("one round");
    let errors = round.results.iter().filter(|result| result.is_error());
    assert_eq!(errors.count(), 4);
}
