//! The models of one request, one after the other.

use std::{collections::VecDeque, fmt::Write, iter, time::Duration};

use super::{Fallback, member::Member, watch::Watch};
use crate::retry::attempts::Attempts;
use toolwright_core::model::{ModelError, ModelErrorKind, ModelRequest, ModelStream, Warning};

/// The models of one request.
pub(super) struct Turns<'a> {
    fallback: &'a Fallback,
    /// The request, and whether its response is streamed.
    request: (&'a ModelRequest, bool),
    /// Those that are still to be asked, if those before them fail.
    left: VecDeque<&'a Member>,
    /// The one that is asked.
    asked: Option<&'a Member>,
    /// Those that have failed.
    failed: Vec<(&'a str, ModelError)>,
}

impl<'a> Turns<'a> {
    pub(super) fn new(
        fallback: &'a Fallback,
        request: (&'a ModelRequest, bool),
        left: VecDeque<&'a Member>,
    ) -> Self {
        Self {
            fallback,
            request,
            left,
            asked: None,
            failed: Vec::new(),
        }
    }

    fn next_turn(&mut self) -> Result<Watch<'a>, ModelError> {
        let Some(member) = self.left.pop_front() else {
            let message = "there is no model to send the request to";
            return Err(ModelError::new(ModelErrorKind::InvalidRequest, message));
        };
        self.asked = Some(member);
        let fallback = self.fallback;
        Ok(Watch {
            member,
            rest: (fallback.failures, fallback.rest),
            patience: fallback.patience,
            tries: member.tries(fallback.rest),
            warnings: self.failed.iter().map(warning).collect(),
        })
    }
}

impl<'a> Attempts<'a> for Turns<'a> {
    fn stream(&mut self) -> ModelStream<'a> {
        match self.next_turn() {
            Ok(watch) => watch.stream(self.request),
            Err(error) => Box::pin(futures_util::stream::iter(iter::once(Err(error)))),
        }
    }

    fn next(&mut self, error: &ModelError) -> Option<Duration> {
        let asked = self.asked.take()?;
        let passes = (self.fallback.passes)(error);
        if passes {
            asked.failed(error, (self.fallback.failures, self.fallback.rest));
        } else {
            asked.answered();
        }
        if !passes || self.left.is_empty() {
            return None;
        }
        let mut error = error.clone();
        // It is counted, and void.
        error.partial = None;
        self.failed.push((asked.name(), error));
        Some(Duration::ZERO)
    }

    /// The error of the last model, and in one sentence those of the others. The request may be sent again if one of them
    /// may answer it then.
    fn last(&mut self, mut error: ModelError) -> ModelError {
        if self.failed.is_empty() {
            return error;
        }
        let mut message = format!("all models failed, the last one with: {}", error.message);
        for (name, failed) in &self.failed {
            // It cannot fail for a `String`.
            let _ = write!(message, "; {name}: {failed}");
        }
        message.truncate(toolwright_json::char_boundary::floor(
            &message,
            ModelError::BODY_BYTES,
        ));
        error.message = message;
        let earlier = self.failed.iter().map(|(_, failed)| failed);
        let again = earlier
            .chain(iter::once(&error))
            .filter(|one| one.retryable);
        let waits: Vec<_> = again.map(|one| one.retry_after).collect();
        error.retryable = !waits.is_empty();
        // `None` is the shortest: the backoff of who asks again.
        error.retry_after = waits.into_iter().min().flatten();
        error
    }
}

/// The warning about a model that failed before another one responded.
fn warning((name, error): &(&str, ModelError)) -> Warning {
    let message = format!("{name} could not answer, so another model was asked: {error}");
    Warning::new("model_failed", message)
}
