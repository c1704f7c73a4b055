//! A reply that breaks off.

use serde_json::json;

use super::*;
use crate::message::{Opaque, Turn};

/// Pieces of which replies consist, with the text of them that is kept.
fn pieces() -> Vec<(Part, &'static str)> {
    let opaque = |provider: &str| {
        Part::Opaque(Opaque {
            provider: provider.to_owned(),
            data: json!({"half": true}),
        })
    };
    vec![
        (Part::Text("I think".into()), "I think"),
        (Part::Text(" \n".into()), ""),
        (Part::Reasoning("hm".into()), ""),
        (opaque("anthropic"), ""),
        (Part::Call(ToolCall::new("a", "look", "{\"x")), ""),
    ]
}

/// Every reply of up to three pieces, and its text.
fn partials() -> Vec<(ModelResponse, String)> {
    let mut all: Vec<(Vec<Part>, String)> = vec![Default::default()];
    let mut last = all.clone();
    for _ in 0..3 {
        let longer = |(parts, text): &(Vec<Part>, String)| {
            let (parts, text) = (parts.clone(), text.clone());
            pieces().into_iter().map(move |(part, more)| {
                let mut parts = parts.clone();
                parts.push(part);
                (parts, format!("{text}{more}"))
            })
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    let with_usage = |(parts, text): (Vec<Part>, String)| {
        let response = ModelResponse::new(parts).with_finish_reason(FinishReason::Other);
        let paid = response.clone().with_usage(Usage::new(7, 2));
        [(response, text.clone()), (paid, text)]
    };
    all.into_iter().flat_map(with_usage).collect()
}

/// Runs that wait for a reply: the first one, one after a round, a summary, and one without tools.
fn waiting() -> Vec<(Run, Vec<Record>)> {
    let (first, log) = start(Limits::default());
    let mut all = vec![(first, log)];
    for (rounds, max) in [(1, 5), (1, 1), (0, 0)] {
        let (mut run, mut log) = start(Limits::default().with_max_rounds(max));
        for _ in 0..rounds {
            log.extend(run.handle(Signal::Replied {
                unfit: None,
                response: calls(&["a"]),
                policies: Vec::new(),
            }));
            let [Action::StartCall(id)] = run.poll()[..] else {
                panic!("one call")
            };
            log.extend(run.handle(Signal::CallStarted(id)));
            let result = ToolResult::success("a", "sunny");
            log.extend(run.handle(Signal::CallFinished(id, result)));
        }
        all.push((run, log));
    }
    let (mut run, mut log) = start(Limits::default().with_max_rounds(0));
    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response: ModelResponse::default(),
        policies: Vec::new(),
    }));
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Flattened)]);
    all.push((run, log));
    all
}

/// What every provider takes back: replies that are not empty, calls with their results, and nothing
/// that only its provider reads.
fn assert_is_accepted(conversation: &Conversation) {
    assert!(!conversation.requires_tool_execution());
    let stored = serde_json::to_string(conversation).expect("serialises");
    let read: Conversation = serde_json::from_str(&stored).expect("is one");
    assert_eq!(&read, conversation);
    for turn in conversation.messages().iter().flat_map(Message::turns) {
        if let Turn::Assistant(parts) = turn {
            assert!(!parts.is_empty());
            for part in parts {
                match part {
                    Part::Text(text) => assert!(!text.trim().is_empty()),
                    Part::Call(call) => assert_eq!(call.arguments, "{}"),
                    part => panic!("{part:?} is not whole"),
                }
            }
        }
    }
}

/// Each log that was cut off is the beginning of the same run.
fn assert_replays(run: &Run, log: &[Record]) {
    assert_eq!(Run::replay(log), Ok((run.clone(), Vec::new())));
    for length in 1..log.len() {
        let (_, missing) = Run::replay(&log[..length]).expect("is a log");
        for (record, logged) in missing.iter().zip(&log[length..]) {
            assert_eq!(record, logged);
        }
    }
    let stored = serde_json::to_string(log).expect("serialises");
    let read: Vec<Record> = serde_json::from_str(&stored).expect("is a log");
    assert_eq!(read, log);
}

#[test]
fn a_cancel_keeps_the_text_and_the_cost_of_a_reply_that_was_coming() {
    for (run, log) in waiting() {
        let before = run.conversation();
        for (partial, text) in partials() {
            let (mut run, mut log) = (run.clone(), log.clone());
            let by = Interruption::Cancel;
            let usage = partial.usage.clone().unwrap_or_default();
            let spent = run.state.spent.usage().input_tokens + usage.input_tokens;
            log.extend(run.handle(Signal::ResponseBrokenOff { partial, by }));
            let outcome = outcome(&run);
            assert_eq!(outcome.finish, Finish::Cancelled);
            assert_eq!(outcome.broken_off, !text.is_empty());
            assert_eq!(outcome.usage.input_tokens, spent);
            if text.is_empty() {
                assert_eq!(outcome.conversation, before);
            } else {
                assert_eq!(
                    (&outcome.text, outcome.conversation.text()),
                    (&text, text.clone())
                );
            }
            assert_is_accepted(&outcome.conversation);
            assert!(log.contains(&Record::CancelRequested));
            assert_replays(&run, &log);
        }
    }
}

