//! What lets a call of a run start, and what it is asked about.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::json;
use tokio::time::{Instant, sleep};
use toolwright::{
    Dispatch, ErrorCategory, ModelResponse, Runner, ToolCall, ToolContext, ToolError, ToolOutput,
    ToolResult, Toolset,
    approval::{ApprovalPolicy, ApprovalRequest, Approver, Decision},
    arguments::Leniency,
    dispatch::{CallOptions, DispatchOptions, dispatch_fn},
    middleware,
    rate_limit::{OnExcess, RateLimit, RateLimiter},
    redact::Secrets,
    run::{Record, Run},
    runner::RunEvent,
    testing::ScriptedModel,
    tool,
    tool::{Backoff, CallUpdate, Effects, ToolPolicy},
    toolset,
};

use crate::handwritten::Handwritten;

/// When calls of which tool started, in seconds since the first look.
#[derive(Clone)]
struct Starts {
    begin: Instant,
    seen: Arc<Mutex<Vec<(&'static str, u64)>>>,
}

impl Starts {
    fn new() -> Self {
        Self {
            begin: Instant::now(),
            seen: Arc::default(),
        }
    }

    /// A tool that writes down when it starts, and then takes so many seconds.
    fn tool(&self, name: &'static str, seconds: u64, policy: ToolPolicy) -> Handwritten {
        let starts = self.clone();
        let work = move |_: ToolCall, _| {
            let starts = starts.clone();
            async move {
                let at = starts.begin.elapsed().as_secs();
                starts.seen.lock().expect("nothing panics").push((name, at));
                sleep(Duration::from_secs(seconds)).await;
                Ok(ToolOutput::text(name))
            }
        };
        Handwritten::new(name, work).with_policy(policy)
    }

