//! The answers of a model, with a panic of the model as its error.

use std::task::{Context, Poll};

use toolwright_core::{
    ChatModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse,
    driver::{Caught, Payload, caught, text_of},
    model::ModelStream,
};

/// The whole response of a model that is not asked to stream. It may be made by other means than an
/// [`Assembler`](toolwright_core::model::Assembler), and is normalised here.
pub(crate) async fn complete(
    model: &dyn ChatModel,
    request: &ModelRequest,
) -> Result<ModelResponse, ModelError> {
    let asked = caught(|| model.complete(request)).map_err(panicked)?;
    let reply = Caught::new(asked).await.map_err(panicked)??;
    Ok(reply.normalized())
}

/// The events that a model streams.
pub(crate) struct Events<'a>(Caught<ModelStream<'a>>);

impl<'a> Events<'a> {
    pub(crate) fn of(
        model: &'a dyn ChatModel,
        request: &'a ModelRequest,
    ) -> Result<Self, ModelError> {
        let asked = caught(|| model.stream(request)).map_err(panicked)?;
        Ok(Self(Caught::new(asked)))
    }

    /// The next event; `None` at the end.
    pub(crate) fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<ModelEvent, ModelError>>> {
        let polled = self.0.work(|stream| stream.as_mut().poll_next(cx));
        polled.unwrap_or_else(|panic| Poll::Ready(Some(Err(panicked(panic)))))
    }

    /// Drops the stream after a whole response. A panic in that is an error as well, which keeps the response.
    pub(crate) fn end(mut self, reply: ModelResponse) -> Result<ModelResponse, ModelError> {
        match self.0.end() {
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
