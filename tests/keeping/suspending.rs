//! Runs that wait for people and for the application: they end, are stored, and go on.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use tokio::time::Instant;
use toolwright::{
    Dispatch, ModelResponse, Runner, ToolCall, ToolContext, ToolError, ToolOutput, Toolset,
    dispatch::CallOptions,
    dynamic::{DynamicTool, Parameter},
    run::{
        CallId, Finish, Limits, OnLimit, Record, RequestPlan, Resolution, ResumeError, RunError,
        RunOutcome, StoredRun, WaitsFor,
    },
    runner::{RunEvent, RunnerBuilder},
    testing::ScriptedModel,
    tool::ToolPolicy,
    toolset,
};

const FIRST: CallId = CallId { round: 0, index: 0 };

/// A tool that counts how often it ran and says with what.
fn counted(name: &'static str, policy: ToolPolicy, ran: &Arc<AtomicUsize>) -> DynamicTool {
    let ran = Arc::clone(ran);
    let tool = DynamicTool::builder(name, "Does something that is counted.").policy(policy);
    let tool = tool.optional("sum", Parameter::integer());
    let tool = tool.build(move |call: ToolCall, _| {
        ran.fetch_add(1, Ordering::SeqCst);
        async move { Ok::<_, ToolError>(call.arguments) }
    });
    tool.expect("is sound")
}

/// Tools, and how often those ran that need an approval and those that need none.
fn tools() -> (Toolset, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let (asked, plain) = (Arc::default(), Arc::default());
    let pay = counted("pay", ToolPolicy::default().with_approval(), &asked);
    let look = counted("look", ToolPolicy::default(), &plain);
    let question = DynamicTool::builder("ask_user", "Asks the user a question.");
    let question = question.build_external().expect("is sound");
    let tools = Toolset::new().with(pay).and_then(|tools| tools.with(look));
    let tools = tools.and_then(|tools| tools.with(question));
    (tools.expect("the names differ"), asked, plain)
}

fn calls(names: &[&str]) -> ModelResponse {
    ModelResponse::from_calls(names.iter().map(|name| ToolCall::new("same", *name, "{}")))
}

fn builder(names: &[&str], tools: &Toolset) -> (RunnerBuilder, ScriptedModel) {
    let model = ScriptedModel::new([calls(names), ModelResponse::from_text("done")]);
    (Runner::builder(model.clone()).tools(tools.clone()), model)
}

/// The run as another process reads it.
fn stored(outcome: &RunOutcome) -> StoredRun {
    let stored = serde_json::to_string(outcome.suspended.as_ref().expect("is suspended"));
    serde_json::from_str(&stored.expect("serialises")).expect("reads")
}

fn texts(outcome: &RunOutcome) -> Vec<String> {
    let results = outcome.tool_rounds().flat_map(|round| round.results.iter());
    results
        .map(|result| result.to_model_text().into_owned())
        .collect()
}

