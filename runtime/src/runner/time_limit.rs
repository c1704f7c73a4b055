//! The time of a run.

use std::{
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::Instant;

use crate::dispatch::{Timer, after};
use toolwright_core::run::{Limits, Run};

/// The time between two records of it: what a process that dies may forget, beside the step under way.
pub(super) const NOTED: Duration = Duration::from_secs(1);

/// The time of a run, then that of its summary. Without a limit it needs no clock.
#[derive(Default)]
pub(super) struct RunTime {
    /// When the run began or went on, if it has a time limit that is not reached.
    began: Option<Instant>,
    /// The time that it had used by then.
    used: Duration,
    /// The end of the current time limit: that of the run, then that of its summary.
    end: Option<Instant>,
    /// The time limit of the summary, until the summary has begun.
    summary: Option<Duration>,
    timer: Timer,
}

impl RunTime {
    /// The time of a run that begins or goes on now.
    pub(super) fn of(run: &Run) -> Self {
        let (limits, used) = (&run.config().limits, run.time_used());
        let mut time = Self::default();
        if let Some(limit) = limits.max_time {
            time.began = Some(Instant::now());
            time.used = used;
            time.end = Some(after(limit.saturating_sub(used)));
        }
        if run.is_late() {
            time.told(limits);
        }
        time
    }

    /// The time that the run has used, in whole milliseconds, if it has a time limit that is not reached.
    pub(super) fn used(&self) -> Option<Duration> {
        let time = self.used.saturating_add(self.began?.elapsed());
        let more = Duration::from_nanos(u64::from(time.subsec_nanos() % 1_000_000));
        Some(time.saturating_sub(more))
    }

    /// The time that the run has used, if that is to be recorded by now.
    pub(super) fn to_note(&self, run: &Run) -> Option<Duration> {
        let used = self.used()?;
        (used >= run.time_used().saturating_add(NOTED)).then_some(used)
    }

    pub(super) fn is_up(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Returns `Ready` if the time is up. If not, the task is woken when it is.
    pub(super) fn poll_up(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self.end {
            Some(end) => self.timer.poll_at(end, cx),
            None => Poll::Pending,
        }
    }

    /// The run has handled the end of its time: the rest has this time of its own.
    pub(super) fn told(&mut self, limits: &Limits) {
        (self.began, self.end) = (None, None);
        self.summary = Some(limits.summary_time);
    }

    /// The summary begins, if the time of the run is up.
    pub(super) fn begin_summary(&mut self) {
        if let Some(time) = self.summary.take() {
            self.end = Some(after(time));
        }
    }
}
