//! The stored form of a conversation: versioned, and checked when it is read.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Compaction, Conversation, count, is_open};
use crate::message::{AssistantMessage, Message, Part, SharedVec, ToolRound, UserMessage};

/// The version that is written, and the newest that is read.
const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize, Clone)]
pub(super) struct Stored {
    version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    system: Option<String>,
    messages: SharedVec<Message>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compaction: Option<Compaction>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
}

impl Stored {
    /// The error of a form that is newer than what is read.
    pub(super) fn newer(version: u32) -> Option<ReadError> {
        (version > VERSION).then_some(ReadError::Newer(version))
    }

    pub(super) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// With these messages in the place of its own.
    pub(super) fn with_messages(self, messages: Vec<Message>) -> Self {
        let messages = messages.into();
        Self { messages, ..self }
    }
}

impl From<Conversation> for Stored {
    fn from(conversation: Conversation) -> Self {
        Self {
            version: VERSION,
            system: conversation.system,
            messages: conversation.messages,
            compaction: conversation.compaction.map(Arc::unwrap_or_clone),
            agent: conversation.agent.as_deref().map(str::to_owned),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    #[error(
        "the conversation has version {0}, and this crate reads up to {VERSION}: update toolwright"
    )]
    Newer(u32),
    #[error("the conversation has the unknown version {0}: versions begin at 1")]
    Unknown(u32),
    #[error("message {message}, part {part}: a user message holds {what}")]
    InUserMessage {
        message: usize,
        part: usize,
        what: &'static str,
    },
    #[error(
        "message {message}, part {part}: the final response has a tool call: calls belong in a round, with their results"
    )]
    InFinalResponse { message: usize, part: usize },
    #[error("message {message}, round {round}: {problem}")]
    Round {
        message: usize,
        round: usize,
        problem: RoundProblem,
    },
    #[error(
        "compaction leaves out {left_out} of {pieces} pieces and shortens {shortened}, more than there are"
    )]
    Compaction {
        left_out: u64,
        shortened: u64,
        pieces: u64,
    },
    #[error("requests are kept from message {from} on, but there are {messages} messages")]
    Requests { from: u64, messages: u64 },
}

/// A problem with a round.
#[derive(Debug, thiserror::Error)]
pub(super) enum RoundProblem {
    #[error("a round needs at least one call: it has none, and {results} results")]
    NoCalls { results: usize },
    #[error("{results} results for {calls} calls")]
    Unanswered { calls: usize, results: usize },
    #[error("result {index} is for the call `{result_id}`, but call {index} is `{call_id}`")]
    OtherCall {
        index: usize,
        call_id: String,
        result_id: String,
    },
}

impl TryFrom<Stored> for Conversation {
    type Error = ReadError;

    fn try_from(stored: Stored) -> Result<Self, ReadError> {
        match stored.version {
            VERSION => {}
            version if version > VERSION => return Err(ReadError::Newer(version)),
            version => return Err(ReadError::Unknown(version)),
        }
        let last = stored.messages.len().checked_sub(1);
        for (index, message) in stored.messages.iter().enumerate() {
            match message {
                Message::User(user) => check_user(index, user)?,
                Message::Assistant(reply) => check_response(index, reply, Some(index) == last)?,
            }
        }
        if let Some(compaction) = &stored.compaction {
            check_compaction(compaction, &stored.messages)?;
        }
        Ok(Self {
            system: stored.system,
            messages: stored.messages,
            compaction: stored.compaction.map(Arc::new),
            agent: stored.agent.map(Into::into),
        })
    }
}

/// Checks that what is no longer sent is there.
pub(super) fn check_compaction(
    compaction: &Compaction,
    messages: &[Message],
) -> Result<(), ReadError> {
    let (left_out, shortened) = (compaction.left_out, compaction.shortened);
    let pieces = count(messages);
    if left_out > shortened || shortened > pieces {
        return Err(ReadError::Compaction {
            left_out,
            shortened,
            pieces,
        });
    }
    let (from, messages) = (compaction.requests_from, messages.len() as u64);
    if from > messages {
        return Err(ReadError::Requests { from, messages });
    }
    Ok(())
}

/// Checks that a user message holds only texts, images, documents, sound and parts that an application writes for one
/// provider.
fn check_user(message: usize, user: &UserMessage) -> Result<(), ReadError> {
    for (part, said) in user.parts.iter().enumerate() {
        if let Some(what) = not_of_users(said) {
            return Err(ReadError::InUserMessage {
                message,
                part,
                what,
            });
        }
    }
    Ok(())
}

/// Returns a name for a part that only a model can produce; `None` for other parts.
pub(super) fn not_of_users(part: &Part) -> Option<&'static str> {
    match part {
        Part::Call(_) => Some("a call"),
        Part::Reasoning(_) => Some("reasoning"),
        Part::Activity(_) => Some("an activity of a provider"),
        Part::Text(_) | Part::Image(_) | Part::Document(_) | Part::Audio(_) | Part::Opaque(_) => {
            None
        }
    }
}

/// Only the last round of the last message may wait for its results.
fn check_response(
    message: usize,
    reply: &AssistantMessage,
    is_last: bool,
) -> Result<(), ReadError> {
    let is_call = |part: &Part| matches!(part, Part::Call(_));
    if let Some(part) = reply.parts.iter().position(is_call) {
        return Err(ReadError::InFinalResponse { message, part });
    }
    let may_wait = is_last && reply.parts.is_empty();
    let last = reply.tool_rounds.len().checked_sub(1);
    for (place, round) in reply.tool_rounds.iter().enumerate() {
        let waits = may_wait && Some(place) == last && is_open(round);
        if !waits {
            check_round(round).map_err(|problem| ReadError::Round {
                message,
                round: place,
                problem,
            })?;
        }
    }
    Ok(())
}

fn check_round(round: &ToolRound) -> Result<(), RoundProblem> {
    let (calls, results) = (round.calls().count(), round.results.len());
    if calls == 0 {
        return Err(RoundProblem::NoCalls { results });
    }
    if calls != results {
        return Err(RoundProblem::Unanswered { calls, results });
    }
    for (index, (call, result)) in round.answered_calls().enumerate() {
        if call.id != result.call_id {
            return Err(RoundProblem::OtherCall {
                index,
                call_id: call.id.clone(),
                result_id: result.call_id.clone(),
            });
        }
    }
    Ok(())
}
