//! Typed answers of a model with emulated tools, whose server refuses the schema of an answer.

use std::time::Duration;

use toolwright::{
    Runner,
    emulation::{CallForm, Emulated, InMemory, ModelFacts, ToolEmulation},
    model::{Fallback, FinishReason, ModelErrorKind, ModelEvent, Retry, Usage},
    runner::RunEvent,
    tool::Backoff,
    toolset,
};

use super::*;

fn refused() -> ScriptedResponse {
    ModelError::new(ModelErrorKind::InvalidRequest, "response_format?").into()
}

/// The decision to call no tool.
fn none() -> ScriptedResponse {
    text(r#"{"tools": []}"#).into()
}

/// Whether each request had a schema of the answer, and had it in words.
fn asked(model: &ScriptedModel) -> Vec<(bool, bool)> {
    let requests = model.requests();
    let asked = requests.iter().map(|request| {
        let in_words = format!("{:?}", request.messages).contains("JSON of this schema");
        (request.answer_schema.is_some(), in_words)
    });
    asked.collect()
}

#[tokio::test]
async fn the_answer_comes_by_words_and_then_by_the_tool() {
    for streams in [true, false] {
        // Natively, where it calls natively.
        let known = ModelFacts::default().with_calls(CallForm::Native);
        let inner = by_schema([
            refused(),
            text(TOO_MUCH).into(),
            text(OSLO).into(),
            given(OSLO).into(),
        ]);
        let model = Emulated::new(inner.clone(), ToolEmulation::Fallback);
        let model = model.with_memory(InMemory::new(known));
        let runner = Runner::builder(model.clone()).tools(toolset![get_rain]);
        let runner = runner.streaming(streams).build().expect("is whole");
        let answer = weather(&runner).await.expect("fits");
        assert_eq!((answer.value, answer.outcome.corrections), (oslo(), 1));
        assert_eq!(answer.outcome.requests, 3);
        assert_eq!(asked(&inner), [(true, false), (false, true), (false, true)]);
        assert!(model.facts().refuses_answer_schema);
        // The next run knows it from its start.
        let answer = weather(&runner).await.expect("fits");
        assert_eq!((answer.value, answer.outcome.requests), (oslo(), 1));
        assert_eq!(asked(&inner)[3], (false, false));
        let request = &inner.requests()[3];
        assert_eq!(
            &*request.tools.iter().last().expect("is offered").name,
            "final_answer"
        );
    }
}

#[tokio::test]
async fn so_it_is_where_calls_are_emulated() {
    // The first request decides, and its own schema is refused as well.
    let inner = by_schema([refused(), none(), text(OSLO).into()]);
    let model = Emulated::new(inner.clone(), ToolEmulation::Force);
    let runner = Runner::builder(model.clone()).tools(toolset![get_rain]);
    let runner = runner.build().expect("is whole");
    let answer = weather(&runner).await.expect("fits");
    assert_eq!(answer.value, oslo());
    let asked_of = asked(&inner);
    assert_eq!(asked_of.last(), Some(&(false, true)), "{asked_of:?}");
    // Without tools there is no decision.
    let inner = by_schema([refused(), text(OSLO).into()]);
    let model = Emulated::new(inner.clone(), ToolEmulation::Force);
    let mut handle = runner_of(model.clone())
        .request("Rain?")
        .answer_as::<Weather>()
        .start();
    let mut said = String::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Delta(ModelEvent::Text(text)) = event {
            said.push_str(&text);
        }
    }
    assert_eq!(said, OSLO);
    assert_eq!(handle.answer().await.expect("fits").outcome.requests, 2);
    assert_eq!(asked(&inner), [(true, false), (false, true)]);
    assert!(model.facts().refuses_answer_schema);
}

#[tokio::test]
async fn a_request_that_is_refused_for_another_reason_teaches_nothing() {
    let inner = by_schema([refused(), refused()]);
    let model = Emulated::new(inner.clone(), ToolEmulation::Force);
    let error = weather(&runner_of(model.clone())).await;
    let error = error.expect_err("it is refused");
    assert_eq!((error.unfit(), error.outcome().requests), (None, 2));
    assert!(!model.facts().refuses_answer_schema);
}

fn runner_of(model: Emulated<impl ChatModel + Clone>) -> Runner {
    runner(model)
}

/// An error that passes, and what the request used.
fn busy() -> ScriptedResponse {
    let used = ModelResponse::default().with_usage(Usage::new(10, 1));
    let busy = ModelError::new(ModelErrorKind::RateLimit, "slow down");
    busy.with_partial(used).into()
}

/// A model that tells of the requests before a response, which is asked again without a wait.
fn retried(inner: &ScriptedModel) -> Retry<ScriptedModel> {
    let backoff = Backoff::new(Duration::ZERO, Duration::ZERO);
    Retry::new(inner.clone()).with_backoff(backoff)
}

