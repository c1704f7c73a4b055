//! The time of a run.

use std::time::Duration;

use super::*;

const MAX: Duration = Duration::from_secs(60);

fn timed(on_limit: OnLimit) -> Run {
    let limits = Limits::default().with_on_limit(on_limit).with_max_time(MAX);
    start(limits).0
}

fn end_of(on_limit: OnLimit) -> Finish {
    let limit = Limit::Time { max: MAX };
    match on_limit {
        OnLimit::Error => Finish::Failed(Failure::Limit(limit)),
        _ => Finish::Limit {
            limit,
            summarized: false,
        },
    }
}

fn busy() -> ModelError {
    ModelError::new(ModelErrorKind::Overloaded, "busy")
}

fn late(run: &mut Run) -> Vec<Record> {
    run.handle(Signal::TimeLimitReached)
}

#[test]
fn the_time_that_was_used_is_in_the_log() {
    let seconds = Duration::from_secs;
    let used = |run: &mut Run, time| run.handle(Signal::TimeUsed(seconds(time)));
    let limits = Limits {
        max_time: None,
        ..Limits::default()
    };
    let (mut unlimited, _) = start(limits);
    assert!(used(&mut unlimited, 10).is_empty());
    let (mut run, mut log) = start(Limits::default().with_max_time(MAX));
    log.extend(used(&mut run, 10));
    reply(&mut run, calls(&["a"]));
    let polled = run.poll();
    assert_eq!(used(&mut run, 20).len(), 1);
    assert_eq!((run.time_used(), run.poll()), (seconds(20), polled));
    for time in [5, 20] {
        assert!(used(&mut run, time).is_empty(), "it never gets less");
    }
    let (replayed, _) = Run::replay(&log).expect("is a log");
    assert_eq!(replayed.time_used(), seconds(10));
    run.handle(Signal::Cancel);
    assert!(run.is_over() && used(&mut run, 30).is_empty());
}

/// A run that has come to its limit: it sums up, or is over.
fn check_end(mut run: Run, on_limit: OnLimit) {
    if on_limit != OnLimit::Summarize {
        assert_eq!(outcome(&run).finish, end_of(on_limit));
        assert!(late(&mut run).is_empty());
        return;
    }
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Locked)]);
    let note = format!("{:?}", run.request().messages.last());
    assert!(note.contains("the time limit of 60s"), "{note}");

    let mut summed_up = run.clone();
    reply(&mut summed_up, ModelResponse::from_text("so far"));
    let limit = Limit::Time { max: MAX };
    let summarized = true;
    assert_eq!(
        outcome(&summed_up).finish,
        Finish::Limit { limit, summarized }
    );

    // A summary that is asked for again, or without tools, has the same time.
    for before in [
        vec![],
        vec![Signal::ModelFailed(busy())],
        vec![Signal::Replied {
            unfit: None,
            response: calls(&["a"]),
            policies: Vec::new(),
        }],
    ] {
        let mut run = run.clone();
        for signal in before {
            run.handle(signal);
        }
        assert_eq!(late(&mut run).len(), 2);
        let outcome = outcome(&run);
        assert_eq!(outcome.finish, end_of(on_limit));
        assert_eq!(
            outcome.warnings.last().expect("is one").code,
            "summary_failed"
        );
    }
    run.handle(Signal::Cancel);
    assert_eq!(outcome(&run).finish, Finish::Cancelled);
}

const ON_LIMIT: [OnLimit; 3] = [OnLimit::Summarize, OnLimit::Stop, OnLimit::Error];

#[test]
fn while_the_model_answers_or_is_waited_for() {
    for on_limit in ON_LIMIT {
        for before in [
            vec![],
            vec![Signal::ModelFailed(busy())],
            vec![Signal::ModelFailed(busy()), Signal::ModelResumed],
        ] {
            let mut run = timed(on_limit);
            for signal in before {
                run.handle(signal);
            }
            late(&mut run);
            assert_eq!((run.model_attempts(), run.model_delay()), (0, None));
            check_end(run, on_limit);
        }
    }
}

