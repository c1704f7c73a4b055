//! What clients claim about calls that wait, checked against the run.

use std::collections::BTreeMap;

use toolwright_json::JsonText;

use super::{
    ids::{approval_id, tool_call_id},
    reading::{Reading, WaitingCall},
};
use crate::{
    ToolError,
    error::ErrorCategory,
    run::{CallId, PendingCall, Resolution},
    tool::{Decision, OutputPart, ToolOutput},
};

/// What a client says about a call that waits, checked against the run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallClaim {
    /// A decision about an approval.
    Decision(CallDecision),
    /// The answer of a call of an external tool.
    Answer(CallAnswer),
}

/// A decision about a call that waits, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallDecision {
    /// The call.
    pub call: CallId,
    /// The decision.
    pub decision: Decision,
}

/// The answer of a call of an external tool, as a client gives it. The call is one that waits for it; the answer is
/// whatever the client says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallAnswer {
    /// The call.
    pub call: CallId,
    /// The output, or the text of the error.
    pub result: Result<JsonText, String>,
}

impl CallClaim {
    /// The call.
    pub fn call(&self) -> CallId {
        match self {
            Self::Decision(decision) => decision.call,
            Self::Answer(answer) => answer.call,
        }
    }

    /// What is to be told to one of the calls that are pending; `None` if it is about none of them.
    pub fn resolution(&self, pending: &[PendingCall]) -> Option<Resolution> {
        match self {
            Self::Decision(decision) => decision.resolution(pending),
            Self::Answer(answer) => answer.resolution(pending),
        }
    }
}

impl CallClaim {
    /// What is to be told to the call, if it is this one and waits for that.
    pub fn resolution_of(&self, waiting: &WaitingCall) -> Option<Resolution> {
        match self {
            _ if self.call() != waiting.id => None,
            Self::Decision(decision) => waiting.decide(decision.decision.clone()),
            Self::Answer(answer) => waiting.answer(answer.outcome()),
        }
    }
}

impl CallDecision {
    /// The decision, for one of the calls that are pending; `None` if it is about none of them.
    pub fn resolution(&self, pending: &[PendingCall]) -> Option<Resolution> {
        let call = pending.iter().find(|call| call.id == self.call)?;
        Some(match &self.decision {
            Decision::Approve => call.approve(),
            Decision::ApproveWith { arguments } => call.approve_with(arguments),
            Decision::Deny { reason } => call.deny(reason),
        })
    }
}

impl CallAnswer {
    /// The answer, for one of the calls that are pending; `None` if it is about none of them.
    pub fn resolution(&self, pending: &[PendingCall]) -> Option<Resolution> {
        let call = pending.iter().find(|call| call.id == self.call)?;
        Some(match self.outcome() {
            Ok(output) => call.answer(output),
            Err(error) => call.fail(error),
        })
    }

    /// The answer as the result of a tool. The model reads the text of an error.
    ///
    /// # Errors
    ///
    /// When the client says that the call failed.
    pub fn outcome(&self) -> Result<ToolOutput, ToolError> {
        match &self.result {
            Ok(output) => Ok(output_of(output)),
            Err(text) => Err(ToolError::new(ErrorCategory::Unknown, text.as_str())),
        }
    }
}

/// An output of one part: a text if it is a string, and else JSON.
fn output_of(output: &JsonText) -> ToolOutput {
    match serde_json::from_str::<String>(output.as_str()) {
        Ok(text) => ToolOutput::text(text),
        Err(_) => ToolOutput::default().with_part(OutputPart::Json(output.as_str().to_owned())),
    }
}

/// The calls of a run that wait, by the ids that clients know, and what was decided.
pub(super) struct Waiting {
    /// Those that wait for an approval, by the id of it.
    approvals: BTreeMap<String, WaitingCall>,
    /// Those that wait for the application, by the id of the call.
    answers: BTreeMap<String, WaitingCall>,
    /// The decisions so far: true for an approval.
    decided: BTreeMap<String, bool>,
}

/// What is said about an approval.
pub(super) enum Approval<'a> {
    /// A call waits for it.
    Waits(&'a WaitingCall),
    /// It was decided: true if the call was approved.
    Decided(bool),
    /// Nobody asked for it.
    Unknown,
}

impl Waiting {
    pub(super) fn of(reading: &Reading) -> Self {
        let (mut approvals, mut answers) = (BTreeMap::new(), BTreeMap::new());
        for call in reading.waiting() {
            let id = tool_call_id(reading, call.id);
            if call.is_approval {
                approvals.insert(approval_id(&id, call.asked), call);
            } else {
                answers.insert(id, call);
            }
        }
        let decided = reading.decisions().iter().map(|((call, asked), approved)| {
            let id = approval_id(&tool_call_id(reading, *call), *asked);
            (id, *approved)
        });
        let decided = decided.collect();
        Self {
            approvals,
            answers,
            decided,
        }
    }

    pub(super) fn approval(&self, id: &str) -> Approval<'_> {
        match (self.approvals.get(id), self.decided.get(id)) {
            (Some(call), _) => Approval::Waits(call),
            (None, Some(approved)) => Approval::Decided(*approved),
            (None, None) => Approval::Unknown,
        }
    }

    /// The call with this id, if it waits for the application.
    pub(super) fn answer(&self, tool_call_id: &str) -> Option<&WaitingCall> {
        self.answers.get(tool_call_id)
    }
}
