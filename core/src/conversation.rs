//! System text and messages over many runs.

pub(crate) mod change;
mod compaction;
mod flatten;
mod shortened;
mod shown;
mod stored;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use compaction::{Compaction, ResultCut};
pub(crate) use flatten::flatten;
pub(crate) use shortened::{cut, shortened};
use shown::unfinished;
pub(crate) use shown::{Piece, Placed, count, pieces, push, sent, shown, view};

use crate::{
    ToolError,
    message::{Message, Part, SharedVec, ToolRound, UserMessage, calls_of},
    model::{FinishReason, ModelRequest, ModelResponse},
    tool::{ToolCall, ToolResult},
};

/// System text and messages over many runs.
///
/// Without a runner, push the messages of the user, the responses of the model and the results of the tools. In any
/// order of pushes, the conversation is valid for a provider: a call [waits](Self::requires_tool_execution) for its
/// result, and gets the result "not executed" when something else is pushed.
///
/// The serialized form has a version. A newer version than this crate knows is refused, and so is a conversation whose
/// calls and results do not match.
///
/// A clone shares the messages, and costs the same however long they are.
///
/// ```
/// use toolwright::{Conversation, ModelResponse, ToolCall, ToolResult};
///
/// let mut conversation = Conversation::new();
/// conversation.push_user("Weather in Oslo?");
/// conversation.push_response(ModelResponse::from_calls([ToolCall::new("a", "get_weather", "{}")]));
/// assert!(conversation.requires_tool_execution());
///
/// conversation.push_results([ToolResult::success("a", "sunny")])?;
/// conversation.push_response(ModelResponse::from_text("It is sunny in Oslo."));
/// assert_eq!(conversation.text(), "It is sunny in Oslo.");
/// # Ok::<(), toolwright::message::ConversationError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "stored::Stored", into = "stored::Stored")]
pub struct Conversation {
    system: Option<String>,
    /// Only the last round of the last message may be without its results.
    messages: SharedVec<Message>,
    /// What is sent of them, if not all.
    compaction: Option<Arc<Compaction>>,
    /// The agent that it is with.
    agent: Option<Arc<str>>,
}

