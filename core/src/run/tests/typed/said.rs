//! What counts as the text of an answer.

use super::*;

/// The failure of a run that asks once, after a first round with a text of its own.
fn failure(last: ModelResponse) -> (String, u32) {
    let mut form = form(AnswerMeans::Schema);
    form.corrections = 0;
    let config = RunConfig {
        answer: Some(form),
        ..RunConfig::default()
    };
    let (mut run, _) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    let mut first = calls(&["a"]);
    first
        .parts
        .to_mut()
        .push(Part::Text("I look it up.".to_owned()));
    reply(&mut run, first.normalized());
    answer_all_calls(&mut run);
    assert_eq!(run.answer_text(&last), "");
    run.handle(unfit(last));
    match outcome(&run).finish {
        Finish::Failed(Failure::AnswerUnfit { text, .. }) => (text, outcome(&run).corrections),
        finish => panic!("{finish:?}"),
    }
}

#[test]
fn the_text_of_an_earlier_round_is_no_answer() {
    let image = crate::message::Image::from_url("https://example.com/a.png");
    let shown = ModelResponse::new(vec![Part::Text("\u{200b} ".to_owned()), Part::Image(image)]);
    assert_eq!(failure(shown), (String::new(), 0));
}

#[test]
fn a_paused_turn_may_end_without_another_word() {
    let (mut run, _) = typed(AnswerMeans::Schema, Limits::default());
    let paused = ModelResponse::from_text("b").with_finish_reason(FinishReason::Paused);
    run.handle(unfit(paused));
    let end = ModelResponse::from_text("\u{200b}");
    assert_eq!(run.answer_text(&end), "b");
    run.handle(unfit(end));
    // It was refused, and the next one begins anew.
    assert_eq!(run.answer_text(&ModelResponse::from_text("")), "");
}

#[test]
fn a_pause_without_a_word_adds_no_message() {
    for blank in ["", " ", "\u{200b}"] {
        let (mut run, mut log) = typed(AnswerMeans::Schema, Limits::default());
        log.extend(run.handle(unfit(ModelResponse::from_text("wrong"))));
        let paused = ModelResponse::from_text(blank).with_finish_reason(FinishReason::Paused);
        log.extend(run.handle(unfit(paused)));
        let said = run.conversation().messages().len();
        assert_eq!(said, 1, "{blank:?}");
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        let fits = ModelResponse::from_text("right");
        log.extend(run.handle(Signal::Replied {
            response: fits,
            policies: Vec::new(),
            unfit: None,
        }));
        let ended = outcome(&run);
        assert_eq!((ended.finish, ended.pauses), (Finish::Answered, 1));
        assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
    }
    // What only its provider reads is sent back.
    let (mut run, _) = typed(AnswerMeans::Schema, Limits::default());
    let thought = ModelResponse::new(vec![Part::Reasoning("hm".into())]);
    run.handle(unfit(thought.with_finish_reason(FinishReason::Paused)));
    assert_eq!(run.conversation().messages().len(), 2);
}

/// A response with an image and the answer as a call.
fn shown_and_given() -> ModelResponse {
    let image = crate::message::Image::from_url("https://example.com/a.png");
    let call = ToolCall::new("a", "answer", "{}");
    ModelResponse::new(vec![Part::Image(image), Part::Call(call)])
}

#[test]
fn an_image_beside_the_answer_does_not_hide_it() {
    let (mut run, mut log) = typed(by_tool(), Limits::default().with_max_rounds(0));
    assert_eq!(run.answer_text(&shown_and_given()), "{}");
    log.extend(run.handle(Signal::Replied {
        response: shown_and_given(),
        policies: vec![ToolPolicy::default()],
        unfit: None,
    }));
    assert_eq!(outcome(&run).text, "{}");
    assert_eq!(outcome(&run).conversation.text(), "{}");
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}
