//! The run, driven by hand and over every schedule.

mod asked_again;
mod broken_off;
mod choice;
mod compacted;
mod contradicted;
mod each_limit;
mod explored;
mod forged;
mod limits;
mod named;
mod no_progress;
mod not_run;
mod nothing_said;
mod others;
mod refused;
mod replayed;
mod requests;
mod steered;
mod stopped;
mod summaries;
mod time;
mod too_long;
mod transferred;
mod typed;

use super::*;
use crate::{
    Effects, ErrorCategory, FinishReason, ModelErrorKind, ToolError,
    message::{Message, Part},
    model::{ModelResponse, ToolChoice, Usage},
    tool::{ArgumentChange, Decision, Question, ToolCall, ToolPolicy, ToolResult},
};

fn start(limits: Limits) -> (Run, Vec<Record>) {
    let config = RunConfig {
        limits,
        ..RunConfig::default()
    };
    Run::start(RunId::new("run"), config, Conversation::new(), "question")
}

fn calls(ids: &[&str]) -> ModelResponse {
    ModelResponse::from_calls(ids.iter().map(|id| ToolCall::new(*id, "look", "{}")))
}

fn reply(run: &mut Run, response: ModelResponse) {
    run.handle(Signal::Replied {
        unfit: None,
        response,
        policies: Vec::new(),
    });
}

fn answer_all_calls(run: &mut Run) {
    while let Some(Action::StartCall(id)) = run.poll().first().copied() {
        run.handle(Signal::CallStarted(id));
        run.handle(Signal::CallFinished(
            id,
            ToolResult::success("", id.to_string()),
        ));
    }
}

/// Somebody decided about a call, whose tool nobody knows.
fn decided(call: CallId, decision: Decision) -> Signal {
    Signal::CallDecided {
        call,
        decision,
        tool: None,
    }
}

fn outcome(run: &Run) -> RunOutcome {
    run.outcome().expect("the run is over")
}

#[test]
fn a_reply_without_calls_ends_the_run_by_its_reason() {
    for (reason, finish) in [
        (FinishReason::Stop, Finish::Answered),
        (FinishReason::Other, Finish::Answered),
        (FinishReason::Length, Finish::Truncated),
        (FinishReason::ContentFilter, Finish::Filtered),
        (FinishReason::Refusal, Finish::Refused),
    ] {
        let (mut run, _) = start(Limits::default());
        reply(
            &mut run,
            ModelResponse::from_text("text").with_finish_reason(reason),
        );
        let outcome = outcome(&run);
        assert_eq!((outcome.finish, outcome.text.as_str()), (finish, "text"));
        assert_eq!(outcome.conversation.messages().len(), 2);
    }
}

#[test]
fn the_calls_decide_and_the_finish_reason_only_vetoes() {
    let (mut run, _) = start(Limits::default());
    reply(
        &mut run,
        calls(&["a"]).with_finish_reason(FinishReason::Stop),
    );
    assert!(matches!(run.poll()[..], [Action::StartCall(_)]));

    let (mut run, _) = start(Limits::default());
    reply(
        &mut run,
        calls(&["a"]).with_finish_reason(FinishReason::Length),
    );
    let outcome = outcome(&run);
    assert_eq!(outcome.finish, Finish::Truncated);
    assert!(!outcome.conversation.requires_tool_execution());
}

#[test]
fn every_repeated_or_empty_id_gets_its_own_result() {
    let (mut run, _) = start(Limits::default());
    reply(&mut run, calls(&["x", "x", ""]));
    answer_all_calls(&mut run);
    reply(&mut run, ModelResponse::from_text("done"));
    let conversation = outcome(&run).conversation;
    let Message::Assistant(message) = &conversation.messages()[1] else {
        panic!("a response")
    };
    let texts: Vec<_> = message.tool_rounds[0]
        .results
        .iter()
        .map(ToolResult::to_model_text)
        .collect();
    assert_eq!(texts, ["0.0", "0.1", "0.2"]);
}