/// A model whose name a `Fallback` tells before a response.
#[derive(Clone)]
struct Named(ScriptedModel);

impl ChatModel for Named {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        self.0.stream(request)
    }

    fn name(&self) -> Option<&str> {
        Some("inner")
    }

    fn takes_answer_schema(&self, request: &ModelRequest) -> bool {
        self.0.takes_answer_schema(request)
    }
}

#[tokio::test]
async fn a_refusal_is_seen_behind_what_is_told_beside_the_answer() {
    let inner = by_schema([busy(), refused(), text(OSLO).into()]);
    let model = Emulated::new(retried(&inner), ToolEmulation::Force);
    let run = weather(&runner(model.clone())).await;
    let answer = run.expect("fits");
    assert_eq!((answer.value, answer.outcome.requests), (oslo(), 3));
    assert_eq!(answer.outcome.usage, Usage::new(10, 1));
    assert_eq!(asked(&inner), [(true, false), (true, false), (false, true)]);
    assert!(model.facts().refuses_answer_schema);

    let inner = by_schema([refused(), text(OSLO).into()]);
    let named = Fallback::new([Named(inner.clone())]);
    let runner = runner(Emulated::new(named, ToolEmulation::Force));
    let answer = weather(&runner).await.expect("fits");
    assert_eq!((answer.value, answer.outcome.requests), (oslo(), 2));
    assert_eq!(asked(&inner), [(true, false), (false, true)]);
}

#[tokio::test]
async fn what_is_told_beside_the_answer_teaches_nothing() {
    let inner = by_schema([refused(), busy(), refused()]);
    let model = Emulated::new(retried(&inner), ToolEmulation::Force);
    let error = weather(&runner(model.clone())).await;
    let error = error.expect_err("it is refused");
    assert_eq!(error.outcome().requests, 3);
    assert_eq!(error.outcome().usage, Usage::new(10, 1));
    assert!(!model.facts().refuses_answer_schema);
}

/// A model inside that takes several requests tells their number; those before it stay counted.
#[tokio::test]
async fn a_native_response_counts_the_request_that_was_refused() {
    let used = |response: ModelResponse| response.with_usage(Usage::new(100, 10));
    let cost = || -> ScriptedResponse {
        let refused = ModelError::new(ModelErrorKind::InvalidRequest, "response_format?");
        refused.with_partial(used(ModelResponse::default())).into()
    };
    let cut = text("{").with_finish_reason(FinishReason::Length);
    let broken = ModelError::new(ModelErrorKind::Authentication, "the key is gone");
    let broken = || broken.clone().with_partial(used(text("{")));
    let call = r#"<tool_call>{"name": "get_rain", "arguments": {"city": "Oslo"}}</tool_call>"#;
    for streams in [true, false] {
        for (calls, last, then, requests, usage) in [
            // Shown as it comes, and with an error.
            (
                CallForm::Native,
                used(text(OSLO)).into(),
                vec![],
                3,
                Usage::new(210, 21),
            ),
            (
                CallForm::Native,
                broken().into(),
                vec![],
                3,
                Usage::new(210, 21),
            ),
            // Held back: to its end, until it is cut off, or with an error.
            (
                CallForm::Unknown,
                used(text(OSLO)).into(),
                vec![none()],
                4,
                Usage::new(210, 21),
            ),
            (
                CallForm::Unknown,
                used(cut.clone()).into(),
                vec![],
                3,
                Usage::new(210, 21),
            ),
            (
                CallForm::Unknown,
                broken().into(),
                vec![],
                3,
                Usage::new(210, 21),
            ),
            // Its text is a call.
            (
                CallForm::Unknown,
                used(text(call)).into(),
                vec![text(OSLO).into()],
                4,
                Usage::new(210, 21),
            ),
        ] {
            let what = format!("{streams} {calls:?} {last:?}");
            let script = [cost(), busy(), last].into_iter().chain(then);
            let inner = by_schema(script);
            let model = Emulated::new(retried(&inner), ToolEmulation::Fallback);
            let known = ModelFacts::default().with_calls(calls);
            let model = model.with_memory(InMemory::new(known));
            let runner = Runner::builder(model).tools(toolset![get_rain]);
            let runner = runner.streaming(streams).build().expect("is whole");
            let counted = match weather(&runner).await {
                Ok(answer) => (answer.outcome.requests, answer.outcome.usage),
                Err(error) => (error.outcome().requests, error.outcome().usage.clone()),
            };
            assert_eq!(counted, (requests, usage), "{what}");
            assert_eq!(inner.requests().len(), requests as usize, "{what}");
        }
    }
}
