//! Responses that are streamed: what a reader sees of them, and when.

use std::{
    iter::repeat_with,
    task::{Context, Poll, Waker},
};

use futures_util::{StreamExt as _, stream};
use toolwright::{
    ChatModel, Message, ModelError, ModelResponse,
    emulation::{CallForm, Emulated, InMemory, ModelFacts, ToolEmulation},
    model::{FinishReason, ModelErrorKind, ModelEvent, ModelRequest, ModelStream},
    testing::{ScriptedModel, ScriptedResponse},
};

use super::{NONE, native, text, tools};

fn request() -> ModelRequest {
    ModelRequest::new([Message::user("How is it?")]).with_tools(tools().definitions().cloned())
}

/// A model that writes a text of so many pieces, and never waits.
struct Pieces(usize);

impl ChatModel for Pieces {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let pieces = repeat_with(|| ModelEvent::Text("word ".into())).take(self.0);
        let (reason, raw) = (FinishReason::Stop, None);
        let events = pieces.chain([ModelEvent::Finished { reason, raw }]);
        Box::pin(stream::iter(events.map(Ok)))
    }
}

/// Others have their turn now and then, and not at each event.
#[test]
fn a_model_that_never_waits_is_read_in_turns_of_many_events() {
    let facts = ModelFacts::default().with_calls(CallForm::Native);
    let model = Emulated::new(Pieces(10_000), ToolEmulation::Fallback);
    let model = model.with_memory(InMemory::new(facts));
    let request = request();
    let mut stream = model.stream(&request);
    let mut cx = Context::from_waker(Waker::noop());
    let (mut events, mut waits) = (0, 0);
    loop {
        match stream.as_mut().poll_next(&mut cx) {
            Poll::Ready(Some(event)) => {
                event.expect("is one");
                events += 1;
            }
            Poll::Ready(None) => break,
            Poll::Pending => waits += 1,
        }
    }
    assert_eq!(events, 10_001);
    assert!((10..=100).contains(&waits), "{waits}");
}

const UNMARKED: &str = "I must look at the sky.</think>Sunny.";

/// A model that calls natively, behind a server that leaves its thoughts in the text.
fn known(
    mode: ToolEmulation,
    script: impl IntoIterator<Item = ScriptedResponse>,
) -> Emulated<ScriptedModel> {
    let facts = ModelFacts::default().with_calls(CallForm::Native);
    Emulated::new(ScriptedModel::new(script), mode).with_memory(InMemory::new(facts))
}

/// What a reader sees of a response: its text, its reasoning, the codes of its warnings.
async fn seen(model: &impl ChatModel) -> (String, String, Vec<String>) {
    let (mut text, mut reasoning, mut codes) = (String::new(), String::new(), Vec::new());
    let request = request();
    let mut stream = model.stream(&request);
    while let Some(event) = stream.next().await {
        match event {
            Ok(ModelEvent::Text(piece)) => text += &piece,
            Ok(ModelEvent::Reasoning(piece)) => reasoning += &piece,
            Ok(ModelEvent::Warning(warning)) => codes.push(warning.code),
            Ok(_) | Err(_) => {}
        }
    }
    (text, reasoning, codes)
}

fn owned(seen: (&str, &str, &[&str])) -> (String, String, Vec<String>) {
    let (text, reasoning, codes) = seen;
    let codes = codes.iter().map(|code| (*code).to_owned());
    (text.to_owned(), reasoning.to_owned(), codes.collect())
}

#[tokio::test]
async fn reasoning_that_was_shown_as_text_once_is_waited_for() {
    let script = [text(UNMARKED), text(UNMARKED), text("Rain."), text("Snow.")];
    let model = known(ToolEmulation::Fallback, script);
    let (first, _, codes) = seen(&model).await;
    assert!(first.starts_with("I must"), "a reader had it: {first}");
    assert_eq!(codes, ["reasoning_shown"]);
    assert!(model.facts().opens_reasoning);
    let thoughts = "I must look at the sky.";
    assert_eq!(seen(&model).await, owned(("Sunny.", thoughts, &[])));
    // One without thoughts is the answer, and the next one is given out as it comes.
    assert_eq!(seen(&model).await, owned(("Rain.", "", &[])));
    assert!(!model.facts().opens_reasoning);
    assert_eq!(seen(&model).await, owned(("Snow.", "", &[])));
}

#[tokio::test]
async fn a_decision_teaches_that_reasoning_is_waited_for() {
    let decision = format!("No tool helps.</think>{NONE}");
    let model = known(ToolEmulation::Force, [text(&decision), text(UNMARKED)]);
    let (text, reasoning, codes) = seen(&model).await;
    assert_eq!((text.as_str(), codes.len()), ("Sunny.", 0));
    assert_eq!(reasoning, "I must look at the sky.");
}

/// Thoughts that are cut off, or break off, are no text either.
#[tokio::test]
async fn reasoning_without_its_end_is_reasoning() {
    let long = ModelResponse::from_text("I must look").with_finish_reason(FinishReason::Length);
    let broken = ModelError::new(ModelErrorKind::Transport, "it broke off");
    let broken = broken.with_partial(ModelResponse::from_text("I must look"));
    for reply in [ScriptedResponse::from(long), broken.into()] {
        let model = known(ToolEmulation::Fallback, [text(UNMARKED), reply.clone()]);
        seen(&model).await;
        assert_eq!(seen(&model).await, owned(("", "I must look", &[])));
        assert!(model.facts().opens_reasoning);
        let model = known(ToolEmulation::Fallback, [text(UNMARKED), reply]);
        let request = request();
        model.complete(&request).await.expect("is whole");
        let response = model.complete(&request).await;
        let response = response.unwrap_or_else(|error| *error.partial.expect("is kept"));
        assert_eq!(response.text, "");
    }
}

#[tokio::test]
async fn a_text_before_a_native_call_is_not_waited_for() {
    let mut call = native();
    let ScriptedResponse::Reply(response) = &mut call else {
        unreachable!("it is a response");
    };
    let said = ModelResponse::from_text("Let me look.");
    let parts = said.parts.iter().chain(response.parts.iter()).cloned();
    response.parts = parts.collect::<Vec<_>>().into();
    let model = known(ToolEmulation::Fallback, [text(UNMARKED), call]);
    seen(&model).await;
    let request = request();
    let response = toolwright::model::collect(model.stream(&request)).await;
    let response = response.expect("calls");
    assert_eq!(response.text, "Let me look.");
    assert_eq!((response.parts.len(), response.tool_calls.len()), (2, 1));
    assert!(matches!(
        &response.parts[0],
        toolwright::message::Part::Text(_)
    ));
}
