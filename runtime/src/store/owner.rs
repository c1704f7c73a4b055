//! The view of an owner on a store: only the owner's runs and conversations.

use super::{ConversationVersion, RunInfo, StoreError, StoreErrorKind};

/// Returns true if the viewer sees what this owner has. `None` is the application, which sees all.
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

/// Checks that a conversation is there for somebody. Nobody takes another one's conversation for a new one.
pub(crate) fn check_versions(
    versions: &[ConversationVersion],
    owner: Option<&str>,
) -> Result<(), StoreError> {
    if versions.iter().all(|version| version.is_seen_by(owner)) {
        Ok(())
    } else {
        Err(no_conversation())
    }
}

/// The error of a conversation that is not there for somebody.
pub(crate) fn no_conversation() -> StoreError {
    StoreError::new(StoreErrorKind::NotFound, "the conversation does not exist")
}