    fn seen(&self) -> Vec<(&'static str, u64)> {
        self.seen.lock().expect("nothing panics").clone()
    }
}

fn calls(names: &[&str]) -> Vec<ToolCall> {
    let calls = names.iter().map(|name| ToolCall::new("", *name, "{}"));
    calls.collect()
}

fn model(names: &[&str]) -> ScriptedModel {
    ScriptedModel::new([
        ModelResponse::from_calls(calls(names)),
        ModelResponse::from_text("done"),
    ])
}

/// Approves after 100 seconds.
async fn late(_: ApprovalRequest) -> Decision {
    sleep(Duration::from_secs(100)).await;
    Decision::Approve
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_run_that_waits_for_an_approval_holds_no_place() {
    for concurrency in [1, 2] {
        let starts = Starts::new();
        let asks = ToolPolicy::default().with_approval();
        let tools = Toolset::new()
            .with(starts.tool("guarded", 0, asks))
            .and_then(|tools| tools.with(starts.tool("free", 0, ToolPolicy::default())))
            .unwrap();
        let runner = Runner::builder(model(&["guarded", "guarded", "free"]))
            .tools(tools)
            .calls(
                CallOptions::new()
                    .with_concurrency(NonZeroUsize::new(concurrency).unwrap())
                    .with_approver(late),
            )
            .build()
            .unwrap();
        runner.run("go").await.unwrap();
        assert_eq!(
            starts.seen(),
            [("free", 0), ("guarded", 100), ("guarded", 100)]
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_run_that_waits_for_its_rate_limit_holds_no_place() {
    let starts = Starts::new();
    let limited = ToolPolicy::default().with_rate_limit(RateLimit::per_minute(1));
    let tools = Toolset::new()
        .with(starts.tool("limited", 0, limited))
        .and_then(|tools| tools.with(starts.tool("free", 0, ToolPolicy::default())))
        .unwrap();
    let runner = Runner::builder(model(&["limited", "limited", "limited", "free"]))
        .tools(tools)
        .calls(CallOptions::new().with_concurrency(NonZeroUsize::new(2).unwrap()))
        .build()
        .unwrap();
    runner.run("go").await.unwrap();
    assert_eq!(
        starts.seen(),
        [
            ("limited", 0),
            ("free", 0),
            ("limited", 60),
            ("limited", 120)
        ]
    );
}

/// Pay an invoice of the user.
#[tool(approval, inline)]
fn pay(amount: u64) -> String {
    format!("paid {amount}")
}

struct Till;

#[toolwright::tools]
impl Till {
    /// Pay an invoice of the user in cash.
    #[tool(approval, inline)]
    #[allow(clippy::unused_self)]
    fn pay_cash(&self, #[tool(range(1..=9_000))] amount: u64) -> String {
        format!("paid {amount}")
    }
}

/// Denies more than 1,000, and what it cannot read.
fn careful(asked: &Arc<Mutex<Vec<String>>>) -> impl Approver + use<> {
    let asked = Arc::clone(asked);
    move |request: ApprovalRequest| {
        let arguments: serde_json::Value =
            serde_json::from_str(&request.call.arguments).expect("is JSON");
        asked
            .lock()
            .expect("nothing panics")
            .push(request.call.arguments);
        let amount = arguments["amount"].as_u64();
        std::future::ready(if amount.is_some_and(|amount| amount > 1_000) {
            Decision::deny("too much")
        } else {
            Decision::Approve
        })
    }
}

fn payments(arguments: &[&str]) -> Vec<ToolCall> {
    let calls = arguments.iter().map(|text| ToolCall::new("", "pay", *text));
    calls.collect()
}

#[tokio::test]
async fn what_is_approved_is_what_runs() {
    let calls = payments(&[r#"{"amount":"5000"}"#, r#"{"amount":"500"}"#]);
    let asked = Arc::default();
    let options = DispatchOptions::from(
        CallOptions::new()
            .with_leniency(Leniency::On)
            .with_approver(careful(&asked)),
    );
    let results = toolset![pay].dispatch_with(&calls, &options).await;
    assert!(results[0].is_error());
    assert_eq!(results[1].to_model_text(), "paid 500");
    assert_eq!(results[1].changes.len(), 1);
    let seen = [r#"{"amount":5000}"#, r#"{"amount":500}"#];
    assert_eq!(*asked.lock().unwrap(), seen);

    let asked = Arc::default();
    let done = ModelResponse::from_text("done");
    let model = ScriptedModel::new([ModelResponse::from_calls(calls.clone()), done]);
    let runner = Runner::builder(model)
        .tools(toolset![pay])
        .calls(
            CallOptions::new()
                .with_leniency(Leniency::On)
                .with_approver(careful(&asked)),
        )
        .build()
        .unwrap();
    let mut handle = runner.start("pay");
    let mut log = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { record, .. } = event {
            log.push(record);
        }
    }
    let outcome = handle.outcome().await.unwrap();
    let round = outcome.tool_rounds().next().unwrap();
    assert!(round.results[0].is_error());
    assert_eq!(round.results[1].to_model_text(), "paid 500");
    assert_eq!(round.results[1].changes.len(), 1);
    assert_eq!(*asked.lock().unwrap(), seen);
    // The log knows what was approved, and is the run.
    let prepared = log.iter().filter_map(|record| match record {
        Record::CallPrepared { arguments, .. } => Some(arguments.as_str()),
        _ => None,
    });
    assert_eq!(prepared.collect::<Vec<_>>(), seen);
    let (run, missing) = Run::replay(&log).unwrap();
    assert_eq!((run.outcome(), missing), (Some(outcome), Vec::new()));
}

/// Each form of a tool, also with middleware around it.
#[tokio::test]
async fn nobody_is_asked_about_what_cannot_run() {
    let foreign =
        toolwright::dynamic::DynamicTool::builder("transfer", "Transfers money to somebody.")
            .required("amount", toolwright::dynamic::Parameter::integer())
            .policy(ToolPolicy::default().with_approval())
            .build(async |_: ToolCall, _| Ok::<_, ToolError>("transferred"))
            .unwrap();
    let tools = toolset![pay].merge(Till.into_tools()).unwrap();
    let tools = tools.with(foreign).unwrap();
    let tools = tools.layer(middleware::before(async |call, _| Ok(call)));
    let bad = [
        ("pay", r#"{"amount":"much"}"#),
        ("pay", r#"{"amount":5"#),
        ("pay", "{}"),
        ("pay", "5"),
        ("pay_cash", r#"{"amount":9001}"#),
        ("pay_cash", r#"{"amount":5,"to":"me"}"#),
        ("transfer", r#"{"amount":"much"}"#),
        ("transfer", "[]"),
    ];
    let good = [
        ("pay", r#"{"amount":5.0}"#),
        ("pay_cash", r#" {"amount":900} "#),
        ("transfer", r#"{"amount":5}"#),
    ];
    let all = bad.iter().chain(&good);
    let calls: Vec<_> = all
        .map(|(name, text)| ToolCall::new("", *name, *text))
        .collect();
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let options = DispatchOptions::from(CallOptions::new().with_approver(careful(&asked)));
    let results = tools.dispatch_with(&calls, &options).await;
    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls.clone()),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model)
        .tools(tools)
        .calls(CallOptions::new().with_approver(careful(&asked)))
        .build()
        .unwrap();
    let outcome = runner.run("pay").await.unwrap();
    let in_run = &outcome.tool_rounds().next().unwrap().results;
    for results in [&results[..], in_run] {
        for (call, result) in calls.iter().zip(results) {
            let is_good = good.contains(&(&*call.name, &*call.arguments));
            assert_eq!(result.is_error(), !is_good, "{call:?} {result:?}");
            if let Err(error) = &result.outcome {
                assert_eq!(error.category, ErrorCategory::InvalidArguments, "{error:?}");
            }
        }
    }
    let expected = good.iter().chain(&good).map(|(_, text)| *text);
    assert_eq!(*asked.lock().unwrap(), expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_slip_of_the_approver_is_not_told_as_one_of_the_model() {
    async fn slip(_: ApprovalRequest) -> Decision {
        Decision::approve_with(r#"{"amount":"some"}"#)
    }
    let calls = payments(&[r#"{"amount":5}"#]);
    let options = DispatchOptions::from(CallOptions::new().with_approver(slip));
    let results = toolset![pay].dispatch_with(&calls, &options).await;
    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![pay])
        .calls(CallOptions::new().with_approver(slip))
        .build()
        .unwrap();
    let outcome = runner.run("pay").await.unwrap();
    for result in [
        &results[0],
        &outcome.tool_rounds().next().unwrap().results[0],
    ] {
        let error = result.outcome.as_ref().unwrap_err();
        assert_eq!(error.category, ErrorCategory::Unknown);
        let told = "the arguments that the approver set do not fit";
        assert_eq!(error.message, told);
        assert!(
            error
                .log
                .as_ref()
                .unwrap()
                .contains("arguments.amount: expected")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_used_late_counts_from_then() {
    let limited = ToolPolicy::default().with_rate_limit(RateLimit::per_second(1));
    let names = ["limited", "limited", "limited", "limited", "slow"];
    for in_run in [false, true] {
        let starts = Starts::new();
        let tools = Toolset::new()
            .with(starts.tool("limited", 0, limited))
            .and_then(|tools| tools.with(starts.tool("slow", 5, ToolPolicy::default())))
            .unwrap();
        if in_run {
            let runner = Runner::builder(model(&names))
                .tools(tools)
                .calls(CallOptions::new().with_concurrency(NonZeroUsize::MIN));
            runner.build().unwrap().run("go").await.unwrap();
        } else {
            let options =
                DispatchOptions::from(CallOptions::new().with_concurrency(NonZeroUsize::MIN));
            tools.dispatch_with(&calls(&names), &options).await;
        }
        assert_eq!(
            starts.seen(),
            [
                ("limited", 0),
                ("slow", 0),
                ("limited", 5),
                ("limited", 6),
                ("limited", 7)
            ]
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_set_keeps_its_rate_limits_from_one_reply_to_the_next() {
    let starts = Starts::new();
    let limited = ToolPolicy::default().with_rate_limit(RateLimit::per_minute(1));
    let tools = Toolset::new()
        .with(starts.tool("limited", 0, limited))
        .and_then(|tools| tools.with(starts.tool("other", 0, ToolPolicy::default())))
        .unwrap();
    let one = calls(&["limited"]);
    tools.dispatch(&one).await;
    tools.dispatch_with(&one, &DispatchOptions::new()).await;
    tools.clone().dispatch(&one).await;
    tools.only(["limited"]).unwrap().dispatch(&one).await;
    let own = DispatchOptions::from(CallOptions::new().with_rate_limiter(RateLimiter::new()));
    tools.dispatch_with(&one, &own).await;
    let seen = [0, 60, 120, 180, 180].map(|at| ("limited", at));
    assert_eq!(starts.seen(), seen);
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_comes_too_often_keeps_the_failure() {
    let limit = RateLimit::per_minute(1).with_on_excess(OnExcess::Fail);
    let policy = ToolPolicy::default()
        .with_effects(Effects::ReadOnly)
        .with_rate_limit(limit);
    let gone = async |_: ToolCall, _: ToolContext| {
        Err(ToolError::new(
            ErrorCategory::NetworkError,
            "the line is dead",
        ))
    };
    let tools = Toolset::new()
        .with(Handwritten::new("call", gone).with_policy(policy))
        .unwrap();
    let result = tools.dispatch(&calls(&["call"])).await.remove(0);
    let runner = Runner::builder(model(&["call"]))
        .tools(tools)
        .build()
        .unwrap();
    let outcome = runner.run("go").await.unwrap();
    for result in [&result, &outcome.tool_rounds().next().unwrap().results[0]] {
        assert!(
            result.to_model_text().contains("the line is dead"),
            "{result:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_without_end_is_no_panic() {
    let policy = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let gone = async |_: ToolCall, _: ToolContext| {
        Err(ToolError::new(ErrorCategory::NetworkError, "gone"))
    };
    let tools = Toolset::new()
        .with(Handwritten::new("call", gone).with_policy(policy))
        .unwrap();
    let backoff = Backoff::new(Duration::MAX, Duration::MAX).without_jitter();
    let options = DispatchOptions::from(CallOptions::new().with_backoff(backoff));
    let calls = calls(&["call"]);
    let batch = tools.dispatch_with(&calls, &options);
    let hour = Duration::from_hours(1);
    assert!(tokio::time::timeout(hour, batch).await.is_err(), "it waits");
    let runner = Runner::builder(model(&["call"]))
        .tools(tools)
        .calls(CallOptions::new().with_backoff(backoff))
        .max_time(None);
    let runner = runner.build().unwrap();
    assert!(tokio::time::timeout(hour, runner.run("go")).await.is_err());
}

#[tokio::test]
async fn the_reason_of_a_denial_is_redacted_and_cut() {
    async fn no(_: ApprovalRequest) -> Decision {
        Decision::deny(format!("the key sk-4711 is {}", "not ".repeat(10_000)))
    }
    let calls = payments(&[r#"{"amount":5}"#]);
    let options = DispatchOptions::from(
        CallOptions::new()
            .with_approver(no)
            .with_max_output(500)
            .with_redaction(Secrets::new(["sk-4711"])),
    );
    let results = toolset![pay].dispatch_with(&calls, &options).await;
    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![pay])
        .calls(
            CallOptions::new()
                .with_approver(no)
                .with_max_output(500)
                .with_redaction(Secrets::new(["sk-4711"])),
        )
        .build()
        .unwrap();
    let mut handle = runner.start("pay");
    let mut results = results;
    while let Some(event) = handle.next().await {
        assert!(!format!("{event:?}").contains("sk-4711"), "{event:?}");
        if let RunEvent::Recorded {
            record: Record::CallFinished { result, .. },
            ..
        } = event
        {
            results.push(result);
        }
    }
    assert_eq!(results.len(), 2);
    for result in &results {
        let error = result.outcome.as_ref().unwrap_err();
        let begin = "the call was not approved: the key [redacted] is not";
        assert!(error.message.starts_with(begin), "{error}");
        assert!(error.message.len() <= 500, "{}", error.message.len());
    }
}

#[tokio::test]
async fn calls_through_a_closure_are_approved_as_well() {
    let calls = calls(&["one", "two", "three"]);
    let run = |call: &ToolCall, _| std::future::ready(Ok::<_, ToolError>(call.name.clone()));
    let options = |approvals| CallOptions::new().with_approvals(approvals);
    for approvals in [ApprovalPolicy::Writes, ApprovalPolicy::All] {
        let nobody = dispatch_fn(&calls, &options(approvals).into(), run).await;
        assert!(nobody.iter().all(ToolResult::is_error));
        let asked =
            options(approvals).with_approver(async |request: ApprovalRequest| {
                match request.call.name.as_str() {
                    "one" => Decision::Approve,
                    "two" => Decision::approve_with("[]"),
                    _ => Decision::deny("no"),
                }
            });
        let results = dispatch_fn(&calls, &asked.into(), run).await;
        assert_eq!(results[0].to_model_text(), "one");
        assert!(results[1].to_model_text().contains("only run with its own"));
        assert!(results[2].to_model_text().contains("not approved: no"));
    }
    let none = dispatch_fn(&calls, &options(ApprovalPolicy::Declared).into(), run).await;
    assert!(none.iter().all(|result| !result.is_error()));
}

/// What the options' context holds beside its extensions.
#[tokio::test(start_paused = true)]
async fn a_batch_keeps_what_its_context_holds() {
    let at = |seconds| (Instant::now() + Duration::from_secs(seconds)).into_std();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let (first, second) = (heard.clone(), heard.clone());
    let progress = tool::Progress::new(move |update| first.lock().unwrap().push(update));
    let context = ToolContext::default()
        .with_deadline(at(10))
        .with_idempotency_key("order 7")
        .with_progress(progress);
    let options = DispatchOptions::new()
        .with_deadline(Duration::from_secs(20))
        .with_context(context)
        .with_updates(move |_, update: CallUpdate| second.lock().unwrap().push(update));
    let begin = Instant::now();
    let keys = Arc::new(Mutex::new(Vec::new()));
    let seen = keys.clone();
    let slow = Handwritten::new("slow", move |_, cx: ToolContext| {
        seen.lock().unwrap().push(cx.idempotency_key());
        async move {
            cx.progress().step(1, 2, "begun");
            std::future::pending().await
        }
    });
    let tools = Toolset::new().with(slow).unwrap();
    let results = tools
        .dispatch_with(&calls(&["slow", "slow"]), &options)
        .await;
    assert_eq!(begin.elapsed().as_secs(), 10);
    assert!(results.iter().all(ToolResult::is_error));
    let expected = ["order 7.0.0", "order 7.0.1"].map(|key| Some(key.to_owned()));
    assert_eq!(*keys.lock().unwrap(), expected);
    assert_eq!(heard.lock().unwrap().len(), 4, "both hear both");
}

/// What belongs to a request is there for its runs, and everything else is shared.
#[tokio::test(start_paused = true)]
async fn a_runner_has_extensions_for_a_request() {
    struct User(&'static str);
    let who = Handwritten::new("who", async |_, cx: ToolContext| {
        Ok(ToolOutput::text(cx.require::<User>()?.0))
    })
    .with_policy(ToolPolicy::default().with_rate_limit(RateLimit::per_minute(1)));
    let script = (0..4).map(|place| match place % 2 {
        0 => ModelResponse::from_calls(calls(&["who"])),
        _ => ModelResponse::from_text("done"),
    });
    let runner = Runner::builder(ScriptedModel::new(script))
        .tools(Toolset::new().with(who).unwrap())
        .calls(CallOptions::new().with_extension(User("nobody")))
        .build()
        .unwrap();
    let begin = Instant::now();
    let mut names = Vec::new();
    for runner in [runner.with_extension(User("ada")), runner.clone()] {
        let outcome = runner.run("who").await.unwrap();
        let round = outcome.tool_rounds().next().unwrap();
        names.push(round.results[0].to_model_text().into_owned());
    }
    assert_eq!(names, ["ada", "nobody"]);
    assert_eq!(begin.elapsed().as_secs(), 60, "the rate limit is shared");
}

/// A model that goes round in circles is told so, and then asked for an answer.
#[tokio::test]
async fn a_run_that_goes_round_in_circles_ends() {
    let script = (0..5).map(|place| match place {
        4 => ModelResponse::from_text("I found nothing."),
        _ => ModelResponse::from_calls(calls(&["look"])),
    });
    let model = ScriptedModel::new(script);
    let look = Handwritten::new("look", async |_, _| Ok(ToolOutput::text("nothing")));
    let runner = Runner::builder(model.clone())
        .tools(Toolset::new().with(look).unwrap())
        .build()
        .unwrap();
    let outcome = runner.run("look").await.unwrap();
    let finish = serde_json::to_value(&outcome.finish).unwrap();
    assert_eq!(
        finish,
        json!({"type": "limit", "content": {"limit": {"type": "no_progress"}, "summarized": true}})
    );
    let noted: Vec<_> = model
        .requests()
        .iter()
        .map(|request| format!("{:?}", request.messages).contains("Do something else"))
        .collect();
    assert_eq!(noted, [false, false, false, true, false]);
}

#[tokio::test]
async fn an_approver_may_be_held_by_others() {
    let approver: Arc<dyn Approver> = Arc::new(async |_: ApprovalRequest| Decision::Approve);
    let options =
        DispatchOptions::from(CallOptions::new().with_shared_approver(Arc::clone(&approver)));
    let calls = payments(&[r#"{"amount":5}"#]);
    let tools = toolset![pay];
    let results = tools.dispatch_with(&calls, &options).await;
    assert_eq!(results[0].to_model_text(), "paid 5");
    let runner = Runner::builder(ScriptedModel::new([ModelResponse::from_text("")]))
        .tools(tools)
        .calls(CallOptions::new().with_shared_approver(approver))
        .build();
    assert!(runner.is_ok());
}

/// Says what time it is.
#[tool(sequential = true, polls = false, approval = false, inline)]
fn clock() {}

#[test]
fn a_word_may_be_said_as_true_or_false() {
    assert_eq!(
        toolset![clock].policy("clock"),
        ToolPolicy::default().with_sequential()
    );
}

#[tokio::test(start_paused = true)]
async fn a_wait_is_told_in_whole_units() {
    for (period, told) in [
        (Duration::from_mins(1), "call it again in 58s"),
        (Duration::from_micros(900_700), "call it again in 701ms"),
    ] {
        let limit = RateLimit::new(1, period).with_on_excess(OnExcess::Fail);
        let policy = ToolPolicy::default().with_rate_limit(limit);
        let starts = Starts::new();
        let tools = Toolset::new()
            .with(starts.tool("limited", 0, policy))
            .unwrap();
        let one = calls(&["limited"]);
        tools.dispatch(&one).await;
        let passed = if period > Duration::from_secs(1) {
            Duration::from_millis(2_500)
        } else {
            Duration::from_millis(200)
        };
        tokio::time::advance(passed).await;
        let results = tools.dispatch(&one).await;
        let text = results[0].to_model_text();
        assert!(text.contains(told), "{text}");
    }
}
