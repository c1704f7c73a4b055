//! Hears what came through the inbox of a store.

use std::time::SystemTime;

use super::Driver;
use crate::{
    runner::calls::Calls,
    store::{InboxContent, Received},
};
use toolwright_core::{
    driver::Resolved,
    run::{CallId, Delay, Resolution, Signal},
};

impl Driver<'_> {
    /// Tells the run what an item of its inbox says, once.
    pub(super) fn receive(&mut self, calls: Option<&mut Calls<'_>>, received: Received) {
        let Some(keeper) = &mut self.keeper else {
            return;
        };
        if !keeper.takes(received.place) {
            return;
        }
        let at = received.item.at();
        if let InboxContent::Resolution(resolution) = received.item.content()
            && resolution.run_id != *self.run.id()
        {
            return self.below.passing.push(received.item);
        }
        match (received.item.into_content(), calls) {
            // The token of the run was cancelled when the item came.
            (InboxContent::Cancel, _) => self.cancellation.cancel(),
            (InboxContent::CancelAfterRound, _) => self.signal(Signal::CancelAfterRound),
            (InboxContent::Message(message), _) => self.signal(Signal::MessagePushed(message)),
            (InboxContent::Resolution(resolution), Some(calls))
                if self.is_awaited(&resolution) && !self.is_late(resolution.id(), at) =>
            {
                self.resolve(calls, resolution.id, resolution.resolved);
            }
            (InboxContent::Resolution(_), _) => {}
        }
    }

    /// Returns true if the time of a call was over when somebody spoke of it.
    fn is_late(&self, call: CallId, at: Option<SystemTime>) -> bool {
        let (time, since) = (self.run.config().pending_time, self.waited.get(&call));
        let (Some(time), Some(since), Some(at)) = (time, since, at) else {
            return false;
        };
        // A clock that was set back expires nothing.
        at.duration_since(*since).is_ok_and(|waited| waited > time)
    }

    /// Returns true if a call waits for this: the same call, to the byte of its arguments, and, if it is to run, of the tool
    /// that whoever decided was shown.
    fn is_awaited(&self, resolution: &Resolution) -> bool {
        let id = resolution.id();
        let waits_for = |(call, why): (CallId, &Delay)| {
            call == id
                && match resolution.resolved {
                    Resolved::Decision(_) => *why == Delay::Approval,
                    Resolved::Answer(_) => *why == Delay::External,
                }
        };
        let is_changed = resolution.lets_run() && self.changed.contains(&id);
        let call = self.run.call(id);
        !is_changed
            && resolution.holds_for(self.run.asked_before(id))
            && resolution.run_id == *self.run.id()
            && call.is_some_and(|call| resolution.is_of(call))
            && self.run.delayed().any(waits_for)
    }
}
