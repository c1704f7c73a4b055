//! One of several models: whether it answers, and what is told of it.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::{StreamExt, future::poll_fn, stream};
use tokio::time::{Instant, timeout, timeout_at};

use crate::{
    model::{
        ChatModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse,
        ModelStream, Warning,
        contained::{Events, complete},
    },
    panics::{Contained, guarded},
};

/// One of several models.
pub(super) struct Member {
    model: Contained<Box<dyn ChatModel>>,
    /// Its own name, or its number.
    name: String,
    health: Mutex<Health>,
}

/// Whether a model answers: a circuit breaker.
#[derive(Debug, Default)]
struct Health {
    /// The number of failures since it has answered last.
    failures: u32,
    /// It rests until then.
    rests_until: Option<Instant>,
    /// A request tries it after its rest.
    is_tried: bool,
}

impl Member {
    pub(super) fn new(model: impl ChatModel, number: usize) -> Self {
        let model: Contained<Box<dyn ChatModel>> = Contained::new(Box::new(model));
        // It is somebody else's code.
        let name = guarded(|| model.name().map(str::to_owned)).flatten();
        Self {
            name: name.unwrap_or_else(|| format!("model {number}")),
            model,
            health: Mutex::default(),
        }
    }

    pub(super) fn model(&self) -> &dyn ChatModel {
        &**self.model
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns false if it rests, or if its rest is over and another request tries it.
    pub(super) fn is_up(&self, now: Instant) -> bool {
        let health = self.health();
        health
            .rests_until
            .is_none_or(|until| until <= now && !health.is_tried)
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request to one of several models.
pub(super) struct Watch<'a> {
    pub(super) member: &'a Member,
    pub(super) passes: &'a (dyn Fn(&ModelError) -> bool + Send + Sync),
    /// After how many failures it rests, and for how long.
    pub(super) rest: (u32, Duration),
    pub(super) patience: Option<Duration>,
    /// Nobody is asked after it, so it is waited for.
    pub(super) is_last: bool,
    /// What is told of those that were asked before.
    pub(super) warnings: Vec<Warning>,
}

/// The one request that tries a model after its rest. Dropped without an end, another one may try it.
struct Try<'a>(&'a Member);

impl Drop for Try<'_> {
    fn drop(&mut self) {
        self.0.health().is_tried = false;
    }
}

impl<'a> Watch<'a> {
    /// Streams the response, after what is told of those that were asked before.
    pub(super) fn stream(self, request: &'a ModelRequest) -> ModelStream<'a> {
        let warnings = self.warnings.iter().cloned().map(ModelEvent::Warning);
        let name = self.member.model().name().map(str::to_owned);
        let before: Vec<_> = warnings.chain(name.map(ModelEvent::Model)).collect();
        let events = stream::once(async move {
            let watched = Watched {
                tries: self.tries(),
                deadline: self.until().map(|time| Instant::now() + time),
                events: Some(Events::of(self.member.model(), request)),
                watch: self,
            };
            stream::unfold(watched, async |mut watched| {
                watched.next().await.map(|event| (event, watched))
            })
        });
        Box::pin(stream::iter(before.into_iter().map(Ok)).chain(events.flatten()))
    }

    /// Waits for the whole response.
    pub(super) async fn complete(
        mut self,
        request: &'a ModelRequest,
    ) -> Result<ModelResponse, ModelError> {
        let tries = self.tries();
        let asked = complete(self.member.model(), request);
        let came = match self.until() {
            Some(time) => timeout(time, asked)
                .await
                .unwrap_or_else(|_| Err(self.late())),
            None => asked.await,
        };
        drop(tries);
        let mut reply = came.inspect_err(|error| self.failed(error))?;
        self.answered();
        let name = || self.member.model().name().map(str::to_owned);
        reply.model = reply.model.take().or_else(name);
        self.warnings.append(&mut reply.warnings);
        reply.warnings = self.warnings;
        Ok(reply)
    }

    /// The time that the model has until the first piece of its answer.
    fn until(&self) -> Option<Duration> {
        self.patience.filter(|_| !self.is_last)
    }

    fn late(&self) -> ModelError {
        let time = self.patience.unwrap_or_default();
        let message = format!("nothing came for {time:?}");
        ModelError::new(ModelErrorKind::Transport, message)
    }

    /// Begins to try a model whose rest is over.
    fn tries(&self) -> Option<Try<'a>> {
        let mut health = self.member.health();
        let begins = health.rests_until.is_some() && !health.is_tried;
        health.is_tried |= begins;
        begins.then(|| Try(self.member))
    }

    fn answered(&self) {
        let mut health = self.member.health();
        (health.failures, health.rests_until) = (0, None);
    }

    fn failed(&self, error: &ModelError) {
        if !(self.passes)(error) {
            // It is there, and refuses this request.
            return self.answered();
        }
        let (failures, rest) = self.rest;
        let mut health = self.member.health();
        health.failures = health.failures.saturating_add(1);
        if failures > 0 && health.failures >= failures {
            let rest = rest.max(error.retry_after.unwrap_or_default());
            let now = Instant::now();
            health.rests_until = Some(now.checked_add(rest).unwrap_or(now));
        }
    }
}

/// The events of one of several models.
struct Watched<'a> {
    watch: Watch<'a>,
    tries: Option<Try<'a>>,
    /// Until then a piece of the answer has to come.
    deadline: Option<Instant>,
    /// `None` at the end.
    events: Option<Result<Events<'a>, ModelError>>,
}

impl Watched<'_> {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        let came = match self.events.take()? {
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
        match &came {
            Some(Ok(event)) => {
                if !event.is_beside_the_answer() {
                    self.deadline = None;
                }
                if matches!(event, ModelEvent::Finished { .. }) {
                    self.tries = None;
                    self.watch.answered();
                }
            }
            Some(Err(error)) => {
                self.events = None;
                self.tries = None;
                self.watch.failed(error);
            }
            None => self.events = None,
        }
        came
    }
}
