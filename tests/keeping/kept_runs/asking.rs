//! Calls that ask people: they wait as calls that need an approval, and run again with the answer.

use toolwright::{
    Dispatch, ToolContext,
    approval::{ApprovalRequest, Decision},
    dispatch::{CallOptions, DispatchOptions},
    run::{Finish, ResumeError, RunOutcome, StoredRun, WaitsFor},
    runner::RunEvent,
    schema::Schema,
    store::{InboxContent, InboxItem, RunStatus},
    tool::Question,
};

use super::{
    crashing::{End, Failing},
    *,
};

const FORM: &str =
    r#"{"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}"#;

fn form(message: &str) -> Question {
    Question::form(message, Schema::from_text(FORM).expect("is JSON"))
}

/// The text of an answer.
fn text(answer: &Decision) -> String {
    match answer {
        Decision::ApproveWith { arguments } => arguments.clone(),
        Decision::Deny { reason } => format!("no: {reason}"),
        _ => "yes".to_owned(),
    }
}

/// A tool that writes, and asks so many questions before. It counts its starts, and what it does.
fn asking(policy: ToolPolicy, questions: usize, ran: &Ran) -> DynamicTool {
    let ran = ran.clone();
    let tool = DynamicTool::builder("pay", "Asks, and then pays.").policy(policy);
    let tool = tool.build(move |_: ToolCall, cx: ToolContext| {
        let ran = ran.clone();
        async move {
            ran.read.fetch_add(1, Ordering::SeqCst);
            let mut answers = Vec::new();
            for number in 0..questions {
                let question = form(&format!("Which size has {number}?"));
                let answer = cx.ask(format!("size {number}"), question).await?;
                answers.push(text(&answer));
            }
            ran.write.fetch_add(1, Ordering::SeqCst);
            Ok::<_, ToolError>(answers.join(", "))
        }
    });
    tool.expect("is sound")
}

fn only(tool: DynamicTool) -> Toolset {
    Toolset::new().with(tool).expect("is one")
}

/// The tools with one that asks, and how often it started and paid.
fn one_question() -> (Toolset, Ran) {
    let ran = Ran::default();
    (only(asking(ToolPolicy::default(), 1, &ran)), ran)
}

pub(super) fn runner(tools: &Toolset) -> RunnerBuilder {
    Runner::builder(model([calls(&["pay"])])).tools(tools.clone())
}

/// A runner for a run whose calls were made.
pub(super) fn next(tools: &Toolset) -> Runner {
    let runner = Runner::builder(model([])).tools(tools.clone());
    runner.suspends().build().expect("is sound")
}

pub(super) async fn suspended(runner: RunnerBuilder) -> StoredRun {
    let runner = runner.suspends().build().expect("is sound");
    let outcome = runner.run("buy").await.expect("does not fail");
    assert_eq!(outcome.finish, Finish::Suspended);
    let stored = serde_json::to_string(&outcome.suspended).expect("is stored");
    serde_json::from_str(&stored).expect("is read")
}

/// The results of the calls, as the model reads them.
pub(super) fn results(outcome: &RunOutcome) -> String {
    let results = outcome.tool_rounds().flat_map(|round| round.results.iter());
    let texts: Vec<_> = results
        .map(|result| result.to_model_text().into_owned())
        .collect();
    texts.join("; ")
}

pub(super) async fn resumed(
    runner: &Runner,
    run: StoredRun,
    decision: Decision,
) -> Result<RunOutcome, ResumeError> {
    let decisions = [run.pending()[0].decide(decision)];
    let handle = runner.resume(run).decide(decisions).start().await?;
    Ok(handle.outcome().await.expect("does not fail"))
}

