//! Receives the inbox items of a run, from this process, an approver or the store, and the events of its calls.

use std::{
    future::{Future, poll_fn},
    pin::pin,
};

use futures_util::FutureExt;

use super::{Driver, call_runner::since};
use crate::{
    dispatch::Released,
    runner::{begin::Resumed, calls::Happened},
    store::{InboxContent, InboxItem, RunStatus},
};
use toolwright_core::{
    UserMessage,
    run::{CallId, Signal},
    tool::{BoxFuture, Decision},
};

impl Driver<'_> {
    /// Goes on where a stored run stopped.
    pub(super) fn go_on(&mut self, mut resumed: Resumed) -> BoxFuture<'_, ()> {
        Box::pin(async move {
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
                self.check_and_receive(Some(received.place), received.item)
                    .await;
            }
            // A call of a run that is cancelled is told that.
            if self.listener.interruption().is_some() {
                resumed.expired.clear();
            }
            self.calls.go_on(&mut self.journal, &resumed);
        })
    }

    /// Hears what is in the inbox of the run.
    pub(super) async fn hear(&mut self) {
        while !self.journal.run().is_over()
            && let Some((place, item)) = self.listener.take()
        {
            self.check_and_receive(place, item).await;
        }
    }

    /// Hears what the inbox of the run has in its store now.
    pub(super) async fn hear_store(&mut self) {
        let is_late = self.journal.run().is_late();
        let items = self.listener.answer(is_late, self.journal.inbox());
        match items.await {
            Ok(items) => {
                for received in items {
                    self.check_and_receive(Some(received.place), received.item)
                        .await;
                }
            }
            Err(error) => self.journal.lose(error),
        }
    }

    /// Takes an item, of a message what the checks of the application leave of it.
    async fn check_and_receive(&mut self, place: Option<u64>, item: InboxItem) {
        let message = match item.content() {
            InboxContent::Message(message) if !item.is_checked() => message,
            _ => return self.receive(place, item),
        };
        let is_taken = place.is_some_and(|place| self.journal.has_taken(place));
        if is_taken || !self.checker.checks(message) {
            return self.receive(place, item);
        }
        let message = message.clone();
        self.check(place, item, message).await;
    }

    /// Takes what the checks of the application leave of a message.
    fn check(
        &mut self,
        place: Option<u64>,
        item: InboxItem,
        message: UserMessage,
    ) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            // Without a store nobody else has it: it is given back also if the run ends before its check does.
            if place.is_none() {
                self.unread.push(message.clone());
            }
            let checked = {
                let (calls, check) = (&mut self.calls, self.checker.check(message.clone()));
                let mut check = pin!(check);
                // Calls that run go on meanwhile.
                let checked = poll_fn(|cx| {
                    let checked = check.as_mut().poll(cx);
                    if checked.is_pending() {
                        calls.poll_beside(cx);
                    }
                    checked
                });
                self.listener.unless_interrupted(checked).await
            };
            match checked {
                Ok(message) => {
                    if place.is_none() {
                        self.unread.pop();
                    }
                    self.receive(place, item.of_checked(message));
                }
                // It comes too late, as one that is pushed now.
                Err(_) => {
                    if place.is_some_and(|place| self.journal.takes(place)) {
                        self.unread.push(message);
                    }
                }
            }
        })
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
        let at = place.map(|_| item.at());
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
    pub(super) async fn happened(&mut self, happened: Happened) {
        match happened {
            Happened::Ended(id, end) => {
                let interruption = self.listener.interruption();
                let is_late = matches!(interruption, Some(Signal::TimeLimitReached));
                (self.calls).finished(&mut self.journal, id, end, is_late);
            }
            Happened::Checkpoint(request) => self.journal.checkpoint(request),
            Happened::Released(Released::Waited(id)) => {
                self.journal.signal(Signal::CallResumed(id));
            }
            Happened::Released(Released::Checked(id, found)) => {
                self.calls.checked(&mut self.journal, id, found);
            }
            Happened::Released(Released::Decided(id, decision)) => {
                if let Some(pending) = self.journal.run().pending_call(id) {
                    // What does not fit is not heard, and nobody is asked again.
                    let unfit = pending.check(&decision).err();
                    let decision = unfit.map_or(decision, |error| Decision::deny(error.message));
                    let content = InboxContent::Resolution(pending.decide(decision));
                    // A run whose calls are asked about is not over.
                    let _ = self.listener.inbox().say(content);
                    self.hear().await;
                }
            }
        }
    }

    /// The time of a call that waits is over. Items that came in time are taken first.
    pub(super) fn expire(&mut self, id: CallId) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.hear_store().await;
            if self.listener.interruption().is_none() {
                self.calls.expire(&mut self.journal, id);
            }
        })
    }

    /// Takes what is ready of the calls, up to a checkpoint: a call that makes one after the other is always ready.
    pub(super) async fn take_ready(&mut self) {
        while let Some(happened) = poll_fn(|cx| self.calls.poll_next(cx)).now_or_never() {
            let goes_on = matches!(happened, Happened::Checkpoint(_));
            self.hear().await;
            self.happened(happened).await;
            self.budget.step().await;
            if goes_on {
                return;
            }
        }
    }

    /// Stops running calls, and signals the reason to the run.
    pub(super) fn interrupt(&mut self, signal: Signal) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if self.calls.is_closing() {
                return self.stop(signal);
            }
            self.calls.stop();
            // What the application has answered by now has finished as well.
            self.hear().await;
            // Ready calls have finished, and a notified tool may send a last update.
            self.take_ready().await;
            self.stop(signal);
            self.calls.close();
        })
    }

    /// Tells the run that it is cancelled, or that its time is up.
    pub(super) fn stop(&mut self, signal: Signal) {
        let limits = self.journal.run().config().limits;
        self.listener.told(&signal, &limits);
        self.journal.signal(signal);
    }
}
