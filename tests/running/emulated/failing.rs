//! Requests that fail or break off within a response: what is kept of the others.

use std::sync::Mutex;

use futures_util::stream;
use toolwright::{
    ChatModel, Message, ModelError, ModelResponse,
    emulation::{CallForm, Emulated, InMemory, ModelFacts, ToolEmulation},
    model::{
        FinishReason, ModelErrorKind, ModelEvent, ModelRequest, ModelStream, ToolChoice, Usage,
        collect,
    },
    testing::{ScriptedModel, ScriptedResponse},
};

use super::{NONE, text, tools};

fn request(choice: ToolChoice) -> ModelRequest {
    ModelRequest::new([Message::user("How is it?")])
        .with_tools(tools().definitions().cloned())
        .with_tool_choice(choice)
}

/// The response, streamed and not, which has to be the same.
async fn ask(
    mode: ToolEmulation,
    choice: ToolChoice,
    script: impl IntoIterator<Item = ScriptedResponse> + Clone,
) -> Result<ModelResponse, ModelError> {
    let request = request(choice);
    let model = Emulated::new(ScriptedModel::new(script.clone()), mode);
    let whole = model.complete(&request).await;
    let model = Emulated::new(ScriptedModel::new(script), mode);
    let streamed = collect(model.stream(&request)).await;
    assert_eq!(streamed, whole);
    whole
}

fn busy() -> ModelError {
    ModelError::new(ModelErrorKind::Overloaded, "come back later")
}

fn codes(response: &ModelResponse) -> Vec<&str> {
    let warnings = response.warnings.iter();
    warnings.map(|warning| &*warning.code).collect()
}

#[tokio::test]
async fn a_native_reply_is_the_answer_if_nobody_can_decide_about_it() {
    let cost = ModelResponse::from_text("{\"tools\": [").with_usage(Usage::new(5, 2));
    let script = [text("Sunny."), busy().with_partial(cost).into()];
    let response = ask(ToolEmulation::Fallback, ToolChoice::Auto, script).await;
    let response = response.expect("it has been given");
    assert_eq!((response.text.as_str(), response.requests), ("Sunny.", 2));
    assert_eq!(response.usage, Some(Usage::new(15, 3)));
    assert_eq!(response.finish_reason, FinishReason::Stop);
    assert_eq!(codes(&response), ["decision_failed"]);
}

#[tokio::test]
async fn a_native_reply_that_the_choice_forbids_stands_in_the_error_of_the_decision() {
    for choice in [ToolChoice::Required, ToolChoice::Tool("look".into())] {
        let script = [text("Sunny."), busy().into()];
        let error = ask(ToolEmulation::Fallback, choice.clone(), script).await;
        let error = error.expect_err("a call is needed");
        assert_eq!(error.kind, ModelErrorKind::Overloaded);
        assert!(error.retryable);
        let partial = error.partial.expect("is kept");
        assert_eq!((partial.text.as_str(), partial.requests), ("Sunny.", 2));
        assert_eq!(partial.usage, Some(Usage::new(10, 1)));

        let script = [text("Sunny."), text("no"), text("no")];
        let error = ask(ToolEmulation::Fallback, choice, script).await;
        let error = error.expect_err("a call is needed");
        assert_eq!(error.code.as_deref(), Some("tool_choice_unmet"));
        let partial = error.partial.expect("is kept");
        assert_eq!((partial.text.as_str(), partial.requests), ("Sunny.", 3));
    }
}

#[tokio::test]
async fn nothing_of_a_decision_that_breaks_off_is_shown() {
    let half = ModelResponse::from_text("{\"tools\": [").with_usage(Usage::new(5, 2));
    let script = [busy().with_partial(half).into()];
    let error = ask(ToolEmulation::Force, ToolChoice::Auto, script).await;
    let partial = error.expect_err("fails").partial.expect("is counted");
    assert_eq!((partial.text.as_str(), partial.requests), ("", 1));
    assert_eq!(partial.usage, Some(Usage::new(5, 2)));
}

/// A text that breaks off within a call is kept without what there is of the call, where it may be one.
#[tokio::test]
async fn a_reply_that_breaks_off_within_a_call_is_kept_without_its_markup() {
    let half = "<think>Is it?</think>Sun. <tool_call>{\"name\": \"lo";
    let broken = || ScriptedResponse::from(busy().with_partial(ModelResponse::from_text(half)));
    for (mode, script) in [
        (ToolEmulation::Force, vec![text(NONE), broken()]),
        (ToolEmulation::Fallback, vec![broken()]),
    ] {
        let request = request(ToolChoice::Auto);
        for (form, streams) in [
            (CallForm::Unknown, false),
            (CallForm::Unknown, true),
            (CallForm::Native, false),
            (CallForm::Native, true),
        ] {
            let is_text = mode == ToolEmulation::Force || form == CallForm::Native;
            let facts = InMemory::new(ModelFacts::default().with_calls(form));
            let inner = ScriptedModel::new(script.clone());
            let model = Emulated::new(inner, mode).with_memory(facts);
            let response = if streams {
                collect(model.stream(&request)).await
            } else {
                model.complete(&request).await
            };
            let partial = response.expect_err("breaks off").partial.expect("is kept");
            let kept = if is_text {
                half.split_once("</think>").expect("is there").1
            } else {
                "Sun."
            };
            assert_eq!(partial.text.trim(), kept, "{mode:?} {streams}");
            assert_eq!(partial.requests as usize, script.len());
        }
    }
}

/// Streams these events, one list for each request.
struct Streams(Mutex<Vec<Vec<Result<ModelEvent, ModelError>>>>);

impl ChatModel for Streams {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let events = self.0.lock().expect("is whole").remove(0);
        Box::pin(stream::iter(events))
    }
}

/// A model inside that asks again tells what it has used by events, and then an error holds the partial response.
#[tokio::test]
async fn what_events_told_before_an_error_is_counted_once() {
    let stop = |text: &str| {
        let response = ModelResponse::from_text(text).with_usage(Usage::new(10, 1));
        response.into_events().into_iter().map(Ok).collect()
    };
    let partial = ModelResponse::from_text("Sun");
    let breaks_off = |partial: ModelResponse| {
        vec![
            Ok(ModelEvent::from(Usage::new(7, 0))),
            Ok(ModelEvent::Requests(3)),
            Ok(ModelEvent::Text("Sun".into())),
            Err(busy().with_partial(partial)),
        ]
    };
    let known = partial
        .clone()
        .with_usage(Usage::new(8, 0))
        .with_requests(3);
    for (partial, tokens) in [(partial, 17), (known, 18)] {
        let script = vec![stop(NONE), breaks_off(partial.clone())];
        let model = Emulated::new(Streams(Mutex::new(script)), ToolEmulation::Force);
        let error = collect(model.stream(&request(ToolChoice::Auto))).await;
        let kept = error.expect_err("breaks off").partial.expect("is kept");
        assert_eq!(kept.usage, Some(Usage::new(tokens, 1)));
        assert_eq!((kept.text.as_str(), kept.requests), ("Sun", 4));

        let script = vec![breaks_off(partial)];
        let model = Emulated::new(Streams(Mutex::new(script)), ToolEmulation::Fallback);
        let error = collect(model.stream(&request(ToolChoice::Auto))).await;
        let kept = error.expect_err("breaks off").partial.expect("is kept");
        assert_eq!(kept.usage, Some(Usage::new(tokens - 10, 0)));
        assert_eq!((kept.text.as_str(), kept.requests), ("Sun", 3));
    }
}
