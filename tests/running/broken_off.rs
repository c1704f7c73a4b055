//! Replies that break off while somebody reads them: by a cancel, or by an error.

use std::time::Duration;

use toolwright::{
    ChatModel, Message, ModelError, ModelResponse, Runner, ToolCall,
    message::{Opaque, Part},
    model::{ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Usage},
    run::{Finish, Record, Run, RunOutcome},
    runner::RunEvent,
    testing::{ScriptedModel, ScriptedResponse},
};

/// Yields these events, and then what is given: an error, or nothing for ever.
struct Begins(Vec<ModelEvent>, Option<ModelError>);

impl ChatModel for Begins {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        use futures_util::{StreamExt, stream};
        let events = stream::iter(self.0.clone().into_iter().map(Ok));
        match self.1.clone() {
            Some(error) => Box::pin(events.chain(stream::iter([Err(error)]))),
            None => Box::pin(events.chain(stream::pending())),
        }
    }
}

fn gone() -> ModelError {
    ModelError::new(ModelErrorKind::Transport, "gone")
}

fn text(text: &str) -> ModelEvent {
    ModelEvent::Text(text.to_owned())
}

fn call(index: usize) -> [ModelEvent; 2] {
    [
        ModelEvent::CallStarted {
            index,
            id: "a".to_owned(),
            name: "look".to_owned(),
        },
        ModelEvent::CallArguments {
            index,
            text: "{\"pa".to_owned(),
        },
    ]
}

/// What somebody has of a run who reads all of it.
struct Read {
    outcome: RunOutcome,
    /// The text, without what a record made void.
    text: String,
    /// How many pieces of calls and reasoning, without what a record made void.
    others: usize,
    log: Vec<Record>,
}

/// Reads a run to its end, and cancels it after so many deltas.
async fn read(model: impl ChatModel, cancel_after: usize) -> Read {
    let runner = Runner::builder(model).build().expect("is one");
    let mut run = runner.start("question");
    let (mut text, mut others, mut log, mut deltas) = (String::new(), 0, Vec::new(), 0);
    while let Some(event) = run.next().await {
        match event {
            RunEvent::Delta(event) => {
                deltas += 1;
                match event {
                    ModelEvent::Text(piece) => text.push_str(&piece),
                    _ => others += 1,
                }
                if deltas == cancel_after {
                    run.cancel();
                }
            }
            RunEvent::Recorded { record, .. } => {
                if matches!(record, Record::ModelDelayed { .. }) {
                    text.clear();
                    others = 0;
                }
                log.push(record);
            }
            _ => {}
        }
    }
    let outcome = match run.outcome().await {
        Ok(outcome) => outcome,
        Err(error) => *error.outcome,
    };
    let (replayed, missing) = Run::replay(&log).expect("is a log");
    assert!(missing.is_empty());
    assert_eq!(replayed.outcome().as_ref(), Some(&outcome));
    Read {
        outcome,
        text,
        others,
        log,
    }
}

/// A conversation ends with this text of the model, or with the question if there is none.
fn assert_ends_with(outcome: &RunOutcome, text: &str) {
    let last = outcome.conversation.messages().last();
    match last.expect("there is a question") {
        Message::User(_) => assert_eq!(text, ""),
        Message::Assistant(message) => {
            assert!(
                message
                    .parts
                    .iter()
                    .all(|part| matches!(part, Part::Text(_)))
            );
            assert_eq!(message.text(), text);
        }
    }
    assert_eq!(
        (outcome.text.as_str(), outcome.broken_off),
        (text, !text.is_empty())
    );
}

fn events() -> Vec<ModelEvent> {
    let opaque = ModelEvent::Opaque(Opaque {
        provider: "anthropic".to_owned(),
        data: serde_json::json!({"signature": "x"}),
    });
    let mut events = vec![
        ModelEvent::from(Usage::new(7, 1)),
        ModelEvent::Reasoning("hm".to_owned()),
        opaque,
        text("I "),
        text("think"),
    ];
    events.extend(call(0));
    events
}

