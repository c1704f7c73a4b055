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
    /// The decisions so far, by the same ids.
    decided: BTreeMap<String, Decision>,
    /// The approvals of calls of runs below that no longer wait.
    over: BTreeSet<String>,
    /// The longest answer, in bytes.
    answer_bytes: usize,
}

/// The reason why a claim is refused.
pub(super) enum Refused {
    /// Another decision was taken before.
    Decided,
    /// It is about no approval of the run.
    Unknown,
    /// It does not fit the form of the question, for this reason.
    Unfit(String),
    /// It is longer than an answer may be: this many bytes.
    TooLong(usize),
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
    pub(super) fn of(reading: &Reading, answer_bytes: usize) -> Self {
        let (mut approvals, mut answers) = (BTreeMap::new(), BTreeMap::new());
        for call in reading.waiting() {
            let id = call.tool_call_id();
            if call.awaits_decision() {
                approvals.insert(approval_id(&id, call.asked), call);
            } else {
                answers.insert(id, call);
            }
        }
        let below = reading.decided_below().iter();
        let below = below.map(|((id, asked), decision)| (approval_id(id, *asked), decision));
        let own = reading.decisions().iter().map(|((call, asked), decision)| {
            let id = approval_id(&tool_call_id(reading, *call), *asked);
            (id, decision)
        });
        // What the log has counts, whatever else was sent.
        let decided = below.chain(own);
        let decided = decided
            .map(|(id, decision)| (id, decision.clone()))
            .collect();
        let over = reading.over_below();
        let over = over.map(|(id, asked)| approval_id(id, *asked)).collect();
        Self {
            approvals,
            answers,
            decided,
            over,
            answer_bytes,
        }
    }

    /// The call that a decision is about; `None` if it says nothing new.
    pub(super) fn approval(
        &self,
        id: &str,
        decision: &Decision,
    ) -> Result<Option<&PendingCall>, Refused> {
        if let Decision::ApproveWith { arguments } = decision {
            self.check_length(arguments)?;
        }
        if let Some(call) = self.approvals.get(id) {
            let fits = call.check(decision);
            return match fits {
                Ok(()) => Ok(Some(call)),
                Err(error) => Err(Refused::Unfit(error.message)),
            };
        }
        match (self.decided.get(id), decision) {
            // A page shows an approval without its arguments and an answer without its values, and sends what it shows.
            (Some(Decision::ApproveWith { .. }), Decision::Approve) => Ok(None),
            (Some(first), _) if first == decision => Ok(None),
            (Some(_), _) => Err(Refused::Decided),
            (None, _) if self.over.contains(id) => Ok(None),
            (None, _) => Err(Refused::Unknown),
        }
    }

    /// Returns true if a call waits for the answer to a question of this id, or has had one.
    pub(super) fn takes_answer(&self, id: &str) -> bool {
        match self.approvals.get(id) {
            Some(call) => call.question.is_some(),
            None => matches!(self.decided.get(id), Some(Decision::ApproveWith { .. })),
        }
    }

    /// The call with this id, if it waits for the application.
    pub(super) fn external(&self, tool_call_id: &str) -> Option<&PendingCall> {
        self.answers.get(tool_call_id)
    }

    /// The answer of a call of an external tool: an output, or the text of an error, which the model reads.
    pub(super) fn answer(
        &self,
        call: &PendingCall,
        result: &Result<JsonText, String>,
    ) -> Result<Resolution, Refused> {
        match result {
            Ok(output) => {
                self.check_length(output.as_str())?;
                Ok(call.answer(output_of(output)))
            }
            Err(text) => {
                self.check_length(text)?;
                Ok(call.fail(ToolError::new(ErrorCategory::Unknown, text.as_str())))
            }
        }
    }

    fn check_length(&self, answer: &str) -> Result<(), Refused> {
        if answer.len() > self.answer_bytes {
            return Err(Refused::TooLong(self.answer_bytes));
        }
        Ok(())
    }
}
