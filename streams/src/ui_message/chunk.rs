//! The chunks of a UI message stream.

use serde::Serialize;
use toolwright_json::JsonText;

use crate::{
    output::media_type, question::QuestionData, transfer::TransferData, warning::WarningData,
};
use toolwright_core::{
    UserMessage,
    message::Part,
    model::Usage,
    run::{Limit, UserFailure},
};

/// A chunk of a UI message stream: `UIMessageChunk` of the AI SDK, with its names.
///
/// `ai` 6 accepts all but [`ResetStep`](Self::ResetStep), [`SteeringMessage`](Self::SteeringMessage) and
/// [`ToolApprovalResponse`](Self::ToolApprovalResponse), which are only sent to `ai` 7.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum UiMessageChunk {
    /// The message begins, or continues after an approval.
    Start {
        /// The id of the message.
        message_id: String,
    },
    /// A response of the model begins.
    StartStep,
    /// The response and the calls of it are over.
    FinishStep,
    /// The parts of the step so far are void.
    ResetStep,
    /// A text begins.
    TextStart {
        /// The id of the text.
        id: String,
    },
    /// More of a text.
    TextDelta {
        /// The id of the text.
        id: String,
        /// What follows.
        delta: String,
    },
    /// A text is whole.
    TextEnd {
        /// The id of the text.
        id: String,
    },
    /// Reasoning begins.
    ReasoningStart {
        /// The id of the reasoning.
        id: String,
    },
    /// More reasoning.
    ReasoningDelta {
        /// The id of the reasoning.
        id: String,
        /// What follows.
        delta: String,
    },
    /// The reasoning is whole.
    ReasoningEnd {
        /// The id of the reasoning.
        id: String,
    },
    /// An image of the model.
    File {
        /// Its address: a `data:` URL for an image by its bytes.
        url: String,
        /// Its media type; `image/*` if it is not known.
        media_type: String,
    },
    /// A page that the text before it cites.
    SourceUrl {
        /// The id of the part.
        source_id: String,
        /// Its address.
        url: String,
        /// Its title, if it is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// A file without an address that the text before it cites.
    SourceDocument {
        /// The id of the part.
        source_id: String,
        /// `text/plain`, since providers do not tell it.
        media_type: String,
        /// Its name.
        title: String,
    },
    /// The arguments of a call begin.
    ToolInputStart {
        /// The id of the call.
        tool_call_id: String,
        /// The name of the tool, as the model wrote it.
        tool_name: String,
    },
    /// More of the arguments.
    ToolInputDelta {
        /// The id of the call.
        tool_call_id: String,
        /// What follows, no JSON by itself.
        input_text_delta: String,
    },
    /// The arguments are whole; a second time with those that the call runs with, if they are others.
    ToolInputAvailable {
        /// The id of the call.
        tool_call_id: String,
        /// The name of the tool.
        tool_name: String,
        /// The arguments.
        input: JsonText,
        /// `true` for a tool that the provider runs itself.
        #[serde(skip_serializing_if = "Option::is_none")]
        provider_executed: Option<bool>,
    },
    /// The arguments are no JSON.
    ToolInputError {
        /// The id of the call.
        tool_call_id: String,
        /// The name of the tool.
        tool_name: String,
        /// What the model wrote.
        input: String,
        /// The text for the model.
        error_text: String,
    },
    /// A call needs an approval, or has a question.
    ToolApprovalRequest {
        /// The id with which the client answers.
        approval_id: String,
        /// The id of the call.
        tool_call_id: String,
    },
    /// The question of the call of the request that follows.
    DataQuestion {
        /// The id of the request.
        id: String,
        /// The question.
        data: QuestionData,
    },
    /// A decision about a call was made.
    ToolApprovalResponse {
        /// The id of the request.
        approval_id: String,
        /// True if the call runs.
        approved: bool,
        /// The reason of a denial.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The output of a call.
    ToolOutputAvailable {
        /// The id of the call.
        tool_call_id: String,
        /// The output.
        output: JsonText,
        /// `true` for the progress, or the output so far, of a call that runs.
        #[serde(skip_serializing_if = "Option::is_none")]
        preliminary: Option<bool>,
        /// `true` for a tool that the provider runs itself.
        #[serde(skip_serializing_if = "Option::is_none")]
        provider_executed: Option<bool>,
    },
    /// A call failed.
    ToolOutputError {
        /// The id of the call.
        tool_call_id: String,
        /// The text for the model.
        error_text: String,
        /// `true` for a tool that the provider runs itself.
        #[serde(skip_serializing_if = "Option::is_none")]
        provider_executed: Option<bool>,
    },
    /// A call was denied.
    ToolOutputDenied {
        /// The id of the call.
        tool_call_id: String,
    },
    /// A message of the user during the run, for `ai` 7.
    SteeringMessage {
        /// The id of the message.
        id: String,
        /// The texts and images.
        parts: Vec<UserPart>,
    },
    /// A message of the user during the run, for `ai` 6.
    DataUserMessage {
        /// The id of the message.
        id: String,
        /// The message.
        data: UserData,
    },
    /// The parts of this step before this one are void, for `ai` 6.
    DataVoid {
        /// The id of the part.
        id: String,
        /// The step.
        data: VoidData,
    },
    /// The request is retried after an error. The message does not store it.
    DataRetry {
        /// The step that is sent again.
        data: VoidData,
        /// `true`.
        transient: bool,
    },
    /// The conversation was handed over to another agent.
    DataTransfer {
        /// The id of the part.
        id: String,
        /// The agents.
        data: TransferData,
    },
    /// The tokens of the run.
    DataUsage {
        /// `usage`.
        id: String,
        /// The tokens.
        data: UsageData,
    },
    /// A warning.
    DataWarning {
        /// The id of the part.
        id: String,
        /// The warning.
        data: WarningData,
    },
    /// A limit ended the run.
    DataLimitReached {
        /// `limit`.
        id: String,
        /// The limit.
        data: LimitData,
    },
    /// The answer, of a run that is asked for one of a schema.
    DataAnswer {
        /// `answer`.
        id: String,
        /// The answer.
        data: JsonText,
    },
    /// The run ended without a whole answer.
    DataFailure {
        /// `failure`.
        id: String,
        /// What the user may read of it.
        data: UserFailure,
    },
    /// The run was cancelled. It is the last chunk.
    Abort {
        /// The reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The run failed.
    Error {
        /// A sentence for the user.
        error_text: String,
    },
    /// The message is over, or waits for approvals.
    Finish {
        /// The reason.
        finish_reason: UiFinishReason,
    },
}

/// A part of a message of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum UserPart {
    /// A text.
    Text {
        /// The text.
        text: String,
    },
    /// An image, a document or sound.
    File {
        /// Its media type; `image/*` if it is not known.
        media_type: String,
        /// Its name, if it is a document that has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        filename: Option<String>,
        /// Its address.
        url: String,
    },
}

/// A message of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UserData {
    /// The texts and images.
    pub parts: Vec<UserPart>,
}

