//! Decisions and answers about calls that wait, as a client of AG-UI claims them.

use std::collections::{BTreeMap, btree_map::Entry};

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright_json::JsonText;

use super::Message;
use crate::{
    run::CallId,
    streams::{
        AgUiStream,
        claims::{Approval, CallAnswer, CallClaim, CallDecision, Waiting},
        ui_message::{
            ChatRequestError, ChatRequestLimits,
            request::{malformed, raw_list, short},
        },
    },
    tool::Decision,
};

/// Decisions about interrupts, and answers of calls of external tools, as a client claims them: the entries of `resume`,
/// and the results of calls at the end of the messages.
#[derive(Debug, Clone, PartialEq)]
pub struct AgUiClaims {
    decisions: Vec<(String, Decision)>,
    answers: Vec<(String, Result<JsonText, String>)>,
    max: usize,
    answer_bytes: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResumeEntry {
    interrupt_id: String,
    status: String,
    #[serde(default)]
    payload: Option<Payload>,
}

#[derive(Deserialize)]
struct Payload {
    approved: bool,
    #[serde(default)]
    reason: Option<String>,
}

/// The content of a result: a text, or a list of parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Piece>),
}

#[derive(Deserialize)]
struct Piece {
    #[serde(default)]
    text: String,
}

impl AgUiClaims {
    pub(super) fn new(limits: &ChatRequestLimits) -> Self {
        Self {
            decisions: Vec::new(),
            answers: Vec::new(),
            max: limits.claims,
            answer_bytes: limits.answer_bytes,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.decisions.is_empty() && self.answers.is_empty()
    }

    pub(super) fn forget_answers(&mut self) {
        self.answers.clear();
    }

    /// Takes a result that the client has, of a call that it or the server has run. One that is too long to be an answer
    /// counts when its call waits for one.
    pub(super) fn answered(&mut self, message: Message<'_>) -> Result<(), ChatRequestError> {
        let Some(tool_call_id) = message.tool_call_id else {
            let message = "a result has no call".to_owned();
            return Err(ChatRequestError::Malformed(message));
        };
        if self.answers.len() == self.max {
            let max = self.max;
            return Err(ChatRequestError::TooManyClaims { max });
        }
        let result = match (message.error, message.content) {
            (Some(error), _) => Err(error),
            (None, Some(content)) => Ok(text_of(content)?),
            (None, None) => Err(String::new()),
        };
        self.answers.push((tool_call_id, result));
        Ok(())
    }

    pub(super) fn resumed(&mut self, entries: &RawValue) -> Result<(), ChatRequestError> {
        raw_list::each(entries, |entry| {
            if self.decisions.len() == self.max {
                let max = self.max;
                return Err(ChatRequestError::TooManyClaims { max });
            }
            let entry: ResumeEntry = serde_json::from_str(entry.get()).map_err(malformed)?;
            let decision = match (entry.status.as_str(), entry.payload) {
                ("cancelled", _) => Decision::deny("the user dismissed the question"),
                ("resolved", Some(payload)) if payload.approved => Decision::Approve,
                ("resolved", Some(payload)) => {
                    Decision::deny(short(&payload.reason.unwrap_or_default()))
                }
                _ => {
                    let message = "an entry of `resume` says neither yes nor no".to_owned();
                    return Err(ChatRequestError::Malformed(message));
                }
            };
            self.decisions.push((entry.interrupt_id, decision));
            Ok(())
        })
    }

    /// Checks the claims against the run: `stream` has [caught up](AgUiStream::catch_up) with it. Decisions that were taken
    /// before are left out, and so are results of calls that do not wait for the application.
    ///
    /// Who may decide is for the server to say. An entry of `resume` that is `cancelled` is a denial.
    ///
    /// # Errors
    ///
    /// When a decision is about no approval of the run, or against one that was taken before; when an answer is too long;
    /// when there is nothing that is new. Nothing of such a request is to be taken.
    pub fn check(&self, stream: &AgUiStream) -> Result<Vec<CallClaim>, ChatRequestError> {
        let waiting = stream.waiting_by_id();
        let mut checked = BTreeMap::new();
        for (id, decision) in &self.decisions {
            if let Some(call) = new_decision(id, decision, &waiting)? {
                let decision = decision.clone();
                let claim = CallClaim::Decision(CallDecision { call, decision });
                take(&mut checked, id, claim)?;
            }
        }
        for (id, result) in &self.answers {
            let Some(call) = waiting.answer(id) else {
                continue;
            };
            let bytes = match result {
                Ok(output) => output.as_str().len(),
                Err(text) => text.len(),
            };
            if bytes > self.answer_bytes {
                let max = self.answer_bytes;
                return Err(ChatRequestError::AnswerTooLong { max });
            }
            let (call, result) = (call.id, result.clone());
            let claim = CallClaim::Answer(CallAnswer { call, result });
            take(&mut checked, id, claim)?;
        }
        if checked.is_empty() {
            return Err(ChatRequestError::NothingNew);
        }
        Ok(checked.into_values().collect())
    }
}

/// The call that a decision is about; `None` if it was taken before.
fn new_decision(
    id: &str,
    decision: &Decision,
    waiting: &Waiting,
) -> Result<Option<CallId>, ChatRequestError> {
    let is_approved = !matches!(decision, Decision::Deny { .. });
    match waiting.approval(id) {
        Approval::Waits(call) => Ok(Some(call.id)),
        Approval::Decided(approved) if approved == is_approved => Ok(None),
        Approval::Decided(_) => Err(ChatRequestError::DecidedBefore(short(id).to_owned())),
        Approval::Unknown => Err(ChatRequestError::UnknownApproval(short(id).to_owned())),
    }
}

/// Takes a claim, unless there is another one about its call.
fn take(
    checked: &mut BTreeMap<CallId, CallClaim>,
    id: &str,
    claim: CallClaim,
) -> Result<(), ChatRequestError> {
    match checked.entry(claim.call()) {
        Entry::Vacant(entry) => {
            entry.insert(claim);
            Ok(())
        }
        Entry::Occupied(entry) if *entry.get() == claim => Ok(()),
        Entry::Occupied(_) => Err(ChatRequestError::DecidedBefore(short(id).to_owned())),
    }
}

fn text_of(content: &RawValue) -> Result<JsonText, ChatRequestError> {
    let text = match serde_json::from_str(content.get()).map_err(malformed)? {
        Content::Text(text) => text,
        Content::Parts(parts) => parts.into_iter().map(|part| part.text).collect(),
    };
    JsonText::of(&text).map_err(malformed)
}
