//! Requests that a model says are too long.

use super::{
    compacted::{start_in, too_long, windowed},
    *,
};
use crate::conversation::Compaction;

/// A run after so many rounds, with results of a thousand bytes, and its log.
pub(super) fn after_rounds(window: ContextWindow, rounds: u32) -> (Run, Vec<Record>) {
    let (mut run, mut log) = start_in(window, &Conversation::new());
    for _ in 0..rounds {
        log.extend(round(&mut run));
    }
    (run, log)
}

pub(super) fn round(run: &mut Run) -> Vec<Record> {
    let mut log = run.handle(Signal::Replied {
        unfit: None,
        response: calls(&["x"]),
        policies: Vec::new(),
    });
    log.extend(answer(run));
    log
}

fn answer(run: &mut Run) -> Vec<Record> {
    let [Action::StartCall(id)] = run.poll()[..] else {
        panic!("a call")
    };
    let mut log = run.handle(Signal::CallStarted(id));
    let result = ToolResult::success("", "found ".repeat(160));
    log.extend(run.handle(Signal::CallFinished(id, result)));
    log
}

fn sent(run: &Run) -> usize {
    serde_json::to_string(&run.request().messages)
        .expect("serialises")
        .len()
}

pub(super) fn compactions(log: &[Record]) -> Vec<&Compaction> {
    let made = log.iter().filter_map(|record| match record {
        Record::ContextCompacted { compaction, .. } => Some(compaction),
        _ => None,
    });
    made.collect()
}

#[test]
fn it_is_sent_less_twice_and_then_the_run_fails() {
    let (mut run, mut log) = after_rounds(ContextWindow::new(1_000_000), 20);
    let mut sizes = vec![sent(&run)];
    for _ in 0..2 {
        log.extend(run.handle(too_long()));
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        sizes.push(sent(&run));
    }
    assert!(
        sizes[1] < sizes[0] * 6 / 10 && sizes[2] < sizes[1] * 6 / 10,
        "{sizes:?}"
    );
    assert!(sizes[2] > 2_000, "the latest rounds are whole: {sizes:?}");
    log.extend(run.handle(too_long()));
    let outcome = outcome(&run);
    assert!(matches!(
        &outcome.finish,
        Finish::Failed(Failure::Model(error)) if error.kind == ModelErrorKind::ContextTooLong
    ));
    assert_eq!((outcome.model_calls, outcome.compactions), (23, 2));
    assert_eq!(
        outcome.tool_rounds().count(),
        20,
        "the conversation is whole"
    );
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}

#[test]
fn the_window_counts_what_the_provider_counts() {
    for (sent, compactions) in [(3, 0), (1_900, 1)] {
        let (mut run, _) = after_rounds(ContextWindow::new(2_000), 3);
        reply(&mut run, calls(&["x"]).with_usage(Usage::new(sent, 5)));
        answer(&mut run);
        assert_eq!(run.state.compacting.compactions(), compactions, "{sent}");
    }
}

#[test]
fn another_request_may_be_too_long_again() {
    let (mut run, _) = after_rounds(ContextWindow::new(1_000_000), 20);
    for _ in 0..4 {
        run.handle(too_long());
        run.handle(too_long());
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        for _ in 0..10 {
            let tokens = sent(&run) as u64 / 4;
            let response = calls(&["x"]).with_usage(Usage::new(tokens, 5));
            reply(&mut run, response);
            answer(&mut run);
        }
    }
    assert_eq!(run.state.compacting.compactions(), 8);
}

#[test]
fn without_a_window_or_anything_to_leave_out_the_run_fails_at_once() {
    let (mut run, _) = start(Limits::default());
    run.handle(too_long());
    assert!(matches!(outcome(&run).finish, Finish::Failed(_)));
    let (mut run, _) = after_rounds(ContextWindow::new(1_000), 0);
    run.handle(too_long());
    let outcome = outcome(&run);
    assert!(matches!(outcome.finish, Finish::Failed(_)));
    assert_eq!((outcome.model_calls, outcome.compactions), (1, 0));
}

