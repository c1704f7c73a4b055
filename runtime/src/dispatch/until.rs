//! When an attempt is over, whether or not it has ended.

use std::{
    future::poll_fn,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Poll, ready},
    time::Duration,
};

use tokio::time::{Instant, Sleep, sleep_until};

use crate::{
    ErrorCategory, ToolError,
    tool::{Effects, ToolOutput},
};

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

    pub(super) fn deadline(&self) -> Option<std::time::Instant> {
        self.end.map(|(at, _)| at.into_std())
    }

    /// Polls the work until it ends or is over.
    pub(super) async fn limit(
        &self,
        work: impl Future<Output = Result<ToolOutput, ToolError>>,
        place: Place,
        effects: Effects,
    ) -> Result<ToolOutput, ToolError> {
        let mut work = pin!(work);
        // Most calls end at once and need no timer.
        let mut timer = pin!(None::<Sleep>);
        poll_fn(|cx| {
            if let Poll::Ready(outcome) = work.as_mut().poll(cx) {
                return Poll::Ready(outcome);
            }
            if self.stop.is_said() {
                return Poll::Ready(Err(interrupted(place, effects)));
            }
            let Some((at, why)) = self.end else {
                return Poll::Pending;
            };
            if timer.is_none() {
                timer.set(Some(sleep_until(at)));
            }
            if let Some(timer) = timer.as_mut().as_pin_mut() {
                ready!(timer.poll(cx));
            }
            Poll::Ready(Err(timed_out(why, place, effects)))
        })
        .await
    }
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
