//! One of several models, and whether it answers.

use std::time::Duration;

use tokio::time::Instant;

use crate::dispatch::after;
use toolwright_core::{
    driver::{Mutex, caught},
    model::{ChatModel, ModelCapabilities, ModelError},
};

/// One of several models.
pub(super) struct Member {
    model: Box<dyn ChatModel>,
    /// Its own name, if it has one.
    own_name: Option<String>,
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
    /// A request tries it after its rest, and others do not until then.
    tried_until: Option<Instant>,
}

impl Member {
    pub(super) fn new(model: impl ChatModel, number: usize) -> Self {
        let model: Box<dyn ChatModel> = Box::new(model);
        // It is user code, which may panic.
        let own_name = caught(|| model.name().map(str::to_owned)).ok().flatten();
        Self {
            name: (own_name.clone()).unwrap_or_else(|| format!("model {number}")),
            own_name,
            model,
            health: Mutex::default(),
        }
    }

    pub(super) fn model(&self) -> &dyn ChatModel {
        &*self.model
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn own_name(&self) -> Option<&str> {
        self.own_name.as_deref()
    }

    pub(super) fn capabilities(&self) -> ModelCapabilities {
        // It is user code, which may panic.
        caught(|| self.model().capabilities()).unwrap_or_default()
    }

    /// Returns false if it rests, or if its rest is over and another request tries it.
    pub(super) fn is_up(&self, now: Instant) -> bool {
        let health = self.health.lock();
        let is_over = |until: Option<Instant>| until.is_none_or(|until| until <= now);
        is_over(health.rests_until) && is_over(health.tried_until)
    }

    /// Begins to try a model whose rest is over; `None` for one that has not rested, or that rests.
    pub(super) fn tries(&self, rest: Duration) -> Option<Try<'_>> {
        let mut health = self.health.lock();
        health
            .rests_until
            .filter(|until| *until <= Instant::now())?;
        // Whoever does not read on keeps others from it no longer than a rest.
        health.tried_until = Some(after(rest));
        Some(Try(self))
    }

    /// It has answered, or refused a request that is wrong: it is there.
    pub(super) fn answered(&self) {
        let mut health = self.health.lock();
        (health.failures, health.rests_until) = (0, None);
    }

    /// It has failed. After so many failures in a row it rests.
    pub(super) fn failed(&self, error: &ModelError, (failures, rest): (u32, Duration)) {
        let mut health = self.health.lock();
        health.failures = health.failures.saturating_add(1);
        if failures > 0 && health.failures >= failures {
            let rest = rest.max(error.retry_after.unwrap_or_default());
            health.rests_until = Some(after(rest));
        }
    }
}

/// The one request that tries a model after its rest. Dropped without an end, another one may try it.
pub(super) struct Try<'a>(&'a Member);

impl Drop for Try<'_> {
    fn drop(&mut self) {
        self.0.health.lock().tried_until = None;
    }
}
