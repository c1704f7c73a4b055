//! The answers of a model, with a panic of the model as its error.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::Stream;

use toolwright_core::{
    ChatModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse,
    driver::{Contained, Payload, caught, discard, text_of},
    model::ModelStream,
    tool::BoxFuture,
};

/// The whole response of a model that is not asked to stream. It may be made by other means than an
/// [`Assembler`](toolwright_core::model::Assembler), and is normalised here.
pub(crate) async fn complete(
    model: &dyn ChatModel,
    request: &ModelRequest,
) -> Result<ModelResponse, ModelError> {
    let mut asked: Asked<BoxFuture<'_, _>> = Asked::of(|| model.complete(request))?;
    let reply = poll_fn(|cx| asked.poll(cx, Future::poll)).await??;
    asked.end(reply.normalized())
}

/// The events that a model streams.
pub(crate) struct Events<'a>(Asked<ModelStream<'a>>);

impl<'a> Events<'a> {
    pub(crate) fn of(
        model: &'a dyn ChatModel,
        request: &'a ModelRequest,
    ) -> Result<Self, ModelError> {
        Asked::of(|| model.stream(request)).map(Self)
    }

    /// The next event; `None` at the end.
    pub(crate) fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<ModelEvent, ModelError>>> {
        let polled = self.0.poll(cx, Stream::poll_next);
        polled.map(|polled| polled.unwrap_or_else(|panic| Some(Err(panic))))
    }

    /// Drops the stream after a whole response.
    pub(crate) fn end(self, reply: ModelResponse) -> Result<ModelResponse, ModelError> {
        self.0.end(reply)
    }
}

/// A future or a stream of a model, pinned in a box.
struct Asked<P>(Contained<P>);

impl<P> Asked<P> {
    fn of(ask: impl FnOnce() -> P) -> Result<Self, ModelError> {
        let asked = caught(ask).map_err(panicked)?;
        Ok(Self(Contained::new(asked)))
    }

    /// Drops it. A panic in that is an error as well, which keeps the response.
    fn end(self, reply: ModelResponse) -> Result<ModelResponse, ModelError> {
        match caught(|| drop(self.0.into_inner())) {
            Ok(()) => Ok(reply),
            Err(panic) => Err(panicked(panic).with_partial(reply)),
        }
    }
}

impl<T: ?Sized> Asked<Pin<Box<T>>> {
    fn poll<O>(
        &mut self,
        cx: &mut Context<'_>,
        poll: impl FnOnce(Pin<&mut T>, &mut Context<'_>) -> Poll<O>,
    ) -> Poll<Result<O, ModelError>> {
        match caught(|| poll(self.0.as_mut(), cx)) {
            Ok(polled) => polled.map(Ok),
            Err(panic) => Poll::Ready(Err(panicked(panic))),
        }
    }
}

/// The error of a request whose model panicked.
fn panicked(panic: Payload) -> ModelError {
    let error = ModelError::new(ModelErrorKind::Panicked, text_of(&panic));
    discard(panic);
    error
}
