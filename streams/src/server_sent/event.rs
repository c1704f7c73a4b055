//! The events of the plain stream.

use serde::Serialize;
use toolwright_json::JsonText;

use crate::question::QuestionData;
use toolwright_core::{
    message::{Citation, ToolActivity},
    model::Usage,
    run::{FailureCode, Finish, UserFailure},
};

/// An event of the plain stream. Its name is the value of `type`, also as the `event:` of the server-sent event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum PlainEvent {
    /// The run began, with its id.
    Start {
        /// The id of the run.
        run_id: String,
    },
    /// More text of the response of this step.
    Text {
        /// The number of the response, from 0.
        step: u32,
        /// The number of the part in the response, from 0.
        part: usize,
        /// What follows.
        text: String,
    },
    /// More reasoning of the response of this step.
    Reasoning {
        /// The number of the response, from 0.
        step: u32,
        /// The number of the part in the response, from 0.
        part: usize,
        /// What follows.
        text: String,
    },
    /// The model made an image, a document or sound.
    File {
        /// Its address: a `data:` URL where the bytes are here.
        url: String,
        /// Its media type, if that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        media_type: Option<String>,
    },
    /// A tool that the provider runs itself; a second time, with the same id, when its result is there.
    ProviderTool {
        /// The number of the response, from 0.
        step: u32,
        /// The tool.
        tool: ToolActivity,
    },
    /// The response of this step cites a source.
    Citation {
        /// The number of the response, from 0.
        step: u32,
        /// The source, and what it is for.
        citation: Citation,
    },
    /// The arguments of a call begin.
    ToolCallStart {
        /// The id of the call in the run: `0.1` is the second call of the first round.
        call: String,
        /// The name of the tool, as the model wrote it.
        name: String,
    },
    /// More of the arguments, no JSON by itself.
    ToolCallDelta {
        /// The id of the call.
        call: String,
        /// What follows.
        text: String,
    },
    /// The arguments of a call are whole; a second time with those that it runs with, if they are others.
    ToolCall {
        /// The id of the call.
        call: String,
        /// The name of the tool.
        name: String,
        /// The arguments; a string with what the model wrote if that is no JSON.
        arguments: JsonText,
    },
    /// The progress of a call, or its output so far.
    Progress {
        /// The id of the call.
        call: String,
        /// `{"progress", "total", "message"}`, or the output.
        data: JsonText,
    },
    /// A call needs an approval, or has a question.
    ApprovalRequest {
        /// The id of the call.
        call: String,
        /// The id of the request: another one if the call is asked about again.
        approval: String,
        /// The question of the call, if it waits for the answer to one.
        #[serde(skip_serializing_if = "Option::is_none")]
        question: Option<QuestionData>,
    },
    /// A decision about a call was made.
    ApprovalDecision {
        /// The id of the call.
        call: String,
        /// The id of the request.
        approval: String,
        /// True if the call runs.
        approved: bool,
    },
    /// The result of a call: one of the two is there.
    ToolResult {
        /// The id of the call.
        call: String,
        /// The output.
        #[serde(skip_serializing_if = "Option::is_none")]
        output: Option<JsonText>,
        /// The text of the error: that for the user if it has one, else that for the model.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// The response of this step is whole. What came of it is not void any more.
    Reply {
        /// The number of the response, from 0.
        step: u32,
    },
    /// What came of the response of this step is void. It may come again.
    Reset {
        /// The number of the response, from 0.
        step: u32,
    },
    /// The user has sent another message.
    UserMessage {
        /// The texts of the message.
        text: String,
    },
    /// The conversation was handed over to another agent, after the call has its result.
    Transfer {
        /// The id of the call.
        call: String,
        /// The name of the agent that handed the conversation over.
        from: String,
        /// The name of the agent that takes over.
        to: String,
    },
    /// Another record. It only has an id to reconnect with.
    Recorded,
    /// The run is over, or waits for people.
    Done {
        /// The reason.
        reason: DoneReason,
        /// The end of the run, whole; `None` while it waits.
        #[serde(skip_serializing_if = "Option::is_none")]
        finish: Option<Finish>,
        /// The tokens of the run; `None` while it waits.
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
        /// The answer, of a run that is asked for one of a schema.
        #[serde(skip_serializing_if = "Option::is_none")]
        answer: Option<JsonText>,
        /// What the user may read of an end without a whole answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        failure: Option<UserFailure>,
    },
    /// The run failed, or no process drives it.
    Error {
        /// The kind of the failure.
        code: FailureCode,
        /// A sentence for the user.
        message: String,
    },
}

/// The reason why a plain stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DoneReason {
    /// The model answered.
    Finish,
    /// The limit of rounds was reached.
    MaxTurnsReached,
    /// Another limit was reached.
    LimitReached,
    /// A condition ended the run.
    Stopped,
    /// The run was cancelled.
    Cancelled,
    /// The model refused, or a filter stopped it.
    Refused,
    /// The limit of output tokens cut the answer off.
    Truncated,
    /// The response is empty.
    Empty,
    /// Calls wait for people or for the application.
    Waiting,
}

impl PlainEvent {
    /// The name of the event.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Text { .. } => "text",
            Self::Reasoning { .. } => "reasoning",
            Self::File { .. } => "file",
            Self::ProviderTool { .. } => "provider_tool",
            Self::Citation { .. } => "citation",
            Self::ToolCallStart { .. } => "tool_call_start",
            Self::ToolCallDelta { .. } => "tool_call_delta",
            Self::ToolCall { .. } => "tool_call",
            Self::Progress { .. } => "progress",
            Self::ApprovalRequest { .. } => "approval_request",
            Self::ApprovalDecision { .. } => "approval_decision",
            Self::ToolResult { .. } => "tool_result",
            Self::Reply { .. } => "reply",
            Self::Reset { .. } => "reset",
            Self::UserMessage { .. } => "user_message",
            Self::Transfer { .. } => "transfer",
            Self::Recorded => "recorded",
            Self::Done { .. } => "done",
            Self::Error { .. } => "error",
        }
    }
}
