//! Hears what comes in the inbox of a run: from who speaks in this process, from an approver, or through its store.

use std::time::SystemTime;

use super::Driver;
use crate::{
    runner::calls::Calls,
    store::{InboxContent, InboxItem},
};
use toolwright_core::run::{CallId, Resolution, Signal};

impl Driver<'_> {
    /// Tells the run what an item of its inbox says. One that came through a store has a place there, and counts once.
    pub(super) fn receive(
        &mut self,
        calls: Option<&mut Calls<'_>>,
        place: Option<u64>,
        item: InboxItem,
    ) {
        if let Some(place) = place
            && !self
                .keeper
                .as_mut()
                .is_some_and(|keeper| keeper.takes(place))
        {
            return;
        }
        if let InboxContent::Resolution(resolution) = item.content()
            && resolution.run_id() != self.run.id()
        {
            return self.below.passing.push(item);
        }
        // Who speaks here has heard already whether it is in time.
        let at = place.and_then(|_| item.at());
        match (item.into_content(), calls) {
            // The token of the run was cancelled when the item came.
            (InboxContent::Cancel, _) => self.cancellation.cancel(),
            (InboxContent::CancelAfterRound, _) => self.signal(Signal::CancelAfterRound),
            (InboxContent::Message(message), _) => self.signal(Signal::MessagePushed(message)),
            (InboxContent::Resolution(resolution), Some(calls))
                if self.is_awaited(&resolution) && !self.is_late(resolution.id(), at) =>
            {
                self.resolve(calls, &resolution);
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
        let is_changed = resolution.lets_run() && self.changed.contains(&id);
        let pending = self.run.pending_call(id);
        !is_changed && pending.is_some_and(|pending| resolution.is_for(&pending))
    }
}
