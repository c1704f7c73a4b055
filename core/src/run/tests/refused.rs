//! Signals about calls that the run does not take, and calls that do not run.

use super::*;
use crate::ChangeKind;

fn gone() -> ToolError {
    ToolError::new(ErrorCategory::NetworkError, "gone")
}

fn too_often() -> ToolError {
    ToolError::new(ErrorCategory::RateLimited, "too often")
}

#[test]
fn a_call_that_runs_is_neither_repeated_nor_refused_by_a_signal() {
    for policy in [
        ToolPolicy::default(),
        ToolPolicy::default().with_effects(Effects::ReadOnly),
    ] {
        let (mut run, _) = start(Limits::default());
        let id = response_with(&mut run, policy);
        run.handle(Signal::CallStarted(id));
        let error = gone();
        for signal in [
            Signal::CallDelayed(id, Delay::Retry { error }),
            Signal::CallRefused(id, too_often()),
        ] {
            assert!(run.handle(signal).is_empty());
        }
        assert_eq!(run.attempt(id), 1);
        assert!(run.poll().is_empty(), "it still runs");
    }
}

#[test]
fn a_log_in_which_a_write_runs_twice_is_none() {
    let (mut run, mut log) = start(Limits::default());
    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response: calls(&["a"]),
        policies: Vec::new(),
    }));
    let call = CallId { round: 0, index: 0 };
    log.extend(run.handle(Signal::CallStarted(call)));
    let sequence = run.sequence();
    let why = Delay::Retry { error: gone() };
    log.push(Record::CallDelayed { call, why });
    assert_eq!(Run::replay(&log), Err(CorruptLog { sequence }));
}

#[test]
fn a_retry_that_is_refused_ends_as_the_attempt_before() {
    for cancelled in [false, true] {
        let (mut run, _) = start(Limits::default());
        let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
        let id = response_with(&mut run, reads);
        run.handle(Signal::CallStarted(id));
        run.handle(Signal::CallFinished(id, ToolResult::error("", gone())));
        run.handle(Signal::CallResumed(id));
        if cancelled {
            run.handle(Signal::Cancel);
        } else {
            run.handle(Signal::CallRefused(id, too_often()));
        }
        let text = format!("{:?}", run.conversation());
        assert!(
            text.contains("gone") && !text.contains("too often"),
            "{text}"
        );
    }
}

#[test]
fn what_was_prepared_is_what_is_approved_and_runs_and_is_in_the_log() {
    let prepared = |id| Signal::CallPrepared {
        call: id,
        arguments: "{\"n\":3}".into(),
        changes: vec![ArgumentChange::new(
            ChangeKind::ToNumber,
            "arguments.n".into(),
        )],
    };
    for (edited, arguments, changes) in
        [(None, "{\"n\":3}", 1), (Some("{\"n\":2}"), "{\"n\":2}", 1)]
    {
        let (mut run, mut log) = start(Limits::default());
        log.extend(run.handle(Signal::Replied {
            unfit: None,
            response: calls(&["a"]),
            policies: vec![ToolPolicy::default().with_approval()],
        }));
        let id = CallId { round: 0, index: 0 };
        log.extend(run.handle(prepared(id)));
        assert!(run.handle(prepared(id)).is_empty(), "it is prepared once");
        assert_eq!(run.call(id).expect("is there").arguments, "{\"n\":3}");
        log.extend(run.handle(Signal::CallDelayed(id, Delay::Approval)));
        let decision = edited.map_or(Decision::Approve, Decision::approve_with);
        log.extend(run.handle(decided(id, decision)));
        assert!(
            run.handle(prepared(id)).is_empty(),
            "it is approved as it is"
        );
        assert_eq!(run.call(id).expect("is there").arguments, arguments);
        log.extend(run.handle(Signal::CallStarted(id)));
        log.extend(run.handle(Signal::CallFinished(id, ToolResult::success("", 1))));
        let conversation = run.conversation();
        let Some(Message::Assistant(message)) = conversation.messages().last() else {
            panic!("a response")
        };
        let (call, result) = message.tool_rounds[0]
            .answered_calls()
            .next()
            .expect("is one");
        assert_eq!(
            (call.arguments.as_str(), result.changes.len()),
            ("{}", changes)
        );
        let told = result.to_model_text().contains("It ran with {\"n\":2}");
        assert_eq!(told, edited.is_some());
        assert_eq!(
            result.changes[0].kind == ChangeKind::Edited,
            edited.is_some()
        );
        let stored = serde_json::to_string(&log).expect("serialises");
        let log: Vec<Record> = serde_json::from_str(&stored).expect("reads");
        assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
    }
}

/// What has begun goes on with its arguments: with others, both would be done.
#[test]
fn a_call_that_has_begun_is_approved_with_its_arguments_or_not_at_all() {
    let (mut run, mut log) = start(Limits::default());
    let id = CallId { round: 0, index: 0 };
    let approved = || Decision::approve_with(r#"{"n":1}"#);
    for signal in [
        Signal::Replied {
            unfit: None,
            response: calls(&["a"]),
            policies: vec![ToolPolicy::default().with_approval()],
        },
        Signal::CallDelayed(id, Delay::Approval),
        decided(id, approved()),
        Signal::CallStarted(id),
        Signal::CallCheckpointed {
            call: id,
            state: "half".into(),
        },
        Signal::Interrupted,
        // Its tool has changed.
        Signal::ApprovalRevoked(id),
        Signal::CallDelayed(id, Delay::Approval),
    ] {
        log.extend(run.handle(signal));
    }
    let pending = run.pending_call(id).expect("it waits");
    assert!(pending.has_begun);
    for decision in [Decision::Approve, approved(), Decision::deny("no")] {
        assert_eq!(pending.check(&decision), Ok(()));
    }
    let edit = Decision::approve_with(r#"{"n":2}"#);
    let error = pending.check(&edit).expect_err("it is another call");
    assert!(error.message.contains("has begun"), "{error}");

    let mut forged = log.clone();
    forged.push(Record::CallDecided {
        call: id,
        decision: edit.clone(),
        tool: None,
    });
    let sequence = run.sequence();
    assert_eq!(Run::replay(&forged), Err(CorruptLog { sequence }));

    // Whoever does not check denies.
    let mut edited = run.clone();
    edited.handle(decided(id, edit));
    let text = format!("{:?}", edited.conversation());
    assert!(text.contains("has begun"), "{text}");

    run.handle(decided(id, Decision::Approve));
    assert_eq!(run.poll(), [Action::StartCall(id)]);
    assert_eq!(run.checkpoint(id).map(|state| &**state), Some("half"));
}