#[test]
fn while_calls_run_wait_and_are_asked_about() {
    for on_limit in ON_LIMIT {
        let mut run = timed(on_limit);
        let asks = ToolPolicy::default().with_approval();
        let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
        let ids = [0, 1, 2, 3, 4].map(|index| CallId { round: 0, index });
        run.handle(Signal::Replied {
            unfit: None,
            response: calls(&["a", "b", "c", "d", "e"]),
            policies: vec![
                reads,
                asks,
                reads,
                reads,
                ToolPolicy::default().with_sequential(),
            ],
        });
        run.handle(Signal::CallStarted(ids[0]));
        run.handle(Signal::CallDelayed(ids[1], Delay::Approval));
        run.handle(Signal::CallStarted(ids[2]));
        let gone = || ToolError::new(ErrorCategory::NetworkError, "gone");
        run.handle(Signal::CallFinished(ids[2], ToolResult::error("", gone())));
        run.handle(Signal::CallStarted(ids[3]));
        assert_eq!(
            late(&mut run).len(),
            1 + 3,
            "those that do not run are answered"
        );
        assert!(late(&mut run).is_empty(), "it is said once");
        assert_eq!(run.poll(), [ids[0], ids[3]].map(Action::CancelCall));
        for signal in [
            decided(ids[1], Decision::Approve),
            Signal::CallResumed(ids[2]),
            Signal::CallStarted(ids[4]),
        ] {
            assert!(run.handle(signal).is_empty());
        }
        // Nothing is tried again, and finished work is kept.
        run.handle(Signal::CallFinished(ids[0], ToolResult::error("", gone())));
        run.handle(Signal::CallFinished(
            ids[3],
            ToolResult::success("", "found"),
        ));
        let conversation = format!("{:?}", run.conversation());
        for text in ["gone", "found", "not executed: the time of the run is up"] {
            assert!(conversation.contains(text), "{text}: {conversation}");
        }
        assert_eq!(run.state.spent.rounds(), 1);
        check_end(run, on_limit);
    }
}

#[test]
fn a_cancel_wins_over_the_time() {
    for on_limit in ON_LIMIT {
        let mut run = timed(on_limit);
        let id = response_with(&mut run, ToolPolicy::default());
        run.handle(Signal::CallStarted(id));
        late(&mut run);
        run.handle(Signal::Cancel);
        run.handle(Signal::CallFinished(id, ToolResult::success("", 1)));
        assert_eq!(outcome(&run).finish, Finish::Cancelled);
    }
}

#[test]
fn while_the_run_sums_up_at_another_bound() {
    let limits = Limits::default().with_max_rounds(0).with_max_time(MAX);
    let (mut run, mut log) = start(limits);
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Locked)]);
    log.extend(late(&mut run));
    let limit = Limit::Rounds { max: 0 };
    let summarized = false;
    let outcome = outcome(&run);
    assert_eq!(outcome.finish, Finish::Limit { limit, summarized });
    assert_eq!(outcome.warnings[0].code, "summary_failed");
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}

#[test]
fn a_run_without_a_time_limit_hears_nothing_of_it() {
    let limits = Limits {
        max_time: None,
        ..Limits::default()
    };
    let (mut run, log) = start(limits);
    assert!(late(&mut run).is_empty());
    let forged = [&log[..], &[Record::TimeLimitReached]].concat();
    assert_eq!(Run::replay(&forged), Err(CorruptLog { sequence: 1 }));
}

#[test]
fn limits_are_stored_with_their_times_and_read_without() {
    let limits = Limits::chat()
        .with_max_time(MAX)
        .with_model_timeout(Duration::from_millis(1_500))
        .with_summary_time(Duration::ZERO);
    let stored = serde_json::to_string(&limits).expect("serialises");
    assert_eq!(
        serde_json::from_str::<Limits>(&stored).expect("reads"),
        limits
    );
    let before = r#"{"max_rounds":50,"on_limit":"summarize","no_progress":true,"model_retries":2}"#;
    let limits: Limits = serde_json::from_str(before).expect("reads");
    assert_eq!((limits.max_time, limits.model_timeout), (None, None));
    assert_eq!(limits.summary_time, Limits::SUMMARY_TIME);
}
