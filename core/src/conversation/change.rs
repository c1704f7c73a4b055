//! A version of a conversation by what it does not share with the one before.

use serde::{Deserialize, Serialize};

use super::{Conversation, stored::Stored};
use crate::message::Message;

/// What a version of a conversation has that the one before has not. A store keeps these, so that a message is
/// kept once.
#[derive(Serialize, Deserialize, Debug)]
pub struct Change {
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
}

impl Change {
    /// The reason why this program does not read a text whose form is newer; `None` of any other text.
    #[doc(hidden)]
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
            keep,
            rest: rest.into(),
        }
    }

    #[doc(hidden)]
    pub fn with_change(&self, change: Change) -> Result<Self, String> {
        let Some(kept) = self.messages.get(..change.keep) else {
            return Err(format!(
                "it shares {} messages with the version before, which has {}",
                change.keep,
                self.messages.len()
            ));
        };
        let kept = kept.to_vec();
        Self::try_from(change.rest.after(kept)).map_err(|error| error.to_string())
    }
}
