//! Conversations in a store: versions that never change.

#[cfg(test)]
mod tests;

use std::{fmt, time::SystemTime};

use serde::{Deserialize, Serialize};

use super::{StoreError, StoreErrorKind};
use crate::random::new_id;
use toolwright_core::{Conversation, driver::Change};

/// The id of a conversation in a store, in the application's own terms.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConversationId(String);

/// A version of a conversation in a store. Versions begin at 1; 0 is a conversation that does not exist yet.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConversationRef {
    /// The conversation.
    pub id: ConversationId,
    /// Its version.
    pub version: u64,
}

/// A version of a conversation, as it is stored: what it does not share with the one before, so that the bytes of a
/// conversation grow with its messages.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConversationVersion {
    /// Its version, from 1.
    pub version: u64,
    /// Its content, as text. A store does not read it.
    pub text: String,
}

/// A conversation in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConversationInfo {
    /// Its id.
    pub id: ConversationId,
    /// Whom it belongs to: the owner of the run that began it, or of the scope in which it was saved first.
    pub owner: Option<String>,
    /// Its newest version.
    pub version: u64,
    /// The time when that was saved.
    pub saved: SystemTime,
}

impl ConversationId {
    /// An id from its text.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ConversationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<T: Into<String>> From<T> for ConversationId {
    fn from(id: T) -> Self {
        Self::new(id)
    }
}

impl ConversationRef {
    /// A version of a conversation.
    pub fn new(id: impl Into<ConversationId>, version: u64) -> Self {
        Self {
            id: id.into(),
            version,
        }
    }
}

impl ConversationInfo {
    /// A conversation in a list, for those who write a store.
    pub fn new(id: ConversationId, owner: Option<String>, version: u64, saved: SystemTime) -> Self {
        Self {
            id,
            owner,
            version,
            saved,
        }
    }
}

impl ConversationVersion {
    /// A version from its stored text, for those who write a store.
    pub fn new(version: u64, text: impl Into<String>) -> Self {
        Self {
            version,
            text: text.into(),
        }
    }

    /// A conversation as the version that follows another one; version 1 follows an empty conversation. Each call gives
    /// another text: it has a random mark.
    ///
    /// # Errors
    ///
    /// When a value of the conversation has no JSON form.
    pub fn following(
        before: &Conversation,
        version: u64,
        conversation: &Conversation,
    ) -> Result<Self, StoreError> {
        let text = serde_json::to_string(&conversation.change_since(before).marked(new_id()));
        let text = text.map_err(|error| {
            let message = format!("the conversation cannot be written as JSON: {error}");
            StoreError::new(StoreErrorKind::Corrupt, message)
        })?;
        Ok(Self::new(version, text))
    }

    /// The conversation of these versions, which are all of it, oldest first; an empty one of none.
    ///
    /// # Errors
    ///
    /// When a version is missing, is not a conversation, or has a newer form than this program
    /// reads.
    pub fn join(versions: &[Self]) -> Result<Conversation, StoreError> {
        Self::join_to(&Conversation::new(), 0, versions)
    }

    /// The conversation of these versions, which follow a version that is known, with this number.
    ///
    /// # Errors
    ///
    /// As [`join`](Self::join).
    pub fn join_to(
        known: &Conversation,
        number: u64,
        versions: &[Self],
    ) -> Result<Conversation, StoreError> {
        let mut changes = Vec::with_capacity(versions.len());
        for (place, stored) in versions.iter().enumerate() {
            let expected = number.saturating_add(1).saturating_add(place as u64);
            if stored.version != expected {
                let why = format!("version {expected} is missing before it");
                return Err(stored.error(StoreErrorKind::Corrupt, &why));
            }
            changes.push(stored.change()?);
        }
        known.with_changes(changes).map_err(|(place, why)| {
            let stored = &versions[place];
            stored.error(StoreErrorKind::Corrupt, &why)
        })
    }

    fn change(&self) -> Result<Change, StoreError> {
        if let Some(why) = Change::newer(&self.text) {
            return Err(self.error(StoreErrorKind::Newer, &why));
        }
        let change = serde_json::from_str(&self.text);
        change.map_err(|error| self.error(StoreErrorKind::Corrupt, &error.to_string()))
    }

    fn error(&self, kind: StoreErrorKind, why: &str) -> StoreError {
        let message = format!("version {} of the conversation: {why}", self.version);
        StoreError::new(kind, message)
    }
}
