//! What happens at the bound of rounds.

use super::*;

#[test]
fn at_the_limit_the_tools_are_locked_and_the_model_answers() {
    let (mut run, _) = start(Limits::default().with_max_rounds(2));
    for _ in 0..2 {
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        reply(&mut run, calls(&["a"]));
        answer_all_calls(&mut run);
    }
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Locked)]);
    let request = run.request();
    assert_eq!(request.tool_choice, ToolChoice::None);
    assert!(format!("{:?}", request.messages.last()).contains("limit of 2 rounds"));
    // Calls that come all the same are not part of the answer.
    let mut stubborn = ModelResponse::new(vec![
        Part::Text("so far".into()),
        Part::Call(ToolCall::new("b", "look", "")),
    ]);
    stubborn.usage = Some(Usage::new(3, 4));
    reply(&mut run, stubborn);
    let outcome = outcome(&run);
    let limit = Limit::Rounds { max: 2 };
    assert_eq!(
        outcome.finish,
        Finish::Limit {
            limit,
            summarized: true
        }
    );
    assert_eq!(
        (outcome.text.as_str(), outcome.rounds, outcome.model_calls),
        ("so far", 2, 3)
    );
    assert_eq!(outcome.usage, Usage::new(3, 4));
    assert!(!outcome.conversation.requires_tool_execution());
    assert!(!format!("{:?}", outcome.conversation).contains("limit of 2 rounds"));
}

#[test]
fn a_model_that_does_not_answer_when_locked_is_asked_once_more_without_tools() {
    let refusal = ModelError::new(ModelErrorKind::InvalidRequest, "no tool_choice here");
    for locked in [
        Signal::Replied {
            unfit: None,
            response: calls(&["b"]),
            policies: Vec::new(),
        },
        Signal::ModelFailed(refusal),
    ] {
        for (last, summarized) in [
            (ModelResponse::from_text("ok"), true),
            (calls(&["c"]), false),
        ] {
            let (mut run, _) = start(Limits::default().with_max_rounds(1));
            reply(&mut run, calls(&["a"]));
            answer_all_calls(&mut run);
            run.handle(locked.clone());
            assert_eq!(run.poll(), [Action::CallModel(ModelCall::Flattened)]);
            assert!(
                run.request()
                    .messages
                    .iter()
                    .flat_map(Message::turns)
                    .count()
                    >= 2
            );
            reply(&mut run, last);
            let outcome = outcome(&run);
            let limit = Limit::Rounds { max: 1 };
            assert_eq!(outcome.finish, Finish::Limit { limit, summarized });
            let warnings = 1 + usize::from(!summarized);
            assert_eq!(outcome.warnings.len(), warnings);
        }
    }
}

/// A run that has come to its last request.
fn at_the_last(max_rounds: u32, on_limit: OnLimit) -> Run {
    let limits = Limits::default()
        .with_max_rounds(max_rounds)
        .with_on_limit(on_limit);
    let (mut run, _) = start(limits);
    for _ in 0..max_rounds {
        reply(&mut run, calls(&["a"]));
        answer_all_calls(&mut run);
    }
    assert_eq!(
        (
            run.state.spent.rounds(),
            run.state.spent.in_all().model_calls
        ),
        (max_rounds, max_rounds)
    );
    run
}

#[test]
fn n_rounds_allow_one_more_request_whatever_happens_at_the_limit() {
    for on_limit in [OnLimit::Stop, OnLimit::Error, OnLimit::Summarize] {
        for max_rounds in [0, 1, 3] {
            let mut run = at_the_last(max_rounds, on_limit);
            let call = match on_limit {
                OnLimit::Summarize => ModelCall::Locked,
                _ => ModelCall::Open,
            };
            assert_eq!(run.poll(), [Action::CallModel(call)]);
            reply(&mut run, ModelResponse::from_text("done"));
            let outcome = outcome(&run);
            assert_eq!(
                (outcome.model_calls, outcome.text.as_str()),
                (max_rounds + 1, "done")
            );
            if on_limit != OnLimit::Summarize {
                assert_eq!(outcome.finish, Finish::Answered);
            }
        }
    }
}

#[test]
fn calls_of_the_last_request_do_not_run() {
    for (on_limit, max_rounds) in [(OnLimit::Stop, 0), (OnLimit::Stop, 2), (OnLimit::Error, 1)] {
        let mut run = at_the_last(max_rounds, on_limit);
        assert_eq!(run.request().tool_choice, ToolChoice::Auto);
        let mut parts = calls(&["b", "b"]).parts.into_vec();
        parts.insert(0, Part::Text("One more look.".into()));
        let records = run.handle(Signal::Replied {
            unfit: None,
            response: ModelResponse::new(parts),
            policies: Vec::new(),
        });
        let finished = |record: &&Record| matches!(record, Record::CallFinished { .. });
        assert_eq!(records.iter().filter(finished).count(), 2);
        let limit = Limit::Rounds { max: max_rounds };
        let expected = match on_limit {
            OnLimit::Error => Finish::Failed(Failure::Limit(limit)),
            _ => Finish::Limit {
                limit,
                summarized: false,
            },
        };
        let outcome = outcome(&run);
        assert_eq!(outcome.finish, expected);
        assert_eq!(
            (outcome.rounds, outcome.model_calls),
            (max_rounds, max_rounds + 1)
        );
        let last = outcome.tool_rounds().last().expect("is one");
        let texts: Vec<_> = last.results.iter().map(ToolResult::to_model_text).collect();
        assert!(
            texts.len() == 2
                && texts
                    .iter()
                    .all(|text| text.contains("not executed: the limit of"))
        );
    }
}

