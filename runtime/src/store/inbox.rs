//! Items for a run, from any process.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::random;
use toolwright_core::{UserMessage, driver::millis, run::Resolution};

/// An item for the inbox of a run. Because of its id it counts once, however often it is put. Two items are equal if
/// they have the same id and content, whenever they were made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InboxItem {
    id: String,
    content: InboxContent,
    /// When it was made.
    #[serde(rename = "at_ms", with = "millis")]
    at: SystemTime,
    /// True if its message is not to be checked again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    checked: bool,
}

/// The content of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum InboxContent {
    /// Cancel the run: see [`RunControl::cancel`](crate::RunControl::cancel).
    Cancel,
    /// Cancel the run when its round is over: see
    /// [`RunControl::cancel_after_round`](crate::RunControl::cancel_after_round).
    CancelAfterRound,
    /// A decision about a call that waits, or its answer. [`PendingCall`](toolwright_core::run::PendingCall) makes them.
    Resolution(Resolution),
    /// More from the user: see [`RunControl::push`](crate::RunControl::push).
    Message(UserMessage),
}

/// An item with its place in the inbox. Places begin at 1 and grow.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Received {
    /// The place.
    pub place: u64,
    /// The item.
    pub item: InboxItem,
}

impl InboxItem {
    /// An item with an id of its own, made now by the clock of this process. A decision or an answer that is made when
    /// [the time of its call](toolwright_core::RunConfig::pending_time) is over counts for nothing.
    pub fn new(content: InboxContent) -> Self {
        Self::with_id(random::new_id(), content)
    }

    /// An item with an id, such as that of the request that brought it: sent twice, it counts once. A store refuses
    /// another content with the same id.
    pub fn with_id(id: impl Into<String>, content: InboxContent) -> Self {
        Self {
            id: id.into(),
            content,
            at: millis::now(),
            checked: false,
        }
    }

    /// Marks its message as checked: the run does not ask the checks of its runner again. For messages that
    /// [`Runner::check_input`](crate::Runner::check_input) returned.
    #[must_use = "the item is changed by value"]
    pub fn checked(mut self) -> Self {
        self.checked = true;
        self
    }

    pub(crate) fn is_checked(&self) -> bool {
        self.checked
    }

    /// The item with its message as the checks have left it.
    pub(crate) fn of_checked(mut self, message: UserMessage) -> Self {
        self.content = InboxContent::Message(message);
        self.checked()
    }

    /// The id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The time when it was made, by the clock of who made it.
    pub fn at(&self) -> SystemTime {
        self.at
    }

    pub(crate) fn into_content(self) -> InboxContent {
        self.content
    }

    /// The content.
    pub fn content(&self) -> &InboxContent {
        &self.content
    }
}

impl PartialEq for InboxItem {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.content == other.content
    }
}

impl Received {
    /// An item at a place, for those who write a store.
    pub fn new(place: u64, item: InboxItem) -> Self {
        Self { place, item }
    }
}
