//! The claims in the parts of a message.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use toolwright_json::JsonText;

use super::{Claim, Claimed};
use crate::ui_message::request::{ChatRequestError, malformed, raw_list, short};
use toolwright_core::tool::Decision;

/// What is read of a part. Of arguments and outputs the place is found, and nothing is made of them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UiPart<'a> {
    #[serde(rename = "type")]
    kind: String,
    state: Option<String>,
    tool_call_id: Option<String>,
    tool_name: Option<String>,
    #[serde(borrow, default, deserialize_with = "is_there")]
    input: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "is_there")]
    output: Option<&'a RawValue>,
    error_text: Option<String>,
    preliminary: Option<bool>,
    #[serde(borrow, default)]
    approval: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct UiApproval {
    id: String,
    approved: Option<bool>,
    reason: Option<String>,
}

/// A value that is `null` is one too.
fn is_there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// The claims of the last step.
pub(super) fn read(parts: &RawValue, max: usize) -> Result<Vec<Claim>, ChatRequestError> {
    let mut claims = Vec::new();
    raw_list::each(parts, |part| {
        let part: UiPart<'_> = serde_json::from_str(part.get()).map_err(malformed)?;
        if part.kind == "step-start" {
            claims.clear();
        } else if let Some(claim) = claim_of(part)? {
            if claims.len() == max {
                return Err(ChatRequestError::TooManyClaims { max });
            }
            claims.push(claim);
        }
        Ok(())
    })?;
    Ok(claims)
}

fn claim_of(part: UiPart<'_>) -> Result<Option<Claim>, ChatRequestError> {
    let name = match part.kind.strip_prefix("tool-") {
        Some(name) => Some(name.to_owned()),
        None if part.kind == "dynamic-tool" => part.tool_name,
        None => None,
    };
    let (Some(tool_name), Some(state)) = (name, part.state.as_deref()) else {
        return Ok(None);
    };
    let what = match state {
        "approval-responded" => decision(part.approval)?,
        "output-available" if part.preliminary != Some(true) => match part.output {
            Some(output) => Claimed::Answer(Ok(text(output)?)),
            None => return Ok(None),
        },
        "output-error" => Claimed::Answer(Err(part.error_text.unwrap_or_default())),
        _ => return Ok(None),
    };
    let Some(tool_call_id) = part.tool_call_id else {
        let message = "a decision does not name its call".to_owned();
        return Err(ChatRequestError::Malformed(message));
    };
    Ok(Some(Claim {
        tool_call_id,
        tool_name,
        input: part.input.map(text).transpose()?,
        what,
    }))
}

fn decision(approval: Option<&RawValue>) -> Result<Claimed, ChatRequestError> {
    let Some(approval) = approval else {
        let message = "a decision does not name its approval".to_owned();
        return Err(ChatRequestError::Malformed(message));
    };
    let approval: UiApproval = serde_json::from_str(approval.get()).map_err(malformed)?;
    let reason = approval.reason.unwrap_or_default();
    let (decision, answer) = match approval.approved {
        Some(true) => (Decision::Approve, reason),
        Some(false) => (Decision::deny(short(&reason)), String::new()),
        None => {
            let message = "a decision neither approves nor denies".to_owned();
            return Err(ChatRequestError::Malformed(message));
        }
    };
    Ok(Claimed::Decision {
        approval_id: approval.id,
        decision,
        answer,
    })
}

fn text(json: &RawValue) -> Result<JsonText, ChatRequestError> {
    JsonText::new(json.get()).map_err(malformed)
}
