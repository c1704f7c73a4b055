//! The events of AG-UI.

use serde::Serialize;
use toolwright_core::run::FailureCode;
use toolwright_json::JsonText;

use crate::question::QuestionData;

/// An event of AG-UI, with its names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "type",
    rename_all = "SCREAMING_SNAKE_CASE",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum AgUiEvent {
    /// The run begins.
    RunStarted {
        /// The id of the conversation.
        thread_id: String,
        /// The id that the client gave its request.
        run_id: String,
        /// `1.0`.
        protocol_version: &'static str,
        /// The request that this one goes on from.
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_run_id: Option<String>,
    },
    /// The run is over, or waits.
    RunFinished {
        /// The id of the conversation.
        thread_id: String,
        /// The id that the client gave its request.
        run_id: String,
        /// How it ended; `None` for a cancelled run in a stream that clients before 1.0 read.
        #[serde(skip_serializing_if = "Option::is_none")]
        outcome: Option<AgUiOutcome>,
        /// The tokens of the run; none while it waits.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        usage: Vec<AgUiUsage>,
    },
    /// The run failed.
    RunError {
        /// A sentence for the user.
        message: String,
        /// The kind of the failure.
        code: FailureCode,
    },
    /// A response of the model begins.
    StepStarted {
        /// Its name: `step-0`.
        step_name: String,
    },
    /// The response and the calls of it are over.
    StepFinished {
        /// Its name.
        step_name: String,
    },
    /// A text begins.
    TextMessageStart {
        /// The id of the message: one for each response.
        message_id: String,
        /// `assistant`, or `user`.
        role: &'static str,
    },
    /// More of a text.
    TextMessageContent {
        /// The id of the message.
        message_id: String,
        /// What follows.
        delta: String,
    },
    /// A text is whole.
    TextMessageEnd {
        /// The id of the message.
        message_id: String,
    },
    /// Reasoning begins.
    ReasoningStart {
        /// The id of the reasoning.
        message_id: String,
    },
    /// A text of reasoning begins.
    ReasoningMessageStart {
        /// The id of the reasoning.
        message_id: String,
        /// `reasoning`.
        role: &'static str,
    },
    /// More reasoning.
    ReasoningMessageContent {
        /// The id of the reasoning.
        message_id: String,
        /// What follows.
        delta: String,
    },
    /// The text of reasoning is whole.
    ReasoningMessageEnd {
        /// The id of the reasoning.
        message_id: String,
    },
    /// The reasoning is over.
    ReasoningEnd {
        /// The id of the reasoning.
        message_id: String,
    },
    /// A call begins.
    ToolCallStart {
        /// The id of the call.
        tool_call_id: String,
        /// The name of the tool.
        tool_call_name: String,
        /// The message of its response.
        parent_message_id: String,
    },
    /// More of the arguments.
    ToolCallArgs {
        /// The id of the call.
        tool_call_id: String,
        /// What follows.
        delta: String,
    },
    /// The arguments are whole.
    ToolCallEnd {
        /// The id of the call.
        tool_call_id: String,
    },
    /// The result of a call.
    ToolCallResult {
        /// The id of the message of the result.
        message_id: String,
        /// The id of the call.
        tool_call_id: String,
        /// The text that the model reads; of an error that for the user, if it has one.
        content: String,
        /// `tool`.
        role: &'static str,
    },
    /// All messages: in place of those that the client has.
    MessagesSnapshot {
        /// The messages.
        messages: Vec<AgUiMessage>,
    },
    /// The progress of a call.
    ActivitySnapshot {
        /// The id of the activity: one for each call.
        message_id: String,
        /// `tool_progress`.
        activity_type: &'static str,
        /// `{"toolCallId", "data"}`.
        content: AgUiProgress,
        /// `true`: it takes the place of the one before.
        replace: bool,
    },
    /// The state of the application.
    StateSnapshot {
        /// The state.
        snapshot: JsonText,
    },
    /// A change of the state of the application.
    StateDelta {
        /// A JSON Patch: a list of operations.
        delta: JsonText,
    },
    /// Something that AG-UI has no event for.
    Custom {
        /// `warning`, `answer`, `failure`, `limit_reached`, `retry`, `transfer`, `provider_tool` or `citation`; also `cancelled` and
        /// `pending_tool_calls`, which 1.0 has in the outcome.
        name: &'static str,
        /// More about it.
        value: JsonText,
    },
}

/// How a run of AG-UI ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum AgUiOutcome {
    /// It is over, or waits for the application alone.
    Success {
        /// The calls that the application answers, for clients of 1.0.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pending_tool_call_ids: Vec<String>,
    },
    /// It waits for approvals.
    Interrupt {
        /// What is asked.
        interrupts: Vec<AgUiInterrupt>,
    },
    /// It was cancelled, for clients of 1.0.
    Cancelled,
}

/// An approval that a run waits for, or the answer to a question of a call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AgUiInterrupt {
    /// The id with which the client answers.
    pub id: String,
    /// `tool_call`.
    pub reason: &'static str,
    /// A sentence for the user.
    pub message: String,
    /// The id of the call.
    pub tool_call_id: String,
    /// The schema of the answer: `{"approved": true, "reason": "…"}`. The form of a question is its member `answer`.
    pub response_schema: JsonText,
    /// The call as it runs if it is approved. The arguments may be others than those that the model wrote.
    pub metadata: AgUiInterruptCall,
}

/// The call that an approval is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AgUiInterruptCall {
    /// The name of the tool.
    pub tool_name: String,
    /// The arguments that the call runs with.
    pub arguments: JsonText,
    /// The question of the call, if it waits for the answer to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionData>,
}

/// The tokens of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AgUiUsage {
    /// Tokens of all that was sent.
    pub input_tokens: u64,
    /// Tokens of what came back.
    pub output_tokens: u64,
    /// Output tokens that were reasoning, if the provider reports them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
    /// Input tokens that were read from a cache, if the provider reports them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_input_tokens: Option<u64>,
}

/// The progress of a call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AgUiProgress {
    /// The id of the call.
    pub tool_call_id: String,
    /// The progress, or the output so far.
    pub data: JsonText,
}

/// A message of AG-UI.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "role",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum AgUiMessage {
    /// A message of the user.
    User {
        /// Its id.
        id: String,
        /// The text.
        content: String,
    },
    /// A response of the model.
    Assistant {
        /// Its id.
        id: String,
        /// The text; `None` if there is none.
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<String>,
        /// The calls.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<AgUiToolCall>,
    },
    /// The result of a call.
    Tool {
        /// Its id.
        id: String,
        /// The id of the call.
        tool_call_id: String,
        /// The text that the model reads.
        content: String,
    },
    /// Reasoning.
    Reasoning {
        /// Its id.
        id: String,
        /// The text.
        content: String,
    },
}

/// A call in a message of AG-UI.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AgUiToolCall {
    /// Its id.
    pub id: String,
    /// `function`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The tool and the arguments.
    pub function: AgUiFunction,
}

/// The tool and the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AgUiFunction {
    /// The name of the tool.
    pub name: String,
    /// The arguments, as JSON text.
    pub arguments: String,
}
