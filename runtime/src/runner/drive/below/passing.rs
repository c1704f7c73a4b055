//! Passes on what is said to a run and is for one below it.

use std::{collections::BTreeSet, mem::take};

use crate::{
    runner::drive::Driver,
    store::{InboxContent, InboxItem},
};
use toolwright_core::run::{CallId, StoreError, StoreErrorKind};

/// What was said to a run and is for runs below it.
#[derive(Default)]
pub(in crate::runner::drive) struct Passing {
    /// What is to be put into their inboxes before anything is written.
    items: Vec<InboxItem>,
    /// The calls that run, and whose runs below were spoken to: one that is being suspended goes on.
    spoken: BTreeSet<CallId>,
    /// True if a call goes on.
    is_woken: bool,
}

impl Passing {
    /// Takes an item that is for another run.
    pub(in crate::runner::drive) fn push(&mut self, item: InboxItem) {
        self.items.push(item);
    }

    /// Returns true, once, if a run below a call was spoken to while the call ran.
    pub(super) fn was_spoken_to(&mut self, call: CallId) -> bool {
        self.spoken.remove(&call)
    }

    /// Returns true, once, if a call goes on.
    pub(in crate::runner::drive) fn take_woken(&mut self) -> bool {
        take(&mut self.is_woken)
    }
}

impl Driver<'_> {
    /// Puts what is for runs below into the inbox of the next run on the way there, each item once: its id is the same.
    /// This run says that it has taken them with the records that it writes after that.
    pub(in crate::runner::drive) async fn pass_on(&mut self) -> Result<(), StoreError> {
        for item in take(&mut self.below.passing.items) {
            let (InboxContent::Resolution(resolution), Some(keeper)) =
                (item.content(), &self.keeper)
            else {
                continue;
            };
            let next = keeper.next_below(resolution.run_id()).await;
            let Some((call, next)) = unless_damaged(next)?.flatten() else {
                // It is of no run below this one, or of one that cannot be read.
                continue;
            };
            // That one may be driven although the one below it is suspended, and passes it on.
            unless_damaged(keeper.put_below(&next, &item).await)?;
            if self.below.waiting.contains_key(&call) {
                self.go_on_below(call);
                self.below.passing.is_woken = true;
            } else if self.run.is_running(call) {
                self.below.passing.spoken.insert(call);
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