#[test]
fn signals_that_come_too_late_change_nothing() {
    let (mut run, _) = start(Limits::default());
    reply(&mut run, calls(&["a"]));
    let id = CallId { round: 0, index: 0 };
    let result = || ToolResult::success("a", 1);
    assert!(
        run.handle(Signal::CallFinished(id, result())).is_empty(),
        "it has not started"
    );
    run.handle(Signal::CallStarted(id));
    assert!(
        run.handle(Signal::CallStarted(id)).is_empty(),
        "it has started"
    );
    run.handle(Signal::CallFinished(id, result()));
    assert!(
        run.handle(Signal::CallFinished(id, result())).is_empty(),
        "it has finished"
    );
    run.handle(Signal::Cancel);
    let end = run.clone();
    for late in [
        Signal::Cancel,
        Signal::CallFinished(id, result()),
        Signal::ModelFailed(ModelError::new(ModelErrorKind::Transport, "gone")),
        Signal::Replied {
            unfit: None,
            response: calls(&["b"]),
            policies: Vec::new(),
        },
    ] {
        assert!(run.handle(late).is_empty());
    }
    assert_eq!(run, end);
}

#[test]
fn a_reply_that_was_changed_by_hand_is_what_its_parts_say() {
    let (mut run, _) = start(Limits::default());
    let mut response = calls(&["a", "b"]);
    response.tool_calls.to_mut().pop();
    response.text = "not so".into();
    reply(&mut run, response);
    answer_all_calls(&mut run);
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
    assert_eq!(run.conversation().messages().len(), 2);
}

fn response_with(run: &mut Run, policy: ToolPolicy) -> CallId {
    run.handle(Signal::Replied {
        unfit: None,
        response: calls(&["a"]),
        policies: vec![policy],
    });
    CallId { round: 0, index: 0 }
}

#[test]
fn what_may_pass_is_tried_again_and_then_is_the_result() {
    let (mut run, _) = start(Limits::default());
    let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let id = response_with(&mut run, reads);
    let gone = || ToolError::new(ErrorCategory::NetworkError, "gone");
    for attempt in 1..=3 {
        assert_eq!(run.poll(), [Action::StartCall(id)]);
        run.handle(Signal::CallStarted(id));
        assert_eq!(run.attempt(id), attempt);
        let records = run.handle(Signal::CallFinished(id, ToolResult::error("", gone())));
        if attempt == 3 {
            assert!(matches!(records[..], [Record::CallFinished { .. }]));
        } else {
            let why = Delay::Retry { error: gone() };
            assert_eq!(records, [Record::CallDelayed { call: id, why }]);
            assert!(run.poll().is_empty() && run.is_delayed(id));
            run.handle(Signal::CallResumed(id));
        }
    }
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
}

#[test]
fn a_cancelled_call_between_two_attempts_ends_as_the_first_one_did() {
    let (mut run, _) = start(Limits::default());
    let id = response_with(
        &mut run,
        ToolPolicy::default().with_effects(Effects::ReadOnly),
    );
    run.handle(Signal::CallStarted(id));
    let gone = ToolError::new(ErrorCategory::NetworkError, "gone");
    run.handle(Signal::CallFinished(id, ToolResult::error("", gone)));
    run.handle(Signal::Cancel);
    let conversation = outcome(&run).conversation;
    assert!(format!("{conversation:?}").contains("gone"));
}

#[test]
fn what_was_decided_is_in_the_log_and_holds() {
    for decision in [
        Decision::Approve,
        Decision::ApproveWith {
            arguments: "[1]".into(),
        },
        Decision::deny("not today"),
    ] {
        let (mut run, mut log) = start(Limits::default());
        log.extend(run.handle(Signal::Replied {
            unfit: None,
            response: calls(&["a"]),
            policies: vec![ToolPolicy::default().with_approval()],
        }));
        let id = CallId { round: 0, index: 0 };
        assert_eq!(run.poll(), [Action::AskApproval(id)]);
        log.extend(run.handle(Signal::CallDelayed(id, Delay::Approval)));
        assert!(run.handle(Signal::CallResumed(id)).is_empty());
        log.extend(run.handle(decided(id, decision.clone())));
        if let Decision::Deny { .. } = decision {
            let text = format!("{:?}", run.conversation());
            assert!(text.contains("PermissionDenied") && text.contains("not today"));
            assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        } else {
            assert_eq!(run.poll(), [Action::StartCall(id)]);
            let edited = run.call(id).expect("is there").arguments.clone();
            let expected = match decision {
                Decision::ApproveWith { arguments } => arguments,
                _ => "{}".to_owned(),
            };
            assert_eq!(edited, expected);
        }
        let stored = serde_json::to_string(&log).expect("serialises");
        let log: Vec<Record> = serde_json::from_str(&stored).expect("reads");
        assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
    }
}
