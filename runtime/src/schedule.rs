//! Which call of a batch may start next.

use std::num::NonZeroUsize;

/// Which call of a batch may start next: a bound on how many run at once, and barriers.
///
/// Calls start in their order. A sequential call is a barrier: it waits until nothing runs, and
/// nothing starts while it runs. It is a value that decides and does nothing: no clock, no task, no
/// lock. [`Run`](crate::Run) holds one for each round and a dispatched batch holds one of its own.
///
/// ```
/// use std::num::NonZeroUsize;
/// use toolwright_runtime::Schedule;
///
/// let two = NonZeroUsize::new(2).unwrap();
/// let mut schedule = Schedule::new(two, [false, false, true, false]);
/// assert_eq!((schedule.start(), schedule.start(), schedule.start()), (Some(0), Some(1), None));
/// schedule.finish(1);
/// assert_eq!(schedule.start(), None, "call 2 is a barrier");
/// schedule.finish(0);
/// assert_eq!((schedule.start(), schedule.start()), (Some(2), None));
/// schedule.finish(2);
/// assert_eq!(schedule.start(), Some(3));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Schedule {
    slots: Vec<Slot>,
    /// No call before this one waits.
    first_waiting: usize,
    running: usize,
    sequential_running: bool,
    concurrency: NonZeroUsize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Slot {
    state: CallState,
    sequential: bool,
}

/// Where a call of a [`Schedule`] stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallState {
    /// It has not started.
    Waiting,
    /// It has started and not finished.
    Running,
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
            })
            .collect();
        Self {
            slots,
            first_waiting: 0,
            running: 0,
            sequential_running: false,
            concurrency,
        }
    }

    /// The call that may start now, if one may.
    pub fn next(&self) -> Option<usize> {
        let slot = self.slots.get(self.first_waiting)?;
        let free = self.running < self.concurrency.get() && !self.sequential_running;
        (free && (!slot.sequential || self.running == 0)).then_some(self.first_waiting)
    }

    /// The calls that may start now, in order.
    pub fn startable(&self) -> impl Iterator<Item = usize> {
        let waiting = self.slots.iter().enumerate().skip(self.first_waiting);
        waiting
            .filter(|(_, slot)| slot.state == CallState::Waiting)
            .scan(
                (self.running, self.sequential_running),
                |(running, alone), (index, slot)| {
                    let free = *running < self.concurrency.get() && !*alone;
                    if !free || (slot.sequential && *running > 0) {
                        return None;
                    }
                    *running += 1;
                    *alone = slot.sequential;
                    Some(index)
                },
            )
    }

    /// Starts the call that may start now, if one may, and says which.
    pub fn start(&mut self) -> Option<usize> {
        let index = self.next()?;
        self.slots[index].state = CallState::Running;
        self.running += 1;
        self.sequential_running = self.slots[index].sequential;
        self.skip_to_waiting();
        Some(index)
    }

    /// Takes note that a call has finished, or that one that waits will not start.
    pub fn finish(&mut self, index: usize) {
        let Some(slot) = self.slots.get_mut(index) else {
            return;
        };
        if slot.state == CallState::Running {
            self.running -= 1;
            self.sequential_running = false;
        }
        slot.state = CallState::Finished;
        self.skip_to_waiting();
    }

    /// Where a call stands; `None` if there is no such call.
    pub fn state(&self, index: usize) -> Option<CallState> {
        self.slots.get(index).map(|slot| slot.state)
    }

    /// The calls in a state, in order.
    pub fn in_state(&self, state: CallState) -> impl Iterator<Item = usize> {
        self.slots
            .iter()
            .enumerate()
            .filter(move |(_, slot)| slot.state == state)
            .map(|(index, _)| index)
    }

    /// Whether every call has finished.
    pub fn is_finished(&self) -> bool {
        self.running == 0 && self.first_waiting == self.slots.len()
    }

    fn skip_to_waiting(&mut self) {
        while self
            .slots
            .get(self.first_waiting)
            .is_some_and(|slot| slot.state != CallState::Waiting)
        {
            self.first_waiting += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Every order of starts and finishes of every set of up to five calls, with every choice of
    /// barriers and every bound: the bound and the barriers hold, the calls start in order, and
    /// nothing is left over.
    #[test]
    fn every_order_keeps_the_bound_and_the_barriers() {
        let mut states = 0;
        for calls in 0..=5_u32 {
            for barriers in 0..1_u32 << calls {
                let sequential: Vec<_> = (0..calls).map(|i| barriers >> i & 1 == 1).collect();
                for concurrency in 1..=calls.max(1) as usize {
                    let bound = NonZeroUsize::new(concurrency).expect("from 1");
                    states += explore(
                        &Schedule::new(bound, sequential.iter().copied()),
                        &sequential,
                    );
                }
            }
        }
        assert!(states > 1_000, "explored {states} states");
    }

    fn explore(start: &Schedule, sequential: &[bool]) -> usize {
        let mut seen = HashSet::new();
        let mut open = vec![start.clone()];
        while let Some(schedule) = open.pop() {
            if !seen.insert(schedule.clone()) {
                continue;
            }
            let running: Vec<_> = schedule.in_state(CallState::Running).collect();
            assert!(running.len() <= schedule.concurrency.get());
            assert!(running.len() <= 1 || running.iter().all(|&index| !sequential[index]));
            let mut moves = 0;
            let mut started = schedule.clone();
            let startable: Vec<_> = schedule.startable().collect();
            assert_eq!(
                startable,
                std::iter::from_fn(|| started.start()).collect::<Vec<_>>()
            );
            let mut started = schedule.clone();
            if let Some(index) = started.start() {
                assert!(
                    schedule
                        .in_state(CallState::Waiting)
                        .all(|waiting| waiting >= index)
                );
                open.push(started);
                moves += 1;
            }
            for index in running {
                let mut finished = schedule.clone();
                finished.finish(index);
                open.push(finished);
                moves += 1;
            }
            assert_eq!(moves == 0, schedule.is_finished(), "stuck: {schedule:?}");
        }
        seen.len()
    }
}
