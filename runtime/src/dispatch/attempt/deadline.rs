//! The time at which an attempt is over, even if its work has not ended.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::time::Instant;

use super::work_state::Stopped;
use crate::dispatch::{AttemptResult, CallOptions, Outcome, Timer};
use toolwright_core::{
    ErrorCategory, ToolError,
    driver::{Caught, Payload, text_of},
    tool::{CancellationToken, Cancelled, Effects},
};

/// The point at which an attempt is over, even if its work has not ended: at a time, or when the batch aborts it.
#[derive(Clone)]
pub(crate) struct Deadline {
    /// The nearer one of its own end and that of its batch.
    end: Option<Instant>,
    /// The time limit of the attempt.
    limit: Option<Duration>,
    batch: Option<Ending>,
}

/// The end of a batch or a run, which the attempts of its calls await beside their work. Clones are the same end.
#[derive(Clone)]
pub(crate) struct Ending {
    /// Cancelled when calls did not stop on notice.
    abort: CancellationToken,
    /// The deadline of the batch, and its time limit.
    pub(crate) deadline: Option<(Instant, Duration)>,
    /// The time that cancelled work may still take.
    grace: Duration,
}

/// The reason why an attempt is over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// The batch aborted it.
    Aborted,
    /// The time limit of the attempt was reached.
    Attempt(Duration),
    /// The time limit of the whole batch was reached.
    Batch(Duration),
}

impl Ending {
    pub(crate) fn new(deadline: Option<(Instant, Duration)>, grace: Duration) -> Self {
        Self {
            abort: CancellationToken::new(),
            deadline,
            grace,
        }
    }

    /// Ends every attempt that still runs.
    pub(crate) fn abort(&self) {
        self.abort.cancel();
    }
}

/// What an attempt waits for beside its work.
#[derive(Default)]
struct Waits {
    timer: Timer,
    /// Made when the attempt waits.
    aborted: Option<Cancelled>,
}

/// The time limit of an attempt that has not begun.
pub(crate) struct Time {
    limit: Option<Duration>,
    batch: Ending,
}

impl Time {
    #[inline]
    pub(crate) fn new(limit: Option<Duration>, batch: &Ending) -> Self {
        let batch = batch.clone();
        Self { limit, batch }
    }

    /// Starts the time limit at the first poll of the work, so that a slow reader of events does not use it up.
    #[inline]
    pub(crate) fn begin(self) -> Deadline {
        Deadline::from_now(self.limit, Some(self.batch))
    }
}

impl Deadline {
    /// From now: for at most so long, and not beyond the end of the batch.
    #[inline]
    pub(crate) fn from_now(limit: Option<Duration>, batch: Option<Ending>) -> Self {
        // A limit beyond what the clock can say is none.
        let own = limit.and_then(|limit| Instant::now().checked_add(limit));
        let of_batch = batch.as_ref().and_then(|batch| batch.deadline);
        let ends = [own, of_batch.map(|(at, _)| at)];
        Self {
            end: ends.into_iter().flatten().min(),
            limit,
            batch,
        }
    }

    /// Restarts the same limit from now.
    pub(crate) fn again(&self) -> Self {
        Self::from_now(self.limit, self.batch.clone())
    }

    /// Returns a deadline that is only that of the batch.
    pub(crate) fn of_batch(&self) -> Self {
        Self::from_now(None, self.batch.clone())
    }

    pub(crate) fn at(&self) -> Option<std::time::Instant> {
        self.end.map(Instant::into_std)
    }

    /// Returns the time that cancelled work may still take.
    pub(crate) fn grace(&self) -> Duration {
        let batch = self.batch.as_ref();
        batch.map_or(CallOptions::GRACE, |batch| batch.grace)
    }

    /// The work, until it ends or is over. It is polled here and nowhere else, so that it does no more
    /// when it is over.
    #[inline]
    pub(crate) fn limit<W>(&self, work: W, effects: Effects) -> Limited<'_, W> {
        Limited {
            work: Caught::new(work),
            limit: Some((self, effects)),
            waits: Waits::default(),
        }
    }

    /// Returns the output of the work, or the reason why it is over.
    pub(crate) async fn race<W: Future + Unpin>(&self, work: &mut W) -> Result<W::Output, Over> {
        let mut waits = Waits::default();
        std::future::poll_fn(|cx| match Pin::new(&mut *work).poll(cx) {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending => self.poll_over(&mut waits, cx).map(Err),
        })
        .await
    }

    fn poll_over(&self, waits: &mut Waits, cx: &mut Context<'_>) -> Poll<Over> {
        if let Some(batch) = &self.batch {
            let aborted = &mut waits.aborted;
            let aborted = aborted.get_or_insert_with(|| batch.abort.cancelled());
            if Pin::new(aborted).poll(cx).is_ready() {
                return Poll::Ready(Over::Aborted);
            }
        }
        let Some(at) = self.end else {
            return Poll::Pending;
        };
        ready!(waits.timer.poll_at(at, cx));
        let batch = self.batch.as_ref().and_then(|batch| batch.deadline);
        Poll::Ready(match (batch, self.limit) {
            (Some((batch, limit)), _) if batch <= at => Over::Batch(limit),
            (_, limit) => Over::Attempt(limit.unwrap_or_default()),
        })
    }
}

