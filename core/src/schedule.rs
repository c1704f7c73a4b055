//! The schedule of the calls of a batch.

use std::{collections::BTreeSet, num::NonZeroUsize};

/// A schedule, which decides which call of a batch may start next. It observes a limit on the calls that run at
/// once, barriers, and calls that wait for something.
///
/// Calls start in their order. A sequential call is a barrier: it waits until every call before it has
/// finished, and nothing after it starts before it has. A call may be [delayed](Self::delay), between
/// two attempts or before its first: it then holds no place among those that run, and a barrier is not
/// passed meanwhile. [Resumed](Self::resume), it may start again, before the calls after it.
///
/// It is a value that decides and does nothing: no clock, no task, no lock.
/// [`Run`](crate::Run) holds one for each round and a dispatched batch holds one of its own. Each step
/// takes at most logarithmic time, however many calls there are.
///
/// ```
/// use std::num::NonZeroUsize;
/// use toolwright::dispatch::Schedule;
///
/// let two = NonZeroUsize::new(2).unwrap();
/// let mut schedule = Schedule::new(two, [false, false, true, false]);
/// assert_eq!((schedule.start(), schedule.start(), schedule.start()), (Some(0), Some(1), None));
/// schedule.finish(1);
/// assert_eq!(schedule.start(), None, "call 2 is a barrier");
/// schedule.delay(0);
/// assert_eq!(schedule.start(), None, "call 0 has not finished");
/// schedule.resume(0);
/// assert_eq!((schedule.start(), schedule.attempt(0)), (Some(0), 2));
/// schedule.finish(0);
/// assert_eq!((schedule.start(), schedule.start()), (Some(2), None));
/// schedule.finish(2);
/// assert_eq!(schedule.start(), Some(3));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Schedule {
    slots: Vec<Slot>,
    /// The first call that nothing has happened to. All before it have started, been delayed or
    /// finished.
    first_untouched: usize,
    /// Calls before that one which are delayed.
    delayed: BTreeSet<usize>,
    /// Calls before that one which were delayed and may start again.
    resumed: BTreeSet<usize>,
    running: usize,
    /// True if a barrier is running, delayed or resumed: no other call is, then.
    barrier_open: bool,
    concurrency: NonZeroUsize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Slot {
    state: CallState,
    sequential: bool,
    /// The number of times that it started.
    attempt: u32,
}

/// The state of a call of a [`Schedule`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallState {
    /// It has not started, or may start again.
    Waiting,
    /// It has started and not finished.
    Running,
    /// It waits for something other than its turn, before an attempt.
    Delayed,
    /// It has finished, or never will start.
    Finished,
}

impl Schedule {
    /// A schedule of calls that wait. `sequential` says of each call, in order, whether it is a
    /// barrier.
    pub fn new(concurrency: NonZeroUsize, sequential: impl IntoIterator<Item = bool>) -> Self {
        let slots = sequential
            .into_iter()
            .map(|sequential| Slot {
                state: CallState::Waiting,
                sequential,
                attempt: 0,
            })
            .collect();
        Self {
            slots,
            first_untouched: 0,
            delayed: BTreeSet::new(),
            resumed: BTreeSet::new(),
            running: 0,
            barrier_open: false,
            concurrency,
        }
    }

    /// The call that may start now, if one may.
    #[inline]
    pub fn next(&self) -> Option<usize> {
        if self.running >= self.concurrency.get() {
            return None;
        }
        // A call that may start again stands before all that nothing has happened to.
        if let Some(&index) = self.resumed.first() {
            return Some(index);
        }
        let slot = self.slots.get(self.first_untouched)?;
        let free = !self.barrier_open && (!slot.sequential || self.open() == 0);
        free.then_some(self.first_untouched)
    }

    /// The calls that may start now, in order.
    pub fn startable(&self) -> impl Iterator<Item = usize> {
        let places = self.concurrency.get() - self.running;
        let again = self.resumed.iter().copied();
        let untouched = self.slots.iter().enumerate().skip(self.first_untouched);
        let first = untouched
            .filter(|(_, slot)| slot.state == CallState::Waiting)
            .scan(
                (self.open(), self.barrier_open),
                |(open, barrier_open), (index, slot)| {
                    if *barrier_open || (slot.sequential && *open > 0) {
                        return None;
                    }
                    *open += 1;
                    *barrier_open = slot.sequential;
                    Some(index)
                },
            );
        again.chain(first).take(places)
    }

