//! Who waits for news of a run.

use std::{collections::BTreeMap, task::Waker};

use super::MemoryStore;
use toolwright_core::run::RunId;

/// What a waiter waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum News {
    /// Items of the inbox, or the end of the run.
    Items,
    /// Entries of the log, or a run that is not open.
    Entries,
}

impl News {
    pub(super) const ALL: &[Self] = &[Self::Items, Self::Entries];
}

/// Those who wait, by what they wait for. A change of one run wakes no waiter of another.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    wakers: BTreeMap<(RunId, News), BTreeMap<u64, Waker>>,
    /// The number of the one who came last.
    last: u64,
}

impl Waiting {
    /// Takes those who wait for this of a run, to wake them.
    pub(super) fn take(&mut self, run: &RunId, news: &[News]) -> Vec<Waker> {
        let mut taken = Vec::new();
        for news in news {
            let wakers = self.wakers.remove(&(run.clone(), *news));
            taken.extend(wakers.unwrap_or_default().into_values());
        }
        taken
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.wakers.is_empty()
    }
}

/// The place of a waiter, which is freed on drop.
pub(super) struct Seat<'a> {
    store: &'a MemoryStore,
    awaited: (RunId, News),
    number: Option<u64>,
}

impl<'a> Seat<'a> {
    pub(super) fn new(store: &'a MemoryStore, run: &RunId, news: News) -> Self {
        Self {
            store,
            awaited: (run.clone(), news),
            number: None,
        }
    }

    pub(super) fn take(&mut self, waiting: &mut Waiting, waker: &Waker) {
        let number = *self.number.get_or_insert_with(|| {
            waiting.last += 1;
            waiting.last
        });
        let wakers = waiting.wakers.entry(self.awaited.clone()).or_default();
        wakers.insert(number, waker.clone());
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let Some(number) = self.number else {
            return;
        };
        let waiting = &mut self.store.0.lock().waiting;
        if let Some(wakers) = waiting.wakers.get_mut(&self.awaited) {
            wakers.remove(&number);
            if wakers.is_empty() {
                waiting.wakers.remove(&self.awaited);
            }
        }
    }
}
