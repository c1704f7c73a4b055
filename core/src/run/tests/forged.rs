//! Logs that are none: a record that does not follow.

use super::*;

#[test]
fn a_log_that_is_none_is_refused() {
    let (mut run, mut log) = start(Limits::default());
    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response: calls(&["a"]),
        policies: Vec::new(),
    }));
    let stray = Record::CallFinished {
        call: CallId { round: 0, index: 7 },
        result: ToolResult::success("a", 1),
        spent: None,
    };
    for (place, log) in [
        (0, vec![]),
        (0, vec![Record::CancelRequested]),
        (1, vec![log[0].clone(), log[0].clone()]),
        (
            1,
            vec![
                log[0].clone(),
                Record::Finished {
                    finish: Finish::Answered,
                },
            ],
        ),
        (2, vec![log[0].clone(), log[1].clone(), log[1].clone()]),
        (2, vec![log[0].clone(), log[1].clone(), stray]),
    ] {
        assert_eq!(Run::replay(&log), Err(CorruptLog { sequence: place }));
    }
}

/// A response that contradicts its parts follows nothing. From a store it is what its parts say.
#[test]
fn a_response_that_was_changed_in_a_log_is_what_its_parts_say_or_none() {
    let (mut run, mut log) = start(Limits::default());
    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response: calls(&["a", "b"]),
        policies: Vec::new(),
    }));
    let Some(Record::Replied { response, .. }) = log.last_mut() else {
        panic!("it has replied")
    };
    response.tool_calls.to_mut().pop();
    assert_eq!(Run::replay(&log), Err(CorruptLog { sequence: 1 }));
    let stored = serde_json::to_string(&log).expect("serialises");
    let log: Vec<Record> = serde_json::from_str(&stored).expect("reads");
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}

fn replied(response: ModelResponse) -> Signal {
    Signal::Replied {
        unfit: None,
        response,
        policies: vec![ToolPolicy::default().with_effects(Effects::ReadOnly)],
    }
}

fn gone() -> ToolError {
    ToolError::new(ErrorCategory::NetworkError, "gone")
}

/// Signals that bring a run to each of its ends, with what happens at a bound.
fn ways() -> Vec<(OnLimit, Vec<Signal>)> {
    let id = CallId { round: 0, index: 0 };
    let done = Signal::CallFinished(id, ToolResult::success("", 1));
    let round = || {
        vec![
            replied(calls(&["a"])),
            Signal::CallStarted(id),
            done.clone(),
        ]
    };
    let with = |mut signals: Vec<Signal>, more: Signal| {
        signals.push(more);
        signals
    };
    let text = |reason| replied(ModelResponse::from_text("text").with_finish_reason(reason));
    let empty = || replied(ModelResponse::new(Vec::new()));
    let error = ModelError::new(ModelErrorKind::InvalidRequest, "no");
    let sums_up = OnLimit::Summarize;
    vec![
        (sums_up, vec![text(FinishReason::Stop)]),
        (sums_up, vec![text(FinishReason::Length)]),
        (sums_up, vec![text(FinishReason::Refusal)]),
        (sums_up, vec![text(FinishReason::ContentFilter)]),
        (sums_up, vec![empty(), empty()]),
        (sums_up, vec![Signal::ModelFailed(error)]),
        (sums_up, with(round(), text(FinishReason::Stop))),
        (sums_up, with(round(), text(FinishReason::Length))),
        (OnLimit::Stop, with(round(), replied(calls(&["b"])))),
        (OnLimit::Error, with(round(), replied(calls(&["b"])))),
        (OnLimit::Stop, vec![Signal::TimeLimitReached]),
        (OnLimit::Error, vec![Signal::TimeLimitReached]),
        (
            sums_up,
            vec![Signal::TimeLimitReached, Signal::TimeLimitReached],
        ),
        (sums_up, vec![Signal::Cancel]),
        (sums_up, with(round()[..2].to_vec(), Signal::Cancel)),
    ]
}

