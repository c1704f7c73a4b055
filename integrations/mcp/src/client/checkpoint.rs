//! What the log of a run has of a call that its server has begun.

use rmcp::model::{InputRequests, InputRequiredResult};
use serde::{Deserialize, Serialize};
use toolwright_core::{ErrorCategory, ToolContext, ToolError, tool::Fingerprint};

/// How far a call has come, with what says whose it is: an id or a state means nothing to another server, and may be that of
/// another call there.
#[derive(Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    pub(crate) server: String,
    tool: String,
    pub(crate) begun: Begun,
}

/// What a server has answered to a call that is not over.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Begun {
    /// The id of its task.
    Task(String),
    Asked(Asked),
}

/// What a server wants to know before it goes on with a call.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) requests: InputRequests,
    pub(crate) state: Option<String>,
    /// The number of times that it has asked before.
    pub(crate) before: usize,
    /// When the call began, it was one that may run again.
    pub(crate) may_repeat: bool,
    /// The answers are on their way, and may have had an effect.
    pub(crate) is_answered: bool,
}

impl Checkpoint {
    pub(crate) fn new(server: String, tool: Fingerprint, begun: Begun) -> Self {
        let tool = tool.to_string();
        Self {
            server,
            tool,
            begun,
        }
    }

    /// Reads what an attempt before has recorded of a call of this tool.
    pub(crate) fn read(cx: &ToolContext, tool: Fingerprint) -> Result<Option<Self>, ToolError> {
        let Some(text) = cx.last_checkpoint() else {
            return Ok(None);
        };
        let read = serde_json::from_str::<Self>(text).ok();
        let read = read.filter(|read| read.tool == tool.to_string());
        read.map(Some).ok_or_else(elsewhere)
    }

    pub(crate) fn to_text(&self) -> Result<String, ToolError> {
        serde_json::to_string(self).map_err(ToolError::internal)
    }
}

impl Asked {
    pub(crate) fn new(required: InputRequiredResult, before: usize, may_repeat: bool) -> Self {
        Self {
            requests: required.input_requests.unwrap_or_default(),
            state: required.request_state,
            before,
            may_repeat,
            is_answered: false,
        }
    }
}

/// The call was begun, and not here.
pub(crate) fn elsewhere() -> ToolError {
    ToolError::new(
        ErrorCategory::Unknown,
        "the call was begun with another definition of this tool or at another server, so it cannot be continued; \
         it may have had its effect, and was not made again",
    )
}
