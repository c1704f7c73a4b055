//! Decisions and answers about calls that wait, as a client claims them.

mod parts;
mod shown;

use serde_json::value::RawValue;
use toolwright_json::JsonText;

use super::{ChatRequestError, ChatRequestLimits, refused, short};
use crate::{
    claims::{Checked, Waiting},
    ui_message::UiMessageStream,
};
use toolwright_core::{
    run::{PendingCall, Resolution},
    tool::Decision,
};

/// Decisions about approvals, and answers of calls of external tools, as a client claims them.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovalClaims {
    message_id: String,
    claims: Vec<Claim>,
    answer_bytes: usize,
}

/// What a client says of a call. It is no [`Resolution`] before the call is known: the client has an id, and the arguments
/// that it shows.
#[derive(Debug, Clone, PartialEq)]
struct Claim {
    tool_call_id: String,
    tool_name: String,
    /// The text of the arguments that the client shows.
    input: Option<JsonText>,
    what: Claimed,
}

#[derive(Debug, Clone, PartialEq)]
enum Claimed {
    Decision {
        approval_id: String,
        decision: Decision,
        /// The reason of an approval: of a call that has a question it is the filled form, of any other it says nothing.
        answer: String,
    },
    /// Also the outputs of calls that ran here, since a client sends all of them.
    Answer(Result<JsonText, String>),
}

impl ApprovalClaims {
    /// The claims in the parts of a message: those of its last step, where all calls are that wait.
    pub(super) fn of_parts(
        message_id: String,
        parts: &RawValue,
        limits: &ChatRequestLimits,
    ) -> Result<Self, ChatRequestError> {
        Ok(Self {
            message_id,
            claims: parts::read(parts, limits.claims)?,
            answer_bytes: limits.answer_bytes,
        })
    }

    /// The id of the message whose calls were decided. It is the id of the run, if that is the id of the message.
    pub fn message_id(&self) -> &str {
        &self.message_id
    }

    /// The ids of the calls that were decided, as the client has them: [`UiMessageStream::tool_call_id`].
    pub fn tool_call_ids(&self) -> impl Iterator<Item = &str> {
        let is_decision = |claim: &&Claim| matches!(claim.what, Claimed::Decision { .. });
        let decisions = self.claims.iter().filter(is_decision);
        decisions.map(|claim| claim.tool_call_id.as_str())
    }

    /// Checks the claims against the run: `stream` has [caught up](UiMessageStream::catch_up) with it. The client
    /// has to show the call that waits, with the arguments that it runs with. Decisions that were taken before are left
    /// out, and so are outputs of calls that do not wait for the application. The `reason` of an approval is the filled form,
    /// where the call waits for the answer to a question.
    ///
    /// Who may decide is for the server to say. A decision is valid for the arguments of the run, never for those of
    /// the client. An answer is what the client says: let a tool be external only if that is what is wanted.
    ///
    /// # Errors
    ///
    /// When a decision is about no approval of the run, about another call than the client shows, or against one that was
    /// taken before; when an answer is too long; when there is nothing that is new. Nothing of such a request is to be
    /// taken.
    pub fn check(&self, stream: &UiMessageStream) -> Result<Vec<Resolution>, ChatRequestError> {
        if self.message_id != stream.message_id() {
            return Err(ChatRequestError::OtherMessage);
        }
        let waiting = stream.waiting_by_id(self.answer_bytes);
        let mut checked = Checked::default();
        for claim in &self.claims {
            let Some((id, call, new)) = claim.news(&waiting)? else {
                continue;
            };
            if !claim.shows(call, stream) {
                return Err(ChatRequestError::Altered(short(id).to_owned()));
            }
            checked.take(new).map_err(refused(id))?;
        }
        let checked = checked.into_resolutions();
        if checked.is_empty() {
            return Err(ChatRequestError::NothingNew);
        }
        Ok(checked)
    }
}

impl Claim {
    /// The id that it is about, the call that waits for it, and what it says; `None` if it says nothing new.
    fn news<'a>(
        &'a self,
        waiting: &'a Waiting,
    ) -> Result<Option<(&'a str, &'a PendingCall, Resolution)>, ChatRequestError> {
        match &self.what {
            Claimed::Decision {
                approval_id,
                decision,
                answer,
            } => {
                let answers = *decision == Decision::Approve
                    && !answer.is_empty()
                    && waiting.takes_answer(approval_id);
                let answered = answers.then(|| Decision::approve_with(answer));
                let decision = answered.as_ref().unwrap_or(decision);
                let call = waiting.approval(approval_id, decision);
                let call = call.map_err(refused(approval_id))?;
                Ok(call.map(|call| (approval_id.as_str(), call, call.decide(decision.clone()))))
            }
            Claimed::Answer(result) => {
                let id = self.tool_call_id.as_str();
                let Some(call) = waiting.external(id) else {
                    return Ok(None);
                };
                let answer = waiting.answer(call, result).map_err(refused(id))?;
                Ok(Some((id, call, answer)))
            }
        }
    }

    /// Returns true if the client shows this call, with the arguments that were sent last.
    fn shows(&self, call: &PendingCall, stream: &UiMessageStream) -> bool {
        let is_same = match (&self.input, stream.input(call)) {
            (Some(claimed), Some(ours)) => shown::is_same(claimed, &ours),
            _ => false,
        };
        is_same && self.tool_call_id == call.tool_call_id() && self.tool_name == call.call.name
    }
}
