//! Replies that say nothing.

use super::*;
use crate::{
    message::{Image, Opaque},
    model::ModelEvent,
};

fn opaque() -> Part {
    Part::Opaque(Opaque {
        provider: "anthropic".into(),
        data: serde_json::json!({"type": "redacted_thinking"}),
    })
}

fn text(text: &str) -> Part {
    Part::Text(text.into())
}

fn nothings() -> Vec<ModelResponse> {
    let mut refusal = ModelResponse::new(Vec::new());
    refusal.refusal = Some(" ".into());
    let parts = [
        vec![],
        vec![text("")],
        vec![text(" \n\t"), text("\u{a0}\u{3000}")],
        vec![text("\u{200b}\u{feff}\u{0}")],
        vec![Part::Reasoning("I should answer.".into())],
        vec![Part::Reasoning("hm".into()), text("\n\n")],
        vec![opaque()],
        vec![opaque(), Part::Reasoning("hm".into()), opaque()],
    ];
    let mut all: Vec<_> = parts.into_iter().map(ModelResponse::new).collect();
    all.push(refusal);
    all
}

#[test]
fn a_reply_that_says_nothing_is_asked_for_once_more() {
    for nothing in nothings() {
        for reason in [
            FinishReason::Stop,
            FinishReason::Other,
            FinishReason::ToolCalls,
        ] {
            let nothing = nothing.clone().with_finish_reason(reason);
            let (mut run, mut log) = start(Limits::default());
            let before = run.request();
            log.extend(run.handle(Signal::Replied {
                unfit: None,
                response: nothing.clone(),
                policies: Vec::new(),
            }));
            assert_eq!(
                run.poll(),
                [Action::CallModel(ModelCall::Open)],
                "{nothing:?}"
            );
            // The empty reply is not sent back: not every provider takes one.
            let request = run.request();
            assert_eq!(request.messages[..1], before.messages[..]);
            assert!(format!("{:?}", request.messages[1]).contains("your last response was empty"));
            assert_eq!(request.messages.len(), 2);

            let mut answered = run.clone();
            reply(&mut answered, ModelResponse::from_text("Here."));
            let answered = outcome(&answered);
            assert_eq!(
                (answered.finish, answered.corrections),
                (Finish::Answered, 1)
            );
            assert_eq!(answered.conversation.messages().len(), 2);

            log.extend(run.handle(Signal::Replied {
                unfit: None,
                response: nothing,
                policies: Vec::new(),
            }));
            let outcome = outcome(&run);
            assert_eq!((outcome.finish, outcome.text.as_str()), (Finish::Empty, ""));
            assert_eq!((outcome.model_calls, outcome.corrections), (2, 1));
            let codes: Vec<_> = outcome
                .warnings
                .iter()
                .map(|warning| &*warning.code)
                .collect();
            assert_eq!(codes, ["empty_response"; 2]);
            assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
        }
    }
}

#[test]
fn each_turn_has_a_correction_of_its_own() {
    let (mut run, _) = start(Limits::default());
    for round in 0..4 {
        reply(&mut run, ModelResponse::from_text(""));
        if round < 3 {
            reply(&mut run, calls(&["a"]));
            answer_all_calls(&mut run);
            assert!(!format!("{:?}", run.request()).contains("was empty"));
        }
    }
    reply(&mut run, ModelResponse::from_text("done"));
    let outcome = outcome(&run);
    assert_eq!(
        (outcome.finish, outcome.corrections, outcome.rounds),
        (Finish::Answered, 4, 3)
    );
}

#[test]
fn what_can_be_seen_is_an_answer() {
    let image = Part::Image(Image::from_url("https://example.com/a.png"));
    let mut refusal = ModelResponse::new(vec![text(" ")]);
    refusal.refusal = Some("No.".into());
    for (response, finish, said) in [
        (ModelResponse::new(vec![image]), Finish::Answered, ""),
        (ModelResponse::from_text("."), Finish::Answered, "."),
        (
            ModelResponse::from_text("\u{200b}☂"),
            Finish::Answered,
            "\u{200b}☂",
        ),
        (
            ModelResponse::new(vec![opaque(), text("0")]),
            Finish::Answered,
            "0",
        ),
        (refusal, Finish::Refused, "No."),
    ] {
        let (mut run, _) = start(Limits::default());
        reply(&mut run, response);
        let outcome = outcome(&run);
        assert_eq!((outcome.finish, outcome.text.as_str()), (finish, said));
    }
}

#[test]
fn other_ends_stay_what_they_are_without_a_text() {
    for (reason, finish) in [
        (FinishReason::Length, Finish::Truncated),
        (FinishReason::ContentFilter, Finish::Filtered),
        (FinishReason::Refusal, Finish::Refused),
    ] {
        for nothing in nothings() {
            let (mut run, _) = start(Limits::default());
            reply(&mut run, nothing.with_finish_reason(reason));
            assert_eq!(outcome(&run).finish, finish);
        }
    }
}

/// What was said before a pause is the answer of a turn that then ends without another word.
#[test]
fn a_paused_turn_may_end_without_another_word() {
    let (mut run, _) = start(Limits::default());
    let paused = ModelResponse::from_text("It rains.").with_finish_reason(FinishReason::Paused);
    reply(&mut run, paused);
    reply(&mut run, ModelResponse::new(vec![opaque()]));
    let outcome = outcome(&run);
    assert_eq!(
        (outcome.finish, outcome.text.as_str()),
        (Finish::Answered, "It rains.")
    );
}

#[test]
fn a_reply_of_events_is_judged_as_a_whole_one() {
    for nothing in nothings() {
        let events = nothing.clone().into_events();
        let streamed: ModelResponse = events.into_iter().collect();
        let (mut run, _) = start(Limits::default());
        reply(&mut run, streamed);
        assert_eq!(
            run.poll(),
            [Action::CallModel(ModelCall::Open)],
            "{nothing:?}"
        );
    }
    let usage: ModelResponse = [ModelEvent::Finished {
        reason: FinishReason::Stop,
        raw: None,
    }]
    .into_iter()
    .collect();
    let (mut run, _) = start(Limits::default());
    reply(&mut run, usage);
    assert!(run.outcome().is_none());
}
