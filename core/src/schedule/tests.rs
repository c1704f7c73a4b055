//! The schedule in every state that it can be in.

use std::collections::HashSet;

use super::*;

/// A schedule, and what the test itself remembers of it.
#[derive(Clone)]
struct World {
    schedule: Schedule,
    sequential: Vec<bool>,
    /// Whether something has happened to a call.
    touched: Vec<bool>,
    finished: Vec<bool>,
    /// How many more attempts may fail and be repeated.
    retries: u8,
    /// How many more calls may be delayed before they start.
    delays: u8,
    cancelled: bool,
}

impl World {
    fn new(concurrency: usize, sequential: Vec<bool>) -> Self {
        let bound = NonZeroUsize::new(concurrency).expect("from 1");
        let budget = if sequential.len() < 5 { 2 } else { 1 };
        Self {
            schedule: Schedule::new(bound, sequential.iter().copied()),
            touched: vec![false; sequential.len()],
            finished: vec![false; sequential.len()],
            sequential,
            retries: budget,
            delays: budget,
            cancelled: false,
        }
    }

    /// Where the call stands for the test.
    fn is(&self, index: usize, state: CallState) -> bool {
        self.schedule.state(index) == Some(state)
    }

    /// What tells worlds of one exploration apart. How often a finished call started does not.
    fn key(&self) -> u64 {
        let calls = (0..self.sequential.len()).fold(0, |key, index| {
            let state = match self.schedule.state(index).expect("is there") {
                CallState::Waiting => u64::from(self.touched[index]),
                CallState::Running => 2,
                CallState::Delayed => 3,
                CallState::Finished => 4,
            };
            let again = u64::from(!self.finished[index] && self.schedule.attempt(index) > 1);
            key << 4 | state << 1 | again
        });
        let rest = u64::from(self.retries) << 3 | u64::from(self.delays) << 1;
        calls << 8 | rest | u64::from(self.cancelled)
    }

    /// The calls that may start, by the rules as they are written down.
    fn expected(&self) -> Vec<usize> {
        let calls = 0..self.sequential.len();
        let running = calls.clone().filter(|&i| self.is(i, CallState::Running));
        let places = self.schedule.concurrency.get() - running.count();
        let mut expected = Vec::new();
        for index in calls.filter(|&i| self.is(i, CallState::Waiting)) {
            let mut before = 0..index;
            let behind_a_barrier = before
                .clone()
                .any(|i| self.sequential[i] && !self.finished[i]);
            let alone = before.all(|i| self.finished[i]);
            let barred = behind_a_barrier || self.sequential[index] && !alone;
            if expected.len() == places || barred && !self.touched[index] {
                break;
            }
            expected.push(index);
        }
        expected
    }

    fn check(&self) {
        let expected = self.expected();
        let schedule = &self.schedule;
        assert_eq!(schedule.startable().collect::<Vec<_>>(), expected);
        assert_eq!(schedule.next(), expected.first().copied());
        let running: Vec<_> = schedule.in_state(CallState::Running).collect();
        assert!(running.len() <= schedule.concurrency.get());
        assert_eq!(schedule.running(), running.len());
        for index in 0..self.sequential.len() {
            assert_eq!(self.is(index, CallState::Finished), self.finished[index]);
            let open = self.touched[index] && !self.finished[index];
            if open && self.sequential[index] {
                assert!((0..index).all(|before| self.finished[before]));
                let mut after = index + 1..self.sequential.len();
                assert!(after.all(|after| !self.touched[after] || self.finished[after]));
            }
        }
        let mut open = (0..self.sequential.len())
            .filter(|&i| !self.finished[i] && !self.is(i, CallState::Running));
        assert_eq!(schedule.first_not_running(), open.next());
        assert_eq!(schedule.is_finished(), self.finished.iter().all(|&is| is));
    }

    fn with(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut next = self.clone();
        change(&mut next);
        next
    }

