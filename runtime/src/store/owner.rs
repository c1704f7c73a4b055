//! What somebody sees of a store: his own, and nothing of another owner.

use super::{ConversationVersion, RunInfo};

/// Returns true if somebody sees what this owner has. `None` is the application, which sees all.
pub(crate) fn sees(somebody: Option<&str>, owner: Option<&str>) -> bool {
    somebody.is_none() || somebody == owner
}

impl RunInfo {
    /// Returns true if the run is there for somebody: his own, or every one for the application, which is `None`.
    pub fn is_seen_by(&self, somebody: Option<&str>) -> bool {
        sees(somebody, self.owner.as_deref())
    }
}

impl ConversationVersion {
    /// Returns true if the conversation is there for somebody: his own, or every one for the application, which is `None`.
    pub fn is_seen_by(&self, somebody: Option<&str>) -> bool {
        sees(somebody, self.owner.as_deref())
    }
}