#[tokio::test]
async fn a_call_that_asks_waits_and_runs_again_with_the_answer() {
    let (tools, ran) = one_question();
    let run = suspended(runner(&tools)).await;
    let [pending] = run.pending() else {
        panic!("{:?}", run.pending());
    };
    assert_eq!(pending.waits_for, WaitsFor::Question);
    assert_eq!(pending.question, Some(form("Which size has 0?")));
    assert_eq!(ran.counts(), (0, 1));

    let answer = Decision::approve_with(r#"{"size": 3}"#);
    let outcome = resumed(&next(&tools), run, answer).await.expect("goes on");
    assert_eq!(outcome.finish, Finish::Answered);
    assert_eq!(results(&outcome), r#"{"size": 3}"#);
    assert_eq!(ran.counts(), (1, 2));
    let arguments = outcome.tool_rounds().flat_map(|round| {
        let calls = round.calls();
        calls.map(|call| call.arguments.clone()).collect::<Vec<_>>()
    });
    assert_eq!(
        arguments.collect::<Vec<_>>(),
        ["{}"],
        "those of the call stay"
    );
}

#[tokio::test]
async fn a_denial_is_an_answer_for_the_tool() {
    let (tools, ran) = one_question();
    let run = suspended(runner(&tools)).await;
    let outcome = resumed(&next(&tools), run, Decision::deny("not today")).await;
    assert_eq!(results(&outcome.expect("goes on")), "no: not today");
    assert_eq!(ran.counts(), (1, 2));
}

#[tokio::test]
async fn a_form_that_does_not_fit_is_refused_and_the_call_waits_on() {
    let (tools, ran) = one_question();
    let run = suspended(runner(&tools)).await;
    for (wrong, why) in [
        (Decision::approve_with("{}"), "size"),
        (Decision::approve_with(r#"{"size": "big"}"#), "size"),
        (Decision::Approve, "an approval answers no question"),
    ] {
        let refused = resumed(&next(&tools), run.clone(), wrong).await;
        let Err(ResumeError::Unfit { reason, .. }) = refused else {
            panic!("{refused:?}");
        };
        assert!(reason.contains(why), "{reason}");
    }
    assert_eq!(ran.counts(), (0, 1));

    // A handle says the same, and the call waits on.
    let runner = runner(&tools).suspend_after(Duration::from_secs(60));
    let mut handle = runner.build().expect("is sound").start("buy");
    let mut decided = false;
    while let Some(event) = handle.next().await {
        let RunEvent::Recorded { record, .. } = event else {
            continue;
        };
        if let Record::CallDelayed { call, .. } = record {
            // The record is read before the call can be decided about.
            tokio::task::yield_now().await;
            let control = handle.control();
            let wrong = control.decide(call, Decision::approve_with(r#"{"size": "big"}"#));
            let unfit = wrong.expect_err("is wrong").unfit.expect("it waits");
            assert!(unfit.contains("size"), "{unfit}");
            let right = control.decide(call, Decision::approve_with(r#"{"size": 4}"#));
            right.expect("it waits on");
            decided = true;
        }
    }
    assert!(decided);
    let outcome = handle.outcome().await.expect("does not fail");
    assert_eq!(results(&outcome), r#"{"size": 4}"#);
}

#[tokio::test]
async fn an_answer_is_for_one_question() {
    let ran = Ran::default();
    let tools = only(asking(ToolPolicy::default(), 2, &ran));
    let first = suspended(runner(&tools)).await;
    let said = first.pending()[0].approve_with(r#"{"size": 1}"#);
    let answer = Decision::approve_with(r#"{"size": 1}"#);
    let outcome = resumed(&next(&tools), first, answer)
        .await
        .expect("goes on");
    assert_eq!(outcome.finish, Finish::Suspended);
    let second = outcome.suspended.expect("it waits");
    assert_eq!(ran.counts(), (0, 2));
    // What was said of the first question is not said of the second.
    let again = next(&tools).resume(second.clone()).decide([said]).start();
    assert!(matches!(again.await, Err(ResumeError::NotPending { .. })));
    let answer = Decision::approve_with(r#"{"size": 2}"#);
    let outcome = resumed(&next(&tools), second, answer)
        .await
        .expect("goes on");
    assert_eq!(results(&outcome), r#"{"size": 1}, {"size": 2}"#);
    assert_eq!(ran.counts(), (1, 3));
}

#[tokio::test]
async fn the_approver_answers_and_nobody_is_asked_without_one() {
    let (tools, ran) = one_question();
    let nobody = runner(&tools).build().expect("is sound");
    let outcome = nobody.run("buy").await.expect("does not fail");
    let text = results(&outcome);
    assert!(text.contains("nobody can be asked here"), "{text}");
    assert_eq!(ran.counts(), (0, 1));

    for (answer, result) in [
        (r#"{"size": 7}"#, r#"{"size": 7}"#),
        (r#"{"size": true}"#, "no: the answer does not fit"),
    ] {
        let approver = move |request: ApprovalRequest| async move {
            let question = request.question.expect("it is a question");
            assert_eq!(question.message, "Which size has 0?");
            Decision::approve_with(answer)
        };
        let calls = CallOptions::default().with_approver(approver);
        let runner = runner(&tools).calls(calls.clone());
        let runner = runner.build().expect("is sound");
        let outcome = runner.run("buy").await.expect("does not fail");
        assert!(results(&outcome).starts_with(result), "{outcome:?}");

        // Without a run the approver is asked in place.
        let before = ran.counts();
        let options = DispatchOptions::default().with_calls(calls);
        let call = [ToolCall::new("a", "pay", "{}")];
        let dispatched = tools.dispatch_with(&call, &options).await;
        assert!(dispatched[0].to_model_text().starts_with(result));
        assert_eq!(ran.counts(), (before.0 + 1, before.1 + 1));
    }
    let call = ToolCall::new("a", "pay", "{}");
    let text = tools.call(&call, &ToolContext::new("a")).await;
    let text = text.to_model_text().into_owned();
    assert!(text.contains("nobody can be asked here"), "{text}");
}

#[tokio::test]
async fn a_question_that_is_asked_twice_at_once_is_read_once() {
    let tool = DynamicTool::builder("pay", "Asks, and then pays.");
    let tool = tool.build(async |_: ToolCall, cx: ToolContext| {
        let ask = || cx.ask("size", form("Which size?"));
        let (one, other) = tokio::join!(ask(), ask());
        Ok::<_, ToolError>(format!("{}, {}", text(&one?), text(&other?)))
    });
    let read = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&read);
    let approver = move |_: ApprovalRequest| {
        let read = count.fetch_add(1, Ordering::SeqCst);
        async move {
            tokio::task::yield_now().await;
            Decision::approve_with(format!(r#"{{"size": {read}}}"#))
        }
    };
    let calls = CallOptions::default().with_approver(approver);
    let options = DispatchOptions::default().with_calls(calls);
    let call = [ToolCall::new("a", "pay", "{}")];
    let tools = only(tool.expect("is sound"));
    let dispatched = tools.dispatch_with(&call, &options).await;
    let said = dispatched[0].to_model_text();
    assert_eq!(said, r#"{"size": 0}, {"size": 0}"#);
    assert_eq!(read.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_approval_comes_before_the_question() {
    let ran = Ran::default();
    let tools = only(asking(ToolPolicy::default().with_approval(), 1, &ran));
    let run = suspended(runner(&tools)).await;
    assert_eq!(run.pending()[0].waits_for, WaitsFor::Approval);
    let outcome = resumed(&next(&tools), run, Decision::Approve).await;
    let run = outcome.expect("goes on").suspended.expect("it asks");
    assert_eq!(run.pending()[0].waits_for, WaitsFor::Question);
    let answer = Decision::approve_with(r#"{"size": 5}"#);
    let outcome = resumed(&next(&tools), run, answer).await.expect("goes on");
    assert_eq!(results(&outcome), r#"{"size": 5}"#);
    assert_eq!(ran.counts(), (1, 2));
}

/// A tool that writes before a checkpoint, and asks after it.
pub(super) fn reserving(policy: ToolPolicy, description: &'static str, ran: &Ran) -> Toolset {
    let ran = ran.clone();
    let tool = DynamicTool::builder("pay", description).policy(policy);
    let tool = tool.build(move |_: ToolCall, cx: ToolContext| {
        let ran = ran.clone();
        async move {
            if cx.last_checkpoint().is_none() {
                ran.write.fetch_add(1, Ordering::SeqCst);
                cx.checkpoint("reserved").await?;
            }
            ran.read.fetch_add(1, Ordering::SeqCst);
            let answer = cx
                .ask("go on", Question::url("Sign in.", "https://example.com"))
                .await?;
            Ok::<_, ToolError>(text(&answer))
        }
    });
    only(tool.expect("is sound"))
}

#[tokio::test]
async fn what_was_done_before_a_checkpoint_is_not_done_again_after_the_question() {
    let ran = Ran::default();
    let tools = reserving(ToolPolicy::default(), "Reserves, asks and pays.", &ran);
    let run = suspended(runner(&tools)).await;
    let opened = Decision::approve_with("{}");
    let outcome = resumed(&next(&tools), run, opened).await;
    assert_eq!(results(&outcome.expect("goes on")), "{}");
    assert_eq!(ran.counts(), (1, 2));
}

/// What a person said of one thing says nothing of another, though the tool asks it under the same key.
#[tokio::test]
async fn an_answer_is_for_the_question_that_was_read() {
    let files = Arc::new(AtomicUsize::new(3));
    let found = files.clone();
    let tool = DynamicTool::builder("pay", "Asks, and then deletes.");
    let tool = tool.build(move |_: ToolCall, cx: ToolContext| {
        let files = found.load(Ordering::SeqCst);
        async move {
            let message = format!("Delete {files} files?");
            let question = Question::url(message, "https://example.com");
            let answer = cx.ask("confirm", question).await?;
            Ok::<_, ToolError>(format!("{files}: {}", text(&answer)))
        }
    });
    let tools = only(tool.expect("is sound"));
    let run = suspended(runner(&tools)).await;
    let late = [
        run.pending()[0].approve_with("{}"),
        run.pending()[0].deny("no"),
    ];
    files.store(300, Ordering::SeqCst);
    let opened = Decision::approve_with("{}");
    let outcome = resumed(&next(&tools), run, opened.clone()).await;
    let run = outcome.expect("goes on").suspended.expect("it asks again");
    let question = run.pending()[0].question.as_ref().expect("it is one");
    assert_eq!(question.message, "Delete 300 files?");
    for said in late {
        let again = next(&tools).resume(run.clone()).decide([said]).start();
        assert!(matches!(again.await, Err(ResumeError::NotPending { .. })));
    }
    let outcome = resumed(&next(&tools), run, opened).await.expect("goes on");
    assert_eq!(results(&outcome), "300: {}");
}

#[tokio::test]
async fn a_question_uses_up_no_retry() {
    let ran = Ran::default();
    let counted = ran.clone();
    let policy = ToolPolicy::default().with_effects(Effects::Idempotent);
    let tool = DynamicTool::builder("pay", "Asks, and fails twice.").policy(policy);
    let tool = tool.build(move |_: ToolCall, cx: ToolContext| {
        let ran = counted.clone();
        async move {
            for number in 0..2 {
                cx.ask(format!("size {number}"), form("Which size?"))
                    .await?;
            }
            match ran.write.fetch_add(1, Ordering::SeqCst) {
                0 | 1 => Err(ToolError::new(
                    toolwright::ErrorCategory::NetworkError,
                    "gone",
                )),
                _ => Ok("paid"),
            }
        }
    });
    let approver = async |_: ApprovalRequest| Decision::approve_with(r#"{"size": 1}"#);
    let calls = CallOptions::default().with_approver(approver);
    let runner = runner(&only(tool.expect("is sound"))).calls(calls);
    let outcome = runner.build().expect("is sound").run("buy").await;
    assert_eq!(results(&outcome.expect("does not fail")), "paid");
}

#[tokio::test]
async fn a_run_that_is_cancelled_answers_the_call_that_asks() {
    let (tools, ran) = one_question();
    let runner = runner(&tools).suspend_after(Duration::from_secs(60));
    let mut handle = runner.build().expect("is sound").start("buy");
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded {
            record: Record::CallDelayed { .. },
            ..
        } = event
        {
            handle.cancel();
        }
    }
    let outcome = handle.outcome().await.expect("does not fail");
    assert_eq!(outcome.finish, Finish::Cancelled);
    let text = results(&outcome);
    assert!(text.contains("may have taken effect"), "{text}");
    assert_eq!(ran.counts(), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_answers_in_time_is_denied() {
    let (tools, ran) = one_question();
    let runner = runner(&tools).suspend_after(Duration::from_secs(60));
    let runner = runner.pending_time(Duration::from_secs(10));
    let outcome = runner.build().expect("is sound").run("buy").await;
    let outcome = outcome.expect("does not fail");
    assert_eq!(results(&outcome), "no: nobody answered in time");
    assert_eq!((outcome.finish, ran.counts()), (Finish::Answered, (1, 2)));
}

#[tokio::test]
async fn a_sub_agent_asks_through_the_run_above() {
    let ran = Ran::default();
    let store = MemoryStore::new();
    let above = || {
        let inner = only(asking(ToolPolicy::default(), 1, &ran));
        let replied = ran.counts().1 > 0;
        let inner_calls = if replied {
            vec![]
        } else {
            vec![calls(&["pay"])]
        };
        let agent = Runner::builder(model(inner_calls)).tools(inner).suspends();
        let agent = agent.build().expect("is sound");
        let agent = agent
            .as_tool("buy", "Buys what is asked for.")
            .expect("is a tool");
        let outer_calls = if replied {
            vec![]
        } else {
            vec![ModelResponse::from_calls([ToolCall::new(
                "0",
                "buy",
                r#"{"task": "a hat"}"#,
            )])]
        };
        let runner = builder(
            &model(outer_calls),
            &Toolset::new().with(agent).expect("is one"),
            store.clone(),
        );
        runner
            .suspends()
            .lease_time(OVER)
            .build()
            .expect("is sound")
    };
    let outcome = above().run("buy").await.expect("does not fail");
    assert_eq!(outcome.finish, Finish::Suspended);
    let [pending] = &outcome.pending[..] else {
        panic!("{:?}", outcome.pending);
    };
    assert_eq!(
        (pending.waits_for, pending.agents()),
        (WaitsFor::Question, "buy".to_owned())
    );
    assert_eq!(pending.question, Some(form("Which size has 0?")));
    let answer = pending.approve_with(r#"{"size": 9}"#);
    let item = InboxItem::new(InboxContent::Resolution(answer));
    store
        .put(Scope::All, &outcome.run_id, &item)
        .await
        .expect("is there");
    let handle = above()
        .resume(&outcome.run_id)
        .start()
        .await
        .expect("goes on");
    let outcome = handle.outcome().await.expect("does not fail");
    assert_eq!((outcome.finish, ran.counts()), (Finish::Answered, (1, 2)));
}

/// Drives a run until it is over or waits, in a store that ends at this append, then resumes it, and answers what it waits
/// for. It gives whether the store got that far.
async fn interrupted(end: End, at: usize) -> bool {
    let (tools, ran) = one_question();
    let store = MemoryStore::new();
    let failing = Failing::new(store.clone(), end, at);
    let script = || model([calls(&["pay"])]);
    let runner = builder(&script(), &tools, failing.clone()).suspends();
    let mut handle = runner
        .lease_time(OVER)
        .build()
        .expect("is sound")
        .start("buy");
    let id = handle.id().clone();
    tokio::select! {
        () = async { while handle.next().await.is_some() {} } => {}
        () = failing.died() => {}
    }
    drop(handle);
    for _ in 0..3 {
        let Ok(loaded) = store.load(Scope::All, &id, 0).await else {
            return failing.has_failed();
        };
        if loaded.status == RunStatus::Finished {
            break;
        }
        for pending in &loaded.pending {
            let item = pending.approve_with(r#"{"size": 2}"#);
            let item = InboxItem::new(InboxContent::Resolution(item));
            store.put(Scope::All, &id, &item).await.expect("is there");
        }
        let replied = log(&store, &id).await;
        let replied = replied
            .iter()
            .filter(|record| matches!(record, Record::Replied { .. }));
        let rounds = [calls(&["pay"])].into_iter().skip(replied.count());
        let runner = builder(&model(rounds), &tools, store.clone()).suspends();
        let runner = runner.lease_time(OVER).build().expect("is sound");
        let handle = runner.resume(&id).start().await.expect("goes on");
        handle.outcome().await.expect("does not fail");
    }
    let records = log(&store, &id).await;
    let result = records.iter().find_map(|record| match record {
        Record::CallFinished { result, .. } => Some(result.to_model_text().into_owned()),
        _ => None,
    });
    let result = result.expect("the run is over");
    let (paid, started) = ran.counts();
    // The rules of runs hold for the attempt that a process died in.
    let is_lost = result.contains("may have taken effect");
    assert!(
        is_lost || result == r#"{"size": 2}"#,
        "{end:?} {at}: {result}"
    );
    assert!(
        paid <= 1 && started <= 2,
        "{end:?} {at}: {paid} of {started}"
    );
    failing.has_failed()
}

#[tokio::test]
async fn an_answer_reaches_the_call_wherever_the_process_dies() {
    for end in [
        End::DiesBefore,
        End::DiesAfter,
        End::FailsBefore,
        End::FailsAfter,
    ] {
        for at in 0.. {
            if !interrupted(end, at).await {
                assert!(at >= 3, "{end:?} was met at {at} appends");
                break;
            }
        }
    }
}
