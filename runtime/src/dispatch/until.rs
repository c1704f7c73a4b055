//! When an attempt is over, whether or not it has ended.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::time::{Instant, Sleep, sleep_until};

use super::Outcome;
use crate::{ErrorCategory, ToolError, tool::Effects};

/// When an attempt is over, whether or not it has ended: at a time, or when whoever runs it says so.
#[derive(Clone)]
pub(crate) struct Until {
    end: Option<(Instant, Why)>,
    stop: Stop,
}

#[derive(Clone, Copy)]
enum Why {
    /// An attempt may take so long.
    Attempt(Duration),
    /// The whole batch may.
    Batch(Duration),
}

/// Says to all calls of a batch that those which run are over: they were told to stop and did not. Who
/// says so polls them.
#[derive(Clone, Default)]
pub(crate) struct Stop(Option<Arc<AtomicBool>>);

/// Where an attempt runs, which decides whether it can be stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is polled, here or in a task: it can be dropped.
    Polled,
    /// It blocks a thread.
    Thread,
}

impl Stop {
    pub(crate) fn new() -> Self {
        Self(Some(Arc::default()))
    }

    pub(crate) fn say(&self) {
        if let Some(said) = &self.0 {
            said.store(true, Ordering::SeqCst);
        }
    }

    fn is_said(&self) -> bool {
        let said = self.0.as_ref();
        said.is_some_and(|said| said.load(Ordering::SeqCst))
    }
}

impl Until {
    /// From now: for at most so long, and for as long as nobody says stop.
    pub(crate) fn from_now(timeout: Option<Duration>, stop: Stop) -> Self {
        let end = timeout.and_then(|limit| {
            // A limit beyond what the clock can say is none.
            let at = Instant::now().checked_add(limit)?;
            Some((at, Why::Attempt(limit)))
        });
        Self { end, stop }
    }

    /// And not beyond the end of the batch, which may take so long.
    pub(super) fn within(mut self, batch: Option<(Instant, Duration)>) -> Self {
        if let Some((at, limit)) = batch
            && self.end.is_none_or(|(end, _)| at < end)
        {
            self.end = Some((at, Why::Batch(limit)));
        }
        self
    }

    pub(crate) fn deadline(&self) -> Option<std::time::Instant> {
        self.end.map(|(at, _)| at.into_std())
    }

    /// The work, until it ends or is over.
    pub(super) fn limit<W>(&self, work: W, place: Place, effects: Effects) -> Limited<'_, W> {
        Limited {
            work: Some(work),
            limit: Some(Limit {
                until: self,
                place,
                effects,
            }),
            timer: None,
        }
    }
}

/// Work that ends when it does, or when its time is over. A panic in it is its outcome.
pub(super) struct Limited<'a, W> {
    /// Until it has ended.
    work: Option<W>,
    limit: Option<Limit<'a>>,
    /// Most calls end at once and need none.
    timer: Option<Pin<Box<Sleep>>>,
}

/// When work is over, and how that is said.
struct Limit<'a> {
    until: &'a Until,
    place: Place,
    effects: Effects,
}

impl<W> Limited<'_, W> {
    /// Work that has its limits inside.
    pub(super) fn unlimited(work: W) -> Self {
        Self {
            work: Some(work),
            limit: None,
            timer: None,
        }
    }
}

impl<W: Future<Output = Outcome> + Unpin> Limited<'_, W> {
    fn poll_work(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        let Some(work) = &mut self.work else {
            return Poll::Pending;
        };
        let outcome = match (Pin::new(work).poll(cx), &self.limit) {
            (Poll::Ready(outcome), _) => outcome,
            (Poll::Pending, None) => return Poll::Pending,
            (Poll::Pending, Some(limit)) => Err(ready!(limit.poll_over(&mut self.timer, cx))),
        };
        self.work = None;
        Poll::Ready(outcome)
    }
}

/// A panic becomes the outcome, also one that comes while the work is dropped.
impl<W: Future<Output = Outcome> + Unpin> Future for Limited<'_, W> {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let this = self.get_mut();
        let polled = catch_unwind(AssertUnwindSafe(|| this.poll_work(cx)));
        polled.unwrap_or_else(|panic| {
            // What is left of it is dropped here, where a second panic harms nobody.
            let work = this.work.take();
            let _ = catch_unwind(AssertUnwindSafe(|| drop(work)));
            Poll::Ready(Err(panicked(&*panic)))
        })
    }
}

impl Limit<'_> {
    /// The error of work that is over and has not ended.
    fn poll_over(
        &self,
        timer: &mut Option<Pin<Box<Sleep>>>,
        cx: &mut Context<'_>,
    ) -> Poll<ToolError> {
        if self.until.stop.is_said() {
            return Poll::Ready(interrupted(self.place, self.effects));
        }
        let Some((at, why)) = self.until.end else {
            return Poll::Pending;
        };
        let timer = timer.get_or_insert_with(|| Box::pin(sleep_until(at)));
        ready!(timer.as_mut().poll(cx));
        Poll::Ready(timed_out(why, self.place, self.effects))
    }
}

/// A panic is the tool's own failure: the text is for the log, where it helps, and not for the model.
pub(super) fn panicked(panic: &(dyn Any + Send)) -> ToolError {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a text");
    ToolError::new(
        ErrorCategory::Unknown,
        "the tool failed with an internal error",
    )
    .with_log(format!("the tool panicked: {text}"))
}

/// The error of a call that was cancelled while it ran.
fn interrupted(place: Place, effects: Effects) -> ToolError {
    let runs_on = match place {
        Place::Polled => "",
        Place::Thread => " and may still be running",
    };
    ToolError::cancelled(format!(
        "the call was cancelled while it ran{runs_on}{}",
        aftermath(effects)
    ))
}

fn timed_out(why: Why, place: Place, effects: Effects) -> ToolError {
    let what = match why {
        Why::Attempt(limit) => format!("the call took longer than {limit:?}"),
        Why::Batch(limit) => format!("the calls of this reply took longer than {limit:?}"),
    };
    let state = match place {
        Place::Polled => "was stopped",
        Place::Thread => "may still be running",
    };
    let state = match why {
        Why::Attempt(_) => format!("and {state}"),
        Why::Batch(_) => format!("and this one {state}"),
    };
    let message = format!("{what} {state}{}", aftermath(effects));
    ToolError::new(ErrorCategory::ExecutionTimeout, message)
}

/// What a model must know before it calls again.
fn aftermath(effects: Effects) -> &'static str {
    match effects {
        Effects::Write => "; it may have taken effect",
        Effects::ReadOnly | Effects::Idempotent => "",
    }
}