/// Work that ends when it does, or when its time is over. A panic in it is its outcome.
pub(crate) struct Limited<'a, W> {
    work: Caught<W>,
    limit: Option<(&'a Deadline, Effects)>,
    waits: Waits,
}

impl<W> Limited<'_, W> {
    /// Work that has its limits inside.
    pub(crate) fn unlimited(work: W) -> Self {
        Self {
            work: Caught::new(work),
            limit: None,
            waits: Waits::default(),
        }
    }
}

impl<W: Future<Output = Outcome> + Unpin> Future for Limited<'_, W> {
    type Output = AttemptResult;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<AttemptResult> {
        let this = self.get_mut();
        let (limit, waits) = (&this.limit, &mut this.waits);
        let polled = this
            .work
            .work(|work| match (Pin::new(work).poll(cx), limit) {
                (Poll::Ready(outcome), _) => Poll::Ready(outcome),
                (Poll::Pending, None) => Poll::Pending,
                // Outside of tokio there are no timers, and the first poll of one panics.
                (Poll::Pending, Some((deadline, effects))) => {
                    let over = deadline.poll_over(waits, cx);
                    over.map(|over| Err(over.error(Stopped::Yes, *effects)))
                }
            });
        let outcome = match polled {
            Ok(polled) => {
                let outcome = ready!(polled);
                this.work.end().map(|()| outcome)
            }
            Err(panic) => Err(panic),
        };
        let outcome = outcome.unwrap_or_else(|panic| Err(panicked("the tool", panic)));
        Poll::Ready(outcome.map_err(Box::new))
    }
}

/// The error of a panic. The message is for the log, and not for the model.
#[expect(clippy::needless_pass_by_value, reason = "it ends here")]
pub(crate) fn panicked(who: &str, panic: Payload) -> ToolError {
    let error = ToolError::new(
        ErrorCategory::Unknown,
        "the tool failed with an internal error",
    );
    error.with_log(format!("{who} panicked: {}", text_of(&panic)))
}

impl Over {
    /// The error of a call whose work is over, of which this became.
    pub(crate) fn error(self, stopped: Stopped, effects: Effects) -> ToolError {
        // What a model must know before it calls again.
        let aftermath = match stopped {
            Stopped::BeforeStart => "",
            Stopped::Yes | Stopped::No => effects.aftermath(),
        };
        let late = match self {
            Self::Aborted => {
                let when = match stopped {
                    Stopped::BeforeStart => "before it started",
                    Stopped::Yes => "while it ran",
                    Stopped::No => "while it ran and may still be running",
                };
                return ToolError::cancelled(format!("the call was cancelled {when}{aftermath}"));
            }
            Self::Attempt(limit) => format!("the call took longer than {limit:?} and"),
            Self::Batch(limit) => {
                format!("the calls of this response took longer than {limit:?} and this one")
            }
        };
        let state = match stopped {
            Stopped::BeforeStart => "was not started",
            Stopped::Yes => "was stopped",
            Stopped::No => "may still be running",
        };
        let message = format!("{late} {state}{aftermath}");
        ToolError::new(ErrorCategory::ExecutionTimeout, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_begun_may_have_taken_effect_unless_it_has_none() {
        for (stopped, has_begun) in [
            (Stopped::BeforeStart, false),
            (Stopped::Yes, true),
            (Stopped::No, true),
        ] {
            for (effects, has_effects) in [
                (Effects::ReadOnly, false),
                (Effects::Idempotent, true),
                (Effects::Write, true),
            ] {
                let text = Over::Aborted.error(stopped, effects).to_model_text();
                let is_told = text.contains("it may have taken effect");
                assert_eq!(is_told, has_begun && has_effects, "{text}");
            }
        }
    }
}
