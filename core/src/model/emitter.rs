//! A stream of events that a future emits.

use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_core::Stream;

use super::{ModelError, ModelEvent, ModelStream};
use crate::{mutex::Mutex, tool::BoxFuture};

type Events = VecDeque<Result<ModelEvent, ModelError>>;

/// The end at which events are put into the stream.
#[derive(Debug, Clone, Default)]
pub struct Emitter(Arc<Mutex<Events>>);

impl Emitter {
    /// Puts an event into the stream, which is read with what the future waits for next.
    pub fn add(&self, event: ModelEvent) {
        self.0.lock().push_back(Ok(event));
    }

    /// Puts an event into the stream, and waits until it is read.
    pub async fn emit(&self, event: ModelEvent) {
        self.add(event);
        // The stream returns the event at once, and polls again when it is asked for the next one.
        poll_fn(|_| {
            if self.0.lock().is_empty() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }
}

/// The events that a future emits, and its error at the end.
pub fn emitted<'a, F>(emits: impl FnOnce(Emitter) -> F) -> ModelStream<'a>
where
    F: Future<Output = Result<(), ModelError>> + Send + 'a,
{
    let emitter = Emitter::default();
    let future = Box::pin(emits(emitter.clone()));
    Box::pin(Emitted {
        emitter,
        future: Some(future),
    })
}

struct Emitted<'a> {
    emitter: Emitter,
    /// `None` once it has ended.
    future: Option<BoxFuture<'a, Result<(), ModelError>>>,
}

impl Stream for Emitted<'_> {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let is_read = self.emitter.0.lock().is_empty();
        let polled = match &mut self.future {
            Some(future) if is_read => future.as_mut().poll(cx),
            _ => Poll::Pending,
        };
        let is_over = polled.is_ready();
        if let Poll::Ready(Err(error)) = polled {
            self.emitter.0.lock().push_back(Err(error));
        }
        if is_over {
            self.future = None;
        }
        let next = self.emitter.0.lock().pop_front();
        match next {
            Some(event) => Poll::Ready(Some(event)),
            None if self.future.is_none() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}
