//! The time at which an attempt is over, even if its work has not ended.

use std::{
    pin::Pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::time::Instant;

use super::work_state::Stopped;
use crate::dispatch::{AttemptResult, Outcome, Timer};
use toolwright_core::{
    ErrorCategory, ToolError,
    driver::{Contained, Payload, caught, discard, text_of},
    tool::Effects,
};

/// The point at which an attempt is over, even if its work has not ended: at a time, or when the batch aborts it.
pub(crate) struct Deadline<'a> {
    /// The nearer one of its own end and that of its batch.
    end: Option<Instant>,
    /// The time limit of the attempt.
    limit: Option<Duration>,
    stop: AbortSignal<'a>,
}

/// Stops every call of a batch: at the deadline of the batch, or when the batch is aborted because its calls were
/// told to stop and did not. The sender of the abort must also poll the calls.
#[derive(Clone, Default)]
pub(crate) enum AbortSignal<'a> {
    /// Nobody sends it.
    #[default]
    Never,
    /// Its calls are polled where their batch is.
    Lent(&'a Ending),
    Shared(Arc<Ending>),
}

/// The end of a batch, of which its calls hear by an [`AbortSignal`].
pub(crate) struct Ending {
    aborted: AtomicBool,
    /// The deadline of the batch, and its time limit.
    deadline: Option<(Instant, Duration)>,
    /// The time that cancelled work may still take.
    grace: Duration,
    /// The same end, for work that is moved away from the batch.
    shared: OnceLock<Arc<Self>>,
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
            aborted: AtomicBool::new(false),
            deadline,
            grace,
            shared: OnceLock::new(),
        }
    }

    fn abort(&self) {
        self.aborted.store(true, Ordering::SeqCst);
        if let Some(shared) = self.shared.get() {
            shared.abort();
        }
    }

    /// Made where calls are polled, as the abort is sent, so that none is missed.
    fn shared(&self) -> Arc<Self> {
        let shared = || {
            let shared = Self::new(self.deadline, self.grace);
            let aborted = self.aborted.load(Ordering::SeqCst);
            shared.aborted.store(aborted, Ordering::SeqCst);
            Arc::new(shared)
        };
        Arc::clone(self.shared.get_or_init(shared))
    }
}

impl AbortSignal<'_> {
    /// The signal of a batch that ends so.
    pub(crate) fn of(ending: Ending) -> Self {
        Self::Shared(Arc::new(ending))
    }

    fn ending(&self) -> Option<&Ending> {
        match self {
            Self::Never => None,
            Self::Lent(ending) => Some(ending),
            Self::Shared(ending) => Some(ending),
        }
    }

    pub(crate) fn abort(&self) {
        if let Some(ending) = self.ending() {
            ending.abort();
        }
    }

    fn is_aborted(&self) -> bool {
        let ending = self.ending();
        ending.is_some_and(|ending| ending.aborted.load(Ordering::SeqCst))
    }

    pub(crate) fn deadline(&self) -> Option<(Instant, Duration)> {
        self.ending()?.deadline
    }

    /// The same signal, for work that is moved away from the batch.
    fn detached(&self) -> AbortSignal<'static> {
        match self {
            Self::Never => AbortSignal::Never,
            Self::Lent(ending) => AbortSignal::Shared(ending.shared()),
            Self::Shared(ending) => AbortSignal::Shared(Arc::clone(ending)),
        }
    }
}

/// The time limit of an attempt that has not begun.
pub(crate) struct Time<'a> {
    limit: Option<Duration>,
    stop: AbortSignal<'a>,
}

impl<'a> Time<'a> {
    #[inline]
    pub(crate) fn new(limit: Option<Duration>, stop: &AbortSignal<'a>) -> Self {
        let stop = stop.clone();
        Self { limit, stop }
    }

    /// Begins it: when the work is first polled, so that nobody's time counts who reads that it starts.
    #[inline]
    pub(crate) fn begin(self) -> Deadline<'a> {
        Deadline::from_now(self.limit, self.stop)
    }
}

impl<'a> Deadline<'a> {
    /// From now: for at most so long, and not beyond the end of the batch.
    #[inline]
    pub(crate) fn from_now(limit: Option<Duration>, stop: AbortSignal<'a>) -> Self {
        // A limit beyond what the clock can say is none.
        let own = limit.and_then(|limit| Instant::now().checked_add(limit));
        let batch = stop.deadline().map(|(at, _)| at);
        let end = match (own, batch) {
            (Some(own), Some(batch)) => Some(own.min(batch)),
            (own, batch) => own.or(batch),
        };
        Self { end, limit, stop }
    }

    /// Starts the same limit anew, from now.
    pub(crate) fn again(&self) -> Self {
        Self::from_now(self.limit, self.stop.clone())
    }

    /// Returns a deadline that is only that of the batch.
    pub(crate) fn of_batch(&self) -> Self {
        Self::from_now(None, self.stop.clone())
    }

