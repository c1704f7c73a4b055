//! A version of a conversation by what it does not share with the one before.

use serde::{Deserialize, Serialize};

use super::{Conversation, stored::Stored};
use crate::message::Message;

/// What a version of a conversation has that the one before has not. A store saves these, so that each message
/// is saved once.
#[derive(Serialize, Deserialize, Debug)]
pub struct Change {
    /// Random, so that no two versions that are saved have one text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    mark: String,
    /// The messages that it shares with the version before: its first ones.
    keep: usize,
    /// The rest, in the stored form of a conversation.
    #[serde(flatten)]
    rest: Stored,
}

/// What every version of the form has.
#[derive(Deserialize)]
struct Head {
    version: u32,
    #[serde(default)]
    mark: String,
}

impl Change {
    /// Sets what no other version that is saved has.
    pub fn marked(self, mark: String) -> Self {
        Self { mark, ..self }
    }

    /// Returns true if no other version that was saved has this text.
    pub fn is_marked(text: &str) -> bool {
        serde_json::from_str(text).is_ok_and(|head: Head| !head.mark.is_empty())
    }

    /// The reason why this program does not read a text whose form is newer; `None` of any other text.
    pub fn newer(text: &str) -> Option<String> {
        let head: Head = serde_json::from_str(text).ok()?;
        Stored::newer(head.version).map(|error| error.to_string())
    }
}

impl Conversation {
    #[doc(hidden)]
    pub fn change_since(&self, before: &Self) -> Change {
        let same = |(now, then): &(&Message, &Message)| now == then;
        let pairs = self.messages.iter().zip(before.messages.iter());
        let keep = pairs.take_while(same).count();
        let messages = self.messages[keep..].to_vec().into();
        let rest = Self {
            messages,
            ..self.clone()
        };
        Change {
            mark: String::new(),
            keep,
            rest: rest.into(),
        }
    }

    /// The conversation that these changes make of this one, one after the other. It is checked once, when it is whole.
    ///
    /// # Errors
    ///
    /// The place of the change that does not fit, and why.
    #[doc(hidden)]
    pub fn with_changes(&self, changes: Vec<Change>) -> Result<Self, (usize, String)> {
        let Some(last) = changes.len().checked_sub(1) else {
            return Ok(self.clone());
        };
        let mut messages = self.messages.to_vec();
        let mut newest = None;
        for (place, change) in changes.into_iter().enumerate() {
            if change.keep > messages.len() {
                let (shared, there) = (change.keep, messages.len());
                let why = format!(
                    "it shares {shared} messages with the previous version, which has {there}"
                );
                return Err((place, why));
            }
            messages.truncate(change.keep);
            messages.extend_from_slice(change.rest.messages());
            newest = Some(change.rest);
        }
        let newest = newest.expect("there is a last change");
        let whole = newest.with_messages(messages);
        Self::try_from(whole).map_err(|error| (last, error.to_string()))
    }
}
