//! The time of a run.

use std::{
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::Instant;

use crate::dispatch::{Timer, after};
use toolwright_core::run::{Limits, Run};

/// The time between two records of the used part of such a limit: what a process that dies may forget, beside the step
/// under way. A part of a long limit, so that a run in a store is not written each second.
pub(super) fn noted(limit: Duration) -> Duration {
    (limit / 100).max(Duration::from_secs(1))
}

/// The time of a run, then that of its summary. Without a limit it needs no clock.
#[derive(Default)]
pub(super) struct RunTime {
    /// When the run began or went on, if it has a time limit that is not reached.
    began: Option<Instant>,
    /// The time that it had used by then.
    used: Duration,
    /// Since when the time stands still, because only people are waited for.
    paused: Option<Instant>,
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
        self.unless_noted(run, noted)
    }

    /// The time that the run has used, if a run that is suspended is to record it.
    pub(super) fn to_store(&self, run: &Run) -> Option<Duration> {
        self.unless_noted(run, |limit| limit / 1_000)
    }

    /// The time that the run has used, if so much of its limit is not recorded.
    fn unless_noted(&self, run: &Run, least: fn(Duration) -> Duration) -> Option<Duration> {
        let (used, limit) = (self.used()?, run.config().limits.max_time?);
        (used >= run.time_used().saturating_add(least(limit))).then_some(used)
    }

    /// Stops the time: only people are waited for.
    pub(super) fn pause(&mut self) {
        if self.end.is_some() {
            self.paused.get_or_insert_with(Instant::now);
        }
    }

    /// Lets the time go on.
    pub(super) fn go_on(&mut self) {
        if let Some(since) = self.paused.take() {
            let later = |time: Instant| time.checked_add(since.elapsed()).unwrap_or(time);
            (self.began, self.end) = (self.began.map(later), self.end.map(later));
        }
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
