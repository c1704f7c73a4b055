//! The responses of a model: within their time, and with a panic of the model as their error.

use std::{
    task::{Context, Poll},
    time::Duration,
};

use futures_util::stream;
use tokio::time::Instant;

use crate::dispatch::{Timer, after};
use toolwright_core::{
    ChatModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse,
    driver::{Caught, Payload, caught, text_of},
    model::ModelStream,
};

/// The response of a model as a stream. The model is asked to stream, or not.
pub(crate) fn stream<'a>(
    model: &'a dyn ChatModel,
    request: &'a ModelRequest,
    is_streamed: bool,
) -> ModelStream<'a> {
    match Events::of(model, request, is_streamed) {
        Ok(mut events) => Box::pin(stream::poll_fn(move |cx| events.poll_next(cx))),
        Err(error) => Box::pin(stream::iter([Err(error)])),
    }
}

/// The events of a response.
pub(crate) struct Events<'a> {
    stream: Caught<ModelStream<'a>>,
    /// A whole response that took too long without a wait is there, and is used.
    is_streamed: bool,
    time: ResponseTime,
}

impl<'a> Events<'a> {
    pub(crate) fn of(
        model: &'a dyn ChatModel,
        request: &'a ModelRequest,
        is_streamed: bool,
    ) -> Result<Self, ModelError> {
        let time = ResponseTime::of(model, request);
        let asked = caught(|| {
            if is_streamed {
                model.stream(request)
            } else {
                model.unstreamed(request)
            }
        });
        let stream = Caught::new(asked.map_err(panicked)?);
        Ok(Self {
            stream,
            is_streamed,
            time,
        })
    }

    /// The next event; `None` at the end.
    pub(crate) fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<ModelEvent, ModelError>>> {
        let Self { stream, time, .. } = self;
        let polled = time.poll(cx, |cx| {
            let polled = stream.work(|stream| stream.as_mut().poll_next(cx));
            polled.unwrap_or_else(|panic| Poll::Ready(Some(Err(panicked(panic)))))
        });
        polled.map(|next| match next {
            Ok(Some(Ok(event))) if self.is_streamed => Some(time.check().map(|()| event)),
            Ok(next) => next,
            Err(late) => Some(Err(late)),
        })
    }

    /// Drops the stream after a whole response. A panic in that is an error as well, which keeps the response.
    pub(crate) fn end(mut self, reply: ModelResponse) -> Result<ModelResponse, ModelError> {
        match self.stream.end() {
            Ok(()) => Ok(reply),
            Err(panic) => Err(panicked(panic).with_partial(reply)),
        }
    }
}

/// The error of a request whose model panicked.
#[expect(clippy::needless_pass_by_value, reason = "it ends here")]
fn panicked(panic: Payload) -> ModelError {
    ModelError::new(ModelErrorKind::Panicked, text_of(&panic))
}

/// The time that a model has for a response. It passes while the model is waited for, and not while a reader has the
/// events that came. Without a limit it needs no clock.
struct ResponseTime {
    limit: Option<Duration>,
    /// What is left of it when the model is waited for again.
    left: Duration,
    /// The end of it, while the model is waited for.
    end: Option<Instant>,
    timer: Timer,
}

impl ResponseTime {
    /// The [time limit](ModelRequest::time_limit) of a request, unless the model holds it itself.
    fn of(model: &dyn ChatModel, request: &ModelRequest) -> Self {
        // It is user code, which may panic.
        let holds_it = || caught(|| model.capabilities().limits_time).unwrap_or_default();
        let limit = request.time_limit.filter(|_| !holds_it());
        Self {
            limit,
            left: limit.unwrap_or_default(),
            end: None,
            timer: Timer::default(),
        }
    }

    /// Polls what the model does. It is an error if the time is over before that.
    fn poll<T>(
        &mut self,
        cx: &mut Context<'_>,
        work: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<Result<T, ModelError>> {
        let Some(limit) = self.limit else {
            return work(cx).map(Ok);
        };
        let end = *self.end.get_or_insert_with(|| after(self.left));
        let Poll::Ready(done) = work(cx) else {
            return self.timer.poll_at(end, cx).map(|()| Err(late(limit)));
        };
        self.left = end.saturating_duration_since(Instant::now());
        self.end = None;
        Poll::Ready(Ok(done))
    }

    /// Returns an error if a model that never waits has taken too long.
    fn check(&self) -> Result<(), ModelError> {
        match self.limit {
            Some(limit) if self.left.is_zero() => Err(late(limit)),
            _ => Ok(()),
        }
    }
}

fn late(limit: Duration) -> ModelError {
    let message = format!("the model took longer than {limit:?} for its response");
    ModelError::new(ModelErrorKind::Transport, message)
}