#[tokio::test]
async fn a_run_ends_when_only_people_are_left_and_goes_on_in_another_process() {
    let (tools, asked, plain) = tools();
    let (first, model) = builder(&["pay", "look", "pay"], &tools);
    let outcome = pay(first.suspends()).await;
    let outcome = outcome.expect("is no failure");
    assert_eq!(outcome.finish, Finish::Suspended);
    assert_eq!(
        (asked.load(Ordering::SeqCst), plain.load(Ordering::SeqCst)),
        (0, 1)
    );
    assert!(!outcome.conversation.requires_tool_execution());
    let run = stored(&outcome);
    assert!(
        !run.records()
            .iter()
            .any(|record| matches!(record, Record::Finished { .. }))
    );
    assert_eq!(run.pending(), outcome.pending);
    let ids: Vec<_> = run
        .pending()
        .iter()
        .map(|call| (call.id.index, call.waits_for))
        .collect();
    assert_eq!(ids, [(0, WaitsFor::Approval), (2, WaitsFor::Approval)]);
    assert_eq!(
        run.pending()[0].definition.as_ref().expect("is there").name,
        "pay"
    );

    // Another process: one is approved with other arguments, the other denied.
    let second = next(&tools);
    let said = [
        run.pending()[0].approve_with(r#"{"sum": 1}"#),
        run.pending()[1].deny("too much"),
    ];
    let said = serde_json::to_string(&said).expect("serialises");
    let said: Vec<_> = serde_json::from_str::<Vec<_>>(&said).expect("reads");
    let outcome = second
        .resume(run)
        .decide(said)
        .start()
        .await
        .expect("goes on")
        .outcome()
        .await
        .expect("answers");
    assert_eq!(
        (&outcome.finish, outcome.text.as_str()),
        (&Finish::Answered, "done")
    );
    assert_eq!(
        (asked.load(Ordering::SeqCst), plain.load(Ordering::SeqCst)),
        (1, 1)
    );
    let texts = texts(&outcome);
    assert!(texts[0].contains(r#"{"sum": 1}"#), "{texts:?}");
    assert!(texts[2].contains("not approved: too much"), "{texts:?}");
    assert_eq!(model.requests().len(), 1);
}

async fn pay(builder: RunnerBuilder) -> Result<RunOutcome, RunError> {
    builder.build().expect("is consistent").run("Pay.").await
}

async fn go_on<const N: usize>(
    runner: Runner,
    run: StoredRun,
    said: [Resolution; N],
) -> Result<RunOutcome, RunError> {
    let handle = runner
        .resume(run)
        .decide(said)
        .start()
        .await
        .expect("goes on");
    handle.outcome().await
}

fn next(tools: &Toolset) -> Runner {
    let model = ScriptedModel::new([ModelResponse::from_text("done")]);
    let builder = Runner::builder(model).tools(tools.clone());
    builder.suspends().build().expect("is consistent")
}

#[tokio::test]
async fn a_run_is_suspended_as_often_as_it_waits() {
    let (tools, asked, _) = tools();
    let (first, _) = builder(&["pay", "pay"], &tools);
    let outcome = pay(first.suspends()).await;
    let run = stored(&outcome.expect("is no failure"));
    let said = [run.pending()[1].approve()];
    let outcome = go_on(next(&tools), run, said).await;
    let outcome = outcome.expect("is no failure");
    assert_eq!(
        (&outcome.finish, outcome.pending.len()),
        (&Finish::Suspended, 1)
    );
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    let run = stored(&outcome);
    let said = [run.pending()[0].approve()];
    let outcome = go_on(next(&tools), run, said).await;
    assert_eq!(outcome.expect("answers").finish, Finish::Answered);
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn the_application_answers_a_call_on_a_live_handle() {
    let (tools, _, plain) = tools();
    for live in [true, false] {
        let (runner, _) = builder(&["ask_user", "look"], &tools);
        let runner = runner.suspends().build().expect("is consistent");
        let mut handle = runner.start("Ask me.");
        while let Some(event) = handle.next().await {
            let RunEvent::Recorded {
                record: Record::CallDelayed { call, .. },
                ..
            } = event
            else {
                continue;
            };
            assert_eq!(handle.call(call).expect("is known").name, "ask_user");
            if live {
                assert!(handle.approve(call).is_err(), "it waits for an answer");
                handle
                    .answer_call(call, Ok(ToolOutput::text("blue")))
                    .expect("waits");
                assert!(
                    handle
                        .answer_call(call, Ok(ToolOutput::text("red")))
                        .is_err(),
                    "once"
                );
            }
        }
        let outcome = handle.outcome().await.expect("is no failure");
        if live {
            assert_eq!(outcome.finish, Finish::Answered);
            assert_eq!(texts(&outcome)[0], "blue");
            continue;
        }
        assert_eq!(outcome.finish, Finish::Suspended);
        let run = stored(&outcome);
        let said = [run.pending()[0].answer(ToolOutput::text("green"))];
        let outcome = go_on(next(&tools), run, said).await;
        assert_eq!(texts(&outcome.expect("answers"))[0], "green");
    }
    assert_eq!(plain.load(Ordering::SeqCst), 2, "once in each run");
}

/// What the application has done is in the conversation, whatever ends the run before the driver hears of it.
#[tokio::test(start_paused = true)]
async fn an_answer_that_came_before_the_end_is_kept() {
    for is_late in [true, false] {
        // Beside work that goes on, the wait for people counts.
        let hang = DynamicTool::builder("hang", "Never ends.").build(async |_: ToolCall, _| {
            std::future::pending::<()>().await;
            Ok::<_, ToolError>("")
        });
        let tools = tools()
            .0
            .with(hang.expect("is sound"))
            .expect("another name");
        let (runner, _) = builder(&["ask_user", "ask_user", "hang"], &tools);
        let minute = Duration::from_secs(60);
        let limits = Limits::default().with_max_time(minute);
        let runner = runner
            .limits(limits.with_on_limit(OnLimit::Stop))
            .suspend_after(2 * minute);
        let mut handle = runner.build().expect("is consistent").start("Ask me.");
        while handle
            .answer_call(FIRST, Ok(ToolOutput::text("blue")))
            .is_err()
        {
            handle.next().await.expect("goes on until it waits");
        }
        handle.push("And the door?").expect("goes on");
        if is_late {
            tokio::time::advance(minute).await;
        } else {
            handle.cancel();
        }
        let outcome = handle.outcome().await.expect("is no failure");
        assert_eq!(outcome.finish == Finish::Cancelled, !is_late);
        let texts = texts(&outcome);
        assert_eq!(texts[0], "blue");
        assert!(texts[1].contains("may have taken effect"), "{texts:?}");
        assert_eq!(outcome.unread.len(), 1);
    }
}

/// The time of an answer begins when the call is handed to the application, and not with the wait for its approval.
#[tokio::test]
async fn a_call_that_was_approved_waits_anew_for_its_answer() {
    let question = DynamicTool::builder("ask_user", "Asks the user a question.");
    let question = question.policy(ToolPolicy::default().with_approval());
    let tools = Toolset::new().with(question.build_external().expect("is sound"));
    let tools = tools.expect("is the only one");
    let (runner, _) = builder(&["ask_user"], &tools);
    let outcome = pay(runner.pending_time(None).suspends())
        .await
        .expect("is no failure");
    let mut stored = serde_json::to_value(outcome.suspended).expect("serialises");
    stored["pending"][0]["since_ms"] = json!(0);
    let run: StoredRun = serde_json::from_value(stored).expect("reads");
    assert_eq!(run.pending()[0].waits_for, WaitsFor::Approval);
    let began = run.pending()[0].since;
    let said = [run.pending()[0].approve()];
    let outcome = go_on(next(&tools), run, said).await.expect("is no failure");
    assert_eq!(outcome.pending[0].waits_for, WaitsFor::Answer);
    assert!(outcome.pending[0].since > began);
}

#[tokio::test(start_paused = true)]
async fn a_run_is_kept_for_as_long_as_was_set() {
    let (tools, asked, _) = tools();
    let (runner, _) = builder(&["pay"], &tools);
    let runner = runner
        .suspend_after(Duration::from_secs(60))
        .build()
        .expect("is consistent");
    let handle = runner.start("Pay.");
    let control = handle.control();
    let run = tokio::spawn(handle.outcome());
    tokio::time::sleep(Duration::from_secs(59)).await;
    control.approve(FIRST).expect("waits");
    assert_eq!(
        run.await.expect("runs").expect("answers").finish,
        Finish::Answered
    );
    assert_eq!(asked.load(Ordering::SeqCst), 1);

    let (again, _) = builder(&["pay"], &tools);
    let again = again
        .suspend_after(Duration::from_secs(60))
        .build()
        .expect("is consistent");
    let handle = again.start("Pay.");
    let control = handle.control();
    let run = tokio::spawn(handle.outcome());
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert!(control.approve(FIRST).is_err());
    assert_eq!(
        run.await.expect("runs").expect("is no failure").finish,
        Finish::Suspended
    );
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn what_was_not_said_of_the_call_that_waits_does_nothing() {
    let (tools, asked, _) = tools();
    let suspended = async |names: &[&str]| {
        let (runner, _) = builder(names, &tools);
        let outcome = pay(runner.suspends()).await;
        stored(&outcome.expect("is no failure"))
    };
    let (run, other) = (suspended(&["pay"]).await, suspended(&["pay"]).await);
    let resume = async |run: &StoredRun, said: Vec<_>| {
        next(&tools)
            .resume(run.clone())
            .decide(said)
            .start()
            .await
            .err()
    };
    let approved = run.pending()[0].approve();
    let not_pending = Some(ResumeError::NotPending { call: FIRST });
    assert_eq!(
        resume(&other, vec![approved.clone()]).await,
        not_pending,
        "another run"
    );
    let twice = vec![approved.clone(), run.pending()[0].deny("")];
    assert_eq!(
        resume(&run, twice).await,
        Some(ResumeError::Twice { call: FIRST })
    );
    let answer = run.pending()[0].answer(ToolOutput::text("paid"));
    assert_eq!(
        resume(&run, vec![answer]).await,
        not_pending,
        "it waits for a decision"
    );
    // A front end that was shown other arguments.
    let mut shown = serde_json::to_value(&run.pending()[0]).expect("serialises");
    shown["call"]["arguments"] = json!("{\"sum\": 1}");
    let shown: toolwright::run::PendingCall = serde_json::from_value(shown).expect("reads");
    assert_eq!(resume(&run, vec![shown.approve()]).await, not_pending);

    // A log in which the call has other arguments than those that were shown.
    let mut edited = serde_json::to_value(&run).expect("serialises");
    let parts = edited.pointer_mut("/records/1/response/parts/0/content/arguments");
    *parts.expect("is there") = json!("{\"sum\": 1}");
    let edited: StoredRun = serde_json::from_value(edited).expect("reads");
    assert_eq!(resume(&edited, vec![approved.clone()]).await, not_pending);

    // The tool has changed since; a denial of it still holds.
    let changed = DynamicTool::builder("pay", "Does something else entirely.");
    let changed = changed.policy(ToolPolicy::default().with_approval());
    let changed = changed
        .build(async |_: ToolCall, _| Ok::<_, ToolError>(""))
        .expect("is sound");
    let changed = Toolset::new().with(changed).expect("is the only one");
    for tools in [changed, Toolset::new()] {
        let error = next(&tools)
            .resume(run.clone())
            .decide([approved.clone()])
            .start()
            .await
            .err();
        let name = "pay".to_owned();
        assert_eq!(error, Some(ResumeError::ToolChanged { call: FIRST, name }));
        let denied = [run.pending()[0].deny("no")];
        let outcome = next(&tools)
            .resume(run.clone())
            .decide(denied)
            .start()
            .await
            .expect("goes on")
            .outcome();
        assert_eq!(outcome.await.expect("answers").finish, Finish::Answered);
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

/// Stores of JSON may sort its keys.
#[tokio::test]
async fn a_run_whose_keys_were_sorted_goes_on() {
    let (tools, asked, _) = tools();
    let definition = tools.definitions().next().expect("there is one");
    let schema = &definition.input_schema;
    assert_ne!(schema.to_value().to_string(), schema.as_str(), "is sorted");
    let (runner, _) = builder(&["pay"], &tools);
    let outcome = pay(runner.suspends()).await.expect("is no failure");
    let sorted = serde_json::to_value(outcome.suspended).expect("serialises");
    let run: StoredRun = serde_json::from_value(sorted).expect("reads");
    let said = [run.pending()[0].approve()];
    let outcome = go_on(next(&tools), run, said).await;
    assert_eq!(outcome.expect("answers").finish, Finish::Answered);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn decisions_expire() {
    let (tools, asked, _) = tools();
    let (runner, _) = builder(&["pay", "ask_user"], &tools);
    let runner = runner
        .suspends()
        .pending_time(Duration::from_secs(60))
        .build();
    let outcome = runner
        .expect("is consistent")
        .run("Pay.")
        .await
        .expect("is no failure");
    let mut stored = serde_json::to_value(outcome.suspended).expect("serialises");
    // One waits for long, and the other has just begun.
    stored["pending"][0]["since_ms"] = json!(0);
    let run: StoredRun = serde_json::from_value(stored).expect("reads");
    let late = next(&tools)
        .resume(run.clone())
        .decide([run.pending()[0].approve()])
        .start()
        .await;
    assert_eq!(late.err(), Some(ResumeError::Expired { call: FIRST }));
    let since = run.pending()[1].since;
    let handle = next(&tools).resume(run).start().await.expect("goes on");
    let outcome = handle.outcome().await.expect("is no failure");
    assert!(texts(&outcome)[0].contains("nobody decided in time"));
    // It does not begin to wait anew.
    let mut stored = serde_json::to_value(outcome.suspended).expect("serialises");
    let run: StoredRun = serde_json::from_value(stored.clone()).expect("reads");
    assert_eq!((run.pending().len(), run.pending()[0].since), (1, since));
    stored["pending"][0]["since_ms"] = json!(0);
    let run: StoredRun = serde_json::from_value(stored).expect("reads");
    let handle = next(&tools).resume(run).start().await.expect("goes on");
    let outcome = handle.outcome().await.expect("answers");
    assert!(texts(&outcome)[1].contains("nobody answered in time"));
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

/// While the run is kept as well, whether something else runs or not.
#[tokio::test(start_paused = true)]
async fn what_waits_expires_on_a_live_handle() {
    for names in [
        &["pay", "ask_user", "pay"][..],
        &["pay", "ask_user", "work"],
    ] {
        let (tools, asked, _) = tools();
        let work = DynamicTool::builder("work", "Takes longer than anybody may wait.");
        let work = work.build(async |_: ToolCall, _: ToolContext| {
            tokio::time::sleep(Duration::from_secs(50)).await;
            Ok::<_, ToolError>("worked")
        });
        let tools = tools.with(work.expect("is sound")).expect("is another");
        let (runner, _) = builder(names, &tools);
        let runner = runner.pending_time(Duration::from_secs(10));
        let runner = runner.suspend_after(Duration::from_secs(3600));
        let start = Instant::now();
        let mut run = runner.build().expect("is consistent").start("Pay.");
        let (mut expired, mut finished) = (Vec::new(), Vec::new());
        while let Some(event) = run.next().await {
            let RunEvent::Recorded { record, .. } = event else {
                continue;
            };
            match record {
                Record::CallExpired { call } => {
                    expired.push((call.index, start.elapsed().as_secs()));
                    assert!(run.approve(call).is_err(), "it is too late");
                }
                Record::CallDelayed { call, .. } if call.index == 2 => {
                    run.approve(call).expect("waits");
                }
                Record::CallFinished { call, .. } => finished.push(call.index),
                _ => {}
            }
        }
        let outcome = run.outcome().await.expect("is no failure");
        assert_eq!(
            (expired, outcome.finish.clone()),
            (vec![(0, 10), (1, 10)], Finish::Answered)
        );
        let texts = texts(&outcome);
        assert!(texts[0].contains("nobody decided in time"), "{texts:?}");
        assert!(
            texts[1].contains("nobody answered in time; it may have taken effect"),
            "{texts:?}"
        );
        let is_approved = names[2] == "pay";
        assert_eq!(finished, if is_approved { [2, 0, 1] } else { [0, 1, 2] });
        assert_eq!(asked.load(Ordering::SeqCst), usize::from(is_approved));
    }
}

#[tokio::test]
async fn a_stored_run_of_another_version_is_refused() {
    let (tools, ..) = tools();
    let (runner, _) = builder(&["pay"], &tools);
    let outcome = pay(runner.suspends()).await;
    let mut stored =
        serde_json::to_value(outcome.expect("is no failure").suspended).expect("serialises");
    assert_eq!(stored["version"], 1);
    stored["version"] = json!(2);
    let error = serde_json::from_value::<StoredRun>(stored)
        .expect_err("is newer")
        .to_string();
    assert!(
        error.contains("version 2") && error.contains("version 1"),
        "{error}"
    );
}

/// A run whose process is gone at each of its records goes on, and no write runs twice.
#[tokio::test]
async fn a_run_goes_on_from_each_prefix_of_its_log() {
    let (tools, _, plain) = tools();
    let (runner, _) = builder(&["look", "look"], &tools);
    let mut handle = runner
        .suspends()
        .build()
        .expect("is consistent")
        .start("Look.");
    let mut log = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { record, .. } = event {
            log.push(record);
        }
    }
    for length in 1..log.len() {
        let started = |log: &[Record]| {
            log.iter()
                .filter(|record| matches!(record, Record::CallStarted { .. }))
                .count()
        };
        plain.store(0, Ordering::SeqCst);
        let run = StoredRun::from_records(log[..length].to_vec()).expect("is a log");
        let model = ScriptedModel::new(match length {
            1 => vec![calls(&["look", "look"]), ModelResponse::from_text("done")],
            _ => vec![ModelResponse::from_text("done")],
        });
        let runner = Runner::builder(model)
            .tools(tools.clone())
            .suspends()
            .build()
            .expect("is consistent");
        let Ok(mut handle) = runner.resume(run).start().await else {
            assert_eq!(length + 1, log.len(), "only the end was missing");
            continue;
        };
        let (mut whole, mut next) = (log[..length].to_vec(), length as u64);
        while let Some(event) = handle.next().await {
            if let RunEvent::Recorded { sequence, record } = event {
                assert_eq!(sequence, next);
                next += 1;
                whole.push(record);
            }
        }
        let outcome = handle.outcome().await.expect("answers");
        assert_eq!(outcome.finish, Finish::Answered);
        assert_eq!(
            plain.load(Ordering::SeqCst),
            2 - started(&log[..length]).min(2)
        );
        let (again, missing) = toolwright::run::Run::replay(&whole).expect("is a log");
        assert_eq!((again.outcome(), missing.len()), (Some(outcome), 0));
    }
}

/// Ask the user which colour the house gets.
#[derive(serde::Deserialize, toolwright::Tool)]
#[tool(external)]
struct ChooseColour {
    /// The colours to choose from.
    colours: Vec<String>,
}

#[tokio::test]
async fn a_struct_may_be_a_tool_that_the_application_answers() {
    let tools = toolset![ChooseColour];
    assert!(tools.policy("choose_colour").external);
    let model = ScriptedModel::new([
        ModelResponse::from_calls([
            ToolCall::new("a", "choose_colour", r#"{"colours": ["red"]}"#),
            ToolCall::new("b", "choose_colour", r#"{"colours": 1}"#),
        ]),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model)
        .tools(tools.clone())
        .build()
        .expect("is consistent");
    let outcome = runner.run("Paint it.").await.expect("is no failure");
    // What does not fit is refused before anybody is asked.
    assert_eq!(outcome.pending.len(), 1);
    let said = [outcome.pending[0].answer(ToolOutput::text("red"))];
    let run = stored(&outcome);
    let outcome = runner
        .resume(run)
        .decide(said)
        .start()
        .await
        .expect("goes on")
        .outcome()
        .await;
    let texts = texts(&outcome.expect("answers"));
    assert_eq!(texts[0], "red");
    assert!(texts[1].contains("arguments.colours"), "{texts:?}");

    // Without a runner nobody asks the application.
    let call = ToolCall::new("a", "choose_colour", r#"{"colours": []}"#);
    let results = tools.dispatch(&[call]).await;
    assert!(
        results[0]
            .to_model_text()
            .contains("answered by the application")
    );
}

/// A tool that the plan of the request hid is not there when its round goes on, and calls are found by their ids.
#[tokio::test]
async fn a_resumed_round_has_the_tools_of_its_request() {
    let (tools, asked, plain) = tools();
    let model = ScriptedModel::new([calls(&["look"]), calls(&["ask_user", "pay", "look"])]);
    let narrows = async |_| RequestPlan::new().with_tools(["ask_user", "look"]);
    let runner = Runner::builder(model)
        .tools(tools.clone())
        .suspends()
        .before_request(narrows);
    let runner = runner
        .calls(CallOptions::new().with_concurrency(NonZeroUsize::MIN))
        .build()
        .expect("is consistent");
    let outcome = runner.run("Ask.").await.expect("is no failure");
    assert_eq!(outcome.finish, Finish::Suspended);
    let log = outcome
        .suspended
        .as_ref()
        .expect("is suspended")
        .records()
        .to_vec();
    let replied = log
        .iter()
        .rposition(|record| matches!(record, Record::Replied { .. }));
    // Its process was gone before any call of the round was looked at.
    let run =
        StoredRun::from_records(log[..=replied.expect("is there")].to_vec()).expect("is a log");
    let mut handle = runner.resume(run).start().await.expect("goes on");
    let mut names = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded {
            record: Record::CallStarted { call, .. },
            ..
        } = event
        {
            names.push(handle.call(call).expect("is known").name.clone());
            assert_eq!(handle.call(FIRST).expect("is known").name, "look");
        }
    }
    assert_eq!(names, ["pay", "look"], "as an unknown tool");
    assert_eq!(
        handle.outcome().await.expect("is no failure").finish,
        Finish::Suspended
    );
    assert_eq!(
        (asked.load(Ordering::SeqCst), plain.load(Ordering::SeqCst)),
        (0, 3)
    );
}

/// A tool that was not on offer to the model does not run because it is there when its round goes on.
#[tokio::test]
async fn a_resumed_round_has_no_tool_that_was_not_there() {
    let (tools, _, plain) = tools();
    let (builder, _) = builder(
        &["pay", "look"],
        &tools.filtered(|tool, _| tool.name != "look"),
    );
    let outcome = pay(builder.suspends()).await.expect("is no failure");
    let log = outcome.suspended.expect("is suspended").records().to_vec();
    let replied = log
        .iter()
        .position(|record| matches!(record, Record::Replied { .. }));
    // Its process was gone before any call of the round was looked at.
    let run =
        StoredRun::from_records(log[..=replied.expect("is there")].to_vec()).expect("is a log");
    let outcome = go_on(next(&tools), run, []).await.expect("is no failure");
    assert_eq!(outcome.finish, Finish::Suspended);
    assert_eq!(plain.load(Ordering::SeqCst), 0);
}