    /// The same deadline, for work that is moved away from the batch.
    pub(crate) fn detached(&self) -> Deadline<'static> {
        Deadline {
            end: self.end,
            limit: self.limit,
            stop: self.stop.detached(),
        }
    }

    pub(crate) fn at(&self) -> Option<std::time::Instant> {
        self.end.map(Instant::into_std)
    }

    /// Returns the time that cancelled work may still take.
    pub(crate) fn grace(&self) -> Duration {
        let ending = self.stop.ending();
        ending.map_or(crate::dispatch::CallOptions::GRACE, |ending| ending.grace)
    }

    /// The work, until it ends or is over. It is polled here and nowhere else, so that it does no more
    /// when it is over.
    #[inline]
    pub(crate) fn limit<W>(&self, work: W, effects: Effects) -> Limited<'_, W> {
        Limited {
            work: Some(Contained::new(work)),
            limit: Some((self, effects)),
            timer: Timer::default(),
        }
    }

    /// Returns the output of the work, or the reason why it is over.
    pub(crate) async fn race<W: Future + Unpin>(&self, work: &mut W) -> Result<W::Output, Over> {
        let mut timer = Timer::default();
        std::future::poll_fn(|cx| match Pin::new(&mut *work).poll(cx) {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending => self.poll_over(&mut timer, cx).map(Err),
        })
        .await
    }

    fn poll_over(&self, timer: &mut Timer, cx: &mut Context<'_>) -> Poll<Over> {
        if self.stop.is_aborted() {
            return Poll::Ready(Over::Aborted);
        }
        let Some(at) = self.end else {
            return Poll::Pending;
        };
        ready!(timer.poll_at(at, cx));
        Poll::Ready(match (self.stop.deadline(), self.limit) {
            (Some((batch, limit)), _) if batch <= at => Over::Batch(limit),
            (_, limit) => Over::Attempt(limit.unwrap_or_default()),
        })
    }
}

/// Work that ends when it does, or when its time is over. A panic in it is its outcome.
pub(crate) struct Limited<'a, W> {
    /// Until it has ended.
    work: Option<Contained<W>>,
    limit: Option<(&'a Deadline<'a>, Effects)>,
    timer: Timer,
}

impl<W> Limited<'_, W> {
    /// Work that has its limits inside.
    pub(crate) fn unlimited(work: W) -> Self {
        Self {
            work: Some(Contained::new(work)),
            limit: None,
            timer: Timer::default(),
        }
    }
}

impl<W: Future<Output = Outcome> + Unpin> Limited<'_, W> {
    fn poll_work(&mut self, cx: &mut Context<'_>) -> Poll<AttemptResult> {
        let Some(work) = &mut self.work else {
            return Poll::Pending;
        };
        let outcome = match (Pin::new(work).poll(cx), &self.limit) {
            (Poll::Ready(outcome), _) => outcome.map_err(Box::new),
            (Poll::Pending, None) => return Poll::Pending,
            (Poll::Pending, Some((deadline, effects))) => {
                let over = ready!(deadline.poll_over(&mut self.timer, cx));
                Err(Box::new(over.error(Stopped::Yes, *effects)))
            }
        };
        // A panic in its drop is a panic of the work.
        drop(self.work.take().map(Contained::into_inner));
        Poll::Ready(outcome)
    }
}

/// A panic becomes the outcome, also one that comes while the work is dropped.
impl<W: Future<Output = Outcome> + Unpin> Future for Limited<'_, W> {
    type Output = AttemptResult;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<AttemptResult> {
        let this = self.get_mut();
        caught(|| this.poll_work(cx)).unwrap_or_else(|panic| {
            this.work = None;
            Poll::Ready(Err(Box::new(panicked("the tool", panic))))
        })
    }
}

/// A panic is a failure of whoever panicked: the text is for the log, where it helps, and not for the
/// model.
pub(crate) fn panicked(who: &str, panic: Payload) -> ToolError {
    let text = text_of(&panic);
    let error = ToolError::new(
        ErrorCategory::Unknown,
        "the tool failed with an internal error",
    )
    .with_log(format!("{who} panicked: {text}"));
    discard(panic);
    error
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
                format!("the calls of this reply took longer than {limit:?} and this one")
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

    #[test]
    fn work_that_was_moved_away_hears_of_an_abort_before_and_after() {
        let ending = Ending::new(None, Duration::ZERO);
        let lent = AbortSignal::Lent(&ending);
        let before = lent.detached();
        assert!(!lent.is_aborted() && !before.is_aborted());
        lent.clone().abort();
        for signal in [&before, &before.detached(), &lent.detached()] {
            assert!(signal.is_aborted());
        }
        let late = Ending::new(None, Duration::ZERO);
        AbortSignal::Lent(&late).abort();
        assert!(AbortSignal::Lent(&late).detached().is_aborted());
    }
}
