//! Summaries of what is left out of a request.

use super::{
    compacted::windowed,
    too_long::{after_rounds, compactions, round},
    *,
};

/// A run that asks for a summary next: a small window, with many rounds.
fn summarizing() -> (Run, Vec<Record>) {
    let (mut run, mut log) = after_rounds(ContextWindow::new(2_000).with_summary(), 0);
    while run.poll() != [Action::CallModel(ModelCall::Compact)] {
        log.extend(round(&mut run));
    }
    (run, log)
}

#[test]
fn a_summary_stands_in_the_place_of_what_is_left_out() {
    let (mut run, mut log) = summarizing();
    let request = run.request();
    assert!(request.tools.is_empty() && request.system.is_some());
    let asked = serde_json::to_string(&request).expect("serialises");
    assert!(
        asked.contains("found found") && asked.len() < 8_000,
        "{}",
        asked.len()
    );
    let used = Usage::new(700, 30);
    let summary = ModelResponse::from_text(" It rains in Oslo. ").with_usage(used);
    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response: summary,
        policies: Vec::new(),
    }));
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
    let request = run.request();
    let Some(Message::User(note)) = request.messages.first() else {
        panic!("a note")
    };
    let note = crate::message::text_of(&note.parts);
    assert!(
        note.ends_with("A summary of them:\n\nIt rains in Oslo."),
        "{note}"
    );
    assert_eq!(request.messages[1], Message::user("question"));

    // The next summary is one of both.
    while run.poll() != [Action::CallModel(ModelCall::Compact)] {
        log.extend(round(&mut run));
    }
    let asked = serde_json::to_string(&run.request()).expect("serialises");
    assert!(
        asked.contains("It rains in Oslo.") && !asked.contains("question"),
        "{asked}"
    );
    assert_eq!(Run::replay(&log), Ok((run.clone(), Vec::new())));
    // One that fails leaves the first.
    let error = ModelError::new(ModelErrorKind::Authentication, "no key");
    log.extend(run.handle(Signal::ModelFailed(error)));
    let request = serde_json::to_string(&run.request()).expect("serialises");
    assert!(request.contains("A summary of the first of them:\\n\\nIt rains in Oslo."));
    reply(&mut run, ModelResponse::from_text("done"));
    let outcome = outcome(&run);
    assert_eq!(
        (outcome.usage.input_tokens, outcome.usage.output_tokens),
        (700, 30)
    );
    assert_eq!(outcome.model_calls, outcome.rounds + 3);
    assert_eq!(outcome.warnings[0].code, "compaction_failed");
    assert_eq!(outcome.compactions as usize, compactions(&log).len());
}

#[test]
fn what_is_no_summary_leaves_a_note() {
    let many = "long ".repeat(2_000);
    for response in [
        ModelResponse::from_text(" \n"),
        ModelResponse::from_text("It ra").with_finish_reason(FinishReason::Length),
        ModelResponse::from_text("no").with_finish_reason(FinishReason::Refusal),
        ModelResponse::from_text(many),
        calls(&["a"]),
    ] {
        let (mut run, mut log) = summarizing();
        log.extend(run.handle(Signal::Replied {
            unfit: None,
            response,
            policies: Vec::new(),
        }));
        assert!(matches!(
            log.last(),
            Some(Record::ContextCompacted { compaction, error: Some(_), .. })
                if compaction.summary.is_none()
        ));
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        reply(&mut run, ModelResponse::from_text("done"));
        let outcome = outcome(&run);
        assert_eq!(outcome.finish, Finish::Answered);
        assert_eq!(outcome.warnings[0].code, "compaction_failed");
    }
}

#[test]
fn a_summary_is_asked_for_again_after_an_outage_and_may_be_cancelled() {
    let (mut run, _) = summarizing();
    let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
    run.handle(Signal::ModelFailed(busy));
    assert!(run.model_delay().is_some());
    run.handle(Signal::ModelResumed);
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Compact)]);
    let partial = ModelResponse::from_text("It rai").with_usage(Usage::new(5, 1));
    let by = Interruption::Cancel;
    run.handle(Signal::ResponseBrokenOff { partial, by });
    let outcome = outcome(&run);
    assert_eq!(
        (outcome.finish, outcome.text.as_str()),
        (Finish::Cancelled, "")
    );
    assert_eq!(outcome.usage.input_tokens, 5);
    let compaction = outcome.conversation.compaction().expect("results in short");
    assert_eq!((compaction.left_out, &compaction.summary), (0, &None));
}

#[test]
fn a_time_limit_goes_on_without_a_summary() {
    let mut config = windowed(ContextWindow::new(2_000).with_summary());
    config.limits.max_time = Some(std::time::Duration::from_secs(60));
    let (mut run, mut log) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    while run.poll() != [Action::CallModel(ModelCall::Compact)] {
        log.extend(round(&mut run));
    }
    log.extend(run.handle(Signal::TimeLimitReached));
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Locked)]);
    let last = compactions(&log).pop().expect("there is one");
    assert!(last.left_out > 0 && last.summary.is_none());
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}
