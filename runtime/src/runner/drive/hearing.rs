//! Receives the inbox items of a run, from this process, an approver or the store, and the events of its calls.

use std::future::poll_fn;

use futures_util::FutureExt;

use super::{Driver, call_runner::since};
use crate::{
    dispatch::Released,
    runner::{begin::Resumed, calls::Happened},
    store::{InboxContent, InboxItem, RunStatus},
};
use toolwright_core::run::{CallId, Signal};

impl Driver<'_> {
    /// Goes on where a stored run stopped.
    pub(super) fn go_on(&mut self, mut resumed: Resumed) {
        let offered = self.requester.offered_before(self.journal.run());
        (self.calls).resume(self.journal.run(), &offered, &mut resumed);
        let waited = resumed.model_delayed.as_ref().map(since);
        self.requester.resume(waited.unwrap_or_default());
        if self.journal.keeper().is_some() {
            let suspended = resumed.found == RunStatus::Suspended;
            self.journal.signal(Signal::Resumed { suspended });
        }
        self.journal.signal(Signal::Interrupted);
        self.calls.revoke_approvals(&mut self.journal);
        for resolution in std::mem::take(&mut resumed.resolved) {
            let item = InboxItem::new(InboxContent::Resolution(resolution));
            self.receive(None, item);
        }
        for received in std::mem::take(&mut resumed.received) {
            self.receive(Some(received.place), received.item);
        }
        self.calls.go_on(&mut self.journal, &resumed);
    }

    /// Hears what is in the inbox of the run.
    pub(super) fn hear(&mut self) {
        while !self.journal.run().is_over()
            && let Some((place, item)) = self.listener.take()
        {
            self.receive(place, item);
        }
    }

    /// Hears what the inbox of the run has in its store now.
    pub(super) async fn hear_store(&mut self) {
        let is_late = self.journal.run().is_late();
        let items = self.listener.answer(is_late, self.journal.inbox());
        match items.await {
            Ok(items) => items.into_iter().for_each(|received| {
                self.receive(Some(received.place), received.item);
            }),
            Err(error) => self.journal.lose(error),
        }
    }

    /// Tells the run what an item of its inbox says. One that came through a store has a place there, and counts once.
    fn receive(&mut self, place: Option<u64>, item: InboxItem) {
        if place.is_some_and(|place| !self.journal.takes(place)) {
            return;
        }
        if let InboxContent::Resolution(resolution) = item.content()
            && resolution.run_id() != self.journal.run().id()
        {
            return self.calls.take_for_below(item);
        }
        // A sender in this process knows already whether the item is in time.
        let at = place.and_then(|_| item.at());
        match item.into_content() {
            // The token of the run was cancelled when the item came.
            InboxContent::Cancel => self.listener.cancellation().cancel(),
            InboxContent::CancelAfterRound => self.journal.signal(Signal::CancelAfterRound),
            InboxContent::Message(message) => self.journal.signal(Signal::MessagePushed(message)),
            InboxContent::Resolution(resolution) => {
                if self.calls.awaits(self.journal.run(), &resolution, at) {
                    // What an approver has said has ended its question.
                    if place.is_some() {
                        self.calls.withdraw(resolution.id());
                    }
                    self.calls.resolve(&mut self.journal, &resolution);
                }
            }
        }
    }

    /// Tells the run what happened to a call.
    pub(super) fn happened(&mut self, happened: Happened) {
        match happened {
            Happened::Ended(id, end) => {
                let interruption = self.listener.interruption();
                let is_late = matches!(interruption, Some(Signal::TimeLimitReached));
                (self.calls).finished(&mut self.journal, id, end, is_late);
            }
            Happened::Released(Released::Waited(id)) => {
                self.journal.signal(Signal::CallResumed(id));
            }
            Happened::Released(Released::Decided(id, decision)) => {
                if let Some(pending) = self.journal.run().pending_call(id) {
                    let content = InboxContent::Resolution(pending.decide(decision));
                    // A run whose calls are asked about is not over.
                    let _ = self.listener.inbox().say(content);
                    self.hear();
                }
            }
        }
    }

    /// The time of a call that waits is over. Items that came in time are taken first.
    pub(super) async fn expire(&mut self, id: CallId) {
        self.hear_store().await;
        self.calls.expire(&mut self.journal, id);
    }

    /// Takes what is ready of the calls.
    pub(super) async fn take_ready(&mut self) {
        while let Some(happened) = poll_fn(|cx| self.calls.poll_next(cx)).now_or_never() {
            self.hear();
            self.happened(happened);
            self.budget.step().await;
        }
    }

    /// Stops running calls, and signals the reason to the run.
    pub(super) async fn interrupt(&mut self, signal: Signal) {
        if self.calls.is_closing() {
            return self.stop(signal);
        }
        self.calls.stop();
        // What the application has answered by now has finished as well.
        self.hear();
        // Ready calls have finished, and a notified tool may send a last update.
        self.take_ready().await;
        self.stop(signal);
        self.calls.close();
    }

    /// Tells the run that it is cancelled, or that its time is up.
    pub(super) fn stop(&mut self, signal: Signal) {
        let limits = self.journal.run().config().limits;
        self.listener.told(&signal, &limits);
        self.journal.signal(signal);
    }
}
