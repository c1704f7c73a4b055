//! Decisions about approvals, as a client claims them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use toolwright_json::JsonText;

use super::{ChatRequestError, malformed, short};
use crate::{
    run::{CallId, PendingCall, Resolution},
    streams::{ids::approval_id, ui_message::UiMessageStream},
    tool::Decision,
};

/// Decisions about approvals, as a client claims them.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovalClaims {
    message_id: String,
    claims: Vec<Claim>,
}

#[derive(Debug, Clone, PartialEq)]
struct Claim {
    tool_call_id: String,
    tool_name: String,
    input: Option<Value>,
    approval_id: String,
    decision: Decision,
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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UiPart {
    #[serde(rename = "type")]
    kind: String,
    state: Option<String>,
    tool_call_id: Option<String>,
    tool_name: Option<String>,
    input: Option<Value>,
    approval: Option<UiApproval>,
}

#[derive(Deserialize)]
struct UiApproval {
    id: String,
    approved: Option<bool>,
    reason: Option<String>,
}

impl ApprovalClaims {
    /// The decisions in the parts of a message.
    pub(super) fn of_parts(
        message_id: String,
        parts: &[&RawValue],
    ) -> Result<Self, ChatRequestError> {
        let claims = claims_of(parts)?;
        Ok(Self { message_id, claims })
    }

    /// The id of the message whose calls were decided. It is the id of the run, if that is the id of the message.
    pub fn message_id(&self) -> &str {
        &self.message_id
    }

    /// The ids of the calls that were decided, as the client has them: [`UiMessageStream::tool_call_id`].
    pub fn tool_call_ids(&self) -> impl Iterator<Item = &str> {
        self.claims.iter().map(|claim| claim.tool_call_id.as_str())
    }

    /// Checks the decisions against the run: `stream` has [caught up](UiMessageStream::catch_up) with it. The client
    /// has to show the call that waits, with the arguments that it runs with. Decisions that were taken before are left
    /// out.
    ///
    /// Who may decide is for the server to say. A decision is valid for the arguments of the run, never for those of
    /// the client.
    ///
    /// # Errors
    ///
    /// When a decision is about no approval of the run, about another call than the client shows, or against one that was
    /// taken before; when there is none that is new. No decision of such a request is to be taken.
    pub fn check(&self, stream: &UiMessageStream) -> Result<Vec<CallDecision>, ChatRequestError> {
        if self.message_id != stream.message_id() {
            return Err(ChatRequestError::OtherMessage);
        }
        let mut decisions = BTreeMap::new();
        for claim in &self.claims {
            let id = || claim.approval_id.clone();
            let waiting = stream.waiting();
            let waiting = waiting.iter().find(|call| {
                let tool_call_id = stream.tool_call_id(call.id);
                call.is_approval && approval_id(&tool_call_id, call.asked) == claim.approval_id
            });
            let Some(call) = waiting else {
                match stream.decided(&claim.approval_id) {
                    Some(approved) if approved == claim.is_approved() => continue,
                    Some(_) => return Err(ChatRequestError::DecidedBefore(id())),
                    None => return Err(ChatRequestError::UnknownApproval(id())),
                }
            };
            let ours = stream.input(call.id).map(JsonText::to_value);
            let is_shown = claim.tool_call_id == stream.tool_call_id(call.id)
                && claim.tool_name == call.call.name
                && matches!((&claim.input, &ours), (Some(claimed), Some(ours)) if is_same(claimed, ours));
            if !is_shown {
                return Err(ChatRequestError::Altered(id()));
            }
            let earlier = decisions.insert(call.id, claim.decision.clone());
            if earlier.is_some_and(|earlier| earlier != claim.decision) {
                return Err(ChatRequestError::DecidedBefore(id()));
            }
        }
        if decisions.is_empty() {
            return Err(ChatRequestError::NothingNew);
        }
        let decision = |(call, decision)| CallDecision { call, decision };
        Ok(decisions.into_iter().map(decision).collect())
    }
}

impl Claim {
    fn is_approved(&self) -> bool {
        !matches!(self.decision, Decision::Deny { .. })
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

fn claims_of(parts: &[&RawValue]) -> Result<Vec<Claim>, ChatRequestError> {
    let mut claims = Vec::new();
    for part in parts {
        let part: UiPart = serde_json::from_str(part.get()).map_err(malformed)?;
        let name = match part.kind.strip_prefix("tool-") {
            Some(name) => Some(name.to_owned()),
            None if part.kind == "dynamic-tool" => part.tool_name,
            None => None,
        };
        let (Some(tool_name), Some("approval-responded")) = (name, part.state.as_deref()) else {
            continue;
        };
        let (Some(tool_call_id), Some(approval)) = (part.tool_call_id, part.approval) else {
            let message = "a decision has no call or no approval".to_owned();
            return Err(ChatRequestError::Malformed(message));
        };
        let decision = match approval.approved {
            Some(true) => Decision::Approve,
            Some(false) => Decision::deny(short(&approval.reason.unwrap_or_default())),
            None => {
                let message = "a decision says neither yes nor no".to_owned();
                return Err(ChatRequestError::Malformed(message));
            }
        };
        claims.push(Claim {
            tool_call_id,
            tool_name,
            input: part.input,
            approval_id: approval.id,
            decision,
        });
    }
    Ok(claims)
}

/// Returns true if two values are the same for a client in JavaScript, which has one kind of number and no infinite one in
/// JSON.
fn is_same(claimed: &Value, ours: &Value) -> bool {
    match (claimed, ours) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Null, Value::Number(number)) => {
            number.as_f64().is_some_and(|n| n.abs() >= f64::MAX)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && (a.iter()).all(|(key, a)| b.get(key).is_some_and(|b| is_same(a, b)))
        }
        (a, b) => a == b,
    }
}
