//! Calls whose runs below are suspended, and the items for these runs.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem::take,
};

use super::{CallRunner, Journal};
use crate::store::{InboxContent, InboxItem};
use toolwright_core::run::{CallId, Delay, PendingCall, Signal, StoreError, StoreErrorKind};

/// The calls of a run whose runs below are suspended.
#[derive(Default)]
pub(super) struct Below {
    /// With the calls there that wait.
    waiting: BTreeMap<CallId, Vec<PendingCall>>,
    /// What is to be put into the inboxes of runs below before anything is written.
    items: Vec<InboxItem>,
    /// Running calls whose runs below got an item: one that is being suspended resumes.
    spoken: BTreeSet<CallId>,
    /// True if a call goes on.
    is_woken: bool,
}

impl Below {
    /// The calls of runs below that wait.
    pub(super) fn calls(&self) -> impl Iterator<Item = &PendingCall> {
        self.waiting.values().flatten()
    }

    /// Takes an item that is for another run.
    pub(super) fn push(&mut self, item: InboxItem) {
        self.items.push(item);
    }
}

impl CallRunner<'_> {
    /// Lets a call wait whose attempt has ended since a run below is suspended. It gives `false` if there is none, or if
    /// the call cannot go on with it.
    pub(super) fn waits_below(&mut self, journal: &mut Journal, id: CallId) -> bool {
        let Some(pending) = self.node.take_waiting(id) else {
            return false;
        };
        let calls = pending.iter().map(PendingCall::as_recorded).collect();
        let spent = Box::new(self.node.spent_by(id).unwrap_or_default());
        journal.signal(Signal::CallDelayed(id, Delay::Below { calls, spent }));
        if !journal.run().is_delayed(id) {
            return false;
        }
        self.node.note(journal.run());
        self.below.waiting.insert(id, pending);
        if self.below.spoken.remove(&id) {
            self.go_on_below(journal, id);
        }
        true
    }

    /// Lets a call go on whose runs below were suspended.
    pub(super) fn go_on_below(&mut self, journal: &mut Journal, id: CallId) {
        self.below.waiting.remove(&id);
        self.node.goes_on(id);
        journal.signal(Signal::CallResumed(id));
    }

    /// Returns true, once, if a call resumes whose run below got an item.
    pub(in crate::runner::drive) fn take_woken(&mut self) -> bool {
        take(&mut self.below.is_woken)
    }

    /// Puts what is for runs below into the inbox of the next run on the way there, each item once: its id is the same.
    /// This run says that it has taken them with the records that it writes after that.
    pub(in crate::runner::drive) async fn pass_on(
        &mut self,
        journal: &mut Journal,
    ) -> Result<(), StoreError> {
        for item in take(&mut self.below.items) {
            let (InboxContent::Resolution(resolution), Some(keeper)) =
                (item.content(), journal.keeper())
            else {
                continue;
            };
            let target = resolution.run_id();
            let next = match keeper.next_below(target).await {
                // A newer program finds it there.
                Err(error) if error.kind == StoreErrorKind::Newer => {
                    unless_damaged(keeper.put_below(target, &item).await)?;
                    continue;
                }
                next => next,
            };
            let Some((call, next)) = unless_damaged(next)?.flatten() else {
                // It is of no run below this one, or of one that cannot be read.
                continue;
            };
            // That one may be driven although the one below it is suspended, and passes it on.
            unless_damaged(keeper.put_below(&next, &item).await)?;
            if self.below.waiting.contains_key(&call) {
                self.go_on_below(journal, call);
                self.below.is_woken = true;
            } else if journal.run().is_running(call) {
                self.below.spoken.insert(call);
            }
        }
        Ok(())
    }
}

/// A run below that is damaged is no damage of this one: its call says what is wrong with it.
fn unless_damaged<T>(done: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match done {
        Err(error) if matches!(error.kind, StoreErrorKind::Corrupt | StoreErrorKind::Newer) => {
            Ok(None)
        }
        done => done.map(Some),
    }
}
