//! The start times of tool calls, and the queues of calls that wait. Rate limits are enforced by them.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};

use toolwright_core::{driver::Mutex, tool::RateLimit};

/// Tools that are forgotten when this many are known and have not been called for a period.
const FORGET_FROM: usize = 64;

/// The wait that replaces a time that cannot be expressed: 30 years.
const FOREVER: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

/// The starts of tools, by name. Clones share them. It does not read a clock.
#[derive(Clone, Default)]
pub(crate) struct Starts(Arc<Mutex<Tools>>);

/// A place in the queue of a tool's calls.
pub(crate) struct QueuePlace {
    name: Arc<str>,
    number: u64,
}

/// The answer to a call that asks to start.
pub(crate) enum StartTime {
    /// It may, and counts as started.
    Now,
    /// It may then.
    At(Instant),
}

#[derive(Default)]
struct Tools {
    by_name: HashMap<Arc<str>, OfTool>,
    /// From how many tools on it is worth to look for some to forget.
    forget_from: usize,
}

/// The starts of one tool, and its queue.
#[derive(Default)]
struct OfTool {
    /// The start times that may still matter, in order.
    started: VecDeque<Instant>,
    /// The period of the limit that was used last.
    period: Duration,
    /// The number of the first place in the queue, and that of the one after the last.
    first: u64,
    next: u64,
    /// Places between them that were left.
    left: BTreeSet<u64>,
}

impl Starts {
    /// Asks whether a call of the tool of this name may start.
    pub(crate) fn ask(&self, name: &str, limit: RateLimit, now: Instant) -> StartTime {
        let mut tools = self.0.lock();
        let (_, starts) = tools.of(name, now);
        starts.forget(limit, now);
        let behind = starts.next - starts.first;
        let at = starts.turn(behind, limit, now);
        if at > now {
            return StartTime::At(at);
        }
        starts.started.push_back(now);
        StartTime::Now
    }

    /// The last place in the queue of the tool of this name.
    pub(crate) fn queue(&self, name: &str, now: Instant) -> QueuePlace {
        let mut tools = self.0.lock();
        let (name, starts) = tools.of(name, now);
        let number = starts.next;
        starts.next += 1;
        QueuePlace { name, number }
    }

    /// Asks whether a call in the queue may start. It leaves the queue if it may.
    pub(crate) fn start(&self, place: &QueuePlace, limit: RateLimit, now: Instant) -> StartTime {
        let mut tools = self.0.lock();
        let (_, starts) = tools.of(&place.name, now);
        starts.forget(limit, now);
        // The call that asks first goes first: earlier ones that have not asked do not block the
        // queue.
        if starts.turn(0, limit, now) > now {
            return StartTime::At(starts.turn(starts.behind(place), limit, now));
        }
        starts.started.push_back(now);
        starts.leave(starts.first);
        StartTime::Now
    }

    /// Returns true if a call in the queue would [start](Self::start) now.
    pub(crate) fn may_start(&self, place: &QueuePlace, limit: RateLimit, now: Instant) -> bool {
        let mut tools = self.0.lock();
        let (_, starts) = tools.of(&place.name, now);
        starts.turn(0, limit, now) <= now
    }

    /// Returns the time at which a call in the queue may start, as far as is known now.
    pub(crate) fn when(&self, place: &QueuePlace, limit: RateLimit, now: Instant) -> Instant {
        let mut tools = self.0.lock();
        let (_, starts) = tools.of(&place.name, now);
        starts.turn(starts.behind(place), limit, now)
    }

    /// Takes note that a call leaves the queue, and does not start.
    pub(crate) fn leave(&self, place: &QueuePlace) {
        if let Some(starts) = self.0.lock().by_name.get_mut(&place.name) {
            starts.leave(place.number.max(starts.first));
        }
    }

    /// Returns the number of known tools.
    #[cfg(test)]
    pub(crate) fn known(&self) -> usize {
        self.0.lock().by_name.len()
    }

    /// Returns the number of remembered starts of a tool.
    #[cfg(test)]
    pub(crate) fn remembered(&self, name: &str) -> usize {
        self.0.lock().by_name[name].started.len()
    }
}

impl Tools {
    fn of(&mut self, name: &str, now: Instant) -> (Arc<str>, &mut OfTool) {
        let name = if let Some((known, _)) = self.by_name.get_key_value(name) {
            Arc::clone(known)
        } else {
            self.forget(now);
            Arc::from(name)
        };
        let starts = self.by_name.entry(Arc::clone(&name)).or_default();
        (name, starts)
    }

    /// Forgets the tools whose calls do not matter any more, once there are twice as many as there were
    /// after the last time.
    fn forget(&mut self, now: Instant) {
        if self.by_name.len() >= self.forget_from.max(FORGET_FROM) {
            self.by_name.retain(|_, starts| starts.matter(now));
            self.forget_from = 2 * self.by_name.len();
        }
    }
}

impl OfTool {
    /// Returns the time at which the next call may start, if so many start before it, each as soon as it
    /// may.
    fn turn(&self, before: u64, limit: RateLimit, now: Instant) -> Instant {
        let calls = u64::from(limit.calls.get());
        let (periods, rest) = (before / calls, before % calls);
        // So many calls lie between this one and the next that the period has to be over.
        let started = self.started.len() as u64 + rest;
        let last = started.checked_sub(calls);
        let last = last.and_then(|place| self.started.get(usize::try_from(place).ok()?));
        let first = last.map_or(Some(now), |last| last.checked_add(limit.period));
        let periods = u32::try_from(periods).unwrap_or(u32::MAX);
        let wait = limit.period.saturating_mul(periods);
        let at = first.and_then(|first| first.max(now).checked_add(wait));
        at.unwrap_or_else(|| now + FOREVER)
    }

    /// Returns the number of calls that wait before a place, at most.
    fn behind(&self, place: &QueuePlace) -> u64 {
        place.number.saturating_sub(self.first)
    }

    /// Takes a place out of the queue. Those after it move up where none before it waits.
    fn leave(&mut self, number: u64) {
        self.left.insert(number);
        while self.left.remove(&self.first) {
            self.first += 1;
        }
        while self.next > self.first && self.left.remove(&(self.next - 1)) {
            self.next -= 1;
        }
    }

    fn forget(&mut self, limit: RateLimit, now: Instant) {
        self.period = limit.period;
        while let Some(first) = self.started.front()
            && is_over(*first, limit.period, now)
        {
            self.started.pop_front();
        }
    }

    fn matter(&self, now: Instant) -> bool {
        let last = self.started.back();
        self.next > self.first || last.is_some_and(|last| !is_over(*last, self.period, now))
    }
}

fn is_over(start: Instant, period: Duration, now: Instant) -> bool {
    start.checked_add(period).is_some_and(|end| end <= now)
}
