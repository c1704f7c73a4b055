//! A panic of a model is the failure of its run, with everything that was done until then.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::{Stream, StreamExt};
use toolwright::{
    ChatModel, ModelError, ModelResponse, Runner, ToolCall, Toolset,
    model::{ModelCapabilities, ModelErrorKind, ModelEvent, ModelRequest, ModelStream},
    run::{Failure, Finish, OnLimit, RunError, RunOutcome},
    runner::RunEvent,
    testing::ScriptedModel,
};

use crate::handwritten::echo;

/// Where a model panics.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Capabilities,
    Ask,
    FirstPoll,
    LaterPoll,
    Drop,
}

const PLACES: [Place; 5] = [
    Place::Capabilities,
    Place::Ask,
    Place::FirstPoll,
    Place::LaterPoll,
    Place::Drop,
];

/// Follows a script, and panics in the request of a number.
struct Panics {
    script: ScriptedModel,
    place: Place,
    request: usize,
}

struct Events<'a> {
    stream: ModelStream<'a>,
    place: Option<Place>,
    polls: usize,
}

impl Stream for Events<'_> {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.polls += 1;
        match self.place {
            Some(Place::FirstPoll) => panic!("in FirstPoll"),
            Some(Place::LaterPoll) if self.polls == 3 => panic!("in LaterPoll"),
            _ => self.stream.poll_next_unpin(cx),
        }
    }
}

impl Drop for Events<'_> {
    fn drop(&mut self) {
        assert!(self.place != Some(Place::Drop), "in Drop");
    }
}

impl ChatModel for Panics {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let is_it = self.script.requests().len() == self.request;
        assert!(!is_it || self.place != Place::Ask, "in Ask");
        assert!(
            !is_it || self.place != Place::Capabilities,
            "in Capabilities"
        );
        Box::pin(Events {
            stream: self.script.stream(request),
            place: is_it.then_some(self.place),
            polls: 0,
        })
    }

    fn capabilities(&self) -> ModelCapabilities {
        assert!(self.place != Place::Capabilities, "in Capabilities");
        ModelCapabilities::default()
    }
}

fn runner(place: Place, request: usize, streaming: bool) -> Runner {
    let script = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("a", "echo", "{}")]),
        ModelResponse::from_text("done"),
    ]);
    let model = Panics {
        script,
        place,
        request,
    };
    let tools = Toolset::new().with(echo()).expect("one tool");
    let builder = Runner::builder(model).tools(tools).streaming(streaming);
    builder.max_rounds(1).build().expect("is consistent")
}

fn check(place: Place, error: &RunError) {
    let Failure::Model(error) = &error.failure else {
        panic!("{error:?}");
    };
    assert_eq!(error.kind, ModelErrorKind::Panicked, "{place:?}");
    assert!(error.message.contains(&format!("in {place:?}")), "{error}");
    assert!(!error.retryable);
}

#[tokio::test]
async fn wherever_it_happens() {
    for place in PLACES {
        for streaming in [true, false] {
            let ended = runner(place, 0, streaming).run("Go.").await;
            check(place, &ended.expect_err("panics"));

            let mut handle = runner(place, 0, streaming).start("Go.");
            while handle.next().await.is_some() {}
            assert!(handle.next().await.is_none());
            assert!(handle.next().await.is_none(), "and it stays so");
            let error = handle.outcome().await.expect_err("panics");
            assert!(!error.outcome.conversation.messages().is_empty());
            check(place, &error);
        }
    }
}

/// The second request is the one after the calls have run.
async fn second(place: Place, on_limit: OnLimit, streaming: bool) -> Result<RunOutcome, RunError> {
    let script = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("a", "echo", "{}")]),
        ModelResponse::from_text("done"),
    ]);
    let model = Panics {
        script,
        place,
        request: 1,
    };
    let tools = Toolset::new().with(echo()).expect("one tool");
    let builder = Runner::builder(model).tools(tools).streaming(streaming);
    let rounds = if on_limit == OnLimit::Summarize { 1 } else { 9 };
    let builder = builder.max_rounds(rounds).on_limit(on_limit);
    builder.build().expect("is consistent").run("Go.").await
}

#[tokio::test]
async fn what_was_done_is_kept() {
    for place in PLACES {
        for streaming in [true, false] {
            let ended = second(place, OnLimit::Stop, streaming).await;
            let error = ended.expect_err("panics");
            check(place, &error);
            let outcome = &error.outcome;
            assert_eq!((outcome.rounds, outcome.model_calls), (1, 2));
            let round = outcome.tool_rounds().next().expect("was done");
            assert_eq!(round.results[0].to_model_text(), "{}");
        }
    }
}

#[tokio::test]
async fn a_summary_that_panics_leaves_an_outcome() {
    for place in PLACES {
        let outcome = match second(place, OnLimit::Summarize, true).await {
            Ok(outcome) => outcome,
            Err(error) => *error.outcome,
        };
        assert_ne!(outcome.finish, Finish::Answered, "{place:?}");
        assert_eq!(outcome.tool_rounds().count(), 1);
    }
}

#[tokio::test]
async fn what_had_come_is_in_the_error() {
    for (place, text) in [(Place::LaterPoll, "do"), (Place::Drop, "done")] {
        let script = ScriptedModel::new([ModelResponse::from_text("done")]);
        let model = Panics {
            script,
            place,
            request: 0,
        };
        let runner = Runner::builder(model).build().expect("is consistent");
        let mut seen = String::new();
        let mut handle = runner.start("Go.");
        while let Some(event) = handle.next().await {
            if let RunEvent::Delta(ModelEvent::Text(piece)) = event {
                seen.push_str(&piece);
            }
        }
        let error = handle.outcome().await.expect_err("panics");
        let Failure::Model(error) = error.failure else {
            panic!("{error:?}");
        };
        assert!(seen.starts_with(text), "{seen}");
        assert_eq!(error.partial.expect("has come").text, seen);
    }
}