    /// Starts the call that may start now, if one may, and says which.
    pub fn start(&mut self) -> Option<usize> {
        let index = self.next()?;
        self.touch(index);
        self.running += 1;
        let slot = &mut self.slots[index];
        slot.state = CallState::Running;
        slot.attempt = slot.attempt.saturating_add(1);
        Some(index)
    }

    /// Takes note that a call waits for something other than its turn: one that runs, whose attempt is
    /// over, or one that may start now. It holds no place from here on. Any other call stays as it is.
    pub fn delay(&mut self, index: usize) {
        match self.state(index) {
            Some(CallState::Running) => self.running -= 1,
            Some(CallState::Waiting)
                if self.resumed.contains(&index) || self.next() == Some(index) =>
            {
                self.touch(index);
            }
            _ => return,
        }
        self.slots[index].state = CallState::Delayed;
        self.delayed.insert(index);
    }

    /// Takes note that what a delayed call waited for is there. Any other call stays as it is.
    pub fn resume(&mut self, index: usize) {
        if self.delayed.remove(&index) {
            self.slots[index].state = CallState::Waiting;
            self.resumed.insert(index);
        }
    }

    /// Takes note that a call has finished, or that one that waits will not start.
    pub fn finish(&mut self, index: usize) {
        let Some(slot) = self.slots.get_mut(index) else {
            return;
        };
        let touched = index < self.first_untouched && slot.state != CallState::Finished;
        if slot.state == CallState::Running {
            self.running -= 1;
        }
        if touched && slot.sequential {
            self.barrier_open = false;
        }
        slot.state = CallState::Finished;
        self.delayed.remove(&index);
        self.resumed.remove(&index);
        self.skip_finished();
    }

    /// Returns the state of a call; `None` if there is no such call.
    pub fn state(&self, index: usize) -> Option<CallState> {
        self.slots.get(index).map(|slot| slot.state)
    }

    /// Returns the number of times that a call has started: 1 while its first attempt runs, 0 before, and 0
    /// for a call that does not exist.
    pub fn attempt(&self, index: usize) -> u32 {
        self.slots.get(index).map_or(0, |slot| slot.attempt)
    }

    /// The calls in a state, in order.
    pub fn in_state(&self, state: CallState) -> impl Iterator<Item = usize> {
        self.slots
            .iter()
            .enumerate()
            .filter(move |(_, slot)| slot.state == state)
            .map(|(index, _)| index)
    }

    /// The calls that are delayed, in order. They are found without a search.
    pub fn delayed(&self) -> impl Iterator<Item = usize> {
        self.delayed.iter().copied()
    }

    /// The first call that neither runs nor has finished. It is found without a search.
    pub fn first_not_running(&self) -> Option<usize> {
        let untouched = (self.first_untouched < self.slots.len()).then_some(self.first_untouched);
        let touched = [self.delayed.first(), self.resumed.first()];
        touched.into_iter().flatten().min().copied().or(untouched)
    }

    /// Returns the number of calls that run.
    pub fn running(&self) -> usize {
        self.running
    }

    /// Returns true if every call has finished.
    pub fn is_finished(&self) -> bool {
        self.open() == 0 && self.first_untouched == self.slots.len()
    }

    /// Returns the number of calls that are running, delayed or resumed.
    fn open(&self) -> usize {
        self.running + self.delayed.len() + self.resumed.len()
    }

    /// Something happens to a call that may start now.
    fn touch(&mut self, index: usize) {
        if !self.resumed.remove(&index) {
            self.first_untouched += 1;
            self.barrier_open = self.slots[index].sequential;
            self.skip_finished();
        }
    }

    fn skip_finished(&mut self) {
        while self
            .slots
            .get(self.first_untouched)
            .is_some_and(|slot| slot.state == CallState::Finished)
        {
            self.first_untouched += 1;
        }
    }
}

#[cfg(test)]
mod tests;
