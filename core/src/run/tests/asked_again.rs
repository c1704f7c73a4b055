//! A model that is asked again.

use std::time::Duration;

use super::*;
use crate::{ModelErrorKind, tool::Backoff};

fn busy() -> ModelError {
    ModelError::new(ModelErrorKind::Overloaded, "busy")
}

#[test]
fn a_request_is_sent_again_as_often_as_the_limits_say() {
    for retries in [0, 1, 2, 5] {
        let (mut run, mut log) = start(Limits::default().with_model_retries(retries));
        let request = run.request();
        for attempt in 1..=retries {
            assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
            log.extend(run.handle(Signal::ModelFailed(busy())));
            assert_eq!(run.model_delay(), Some(&busy()));
            assert_eq!((run.model_attempts(), run.poll()), (attempt, Vec::new()));
            log.extend(run.handle(Signal::ModelResumed));
            assert_eq!(run.request(), request);
        }
        log.extend(run.handle(Signal::ModelFailed(busy())));
        let outcome = outcome(&run);
        assert_eq!(outcome.finish, Finish::Failed(Failure::Model(busy())));
        assert_eq!(
            (outcome.model_calls, outcome.model_retries),
            (retries + 1, retries)
        );
        assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
    }
}

#[test]
fn each_request_has_retries_of_its_own() {
    let (mut run, _) = start(Limits::default());
    for round in 0..3 {
        for _ in 0..2 {
            run.handle(Signal::ModelFailed(busy()));
            run.handle(Signal::ModelResumed);
        }
        if round < 2 {
            reply(&mut run, calls(&["a"]));
            answer_all_calls(&mut run);
        }
    }
    reply(&mut run, ModelResponse::from_text("done"));
    let outcome = outcome(&run);
    assert_eq!(outcome.finish, Finish::Answered);
    assert_eq!((outcome.model_calls, outcome.model_retries), (9, 6));
}

#[test]
fn what_cannot_pass_ends_the_run() {
    let longer = Backoff::LONGEST_HINT + Duration::from_millis(1);
    for signal in [
        Signal::ModelFailed(ModelError::new(ModelErrorKind::InvalidRequest, "no")),
        Signal::ModelFailed(busy().with_retryable(false)),
        Signal::ModelFailed(busy().with_retry_after(longer)),
        Signal::ModelBrokeOff(busy()),
    ] {
        let (mut run, _) = start(Limits::default());
        let records = run.handle(signal);
        assert!(
            matches!(records[0], Record::ModelFailed { .. }),
            "{records:?}"
        );
        assert_eq!(outcome(&run).model_calls, 1);
    }
}

#[test]
fn a_locked_request_stays_locked_and_a_flattened_one_flattened() {
    let (mut run, _) = start(Limits::default().with_max_rounds(0));
    for call in [ModelCall::Locked, ModelCall::Flattened] {
        let request = run.request();
        run.handle(Signal::ModelFailed(busy()));
        assert_eq!(run.request(), request);
        run.handle(Signal::ModelResumed);
        assert_eq!(run.poll(), [Action::CallModel(call)]);
        assert_eq!(run.request(), request);
        reply(&mut run, ModelResponse::from_text(""));
    }
    let limit = Limit::Rounds { max: 0 };
    assert_eq!(
        outcome(&run).finish,
        Finish::Limit {
            limit,
            summarized: false
        }
    );
}

#[test]
fn what_failed_is_paid_for() {
    let (mut run, _) = start(Limits::default());
    let mut partial = ModelResponse::from_text("I thi");
    let tokens = Usage {
        input_tokens: 7,
        ..Usage::default()
    };
    partial.usage = Some(tokens.clone());
    run.handle(Signal::ModelFailed(busy().with_partial(partial)));
    run.handle(Signal::ModelResumed);
    reply(&mut run, ModelResponse::from_text("done"));
    assert_eq!(outcome(&run).usage.input_tokens, 7);
    assert_eq!(outcome(&run).text, "done");
}

#[test]
fn a_wait_can_be_cancelled_and_nothing_comes_too_late() {
    let (mut run, _) = start(Limits::default());
    assert!(run.handle(Signal::ModelResumed).is_empty());
    run.handle(Signal::ModelFailed(busy()));
    let late = Signal::Replied {
        unfit: None,
        response: ModelResponse::from_text("late"),
        policies: Vec::new(),
    };
    for signal in [
        late,
        Signal::ModelFailed(busy()),
        Signal::ModelBrokeOff(busy()),
    ] {
        assert!(run.handle(signal).is_empty());
    }
    let records = run.handle(Signal::Cancel);
    assert_eq!(records.len(), 2);
    assert_eq!(outcome(&run).finish, Finish::Cancelled);
    assert!(run.handle(Signal::ModelResumed).is_empty());
}

/// Logs of before it, and logs that were changed by hand.
#[test]
fn a_log_says_itself_whether_the_model_was_asked_again() {
    let (_, log) = start(Limits::default().with_model_retries(2));
    let failed = Record::ModelFailed { error: busy() };
    let finish = Finish::Failed(Failure::Model(busy()));
    let log = [&log[..], &[failed, Record::Finished { finish }]].concat();
    let (run, missing) = Run::replay(&log).expect("is a log");
    assert_eq!((outcome(&run).model_calls, missing), (1, Vec::new()));

    let delayed = Record::ModelDelayed { error: busy() };
    let again = [log[0].clone(), delayed.clone(), Record::ModelResumed];
    let corrupt = |log: &[Record], sequence| {
        assert_eq!(Run::replay(log), Err(CorruptLog { sequence }));
    };
    corrupt(&[&log[..1], &[Record::ModelResumed]].concat(), 1);
    corrupt(&[&again[..2], &again[1..2]].concat(), 2);
    corrupt(&[&again[..], &again[1..], &again[1..]].concat(), 5);
}
