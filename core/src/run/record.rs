//! The log of a run.

mod as_json_string;

use std::{fmt, time::Duration};

use serde::{Deserialize, Deserializer, Serialize};

use super::{CallSpent, Delay, Finish, Interruption, Limit, RequestPlan, RunConfig};
use crate::{
    Conversation, UserMessage,
    conversation::Compaction,
    model::{ModelError, ModelResponse, Usage},
    tool::{ArgumentChange, Decision, ToolDefinition, ToolPolicy, ToolResult},
};

/// An entry of a run's log: something that happened and is not undone. The log alone is the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
#[expect(
    clippy::large_enum_variant,
    reason = "a run begins once, and a box would stand in the way of every match"
)]
pub enum Record {
    /// The run began.
    Started {
        /// The id of the run.
        run_id: RunId,
        /// The settings of the run.
        config: RunConfig,
        /// The conversation before the run.
        conversation: Conversation,
        /// The user's new message, or what is stored of it if it was [refused](UserMessage::refusal).
        input: UserMessage,
    },
    /// The model replied.
    Replied {
        /// The whole response.
        #[serde(deserialize_with = "normalized")]
        response: ModelResponse,
        /// The policy of the tool of each call.
        policies: Vec<ToolPolicy>,
        /// The reason why its text is no answer of the [form](RunConfig::answer) that was asked for, if it is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unfit: Option<String>,
    },
    /// The model did not respond. The pieces of the response that a reader has seen are void. Only its
    /// text stays, if the run ends with it.
    ModelFailed {
        /// The error of the failed attempt.
        error: ModelError,
    },
    /// The model did not respond, and the same request is sent again after a wait. The pieces of the
    /// response that a reader has seen are void and come again. They are pieces of calls and of reasoning: a
    /// request is not sent again if the poller of the run has read text of its response.
    ModelDelayed {
        /// The error of the model call.
        error: ModelError,
    },
    /// The wait before the next request to the model is over.
    ModelResumed,
    /// The response that was coming broke off, since the run was interrupted. Its text and its cost stay.
    /// What interrupted it is the next record.
    ResponseBrokenOff {
        /// The part of the response that had come.
        partial: ModelResponse,
        /// The cause of the break.
        by: Interruption,
    },
    /// A summary is made of what the next requests leave out. See [`ContextWindow`](super::ContextWindow).
    CompactionStarted {
        /// The parts that will not be sent any more.
        compaction: Compaction,
    },
    /// The next requests send less of the conversation. See [`ContextWindow`](super::ContextWindow).
    ContextCompacted {
        /// The parts that are not sent any more, and the summary of them if there is one.
        compaction: Compaction,
        /// The model that wrote the summary, if the response names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// The tokens of the request for the summary, if it was made and they are known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
        /// The reason why there is no summary, if one was asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<ModelError>,
    },
    /// An attempt of a call is about to start. It is written before the call has any effect.
    CallStarted {
        /// The id of the call.
        call: CallId,
        /// The name of its tool, as the model wrote it.
        name: String,
    },
    /// The arguments of a call were normalized, before its approval and before it starts.
    CallPrepared {
        /// The id of the call.
        call: CallId,
        /// The arguments that it runs with, as JSON text, unless it is approved with others.
        arguments: String,
        /// The changes to the model's arguments.
        changes: Vec<ArgumentChange>,
    },
    /// A call waits for something other than its turn: before its first attempt, or because the one
    /// that ran has failed or has asked a question, and there is to be another.
    CallDelayed {
        /// The id of the call.
        call: CallId,
        /// The reason of the wait.
        why: Delay,
    },
    /// The wait of a delayed call is over.
    CallResumed {
        /// The id of the call.
        call: CallId,
    },
    /// Somebody decided about a call that waited for an approval.
    CallDecided {
        /// The id of the call.
        call: CallId,
        /// The decision.
        decision: Decision,
        /// The definition of the tool that was approved: the approval holds for no other. `None` of a denial, and if it is
        /// not known, as in logs of older versions. Its stored form is a string with the definition as JSON.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            with = "as_json_string"
        )]
        tool: Option<Box<ToolDefinition>>,
    },
    /// The [question](Delay::Question) of a call has its answer. The call starts again from its beginning, and knows it.
    QuestionAnswered {
        /// The id of the call.
        call: CallId,
        /// The key of the question.
        key: String,
        /// The answer.
        decision: Decision,
    },
    /// The approval of a call or the request for it is void, because the tool changed before the call started. It is
    /// requested again.
    ApprovalRevoked {
        /// The id of the call.
        call: CallId,
    },
    /// Nobody decided about a call, or answered it, in the [time](RunConfig::pending_time) for that. Its result is the next
    /// record, unless it waited for the answer to a question: then it starts again, and the answer is no.
    CallExpired {
        /// The id of the call.
        call: CallId,
    },
    /// A running call has recorded how far it has come: see [`ToolContext::checkpoint`](crate::ToolContext::checkpoint).
    CallCheckpointed {
        /// The id of the call.
        call: CallId,
        /// The text that the call continues from when it runs again. It is for the call alone: show it to nobody.
        state: String,
    },
    /// The program that ran a call has ended. The call may run again, since it changes nothing, is idempotent, or
    /// continues from a checkpoint.
    CallInterrupted {
        /// The id of the call.
        call: CallId,
    },
    /// A call has its result.
    CallFinished {
        /// The id of the call.
        call: CallId,
        /// The result.
        result: ToolResult,
        /// What the runs of sub-agents have spent that the call has started, if it has started any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spent: Option<Box<CallSpent>>,
    },
    /// The hook before a request has decided what it is to be.
    RequestPlanned {
        /// The plan.
        plan: RequestPlan,
    },
    /// The conversation was handed over to another agent, by a call of the round that is over. The next request is of that
    /// agent: see [`RunConfig::agents`].
    Transferred {
        /// The id of the call.
        call: CallId,
        /// The name of the agent that handed the conversation over.
        from: String,
        /// The name of the agent that takes over.
        to: String,
    },
    /// Another user message came. It is in the conversation from the next request on, unless it was
    /// [refused](UserMessage::refusal): then the run has a warning `input_refused`, which is what the user reads.
    MessagePushed {
        /// The message.
        message: UserMessage,
    },
    /// The messages that were pushed since the last round, response or failure are in the conversation: the request that
    /// follows has them.
    MessagesRead,
    /// So much of its [time](super::Limits::max_time) the run has used since it began. The time in which it was stored
    /// does not count.
    TimeUsed {
        /// The time.
        time: Duration,
    },
    /// The run has to stop when its round is over.
    CancelAfterRound,
    /// The run is resumed, after its driver had ended or after it was suspended.
    Resumed {
        /// True if it was suspended, and its driver not gone.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        suspended: bool,
    },
    /// The run has to stop.
    CancelRequested,
    /// A limit of a run is reached that this run shares, as the run of a sub-agent: what is left of it is for the last
    /// request at most.
    SharedLimitReached {
        /// The limit, as the other run has it.
        limit: Limit,
    },
    /// The time of the run is up, or that of the summary that followed.
    TimeLimitReached,
    /// The run is over.
    Finished {
        /// The end of the run.
        finish: Finish,
    },
}

/// What was stored may have been changed by hand: the parts are the truth.
fn normalized<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ModelResponse, D::Error> {
    ModelResponse::deserialize(deserializer).map(ModelResponse::normalized)
}

/// A call of a run: which round, and which call of it, both from 0. Unique in the run by
/// construction, whatever ids the provider gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallId {
    /// The round.
    pub round: u32,
    /// The call's place in the response.
    pub index: u32,
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.round, self.index)
    }
}

/// The id of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// An id from its text.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A log that is not one of a run: a record does not follow from those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("record {sequence} of the log does not follow from those before it")]
#[non_exhaustive]
pub struct CorruptLog {
    /// The place of the record, from 0.
    pub sequence: u64,
}
