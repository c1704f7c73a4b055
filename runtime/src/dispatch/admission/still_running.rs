//! Work that runs on after its call has its result.

use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use tokio::task::unconstrained;

use crate::dispatch::{CallSet, StillRunning, Timer, after};
use toolwright_core::{
    ToolError,
    driver::not_executed,
    tool::{BoxFuture, ToolPolicy},
};

/// Work that runs on after its call has its result. A tool that is to run alone still runs alone: it starts when no
/// such work is left, and nothing starts while some of its own work is left.
///
/// What is left is waited for once more as long as its call could take. After that, a call that would have to wait
/// is refused, so that work that never ends does not block calls for ever.
pub(crate) struct StillRunningSet<K> {
    awaited: CallSet<Alone, BoxFuture<'static, Option<StillRunning>>>,
    /// Work that calls no longer wait for.
    late: CallSet<Alone, StillRunning>,
    awaited_counts: Counts,
    late_counts: Counts,
    /// Calls that wait.
    held: VecDeque<K>,
    /// Calls that have waited.
    released: VecDeque<K>,
}

/// True for work that is to run alone.
type Alone = bool;

#[derive(Default)]
struct Counts {
    all: usize,
    alone: usize,
}

impl Counts {
    fn add(&mut self, alone: Alone) {
        self.all += 1;
        self.alone += usize::from(alone);
    }

    fn take(&mut self, alone: Alone) {
        self.all -= 1;
        self.alone -= usize::from(alone);
    }

    /// Returns true if some of the work blocks a call.
    fn hold_up(&self, alone: Alone) -> bool {
        self.alone > 0 || alone && self.all > 0
    }
}

/// The answer to a call that wants to start.
pub(crate) enum Start {
    Now,
    /// It waits, and is given back.
    Later,
    Refused(ToolError),
}

impl<K> StillRunningSet<K> {
    pub(crate) fn new() -> Self {
        Self {
            awaited: CallSet::new(),
            late: CallSet::new(),
            awaited_counts: Counts::default(),
            late_counts: Counts::default(),
            held: VecDeque::new(),
            released: VecDeque::new(),
        }
    }

    /// Takes what is left of an attempt that could take so long.
    pub(crate) fn push(
        &mut self,
        mut left: StillRunning,
        policy: &ToolPolicy,
        limit: Option<Duration>,
    ) {
        let wait = async move {
            let (end, mut timer) = (after(limit.unwrap_or_default()), Timer::default());
            let is_late = poll_fn(|cx| match Pin::new(&mut left).poll(cx) {
                Poll::Ready(()) => Poll::Ready(false),
                Poll::Pending => timer.poll_at(end, cx).map(|()| true),
            });
            is_late.await.then_some(left)
        };
        self.awaited.push(policy.sequential, Box::pin(wait));
        self.awaited_counts.add(policy.sequential);
    }

    /// Decides whether a call may start now. One that may later is [given back](Self::poll_next).
    pub(crate) fn admit(&mut self, call: K, policy: &ToolPolicy) -> Start {
        if self.awaited_counts.all + self.late_counts.all == 0 {
            return Start::Now;
        }
        // Some of it may have ended since the last poll.
        self.poll(&mut Context::from_waker(Waker::noop()));
        if self.late_counts.hold_up(policy.sequential) {
            return Start::Refused(not_executed(
                "the work of an earlier call is still running, and one of the two must run alone",
            ));
        }
        if self.awaited_counts.hold_up(policy.sequential) {
            self.held.push_back(call);
            return Start::Later;
        }
        Start::Now
    }

    /// Returns true if no call waits.
    pub(crate) fn hold_nobody(&self) -> bool {
        self.held.is_empty() && self.released.is_empty()
    }

    /// A call that has waited and is to ask again. Pending for ever while there is none.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<K> {
        self.poll(cx);
        self.released.pop_front().map_or(Poll::Pending, Poll::Ready)
    }

    /// Looks what has ended. It is no code of tools, and does not depend on what these leave of the budget.
    fn poll(&mut self, cx: &mut Context<'_>) {
        let mut look = unconstrained(poll_fn(|cx| {
            self.look(cx);
            Poll::Ready(())
        }));
        let _ = Pin::new(&mut look).poll(cx);
    }

    fn look(&mut self, cx: &mut Context<'_>) {
        while let Poll::Ready((alone, left)) = self.awaited.poll_next(cx) {
            self.awaited_counts.take(alone);
            if let Some(left) = left {
                self.late.push(alone, left);
                self.late_counts.add(alone);
            }
            self.released.append(&mut self.held);
        }
        while let Poll::Ready((alone, ())) = self.late.poll_next(cx) {
            self.late_counts.take(alone);
        }
    }
}
