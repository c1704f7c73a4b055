//! The stored form of a conversation: versioned, and checked when it is read.

use serde::{Deserialize, Serialize};

use super::{Conversation, is_open};
use crate::message::{Message, SharedVec};

/// The version that is written, and the newest that is read.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize, Clone)]
pub(super) struct Stored {
    version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    system: Option<String>,
    messages: SharedVec<Message>,
}

impl From<Conversation> for Stored {
    fn from(conversation: Conversation) -> Self {
        Self {
            version: VERSION,
            system: conversation.system,
            messages: conversation.messages,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    #[error(
        "the conversation has version {0}, and this crate reads up to {VERSION}: update toolwright"
    )]
    Newer(u32),
    #[error("message {message}, round {round}: {calls} calls and {results} results")]
    Unanswered {
        message: usize,
        round: usize,
        calls: usize,
        results: usize,
    },
}

impl TryFrom<Stored> for Conversation {
    type Error = ReadError;

    fn try_from(stored: Stored) -> Result<Self, ReadError> {
        if stored.version > VERSION {
            return Err(ReadError::Newer(stored.version));
        }
        for (index, message) in stored.messages.iter().enumerate() {
            let Message::Assistant(assistant) = message else {
                continue;
            };
            let last_message = index + 1 == stored.messages.len() && assistant.parts.is_empty();
            for (place, round) in assistant.tool_rounds.iter().enumerate() {
                let (calls, results) = (round.calls().count(), round.results.len());
                let may_wait = last_message && place + 1 == assistant.tool_rounds.len();
                if calls != results && !(may_wait && is_open(round)) {
                    return Err(ReadError::Unanswered {
                        message: index,
                        round: place,
                        calls,
                        results,
                    });
                }
            }
        }
        Ok(Self {
            system: stored.system,
            messages: stored.messages,
        })
    }
}
