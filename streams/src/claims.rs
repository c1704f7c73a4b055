//! The calls of a run that wait, by the ids that clients know, and what a client says of them.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use toolwright_json::JsonText;

use crate::{
    ids::{approval_id, tool_call_id},
    reading::Reading,
};
use toolwright_core::{
    ErrorCategory, ToolError,
    run::{CallId, PendingCall, Resolution, RunId},
    tool::{Decision, OutputPart, ToolOutput},
};

/// The answer of a call of an external tool: an output, or the text of an error, which the model reads.
pub(super) fn answer(call: &PendingCall, result: &Result<JsonText, String>) -> Resolution {
    match result {
        Ok(output) => call.answer(output_of(output)),
        Err(text) => call.fail(ToolError::new(ErrorCategory::Unknown, text.as_str())),
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
    /// Those that wait for an approval or for the answer to a question, by the id of it.
    approvals: BTreeMap<String, PendingCall>,
    /// Those that wait for the application, by the id of the call.
    answers: BTreeMap<String, PendingCall>,
    /// The decisions so far: true for an approval.
    decided: BTreeMap<String, bool>,
    /// The approvals of calls of runs below that no longer wait.
    over: BTreeSet<String>,
}

/// The reason why a claim is refused.
pub(super) enum Refused {
    /// It is against a decision that was taken before.
    Decided,
    /// It is about no approval of the run.
    Unknown,
    /// It does not fit the form of the question, for this reason.
    Unfit(String),
}

/// The claims of a request that are new, in the order of the calls: one a call.
#[derive(Default)]
pub(super) struct Checked(BTreeMap<(RunId, CallId), Resolution>);

impl Checked {
    /// Takes a claim. The same may come twice, and no other one about the same call.
    pub(super) fn take(&mut self, claim: Resolution) -> Result<(), Refused> {
        let call = (claim.run_id().clone(), claim.id());
        match self.0.entry(call) {
            Entry::Occupied(first) if *first.get() != claim => Err(Refused::Decided),
            Entry::Occupied(_) => Ok(()),
            Entry::Vacant(place) => {
                place.insert(claim);
                Ok(())
            }
        }
    }

    pub(super) fn into_resolutions(self) -> Vec<Resolution> {
        self.0.into_values().collect()
    }
}

impl Waiting {
    pub(super) fn of(reading: &Reading) -> Self {
        let (mut approvals, mut answers) = (BTreeMap::new(), BTreeMap::new());
        for call in reading.waiting() {
            let id = call.tool_call_id();
            if call.awaits_decision() {
                approvals.insert(approval_id(&id, call.asked), call);
            } else {
                answers.insert(id, call);
            }
        }
        let decided = reading.decisions().iter().map(|((call, asked), approved)| {
            let id = approval_id(&tool_call_id(reading, *call), *asked);
            (id, *approved)
        });
        let below = reading.decided_below().iter();
        let below = below.map(|((id, asked), approved)| (approval_id(id, *asked), *approved));
        let decided = decided.chain(below).collect();
        let over = reading.over_below();
        let over = over.map(|(id, asked)| approval_id(id, *asked)).collect();
        Self {
            approvals,
            answers,
            decided,
            over,
        }
    }

    /// The call that a decision is about; `None` if it says nothing new.
    pub(super) fn approval(
        &self,
        id: &str,
        decision: &Decision,
    ) -> Result<Option<&PendingCall>, Refused> {
        if let Some(call) = self.approvals.get(id) {
            let fits = call.check(decision);
            return match fits {
                Ok(()) => Ok(Some(call)),
                Err(error) => Err(Refused::Unfit(error.message)),
            };
        }
        let is_approved = !matches!(decision, Decision::Deny { .. });
        match self.decided.get(id) {
            Some(approved) if *approved == is_approved => Ok(None),
            Some(_) => Err(Refused::Decided),
            None if self.over.contains(id) => Ok(None),
            None => Err(Refused::Unknown),
        }
    }

    /// Returns true if a call waits for the answer to a question of this id.
    pub(super) fn is_question(&self, id: &str) -> bool {
        let call = self.approvals.get(id);
        call.is_some_and(|call| call.question.is_some())
    }

    /// The call with this id, if it waits for the application.
    pub(super) fn answer(&self, tool_call_id: &str) -> Option<&PendingCall> {
        self.answers.get(tool_call_id)
    }
}
