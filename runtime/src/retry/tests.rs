//! What attempts take is counted.

use std::{collections::VecDeque, sync::Mutex, time::Duration};

use futures_util::{StreamExt, stream};

use super::Retry;
use toolwright_core::{
    model::{
        ChatModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse,
        ModelStream, Usage,
    },
    tool::BoxFuture,
};

type Events = Vec<Result<ModelEvent, ModelError>>;

/// Streams these events, one list for each request.
struct Streams(Mutex<VecDeque<Events>>);

impl ChatModel for Streams {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let events = self.0.lock().expect("is whole").pop_front();
        Box::pin(stream::iter(events.expect("is not asked more often")))
    }
}

/// An attempt tells its usage by an event, and then an error holds the partial response without it.
#[tokio::test(start_paused = true)]
async fn usage_that_the_last_attempt_told_before_its_error_is_counted() {
    let failed = |tokens| {
        let error = ModelError::new(ModelErrorKind::Overloaded, "busy");
        vec![
            Ok(ModelEvent::from(Usage::new(tokens, 0))),
            Err(error.with_partial(ModelResponse::default())),
        ]
    };
    let model = Retry::new(Streams(Mutex::new([failed(7), failed(4)].into())));
    let model = model.with_retries(1);
    let request = ModelRequest::default();
    let error = toolwright_core::model::collect(model.stream(&request)).await;
    let partial = error.expect_err("fails twice").partial.expect("is held");
    assert_eq!(partial.usage, Some(Usage::new(11, 0)));
    assert_eq!(partial.requests, 2);
}

#[tokio::test(start_paused = true)]
async fn a_response_says_how_many_requests_it_took() {
    let busy = || ModelError::new(ModelErrorKind::Overloaded, "busy");
    let script = || {
        let answer = ModelResponse::from_text("Sunny.").with_requests(2);
        Streams(Mutex::new(
            [
                vec![Err(busy())],
                vec![Err(
                    busy().with_partial(ModelResponse::default().with_requests(3))
                )],
                answer.into_events().into_iter().map(Ok).collect(),
            ]
            .into(),
        ))
    };
    let request = ModelRequest::default();
    let streamed = Retry::new(script());
    let streamed = toolwright_core::model::collect(streamed.stream(&request)).await;
    let whole = Retry::new(script()).complete(&request).await;
    for response in [streamed, whole] {
        assert_eq!(response.expect("is the third").requests, 6);
    }
}

#[tokio::test(start_paused = true)]
async fn requests_that_an_attempt_told_before_its_error_are_counted() {
    let failed = |partial: Option<ModelResponse>| {
        let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
        let error = match partial {
            Some(partial) => busy.with_partial(partial),
            None => busy,
        };
        vec![Ok(ModelEvent::Requests(3)), Err(error)]
    };
    for partial in [None, Some(ModelResponse::default())] {
        let answer = ModelResponse::from_text("Sunny.").into_events();
        let answer = answer.into_iter().map(Ok).collect();
        let streams = [failed(partial.clone()), answer];
        let model = Retry::new(Streams(Mutex::new(streams.into())));
        let request = ModelRequest::default();
        let response = toolwright_core::model::collect(model.stream(&request)).await;
        assert_eq!(response.expect("is the second").requests, 4);

        let streams = [failed(partial.clone()), failed(partial)];
        let model = Retry::new(Streams(Mutex::new(streams.into()))).with_retries(1);
        let error = toolwright_core::model::collect(model.stream(&request)).await;
        let partial = error.expect_err("fails twice").partial;
        assert_eq!(partial.expect("is held").requests, 6);
    }
}

/// A model whose errors hold nothing.
struct Busy;

impl Busy {
    fn error() -> ModelError {
        ModelError::new(ModelErrorKind::Overloaded, "busy")
    }
}

impl ChatModel for Busy {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        Box::pin(stream::iter([Err(Self::error())]))
    }

    fn complete<'a>(
        &'a self,
        _: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async { Err(Self::error()) })
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_says_how_many_requests_it_took() {
    let request = ModelRequest::default();
    let model = Retry::new(Busy).with_retries(2);
    let streamed = toolwright_core::model::collect(model.stream(&request)).await;
    for response in [streamed, model.complete(&request).await] {
        let partial = response.expect_err("fails three times").partial;
        assert_eq!(partial.expect("counts them").requests, 3);
    }
    let once = model.with_retries(0).complete(&request).await;
    assert_eq!(once, Err(Busy::error()));
}

/// The second attempt never answers, and may be cancelled.
#[tokio::test(start_paused = true)]
async fn what_an_attempt_used_is_told_before_the_next_one() {
    struct Once(Mutex<Option<Events>>);

    impl ChatModel for Once {
        fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
            match self.0.lock().expect("is whole").take() {
                Some(events) => Box::pin(stream::iter(events)),
                None => Box::pin(stream::pending()),
            }
        }
    }

    let used = || ModelEvent::from(Usage::new(7, 0));
    let model = ModelEvent::Model("first".into());
    let events = vec![Ok(model), Ok(used()), Err(Busy::error())];
    let model = Retry::new(Once(Mutex::new(Some(events))));
    let request = ModelRequest::default();
    let mut stream = model.stream(&request);
    let mut told = Vec::new();
    let read = async {
        while let Some(event) = stream.next().await {
            told.push(event);
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(60), read).await;
    assert!(waited.is_err(), "it has no end");
    assert_eq!(told, [Ok(used()), Ok(ModelEvent::Requests(2))]);
}