/// A step that is void or is sent again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VoidData {
    /// The number of the step, from 0.
    pub step: u32,
}

/// The tokens of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UsageData {
    /// Tokens that the model read.
    pub input_tokens: u64,
    /// Tokens that the model wrote, with its reasoning.
    pub output_tokens: u64,
    /// Input tokens that were read from a cache, if the provider reports them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_input_tokens: Option<u64>,
    /// Output tokens that were reasoning, if the provider reports them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
}

impl From<&Usage> for UsageData {
    fn from(usage: &Usage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cached_input_tokens: usage.cached_input_tokens,
            reasoning_tokens: usage.reasoning_tokens,
        }
    }
}

/// The limit that a run has reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LimitData {
    /// The limit, with its number: `{"type": "rounds", "max": 3}`.
    pub limit: Limit,
    /// A sentence about it.
    pub message: String,
    /// True if the model gave a final text from the results so far.
    pub summarized: bool,
}

/// The reason why a UI message is over: `FinishReason` of the AI SDK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UiFinishReason {
    /// The model answered.
    Stop,
    /// The limit of output tokens cut the answer off.
    Length,
    /// The model refused, or a filter stopped it.
    ContentFilter,
    /// Calls wait for people or for the application.
    ToolCalls,
    /// The run failed.
    Error,
    /// Another reason: a limit, a condition.
    Other,
}

/// A message of the user, in parts of UI messages.
pub(super) fn of_user(message: &UserMessage) -> Vec<UserPart> {
    let part = |part: &Part| match part {
        Part::Text(text) => Some(UserPart::Text { text: text.clone() }),
        Part::Image(image) => Some(UserPart::File {
            media_type: media_type(image).to_owned(),
            filename: None,
            url: image.address().into_owned(),
        }),
        Part::Document(document) => Some(UserPart::File {
            media_type: document.media_type.clone(),
            filename: document.name.clone(),
            url: document.address().into_owned(),
        }),
        Part::Audio(audio) => Some(UserPart::File {
            media_type: audio.media_type.clone(),
            filename: None,
            url: audio.address().into_owned(),
        }),
        _ => None,
    };
    message.parts.iter().filter_map(part).collect()
}