    fn finish(&mut self, index: usize) {
        assert!(!self.finished[index], "it finishes once");
        self.finished[index] = true;
        self.schedule.finish(index);
    }

    fn successors(&self) -> Vec<Self> {
        let mut next = Vec::new();
        if let Some(index) = self.expected().first().copied() {
            next.push(self.with(|world| {
                let attempts = world.schedule.attempt(index);
                assert_eq!(world.schedule.start(), Some(index));
                assert_eq!(world.schedule.attempt(index), attempts + 1);
                world.touched[index] = true;
            }));
            if self.delays > 0 {
                next.push(self.with(|world| {
                    world.schedule.delay(index);
                    world.touched[index] = true;
                    world.delays -= 1;
                }));
            }
        } else {
            let waiting = self.schedule.in_state(CallState::Waiting);
            for index in waiting.filter(|&index| !self.touched[index]) {
                let same = self.with(|world| world.schedule.delay(index));
                assert_eq!(same.schedule, self.schedule, "it is not its turn");
            }
        }
        for index in self.schedule.in_state(CallState::Running) {
            next.push(self.with(|world| world.finish(index)));
            if self.retries > 0 && !self.cancelled {
                next.push(self.with(|world| {
                    world.schedule.delay(index);
                    world.retries -= 1;
                }));
            }
        }
        for index in self.schedule.in_state(CallState::Delayed) {
            next.push(self.with(|world| world.schedule.resume(index)));
        }
        if !self.cancelled && !self.schedule.is_finished() {
            next.push(self.with(|world| {
                world.cancelled = true;
                while let Some(index) = world.schedule.first_not_running() {
                    world.finish(index);
                }
            }));
        }
        next
    }
}

/// Every order of starts, failures that are repeated, delays before a start and ends, and a cancel at
/// every point, for every set of up to five calls, with every choice of barriers and every bound: what
/// may start is what the rules say, each call finishes once, and nothing is left over or stuck.
#[test]
fn every_order_keeps_the_rules() {
    let mut states = 0;
    for calls in 0..=5_u32 {
        for barriers in 0..1_u32 << calls {
            let sequential: Vec<_> = (0..calls).map(|i| barriers >> i & 1 == 1).collect();
            for concurrency in 1..=calls.max(1) as usize {
                let mut seen = HashSet::new();
                let mut open = vec![World::new(concurrency, sequential.clone())];
                while let Some(world) = open.pop() {
                    if seen.insert(world.key()) {
                        world.check();
                        let next = world.successors();
                        assert_eq!(next.is_empty(), world.schedule.is_finished());
                        open.extend(next);
                    }
                }
                states += seen.len();
            }
        }
    }
    assert!(states > 80_000, "explored {states} states");
}

#[test]
fn a_hundred_thousand_calls_take_no_search() {
    let bound = NonZeroUsize::new(8).expect("is not 0");
    let mut schedule = Schedule::new(bound, (0..100_000).map(|_| false));
    // Every call is delayed before it starts, as by a rate limit, then every second one again.
    while let Some(index) = schedule.next() {
        schedule.delay(index);
    }
    (0..100_000).for_each(|index| schedule.resume(index));
    while let Some(index) = schedule.start() {
        if index % 2 == 0 && schedule.attempt(index) == 1 {
            schedule.delay(index);
            schedule.resume(index);
        } else {
            schedule.finish(index);
        }
    }
    assert!(schedule.is_finished());
    assert_eq!(size_of::<Slot>(), 8);
}

#[test]
fn what_there_is_not_is_no_mistake() {
    let mut schedule = Schedule::new(NonZeroUsize::MIN, [false]);
    let before = schedule.clone();
    for index in [1, usize::MAX] {
        schedule.delay(index);
        schedule.resume(index);
        schedule.finish(index);
        assert_eq!(schedule.attempt(index), 0);
    }
    schedule.resume(0);
    assert_eq!(schedule, before);
}
