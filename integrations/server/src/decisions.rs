//! Decisions and answers as items of an inbox.

use toolwright_core::run::{PendingCall, Resolution};
use toolwright_runtime::{
    RunEvent,
    store::{InboxContent, InboxItem},
};
use toolwright_streams::UiMessageStream;

/// The call with this id, if it is one of them. The id of a call of a run below is its place, such as `0.1 > 0.0`.
pub(crate) fn find<'a>(waiting: &'a [PendingCall], id: &str) -> Option<&'a PendingCall> {
    waiting.iter().find(|call| call.place() == id)
}

/// Takes events that a client has.
pub(crate) fn catch_up(stream: &mut UiMessageStream, events: &[RunEvent]) {
    for event in events {
        stream.catch_up(event);
    }
}

/// The item of an inbox. All that is said about one question, one approval or one external call has the same id: the first one
/// counts, however often it is sent, and another one is refused by the store.
pub(crate) fn item(resolution: Resolution) -> InboxItem {
    // There may be items for calls of runs below in an inbox as well.
    let call = format!("{}:{}", resolution.run_id(), resolution.id());
    let id = match resolution.decision() {
        Some(_) => format!("decide {call} {}", resolution.asked()),
        None => format!("answer {call}"),
    };
    InboxItem::with_id(id, InboxContent::Resolution(resolution))
}