fn ended(on_limit: OnLimit, signals: Vec<Signal>) -> Vec<Record> {
    let limits = Limits::default()
        .with_max_rounds(1)
        .with_on_limit(on_limit)
        .with_max_time(std::time::Duration::from_secs(1));
    let (mut run, mut log) = start(limits);
    for signal in signals {
        log.extend(run.handle(signal));
    }
    if run.outcome().is_none() {
        // The run is cancelled while a call runs.
        let id = CallId { round: 0, index: 0 };
        let result = ToolResult::error("", ToolError::cancelled("stopped"));
        log.extend(run.handle(Signal::CallFinished(id, result)));
    }
    assert!(run.outcome().is_some());
    log
}

/// The end of a run is the one that follows from its log, and no other.
#[test]
fn no_other_end_follows() {
    let logs: Vec<_> = ways()
        .into_iter()
        .map(|(on_limit, signals)| ended(on_limit, signals))
        .collect();
    let ends: Vec<_> = logs.iter().filter_map(|log| log.last()).collect();
    for log in &logs {
        for end in &ends {
            let (last, before) = log.split_last().expect("is not empty");
            let forged = [before, &[Record::clone(end)]].concat();
            match Run::replay(&forged) {
                Ok((run, missing)) => {
                    assert_eq!((last, missing), (*end, Vec::new()));
                    assert!(run.outcome().is_some());
                }
                Err(error) => {
                    assert_ne!(last, *end);
                    assert_eq!(error.sequence, before.len() as u64);
                }
            }
            // Nothing follows on the end.
            let more = [&log[..], &[Record::clone(end)]].concat();
            assert!(Run::replay(&more).is_err());
        }
    }
}

/// What follows from the log alone comes before anything else, and is what it is.
#[test]
fn what_follows_from_the_log_cannot_be_left_out_or_changed() {
    for (on_limit, signals) in ways() {
        let log = ended(on_limit, signals);
        for length in 1..log.len() {
            let (prefix, next) = (&log[..length], &log[length]);
            let (_, missing) = Run::replay(prefix).expect("a prefix is a log");
            let Some(due) = missing.first() else { continue };
            assert_eq!(due, next);
            for other in log.iter().filter(|record| *record != due) {
                let forged = [prefix, std::slice::from_ref(other)].concat();
                assert!(Run::replay(&forged).is_err(), "{other:?} after {prefix:?}");
            }
        }
    }
}

#[test]
fn a_call_that_has_not_run_has_not_succeeded() {
    let (mut run, mut log) = start(Limits::default());
    log.extend(run.handle(replied(calls(&["a"]))));
    let call = CallId { round: 0, index: 0 };
    let with = |log: &[Record], result: ToolResult| {
        let finished = Record::CallFinished {
            call,
            result,
            spent: None,
        };
        Run::replay(&[log, &[finished]].concat()).is_ok()
    };
    assert!(!with(&log, ToolResult::success("a", "sunny")));
    assert!(with(&log, ToolResult::error("a", gone())));
    log.extend(run.handle(Signal::CallStarted(call)));
    assert!(with(&log, ToolResult::success("a", "sunny")));
    log.extend(run.handle(Signal::CallFinished(call, ToolResult::error("a", gone()))));
    log.extend(run.handle(Signal::CallResumed(call)));
    // One that is refused another attempt ends as it failed.
    assert!(!with(&log, ToolResult::success("a", "sunny")));
    assert!(!with(
        &log,
        ToolResult::error_message("a", "something else")
    ));
    assert!(with(&log, ToolResult::error("a", gone())));
}

#[test]
fn a_denied_call_is_answered_as_denied() {
    let (mut run, mut log) = start(Limits::default());
    let call = response_with(&mut run, ToolPolicy::default().with_approval());
    log.push(Record::Replied {
        unfit: None,
        response: calls(&["a"]),
        policies: vec![ToolPolicy::default().with_approval()],
    });
    log.extend(run.handle(Signal::CallDelayed(call, Delay::Approval)));
    log.extend(run.handle(decided(call, Decision::deny("no"))));
    let place = log.len() - 1;
    assert!(Run::replay(&log).is_ok());
    log[place] = Record::CallFinished {
        call,
        result: ToolResult::success("a", "paid"),
        spent: None,
    };
    let sequence = place as u64;
    assert_eq!(Run::replay(&log), Err(CorruptLog { sequence }));
}
