//! What somebody says to a run that is under way.

use super::*;
use crate::UserMessage;

fn push(run: &mut Run, text: &str) -> usize {
    run.handle(Signal::MessagePushed(UserMessage::from(text)))
        .len()
}

/// What the model is sent last, and the users' texts of the conversation.
fn asked(run: &Run) -> Vec<String> {
    let conversation = run.conversation();
    let messages = conversation.messages().iter();
    messages
        .filter_map(|message| match message {
            Message::User(message) => Some(format!("{:?}", message.parts)),
            Message::Assistant(_) => None,
        })
        .collect()
}

#[test]
fn a_pushed_message_comes_after_the_round_under_way() {
    let (mut run, _) = start(Limits::default());
    reply(&mut run, calls(&["a"]));
    assert_eq!(push(&mut run, "also the wind"), 1);
    assert_eq!(asked(&run).len(), 1, "the model has not received it");
    answer_all_calls(&mut run);
    assert_eq!(asked(&run).len(), 2);
    let request = run.request();
    assert!(format!("{:?}", request.messages.last()).contains("also the wind"));
    reply(&mut run, calls(&["b"]));
    answer_all_calls(&mut run);
    reply(&mut run, ModelResponse::from_text("sunny, no wind"));
    let outcome = outcome(&run);
    assert_eq!(
        (outcome.finish.clone(), outcome.rounds),
        (Finish::Answered, 2)
    );
    assert_eq!((outcome.pushed_messages, outcome.unread.len()), (1, 0));
    assert_eq!(
        outcome.tool_rounds().count(),
        2,
        "both rounds are of this run"
    );
}

#[test]
fn a_model_that_answers_meanwhile_is_asked_again() {
    let (mut run, _) = start(
        Limits::default()
            .with_max_rounds(0)
            .with_on_limit(OnLimit::Stop),
    );
    push(&mut run, "one");
    push(&mut run, "two");
    reply(&mut run, ModelResponse::from_text("first"));
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
    assert_eq!(asked(&run).len(), 3);
    reply(&mut run, ModelResponse::from_text("second"));
    let outcome = outcome(&run);
    assert_eq!((outcome.text.as_str(), outcome.model_calls), ("second", 2));
    assert_eq!(outcome.conversation.messages().len(), 5);
    assert_eq!(push(&mut run, "three"), 0, "the run is over");
}

#[test]
fn a_request_that_begins_takes_what_came_before_it() {
    let (mut run, mut log) = start(Limits::default().with_max_rounds(1));
    assert_eq!(
        run.handle(Signal::RequestBegins),
        [],
        "nobody has said more"
    );
    log.extend(run.handle(Signal::MessagePushed("also the wind".into())));
    let read = run.handle(Signal::RequestBegins);
    assert_eq!(read, [Record::MessagesRead]);
    log.extend(read);
    assert!(format!("{:?}", run.request().messages).contains("also the wind"));
    assert_eq!(Run::replay(&log), Ok((run.clone(), Vec::new())));
    reply(&mut run, ModelResponse::from_text("sunny, no wind"));
    let outcome = outcome(&run);
    assert_eq!((outcome.model_calls, outcome.pushed_messages), (1, 1));
    assert_eq!(outcome.conversation.messages().len(), 3);
}

#[test]
fn a_message_that_no_request_takes_is_told_as_unread() {
    // The run ends otherwise than with an answer.
    for end in [
        Signal::Replied {
            unfit: None,
            response: ModelResponse::from_text("no").with_finish_reason(FinishReason::Refusal),
            policies: Vec::new(),
        },
        Signal::ModelFailed(ModelError::new(ModelErrorKind::InvalidRequest, "no")),
        Signal::Cancel,
    ] {
        let (mut run, _) = start(Limits::default());
        push(&mut run, "late");
        run.handle(end);
        let outcome = outcome(&run);
        assert_eq!((outcome.pushed_messages, outcome.unread.len()), (0, 1));
        assert_eq!(asked(&run).len(), 1);
    }
}

#[test]
fn the_summary_at_a_limit_takes_what_was_said() {
    let (mut run, _) = start(Limits::default().with_max_rounds(1));
    reply(&mut run, calls(&["a"]));
    push(&mut run, "also the wind");
    answer_all_calls(&mut run);
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Locked)]);
    assert!(format!("{:?}", run.request().messages).contains("also the wind"));
}

#[test]
fn a_cancel_after_the_round_lets_it_end() {
    let (mut run, _) = start(Limits::default());
    reply(&mut run, calls(&["a", "b"]));
    assert_eq!(run.handle(Signal::CancelAfterRound).len(), 1);
    assert_eq!(run.handle(Signal::CancelAfterRound).len(), 0);
    answer_all_calls(&mut run);
    let ended = outcome(&run);
    assert_eq!(
        (ended.finish, ended.rounds, ended.model_calls),
        (Finish::Cancelled, 1, 1)
    );
    let round = ended.conversation;
    assert!(!format!("{round:?}").contains("not executed"));

    // A response that is coming is waited for: its calls run, and an answer is one.
    let (mut run, _) = start(Limits::default());
    run.handle(Signal::CancelAfterRound);
    reply(&mut run, calls(&["a"]));
    assert!(matches!(run.poll()[..], [Action::StartCall(_)]));
    answer_all_calls(&mut run);
    assert_eq!(outcome(&run).finish, Finish::Cancelled);
    let (mut run, _) = start(Limits::default());
    run.handle(Signal::CancelAfterRound);
    reply(&mut run, ModelResponse::from_text("done"));
    assert_eq!(outcome(&run).finish, Finish::Answered);

    // Nothing is asked for once more, and a cancel at once is still one.
    let (mut run, _) = start(Limits::default());
    run.handle(Signal::CancelAfterRound);
    reply(&mut run, ModelResponse::from_text(""));
    assert_eq!(outcome(&run).finish, Finish::Cancelled);
    let (mut run, _) = start(Limits::default());
    run.handle(Signal::CancelAfterRound);
    run.handle(Signal::Cancel);
    assert_eq!(outcome(&run).finish, Finish::Cancelled);
}

#[test]
fn a_cancel_after_the_round_holds_where_a_limit_is_reached() {
    let (mut run, _) = start(Limits::default().with_max_calls_per_response(1));
    reply(&mut run, calls(&["a", "b"]));
    let [Action::StartCall(id)] = run.poll()[..] else {
        panic!("the first may start")
    };
    run.handle(Signal::CallStarted(id));
    run.handle(Signal::CancelAfterRound);
    run.handle(Signal::CallFinished(id, ToolResult::success("", 1)));
    assert_eq!(outcome(&run).finish, Finish::Cancelled);
}

#[test]
fn an_answer_stays_one_where_a_limit_leaves_no_request_for_what_was_said() {
    for on_limit in [OnLimit::Stop, OnLimit::Error] {
        let limits = Limits::default()
            .with_max_tokens(100)
            .with_on_limit(on_limit);
        let (mut run, _) = start(limits);
        push(&mut run, "more");
        let mut response = ModelResponse::from_text("the answer");
        response.usage = Some(Usage::new(90, 20));
        reply(&mut run, response);
        let outcome = outcome(&run);
        assert_eq!(
            (outcome.finish, outcome.unread.len()),
            (Finish::Answered, 1)
        );
    }
}
