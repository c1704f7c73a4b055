//! The runs that are woken: each by one task, however many items it gets.

use std::{collections::HashMap, sync::Arc};

use toolwright_core::{driver::Mutex, run::RunId};

/// The most runs that are woken at once. Items of another run are taken when its driver polls, or by a process that
/// recovers runs.
const MOST: usize = 1024;

/// The runs that are woken, and whether each got an item since its inbox was checked.
#[derive(Clone, Default)]
pub(in crate::runner) struct Wakers(Arc<Mutex<HashMap<RunId, bool>>>);

/// The place of the one who wakes a run, until it is dropped: also where its task panics.
pub(in crate::runner) struct Waker {
    all: Wakers,
    /// `None` once the place is left.
    run: Option<RunId>,
}

impl Wakers {
    /// The place of the one who wakes a run. `None` if another task has it, which then checks once more, or if too many
    /// are being resumed.
    pub(in crate::runner) fn wake(&self, run: &RunId) -> Option<Waker> {
        let mut runs = self.0.lock();
        if let Some(again) = runs.get_mut(run) {
            *again = true;
            return None;
        }
        if runs.len() >= MOST {
            return None;
        }
        runs.insert(run.clone(), false);
        Some(Waker {
            all: self.clone(),
            run: Some(run.clone()),
        })
    }
}

impl Waker {
    /// Frees the slot, unless an item came since the last check.
    pub(in crate::runner) fn again(mut self) -> Option<Self> {
        let mut runs = self.all.0.lock();
        if let Some(again) = self.run.as_ref().and_then(|run| runs.get_mut(run))
            && std::mem::take(again)
        {
            drop(runs);
            return Some(self);
        }
        // Under the same lock, so that a new item finds the slot free.
        if let Some(run) = self.run.take() {
            runs.remove(&run);
        }
        None
    }
}

impl Drop for Waker {
    fn drop(&mut self) {
        if let Some(run) = self.run.take() {
            self.all.0.lock().remove(&run);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_woken_by_one_who_looks_again() {
        let (all, run) = (Wakers::default(), RunId::new("a"));
        let waker = all.wake(&run).unwrap();
        assert!(all.wake(&RunId::new("b")).is_some());
        assert!(all.wake(&run).is_none() && all.wake(&run).is_none());
        let waker = waker.again().unwrap();
        assert!(waker.again().is_none());
        // A task that ended without a result has freed its slot as well.
        drop(all.wake(&run).unwrap());
        assert!(all.wake(&run).is_some());
        assert!(all.0.lock().is_empty());
    }

    #[test]
    fn so_many_runs_are_woken() {
        let all = Wakers::default();
        let run = |number: usize| RunId::new(number.to_string());
        let wakers: Vec<_> = (0..MOST)
            .map(|number| all.wake(&run(number)).unwrap())
            .collect();
        assert!(all.wake(&run(MOST)).is_none());
        drop(wakers);
        assert!(all.wake(&run(MOST)).is_some());
    }
}
