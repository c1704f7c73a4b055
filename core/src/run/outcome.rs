//! The outcome of a run, on every path.

mod shown;
mod user_failure;

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

pub use user_failure::{FailureCode, UserFailure};

use super::{
    CallSpent, Cost, PendingCall, RunId, StopReason, StoreError, StoredRun, counted::counted,
};
use crate::{
    Conversation, UserMessage,
    message::{Message, ToolRound},
    model::{ModelError, Usage, Warning},
};

/// The outcome of a run, on every path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunOutcome {
    /// The run's id.
    pub run_id: RunId,
    /// The reason why the run ended.
    pub finish: Finish,
    /// The final text; empty if there is none. To print an outcome, use its `Display`, which says why there is none.
    pub text: String,
    /// True if the text is only the beginning of a response that broke off: the run was cancelled while the response came,
    /// or the model failed. The conversation ends with the same text.
    #[serde(default)]
    pub broken_off: bool,
    /// The conversation with all that this run added. Every call in it has a result, so that it can be continued.
    pub conversation: Conversation,
    /// The name of the agent that the conversation is with: the one that answered, if the model answered. `None` if the
    /// run has no [agents](super::RunConfig::agents).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The number of rounds of tool calls. A round in which no call was allowed to run does not count.
    pub rounds: u32,
    /// The number of tool calls that were allowed to run. This and the following numbers include those of sub-agents,
    /// once their calls have results or are suspended.
    #[serde(default)]
    pub tool_calls: u32,
    /// The number of responses that were requested from the model, with those that failed or broke off.
    pub model_calls: u32,
    /// The number of requests for these responses. It is more than [`model_calls`](Self::model_calls) if a model sends
    /// several requests for one response, such as an emulated one: see
    /// [`ModelResponse::requests`](crate::ModelResponse::requests).
    #[serde(default)]
    pub requests: u32,
    /// The number of these requests that were sent again after a failure: see
    /// [`Limits::model_retries`](super::Limits::model_retries).
    #[serde(default)]
    pub model_retries: u32,
    /// The number of these requests that corrected a response that could not be used: it lacked a required call, had
    /// a call that the provider could not read, was empty, or did not fit the form of the answer. Each has a
    /// warning.
    #[serde(default)]
    pub corrections: u32,
    /// The number of these requests that continued a turn which the provider had paused.
    #[serde(default)]
    pub pauses: u32,
    /// The number of times that less of the conversation was sent from then on: see
    /// [`ContextWindow`](super::ContextWindow). The requests for summaries are among the
    /// [`model_calls`](Self::model_calls), and so are requests that were too long.
    #[serde(default)]
    pub compactions: u32,
    /// Tokens of all requests.
    pub usage: Usage,
    /// The cost of these tokens, by the [prices](super::RunConfig::prices); `None` without prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The warnings of the run.
    pub warnings: Vec<Warning>,
    /// The number of messages that were [pushed](super::Signal::MessagePushed) and that the model has received.
    #[serde(default)]
    pub pushed_messages: u32,
    /// The messages that were pushed and that the model has not received, because the run ended before. They are not in
    /// the conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<UserMessage>,
    /// The calls of a suspended run that wait for a decision or an answer, and those of runs of sub-agents
    /// [below](PendingCall::path) it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<PendingCall>,
    /// The run, if it is suspended: store it, and resume it after the decisions, in this process or in another. `None`
    /// for a run in a store: resume it by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended: Option<StoredRun>,
}

/// The reason why a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finish {
    /// The model answered.
    Answered,
    /// A limit was reached.
    Limit {
        /// The limit.
        limit: Limit,
        /// True if the model gave a final text from the results so far. If it should have and did not, a warning
        /// gives the reason.
        summarized: bool,
    },
    /// A condition ended the run, or the hook before a request did. There is no answer.
    Stopped(StopReason),
    /// Calls wait for people or for the application, and no other work is left. The run is not over: see
    /// [`RunOutcome::suspended`].
    Suspended,
    /// The run was cancelled.
    Cancelled,
    /// A check of the application [refused](crate::UserMessage::refusal) the user's message. No request was sent. The
    /// text is what the user reads instead of an answer.
    InputRefused,
    /// The model refused.
    Refused,
    /// The provider's filter stopped the response.
    Filtered,
    /// The limit of output tokens cut the response off. Calls in it were not run.
    Truncated,
    /// The response was empty, also after the model was asked once more: it had no text that can be seen, no image, and
    /// no call that may run.
    Empty,
    /// There is no response.
    Failed(Failure),
}

/// The reason in words.
impl fmt::Display for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered => f.write_str("the model answered"),
            Self::Limit { limit, .. } => limit.fmt(f),
            Self::Stopped(reason) => reason.fmt(f),
            Self::Suspended => f.write_str("calls wait for people or for the application"),
            Self::Cancelled => f.write_str("it was cancelled"),
            Self::InputRefused => f.write_str("a check of the application refused the message"),
            Self::Refused => f.write_str("the model refused"),
            Self::Filtered => f.write_str("the provider's filter stopped the response"),
            Self::Truncated => f.write_str("the limit of output tokens cut the response off"),
            Self::Empty => f.write_str("the response was empty"),
            Self::Failed(failure) => failure.fmt(f),
        }
    }
}