#[test]
fn text_that_was_read_is_not_asked_for_again() {
    let (mut run, _) = after_rounds(ContextWindow::new(1_000_000), 20);
    let error = ModelError::new(ModelErrorKind::ContextTooLong, "too long");
    let partial = ModelResponse::from_text("It is");
    run.handle(Signal::ModelBrokeOff(error.with_partial(partial)));
    let outcome = outcome(&run);
    assert!(matches!(outcome.finish, Finish::Failed(_)));
    assert_eq!(outcome.text, "It is");
}

#[test]
fn a_locked_request_is_sent_with_less_as_well() {
    let mut config = windowed(ContextWindow::new(1_000_000));
    config.limits.max_rounds = 12;
    let (mut run, _) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    for _ in 0..12 {
        round(&mut run);
    }
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Locked)]);
    let before = sent(&run);
    run.handle(too_long());
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Locked)]);
    assert!(sent(&run) < before * 6 / 10);
    reply(&mut run, ModelResponse::from_text("so far"));
    assert!(matches!(
        outcome(&run).finish,
        Finish::Limit {
            summarized: true,
            ..
        }
    ));
}

#[test]
fn a_log_with_another_compaction_is_refused_if_that_cannot_be() {
    let (run, log) = after_rounds(ContextWindow::new(2_000), 60);
    assert!(compactions(&log).len() > 1);
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
    let at = log
        .iter()
        .rposition(|record| matches!(record, Record::ContextCompacted { .. }));
    let at = at.expect("there is one");
    let Record::ContextCompacted { compaction, .. } = &log[at] else {
        unreachable!("it was looked for")
    };
    let replays = |change: fn(&mut Compaction)| {
        let mut compaction = compaction.clone();
        change(&mut compaction);
        let record = Record::ContextCompacted {
            compaction,
            model: None,
            usage: None,
            error: None,
        };
        Run::replay(log[..at].iter().chain([&record])).is_ok()
    };
    assert!(replays(|_| {}));
    assert!(
        replays(|more| more.left_out += 1),
        "whatever the estimate was"
    );
    assert!(replays(|more| more.shortened += 1));
    for (index, change) in [
        (|other| other.left_out = 0) as fn(&mut Compaction),
        |other| other.left_out = other.shortened + 1,
        |other| other.shortened = 1_000,
        |other| other.requests_from = 1,
        |other| other.summary = Some("forged".into()),
        |other| *other = Compaction::default(),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(!replays(change), "change {index}: {compaction:?}");
    }
    // One that is not there is not missed: the estimate may have been another.
    let mut without = log.clone();
    without.retain(|record| !matches!(record, Record::ContextCompacted { .. }));
    assert!(Run::replay(&without).is_ok());
}

#[test]
fn a_compaction_that_is_none_of_the_conversation_is_not_read() {
    let (mut run, _) = after_rounds(ContextWindow::new(1_000_000), 20);
    run.handle(too_long());
    let mut stored = serde_json::to_value(run.conversation()).expect("serialises");
    let read = |stored: &serde_json::Value| serde_json::from_value::<Conversation>(stored.clone());
    assert!(read(&stored).expect("reads").compaction().is_some());
    // No compaction may follow one that keeps requests from after the end.
    stored["compaction"]["requests_from"] = 1_000.into();
    let error = read(&stored).err().map(|error| error.to_string());
    assert!(error.is_some_and(|error| error.contains("message 1000")));
}

#[test]
fn what_each_request_has_in_addition_may_be_of_any_size() {
    let window = ContextWindow::new(1_000).with_overhead(u64::MAX);
    let (_, log) = after_rounds(window, 3);
    assert!(Run::replay(&log).is_ok());
}