#[test]
fn a_reply_that_fails_for_good_keeps_its_text_and_its_cost() {
    let kinds = [ModelErrorKind::Transport, ModelErrorKind::InvalidRequest];
    for (run, log) in waiting() {
        for (partial, text) in partials() {
            for kind in kinds {
                let (mut run, mut log) = (run.clone(), log.clone());
                let error = ModelError::new(kind, "gone").with_partial(partial.clone());
                log.extend(run.handle(Signal::ModelBrokeOff(error)));
                assert_replays(&run, &log);
                assert_is_accepted(&run.conversation());
                let Some(outcome) = run.outcome() else {
                    // A summary is asked for without tools, where nobody has read another.
                    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Flattened)]);
                    assert!(text.is_empty() && kind == ModelErrorKind::InvalidRequest);
                    continue;
                };
                assert_eq!(outcome.broken_off, !text.is_empty());
                if !text.is_empty() {
                    assert_eq!(outcome.text, text);
                    assert_eq!(outcome.conversation.text(), text);
                }
            }
        }
    }
}

#[test]
fn a_refusal_that_breaks_off_is_kept_as_what_was_said() {
    let (mut run, _) = start(Limits::default());
    let mut partial = ModelResponse::new(vec![Part::Text(" ".into())]);
    partial.refusal = Some("I cannot".into());
    let by = Interruption::Cancel;
    run.handle(Signal::ResponseBrokenOff { partial, by });
    assert_eq!(outcome(&run).text, "I cannot");
    assert_eq!(outcome(&run).conversation.text(), "I cannot");
}

#[test]
fn a_reply_after_one_that_broke_off_is_whole() {
    let (mut run, _) = start(Limits::default());
    let error = ModelError::new(ModelErrorKind::Overloaded, "busy");
    let partial = ModelResponse::from_text("I thi").with_usage(Usage::new(7, 2));
    run.handle(Signal::ModelFailed(error.with_partial(partial)));
    run.handle(Signal::ModelResumed);
    reply(&mut run, ModelResponse::from_text("I think so."));
    let outcome = outcome(&run);
    assert!(!outcome.broken_off && outcome.text == "I think so.");
    assert_eq!(outcome.conversation.messages().len(), 2);
    assert_eq!(outcome.usage.input_tokens, 7);
}

#[test]
fn where_no_reply_comes_an_interruption_is_only_that() {
    let interrupt = || Signal::ResponseBrokenOff {
        partial: ModelResponse::from_text("late"),
        by: Interruption::Cancel,
    };
    let (mut run, _) = start(Limits::default());
    reply(&mut run, calls(&["a"]));
    let records = run.handle(interrupt());
    assert!(!records.contains(&Record::CancelRequested) || !outcome(&run).broken_off);
    assert_eq!(outcome(&run).finish, Finish::Cancelled);
    assert!(run.handle(interrupt()).is_empty());
}

#[test]
fn a_reply_that_the_time_limit_breaks_off_is_kept_and_summed_up() {
    let time = std::time::Duration::from_secs(5);
    let partial = || ModelResponse::from_text("I thi").with_usage(Usage::new(7, 2));
    let by = Interruption::TimeLimit;
    let (mut run, mut log) = start(Limits::default().with_max_time(time));
    log.extend(run.handle(Signal::ResponseBrokenOff {
        partial: partial(),
        by,
    }));
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Locked)]);
    assert_replays(&run, &log);
    // The summary may be late as well.
    let (mut late, mut late_log) = (run.clone(), log.clone());
    late_log.extend(late.handle(Signal::ResponseBrokenOff {
        partial: ModelResponse::from_text("In sho"),
        by,
    }));
    let late_outcome = outcome(&late);
    assert!(late_outcome.broken_off && late_outcome.text == "In sho");
    assert_replays(&late, &late_log);
    assert_is_accepted(&late_outcome.conversation);

    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response: ModelResponse::from_text("In short."),
        policies: Vec::new(),
    }));
    let outcome = outcome(&run);
    assert!(!outcome.broken_off && outcome.text == "In short.");
    assert_eq!(outcome.usage.input_tokens, 7);
    let texts = format!("{:?}", outcome.conversation.messages());
    assert!(texts.contains("I thi") && texts.contains("In short."));
    assert_replays(&run, &log);

    // A run without a time limit has none to be broken off by.
    let limits = Limits {
        max_time: None,
        ..Limits::default()
    };
    let (mut run, _) = start(limits);
    let partial = partial();
    assert!(
        run.handle(Signal::ResponseBrokenOff { partial, by })
            .is_empty()
    );
}