/// The limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Limit {
    /// The number of rounds.
    Rounds {
        /// The number of rounds that were allowed.
        max: u32,
    },
    /// The number of tool calls of the run: see [`Limits::max_tool_calls`](super::Limits::max_tool_calls).
    ToolCalls {
        /// The number of calls that were allowed.
        max: u32,
    },
    /// The number of calls of one response: see [`Limits::max_calls_per_response`](super::Limits::max_calls_per_response).
    CallsPerResponse {
        /// The number of calls that were allowed.
        max: u32,
    },
    /// Rounds in a row with only invalid calls: see [`Limits::max_invalid_rounds`](super::Limits::max_invalid_rounds).
    InvalidCalls {
        /// The number of such rounds.
        max: u32,
    },
    /// The tokens of the run: see [`Limits::max_tokens`](super::Limits::max_tokens).
    Tokens {
        /// The number of tokens that were allowed.
        max: u64,
    },
    /// The cost of the run: see [`Limits::max_cost`](super::Limits::max_cost).
    Cost {
        /// The cost that was allowed.
        max: Cost,
    },
    /// The model repeated itself without progress: see [`Limits::no_progress`](super::Limits::no_progress).
    NoProgress,
    /// The time that the run may take: see [`Limits::max_time`](super::Limits::max_time).
    Time {
        /// The time that was allowed.
        max: Duration,
    },
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time { max } => write!(f, "the time limit of {max:?} for the run is reached"),
            Self::NoProgress => {
                f.write_str("no progress: the same calls returned the same results several times")
            }
            Self::ToolCalls { max } => {
                write!(f, "the limit of {} is reached", counted(*max, "tool call"))
            }
            Self::CallsPerResponse { max } => {
                let calls = counted(*max, "tool call");
                write!(f, "the limit of {calls} in one response is reached")
            }
            Self::InvalidCalls { max: 1 } => f.write_str("no call of a round was valid"),
            Self::InvalidCalls { max } => {
                write!(f, "no call was valid in {max} rounds in a row")
            }
            Self::Tokens { max } => {
                let tokens = counted(*max, "token");
                write!(f, "the limit of {tokens} for the run is reached")
            }
            Self::Cost { max } => {
                write!(f, "the limit of {max} for the cost of the run is reached")
            }
            Self::Rounds { max } => {
                let rounds = counted(*max, "round");
                write!(f, "the limit of {rounds} of tool calls is reached")
            }
        }
    }
}

/// The reason why a run failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Failure {
    /// The model did not respond.
    #[error(transparent)]
    Model(ModelError),
    /// A limit was reached, and [`OnLimit::Error`](super::OnLimit::Error) was set.
    #[error("{0}")]
    Limit(Limit),
    /// The model had to call a tool, by [`RunConfig::tool_choice`](super::RunConfig::tool_choice), and did
    /// not, also when it was asked once more.
    #[error("the model had to call a tool and did not, twice")]
    ToolChoiceUnmet,
    /// The answer does not fit the required [form](super::RunConfig::answer), even after corrections.
    #[error("the answer does not fit: {reason}")]
    AnswerUnfit {
        /// The last answer, as the model wrote it.
        text: String,
        /// The reason why it does not fit.
        reason: String,
    },
    /// The run does not fit its runner: its options contradict it, or it is to continue a stored conversation and the
    /// runner has no store. No request was sent, and nothing is stored. A borrowed conversation stays as it was.
    #[error("the run does not fit its runner: {reason}")]
    Options {
        /// What does not fit.
        reason: String,
    },
    /// The store refused a record or did not answer, or another process drives the run now. No action followed. The run
    /// is not over: resume it from its store. If the store did not answer at the start, it may or may not have the run:
    /// abandon the run before you ask the same again, or `recover` may resume it.
    #[error(transparent)]
    Store(StoreError),
}

/// The failure of a run. Its finished work is in the outcome.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("the run failed: {failure}")]
#[non_exhaustive]
pub struct RunError {
    /// The reason of the failure.
    pub failure: Failure,
    /// The outcome of the run up to the failure.
    pub outcome: Box<RunOutcome>,
}

impl RunError {
    /// The failure of a run, with its outcome.
    pub fn new(failure: Failure, outcome: RunOutcome) -> Self {
        let outcome = Box::new(outcome);
        Self { failure, outcome }
    }
}

/// Without the outcome, which holds the whole conversation: `main` prints an error so.
impl fmt::Debug for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunError")
            .field("failure", &self.failure)
            .finish_non_exhaustive()
    }
}

impl RunOutcome {
    /// The rounds of tool calls of this run, oldest first.
    pub fn tool_rounds(&self) -> impl Iterator<Item = &ToolRound> {
        let messages = self.conversation.messages();
        // The question, and the messages after it.
        let said = usize::try_from(self.pushed_messages).unwrap_or(usize::MAX);
        let of_users = messages.iter().enumerate().rev();
        let of_users = of_users.filter(|(_, message)| matches!(message, Message::User(_)));
        let question = of_users.map(|(index, _)| index).nth(said);
        messages[question.unwrap_or(0)..]
            .iter()
            .filter_map(|message| match message {
                Message::Assistant(message) => Some(&message.tool_rounds),
                Message::User(_) => None,
            })
            .flatten()
    }

    /// Counts what a call of a sub-agent has spent that has no result.
    pub(super) fn count(&mut self, spent: &CallSpent) {
        self.usage += &spent.usage;
        if let Some(cost) = &mut self.cost {
            *cost += spent.cost;
        }
        self.model_calls = self.model_calls.saturating_add(spent.model_calls);
        self.requests = self.requests.saturating_add(spent.requests);
        self.tool_calls = self.tool_calls.saturating_add(spent.tool_calls);
    }

    /// The outcome, or the error that holds it if the run failed.
    ///
    /// # Errors
    ///
    /// When it ended with [`Finish::Failed`].
    pub fn into_result(self) -> Result<Self, RunError> {
        match &self.finish {
            Finish::Failed(failure) => Err(RunError {
                failure: failure.clone(),
                outcome: Box::new(self),
            }),
            _ => Ok(self),
        }
    }
}
