//! The form in which a batch is read: as results or as events.

use std::task::Context;

use crate::dispatch::event::{DispatchEvent, Unread};
use toolwright_core::tool::{Progress, ToolResult};

/// The form in which a batch is read.
pub(super) enum Reader {
    /// The results, in the order of the calls.
    Results(Results),
    /// Everything that happens, as it happens.
    Events(Unread),
}

impl Reader {
    /// A call has finished.
    #[inline]
    pub(super) fn finished(&mut self, index: usize, result: ToolResult) {
        match self {
            Self::Results(results) => results.put(index, result),
            Self::Events(unread) => unread.push(DispatchEvent::Finished { index, result }),
        }
    }

    /// Something else has happened.
    pub(super) fn happened(&mut self, event: impl FnOnce() -> DispatchEvent) {
        if let Self::Events(unread) = self {
            unread.push(event());
        }
    }

    /// Returns true if something is new since the last check.
    pub(super) fn has_news(&mut self) -> bool {
        match self {
            Self::Results(results) => std::mem::take(&mut results.is_new),
            Self::Events(unread) => !unread.is_empty(),
        }
    }

    /// Returns true if a running call has reported an update. Otherwise the task is woken when one does.
    pub(super) fn hears(&mut self, cx: &Context<'_>) -> bool {
        match self {
            Self::Results(_) => false,
            Self::Events(unread) => unread.hears(cx),
        }
    }

    /// Returns the progress sink of the call at `index`, which also reports to `others`.
    pub(super) fn progress(&self, index: usize, others: Progress) -> Progress {
        match self {
            Self::Results(_) => others,
            Self::Events(unread) => unread.progress(index, others),
        }
    }
}

/// The results of a batch, in the order of the calls. Calls start in their order, so that few places
/// are empty before the last one that is taken: those that wait for their turn take no room.
pub(super) struct Results {
    /// They are what is returned, as they are. A place that is empty has a result that takes no memory.
    places: Vec<ToolResult>,
    is_new: bool,
}

impl Results {
    /// The number of calls for which there is room from the beginning. Hardly a response has more.
    const ROOM: usize = 1024;

    pub(super) fn new(calls: usize) -> Self {
        Self {
            places: Vec::with_capacity(calls.min(Self::ROOM)),
            is_new: false,
        }
    }

    #[inline]
    pub(super) fn put(&mut self, index: usize, result: ToolResult) {
        self.is_new = true;
        if let Some(place) = self.places.get_mut(index) {
            *place = result;
            return;
        }
        if index > self.places.len() {
            self.places
                .resize_with(index, || ToolResult::error_message("", ""));
        }
        self.places.push(result);
    }

    /// The results, when every call has finished.
    pub(super) fn into_all(self) -> Vec<ToolResult> {
        self.places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_calls_whichever_finished_first() {
        let mut reader = Reader::Results(Results::new(5));
        assert!(!reader.has_news());
        for index in [3, 0, 4, 2, 1] {
            reader.finished(index, ToolResult::success(index.to_string(), index));
            assert!(reader.has_news() && !reader.has_news());
        }
        let Reader::Results(results) = reader else {
            unreachable!("it was made of results");
        };
        let ids: Vec<_> = results
            .into_all()
            .into_iter()
            .map(|result| result.call_id)
            .collect();
        assert_eq!(ids, ["0", "1", "2", "3", "4"]);
    }

    #[test]
    fn there_is_room_for_a_reply_and_not_for_all_that_might_come() {
        let room = |calls| Results::new(calls).places.capacity();
        assert!(room(3) < Results::ROOM);
        assert!((Results::ROOM..2 * Results::ROOM).contains(&room(1_000_000)));
    }
}