#[tokio::test(start_paused = true)]
async fn what_was_read_before_a_cancel_is_in_the_outcome() {
    for cancel_after in 1..=events().len() {
        let read = read(Begins(events(), None), cancel_after).await;
        assert_eq!(read.outcome.finish, Finish::Cancelled);
        assert_ends_with(&read.outcome, &read.text);
        assert_eq!(read.outcome.usage.input_tokens, 7);
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_read_before_an_error_is_in_the_outcome() {
    for length in 4..=events().len() {
        let begun = events()[..length].to_vec();
        let read = read(Begins(begun, Some(gone())), 0).await;
        assert!(matches!(read.outcome.finish, Finish::Failed(_)));
        assert_ends_with(&read.outcome, &read.text);
        assert_eq!(
            (read.outcome.model_calls, read.outcome.usage.input_tokens),
            (1, 7)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_summary_that_is_cancelled_keeps_its_text() {
    let script = [ScriptedResponse::Stall(ModelResponse::from_text(
        "We found",
    ))];
    let runner = Runner::builder(ScriptedModel::new(script)).max_rounds(0);
    let mut run = runner.build().expect("is one").start("question");
    let mut text = String::new();
    while let Some(event) = run.next().await {
        if let RunEvent::Delta(ModelEvent::Text(piece)) = event {
            text.push_str(&piece);
            if text == "We found" {
                run.cancel();
            }
        }
    }
    let outcome = run.outcome().await.expect("was cancelled");
    assert_eq!(outcome.finish, Finish::Cancelled);
    assert_ends_with(&outcome, "We found");
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_not_streamed_leaves_nothing() {
    let script = [ScriptedResponse::Stall(ModelResponse::from_text(
        "We found",
    ))];
    let runner = Runner::builder(ScriptedModel::new(script)).streaming(false);
    let run = runner.build().expect("is one").start("question");
    let cancel = run.cancellation();
    let later = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(run.outcome(), later);
    assert_ends_with(&outcome.expect("was cancelled"), "");
}

#[tokio::test(start_paused = true)]
async fn pieces_that_are_no_text_are_void_and_asked_for_again() {
    let whole = || {
        ModelResponse::new(vec![
            Part::Reasoning("so".into()),
            Part::Text("Yes.".into()),
        ])
    };
    let begun = [
        ModelResponse::new(vec![Part::Reasoning("hm".into())]),
        ModelResponse::from_calls([ToolCall::new("a", "look", "{\"pa")]),
        ModelResponse::new(vec![Part::Opaque(Opaque {
            provider: "anthropic".to_owned(),
            data: serde_json::json!({"signature": "x"}),
        })]),
        ModelResponse::new(vec![Part::Text(String::new())]),
    ];
    for partial in begun {
        let script = [
            ScriptedResponse::from(gone().with_partial(partial)),
            whole().into(),
        ];
        let read = read(ScriptedModel::new(script), 0).await;
        assert_eq!(read.outcome.finish, Finish::Answered);
        assert!(!read.outcome.broken_off);
        let delayed = |record: &&Record| matches!(record, Record::ModelDelayed { .. });
        assert_eq!(read.log.iter().filter(delayed).count(), 1);
        // The reasoning of the second attempt came in two pieces, and then its end.
        assert_eq!((read.text.as_str(), read.others), ("Yes.", 3));
        assert_ends_with_all(&read.outcome, &whole());
    }
}

fn assert_ends_with_all(outcome: &RunOutcome, response: &ModelResponse) {
    let Some(Message::Assistant(message)) = outcome.conversation.messages().last() else {
        panic!("the model answered")
    };
    assert_eq!(message.parts, response.parts);
}

#[tokio::test(start_paused = true)]
async fn text_that_was_read_is_not_asked_for_again() {
    let mut refusal = ModelResponse::new(Vec::new());
    refusal.refusal = Some("I cannot".to_owned());
    let beside_calls = ModelResponse::new(vec![
        Part::Call(ToolCall::new("a", "look", "{\"pa")),
        Part::Text("Let me".into()),
    ]);
    for partial in [ModelResponse::from_text("I th"), refusal, beside_calls] {
        let text = partial.refusal.clone().unwrap_or(partial.text.clone());
        let script = [
            ScriptedResponse::from(gone().with_partial(partial)),
            ModelResponse::from_text("Yes.").into(),
        ];
        let model = ScriptedModel::new(script);
        let read = read(model.clone(), 0).await;
        assert!(matches!(read.outcome.finish, Finish::Failed(_)));
        assert_ends_with(&read.outcome, &text);
        assert_eq!(model.requests().len(), 1);
    }
}
