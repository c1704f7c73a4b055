//! Calls that wait since a run below them is suspended, or only waits for people.

use std::task::Waker;

use super::RunNode;
use toolwright_core::run::{CallId, PendingCall};

/// Says above that a run is under way, and whether it waits for nothing but people, until it is dropped.
pub(in crate::runner) struct Waits(RunNode);

impl Waits {
    pub(in crate::runner) fn set(&self, waits: bool) {
        self.put(Some(waits));
    }

    /// Wakes the run above if it has to look again: this one may be in another task.
    fn put(&self, now: Option<bool>) {
        let Some(by) = &self.0.0.started_by else {
            return;
        };
        let Some(above) = &by.above else {
            return;
        };
        let mut above = above.lock();
        let key = (by.call, by.number);
        let before = match now {
            Some(waits) => above.people.insert(key, waits),
            None => above.people.remove(&key),
        };
        if before != now
            && let Some(driver) = above.driver.take()
        {
            drop(above);
            driver.wake();
        }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.put(None);
    }
}

impl RunNode {
    /// Says above that this run is under way.
    pub(in crate::runner) fn waits(self) -> Waits {
        let waits = Waits(self);
        waits.set(false);
        waits
    }

    /// Wakes this when another run below waits for nothing but people, or none of those that did does so any more.
    pub(in crate::runner) fn wake_for_waits(&self, driver: &Waker) {
        let mut here = self.lock();
        if !(here.driver.as_ref()).is_some_and(|known| known.will_wake(driver)) {
            here.driver = Some(driver.clone());
        }
    }

    /// Returns true if a call has runs below, all of which wait for nothing but people.
    pub(in crate::runner) fn waits_below(&self, call: CallId) -> bool {
        let here = self.lock();
        let mut runs = here.people.range((call, 0)..=(call, u64::MAX)).peekable();
        runs.peek().is_some() && runs.all(|(_, waits)| *waits)
    }

    /// The calls that wait in suspended runs below, if the attempt of a call that has ended has left any.
    pub(in crate::runner) fn take_waiting(&self, call: CallId) -> Option<Vec<PendingCall>> {
        self.lock().waiting.remove(&call)
    }

    /// Says that a call goes on with the runs that it has started: they have the same numbers.
    pub(in crate::runner) fn goes_on(&self, call: CallId) {
        self.lock().started.remove(&call);
    }
}