#[test]
fn a_summary_that_fails_keeps_the_limit_and_says_why() {
    let text = |reason| ModelResponse::from_text("so f").with_finish_reason(reason);
    let mut refusal = ModelResponse::new(Vec::new());
    refusal.refusal = Some("I cannot help with that.".into());
    let replied = |response| Signal::Replied {
        unfit: None,
        response,
        policies: Vec::new(),
    };
    let failed = |kind| Signal::ModelFailed(ModelError::new(kind, "no").with_retryable(false));
    let broke_off = ModelError::new(ModelErrorKind::Transport, "gone");
    for (signal, code, said) in [
        (replied(text(FinishReason::Length)), "summary_cut", "so f"),
        (replied(text(FinishReason::Paused)), "summary_cut", "so f"),
        (
            replied(text(FinishReason::ContentFilter)),
            "summary_filtered",
            "so f",
        ),
        (
            replied(text(FinishReason::Refusal)),
            "summary_refused",
            "so f",
        ),
        (
            replied(refusal),
            "summary_refused",
            "I cannot help with that.",
        ),
        (failed(ModelErrorKind::Overloaded), "summary_failed", ""),
        (failed(ModelErrorKind::ContextTooLong), "summary_failed", ""),
        (failed(ModelErrorKind::Authentication), "summary_failed", ""),
        (Signal::ModelBrokeOff(broke_off), "summary_failed", ""),
    ] {
        for flattened in [false, true] {
            let mut run = at_the_last(1, OnLimit::Summarize);
            if flattened {
                reply(&mut run, calls(&["b"]));
            }
            run.handle(signal.clone());
            let outcome = outcome(&run);
            let limit = Limit::Rounds { max: 1 };
            let summarized = false;
            assert_eq!(
                outcome.finish,
                Finish::Limit { limit, summarized },
                "{signal:?}"
            );
            assert_eq!(outcome.warnings.last().expect("is one").code, code);
            assert_eq!(outcome.text, said);
        }
    }
}

#[test]
fn a_blank_summary_is_none() {
    let blank = || {
        ModelResponse::new(vec![
            Part::Reasoning("hm".into()),
            Part::Text(" \n\u{200b}".into()),
        ])
    };
    let mut run = at_the_last(1, OnLimit::Summarize);
    reply(&mut run, blank());
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Flattened)]);
    reply(&mut run, blank());
    let outcome = outcome(&run);
    let limit = Limit::Rounds { max: 1 };
    let summarized = false;
    assert_eq!(outcome.finish, Finish::Limit { limit, summarized });
    assert_eq!((outcome.text.as_str(), outcome.model_calls), ("", 3));
    let codes: Vec<_> = outcome
        .warnings
        .iter()
        .map(|warning| &*warning.code)
        .collect();
    assert_eq!(codes, ["no_answer_when_locked", "summary_empty"]);
}

#[test]
fn pauses_are_counted_over_a_turn() {
    let paused = || ModelResponse::from_text("…").with_finish_reason(FinishReason::Paused);
    let (mut run, _) = start(Limits::default());
    for _ in 0..3 {
        for _ in 0..verdict::MAX_PAUSES {
            reply(&mut run, paused());
            assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        }
        reply(&mut run, calls(&["a"]));
        answer_all_calls(&mut run);
    }
    assert_eq!(run.state.spent.pauses(), 3 * verdict::MAX_PAUSES);
    for _ in 0..=verdict::MAX_PAUSES {
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        reply(&mut run, paused());
    }
    let outcome = outcome(&run);
    assert!(matches!(outcome.finish, Finish::Failed(Failure::Model(_))));
    assert_eq!(outcome.pauses, 4 * verdict::MAX_PAUSES);
}

#[test]
fn a_limit_of_one_is_told_of_one() {
    let of = |max: u32| {
        let limits = [
            Limit::Rounds { max },
            Limit::ToolCalls { max },
            Limit::CallsPerResponse { max },
            Limit::InvalidCalls { max },
            Limit::Tokens { max: max.into() },
        ];
        let mut told = limits.map(|limit| limit.to_string()).to_vec();
        told.push(StopReason::Condition(StopWhen::Rounds(max)).to_string());
        told
    };
    let one = [
        "the limit of 1 round of tool calls is reached",
        "the limit of 1 tool call is reached",
        "the limit of 1 tool call in one response is reached",
        "no call of a round was valid",
        "the limit of 1 token for the run is reached",
        "1 round is over",
    ];
    assert_eq!(of(1), one);
    let two = [
        "the limit of 2 rounds of tool calls is reached",
        "the limit of 2 tool calls is reached",
        "the limit of 2 tool calls in one response is reached",
        "no call was valid in 2 rounds in a row",
        "the limit of 2 tokens for the run is reached",
        "2 rounds are over",
    ];
    assert_eq!(of(2), two);
}

/// A stored run has the limits that it began with, also where one is off that is on by default.
#[test]
fn a_limit_that_is_off_stays_off_in_the_store() {
    let mut limits = Limits::default().with_max_invalid_rounds(None);
    (limits.max_time, limits.model_timeout) = (None, None);
    let stored = serde_json::to_string(&limits).expect("is JSON");
    let read: Limits = serde_json::from_str(&stored).expect("is read");
    assert_eq!(read, limits, "{stored}");
}
