//! A request to one of several models.

use std::{future::poll_fn, time::Duration};

use futures_util::{StreamExt, stream};
use tokio::time::{Instant, timeout_at};

use super::member::{Member, Try};
use crate::contained::Events;
use crate::dispatch::after;
use toolwright_core::model::{
    ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Warning,
};

/// A request to one of several models.
pub(super) struct Watch<'a> {
    pub(super) member: &'a Member,
    /// After how many failures it rests, and for how long.
    pub(super) rest: (u32, Duration),
    /// The time that it has until the first piece of its answer.
    pub(super) patience: Option<Duration>,
    /// The request is the one that tries the model after its rest.
    pub(super) tries: Option<Try<'a>>,
    /// The warnings about the models before this one.
    pub(super) warnings: Vec<Warning>,
}

impl<'a> Watch<'a> {
    /// The events of the response, after the warnings about the models before this one.
    pub(super) fn stream(
        self,
        (request, is_streamed): (&'a ModelRequest, bool),
    ) -> ModelStream<'a> {
        let warnings = self.warnings.iter().cloned().map(ModelEvent::Warning);
        let name = self.member.own_name().map(str::to_owned);
        let before: Vec<_> = warnings.chain(name.map(ModelEvent::Model)).collect();
        let events = stream::once(async move {
            let watched = Watched {
                deadline: self.patience.map(after),
                events: Some(Events::of(self.member.model(), request, is_streamed)),
                has_answered: false,
                is_whole: false,
                watch: self,
            };
            stream::unfold(watched, async |mut watched| {
                watched.next().await.map(|event| (event, watched))
            })
        });
        Box::pin(stream::iter(before.into_iter().map(Ok)).chain(events.flatten()))
    }

    fn late(&self) -> ModelError {
        let time = self.patience.unwrap_or_default();
        let message = format!("nothing came for {time:?}");
        ModelError::new(ModelErrorKind::Transport, message)
    }
}

/// The events of one of several models.
struct Watched<'a> {
    watch: Watch<'a>,
    /// Until then a piece of the answer has to come.
    deadline: Option<Instant>,
    /// `None` at the end.
    events: Option<Result<Events<'a>, ModelError>>,
    /// A piece of the answer has come.
    has_answered: bool,
    /// The answer has come to its end.
    is_whole: bool,
}

impl Watched<'_> {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        let mut came = match self.events.take()? {
            Err(error) => Some(Err(error)),
            Ok(mut events) => {
                let next = poll_fn(|cx| events.poll_next(cx));
                let came = match self.deadline {
                    Some(at) => timeout_at(at, next)
                        .await
                        .unwrap_or_else(|_| Some(Err(self.watch.late()))),
                    None => next.await,
                };
                self.events = Some(Ok(events));
                came
            }
        };
        if came.is_none() && !self.is_whole {
            let message = "the stream ended before the response was whole";
            came = Some(Err(ModelError::new(ModelErrorKind::Transport, message)));
        }
        match &came {
            Some(Ok(event)) => {
                if !event.is_beside_the_answer() && !self.has_answered {
                    self.has_answered = true;
                    self.deadline = None;
                    self.watch.tries = None;
                    self.watch.member.answered();
                }
                self.is_whole |= matches!(event, ModelEvent::Finished { .. });
            }
            Some(Err(error)) => {
                self.events = None;
                // An earlier error is counted by the code that tries the next model.
                if self.has_answered {
                    self.watch.member.failed(error, self.watch.rest);
                }
            }
            None => self.events = None,
        }
        came
    }
}
