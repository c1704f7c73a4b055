//! What clients claim about calls that wait, checked against the run.

use std::collections::{BTreeMap, BTreeSet};

use toolwright_json::JsonText;

use crate::{
    ids::{approval_id, tool_call_id},
    reading::{Reading, WaitingCall},
};
use toolwright_core::{
    ErrorCategory, ToolError,
    run::{CallId, PendingCall, Resolution, RunId},
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
    /// The run of the call: that of the stream, or one of a sub-agent below it.
    pub run_id: RunId,
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
    /// The run of the call: that of the stream, or one of a sub-agent below it.
    pub run_id: RunId,
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

    /// The run of the call.
    pub fn run_id(&self) -> &RunId {
        match self {
            Self::Decision(decision) => &decision.run_id,
            Self::Answer(answer) => &answer.run_id,
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
            _ if self.call() != waiting.id || *self.run_id() != waiting.run_id => None,
            Self::Decision(decision) => waiting.decide(decision.decision.clone()),
            Self::Answer(answer) => waiting.answer(answer.outcome()),
        }
    }
}

impl CallDecision {
    /// The decision, for one of the calls that are pending; `None` if it is about none of them.
    pub fn resolution(&self, pending: &[PendingCall]) -> Option<Resolution> {
        let mut pending = pending.iter();
        let call = pending.find(|call| call.id == self.call && call.run_id == self.run_id)?;
        Some(match &self.decision {
            Decision::Approve => call.approve(),
            Decision::ApproveWith { arguments } => call.approve_with(arguments),
            Decision::Deny { reason } => call.deny(reason),
            // No client has said it, so no call runs by it.
            _ => return None,
        })
    }
}

impl CallAnswer {
    /// The answer, for one of the calls that are pending; `None` if it is about none of them.
    pub fn resolution(&self, pending: &[PendingCall]) -> Option<Resolution> {
        let mut pending = pending.iter();
        let call = pending.find(|call| call.id == self.call && call.run_id == self.run_id)?;
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
    /// The approvals of calls of runs below that nobody waits for any more.
    over: BTreeSet<String>,
}

/// What is said about an approval.
pub(super) enum Approval<'a> {
    /// A call waits for it.
    Waits(&'a WaitingCall),
    /// It was decided: true if the call was approved.
    Decided(bool),
    /// It was asked for in a run below, where it is known what was decided.
    Over,
    /// Nobody asked for it.
    Unknown,
}

impl Waiting {
    pub(super) fn of(reading: &Reading) -> Self {
        let (mut approvals, mut answers) = (BTreeMap::new(), BTreeMap::new());
        for call in reading.waiting() {
            let id = call.tool_call_id();
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
        let over = reading.over_below();
        let over = over.map(|(id, asked)| approval_id(id, *asked)).collect();
        Self {
            approvals,
            answers,
            decided,
            over,
        }
    }

    pub(super) fn approval(&self, id: &str) -> Approval<'_> {
        match (self.approvals.get(id), self.decided.get(id)) {
            (Some(call), _) => Approval::Waits(call),
            (None, Some(approved)) => Approval::Decided(*approved),
            (None, None) if self.over.contains(id) => Approval::Over,
            (None, None) => Approval::Unknown,
        }
    }

    /// The call with this id, if it waits for the application.
    pub(super) fn answer(&self, tool_call_id: &str) -> Option<&WaitingCall> {
        self.answers.get(tool_call_id)
    }
}