impl Conversation {
    /// Creates a conversation without messages.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the system text.
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = Some(system.into());
        self
    }

    /// The system text.
    pub fn system(&self) -> Option<&str> {
        self.system.as_deref()
    }

    /// The messages, oldest first.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The parts that are no longer sent, because a run had a [`ContextWindow`](crate::run::ContextWindow) and came
    /// near its end. They stay left out in the next run that has one, so that its requests begin as those before.
    pub fn compaction(&self) -> Option<&Compaction> {
        self.compaction.as_deref()
    }

    /// Removes the compaction: the next run sends all messages again, as far as its
    /// [`ContextWindow`](crate::run::ContextWindow) allows.
    pub fn without_compaction(mut self) -> Self {
        self.compaction = None;
        self
    }

    /// Returns the messages that are sent to a model, oldest first: all of them, or those that the
    /// [`compaction`](Self::compaction) leaves.
    pub fn shown(&self) -> SharedVec<Message> {
        match self.compaction() {
            None => self.messages.clone(),
            Some(compaction) => view(&self.messages, count(&self.messages), compaction),
        }
    }

    /// Returns the name of the current agent, after a run with several agents: the one that answered last. The next run
    /// begins with it.
    pub fn agent(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// Sets the name of the agent that the next run begins with. A runner without an agent of this name begins with its
    /// own.
    pub fn with_agent(mut self, name: impl Into<String>) -> Self {
        self.set_agent(&name.into());
        self
    }

    pub(crate) fn set_agent(&mut self, name: &str) {
        if self.agent() != Some(name) {
            self.agent = Some(name.into());
        }
    }

    pub(crate) fn set_compaction(&mut self, compaction: Compaction) {
        self.compaction = Some(Arc::new(compaction));
    }

    /// Adds a message of the user. Calls that wait for their results get the result "not executed". Calls and reasoning
    /// in the message are left out.
    pub fn push_user(&mut self, message: impl Into<UserMessage>) {
        self.close_open_round("the user went on without it");
        let mut message = message.into();
        let is_of_users = |part: &Part| stored::not_of_users(part).is_none();
        if !message.parts.iter().all(is_of_users) {
            message.parts.to_mut().retain(is_of_users);
        }
        self.messages.push(Message::User(message));
    }

    /// Takes out the last message of the user, with all that came after it, and returns it: to ask it again, or in other
    /// words. Returns `None` if there is none.
    ///
    /// A [`compaction`](Self::compaction) that tells of what was taken out is removed.
    ///
    /// ```
    /// use toolwright::{Conversation, ModelResponse};
    ///
    /// let mut conversation = Conversation::new();
    /// conversation.push_user("Weather in Olso?");
    /// conversation.push_response(ModelResponse::from_text("I know no Olso."));
    ///
    /// let asked = conversation.pop_user().unwrap();
    /// assert_eq!(toolwright::message::text_of(&asked.parts), "Weather in Olso?");
    /// assert!(conversation.messages().is_empty());
    /// conversation.push_user("Weather in Oslo?");
    /// ```
    #[doc(alias("undo", "regenerate", "edit", "truncate", "remove"))]
    pub fn pop_user(&mut self) -> Option<UserMessage> {
        let is_of_user = |message: &Message| matches!(message, Message::User(_));
        let last = self.messages.iter().rposition(is_of_user)?;
        let mut taken = self.messages.to_mut().drain(last..);
        let Some(Message::User(message)) = taken.next() else {
            unreachable!("the message at this place is the user's");
        };
        drop(taken);
        let fits = |of: &Arc<Compaction>| stored::check_compaction(of, &self.messages).is_ok();
        self.compaction = self.compaction.take().filter(fits);
        Some(message)
    }

    /// Adds a response of the model. Calls that should run [wait](Self::requires_tool_execution) for their results;
    /// calls of a response that was cut off, filtered or refused get the result "not executed" at once.
    pub fn push_response(&mut self, response: ModelResponse) {
        self.close_open_round("the model went on without it");
        // The parts are the truth: the text and the calls only repeat them.
        let mut parts = response.parts;
        let has_calls = calls_of(&parts).next().is_some();
        let run_calls = has_calls && !response.finish_reason.forbids_execution();
        let has_text = |part: &Part| matches!(part, Part::Text(text) if !text.is_empty());
        if let (false, Some(refusal)) = (parts.iter().any(has_text), response.refusal) {
            parts.push(Part::Text(refusal));
        }
        let message = unfinished(&mut self.messages);
        if !has_calls {
            message.parts = parts;
            return;
        }
        message.tool_rounds.push(ToolRound {
            reply: parts,
            results: SharedVec::new(),
        });
        if !run_calls {
            self.close_open_round(why_none_ran(response.finish_reason));
        }
    }

    /// Adds the results of the calls that wait, one for each and in their order.
    ///
    /// # Errors
    ///
    /// When no calls wait, or the results are not theirs. The conversation is then unchanged.
    pub fn push_results(
        &mut self,
        results: impl IntoIterator<Item = ToolResult>,
    ) -> Result<(), ConversationError> {
        let round = self
            .open_round_mut()
            .ok_or(ConversationError::NoCallsWaiting)?;
        let results: SharedVec<_> = results.into_iter().collect();
        let (calls, actual) = (round.calls().count(), results.len());
        if calls != actual {
            return Err(ConversationError::WrongCount {
                calls,
                results: actual,
            });
        }
        for (index, (call, result)) in round.calls().zip(&results).enumerate() {
            if call.id != result.call_id {
                return Err(ConversationError::WrongCall {
                    index,
                    call_id: call.id.clone(),
                    result_id: result.call_id.clone(),
                });
            }
        }
        round.results = results;
        Ok(())
    }

    /// Returns true if the last response has calls that wait for their results.
    pub fn requires_tool_execution(&self) -> bool {
        self.open_round().is_some()
    }

    /// The calls that wait for their results, in order.
    pub fn pending_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.open_round().into_iter().flat_map(ToolRound::calls)
    }

    /// The text of the last message, if it is the model's; empty otherwise, and while calls wait.
    pub fn text(&self) -> String {
        match self.messages.last() {
            Some(Message::Assistant(message)) => message.text(),
            _ => String::new(),
        }
    }

    /// A request for the next response, without tools. It shares the messages.
    pub fn request(&self) -> ModelRequest {
        ModelRequest {
            system: self.system.clone(),
            messages: self.messages.clone(),
            ..ModelRequest::default()
        }
    }

    /// Answers the calls that wait, if any, as not executed.
    pub(crate) fn close_open_round(&mut self, reason: &str) {
        if let Some(round) = self.open_round_mut() {
            round.results = round
                .calls()
                .map(|call| ToolResult::error(&call.id, not_executed(reason)))
                .collect();
        }
    }

    fn open_round(&self) -> Option<&ToolRound> {
        match self.messages.last()? {
            Message::Assistant(message) => {
                message.tool_rounds.last().filter(|round| is_open(round))
            }
            Message::User(_) => None,
        }
    }

    fn open_round_mut(&mut self) -> Option<&mut ToolRound> {
        // What is asked for to be changed is copied first, if others share it.
        self.open_round()?;
        match self.messages.last_mut()? {
            Message::Assistant(message) => message.tool_rounds.last_mut(),
            Message::User(_) => None,
        }
    }
}

fn is_open(round: &ToolRound) -> bool {
    round.results.is_empty() && round.calls().next().is_some()
}

/// Returns the reason why no call ran of a response that ended with this finish reason.
pub(crate) fn why_none_ran(reason: FinishReason) -> &'static str {
    match reason {
        FinishReason::Length => "the response was cut off",
        FinishReason::ContentFilter => "the response was stopped by a filter",
        FinishReason::Refusal => "the model refused",
        FinishReason::ActionRequired => "the response requires an action of the program",
        FinishReason::Unknown => "the response ended for an unknown reason",
        _ => "the response could not be read",
    }
}

/// The error that answers a call that never ran.
pub fn not_executed(reason: &str) -> ToolError {
    ToolError::cancelled(format!("not executed: {reason}"))
}

/// An error for a message or result that does not fit the conversation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConversationError {
    /// Results were pushed, and no calls wait for any.
    #[error("no calls wait for results: push the response with the calls first")]
    NoCallsWaiting,
    /// There is not one result for each call.
    #[error(
        "{calls} calls wait for results, but {results} results were pushed: push one for each call"
    )]
    WrongCount {
        /// The number of calls that wait.
        calls: usize,
        /// The number of results that came.
        results: usize,
    },
    /// A result is not that of the call at its place.
    #[error(
        "result {index} is for the call `{result_id}`, but call {index} is `{call_id}`: push the results in the order of the calls"
    )]
    WrongCall {
        /// The place, from 0.
        index: usize,
        /// The id of the call there.
        call_id: String,
        /// The id that the result answers.
        result_id: String,
    },
}

#[cfg(test)]
mod tests;
