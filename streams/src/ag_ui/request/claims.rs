//! Decisions and answers about calls that wait, as a client of AG-UI claims them.

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright_json::JsonText;

use super::Message;
use crate::{
    AgUiStream,
    claims::Checked,
    ui_message::{
        ChatRequestError, ChatRequestLimits,
        request::{malformed, raw_list, refused, short},
    },
};
use toolwright_core::{run::Resolution, tool::Decision};

/// Decisions about interrupts, and answers of calls of external tools, as a client claims them: the entries of `resume`,
/// and the results of calls at the end of the messages.
#[derive(Debug, Clone, PartialEq)]
pub struct AgUiClaims {
    decisions: Vec<(String, Decision)>,
    /// The content as it came: JSON, of which nothing is made before the call is known to wait for it. Or an error.
    answers: Vec<(String, Result<Box<str>, String>)>,
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
    /// The filled form of a question.
    #[serde(default)]
    answer: Option<Box<RawValue>>,
}

/// What is read of a part of a content.
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
            let message = "a result does not name its call".to_owned();
            return Err(ChatRequestError::Malformed(message));
        };
        if self.answers.len() == self.max {
            let max = self.max;
            return Err(ChatRequestError::TooManyClaims { max });
        }
        let claimed = match (message.error, message.content) {
            (Some(error), _) => Err(error),
            (None, Some(content)) => Ok(content.get().into()),
            (None, None) => Err(String::new()),
        };
        self.answers.push((tool_call_id, claimed));
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
                ("resolved", Some(payload)) if payload.approved => match payload.answer {
                    Some(answer) => Decision::approve_with(answer.get()),
                    None => Decision::Approve,
                },
                ("resolved", Some(payload)) => {
                    Decision::deny(short(&payload.reason.unwrap_or_default()))
                }
                _ => {
                    let message = "an entry of `resume` neither approves nor denies".to_owned();
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
    /// When a decision is about no approval of the run, or against one that was taken before; when an answer is too long, or
    /// neither a text nor a list of parts; when there is nothing that is new. Nothing of such a request is to be taken.
    pub fn check(&self, stream: &AgUiStream) -> Result<Vec<Resolution>, ChatRequestError> {
        let waiting = stream.waiting_by_id(self.answer_bytes);
        let mut checked = Checked::default();
        for (id, decision) in &self.decisions {
            if let Some(call) = waiting.approval(id, decision).map_err(refused(id))? {
                // Only the answer to a question has a form.
                if call.question.is_none() && matches!(decision, Decision::ApproveWith { .. }) {
                    let message = "an approval has no `answer`".to_owned();
                    return Err(ChatRequestError::Malformed(message));
                }
                let claim = call.decide(decision.clone());
                checked.take(claim).map_err(refused(id))?;
            }
        }
        for (id, claimed) in &self.answers {
            let Some(call) = waiting.external(id) else {
                continue;
            };
            let claim = waiting.answer(call, &read(claimed)?).map_err(refused(id))?;
            checked.take(claim).map_err(refused(id))?;
        }
        let checked = checked.into_resolutions();
        if checked.is_empty() {
            return Err(ChatRequestError::NothingNew);
        }
        Ok(checked)
    }
}

/// An answer. It is about as long as what came.
fn read(claimed: &Result<Box<str>, String>) -> Result<Result<JsonText, String>, ChatRequestError> {
    match claimed {
        Err(text) => Ok(Err(text.clone())),
        Ok(content) => Ok(Ok(JsonText::of(&text_of(content)?).map_err(malformed)?)),
    }
}

/// The text of a content, which is a text or a list of parts.
fn text_of(content: &str) -> Result<String, ChatRequestError> {
    if let Ok(text) = serde_json::from_str(content) {
        return Ok(text);
    }
    let parts: &RawValue = serde_json::from_str(content).map_err(malformed)?;
    let mut text = String::new();
    raw_list::each(parts, |part| {
        let piece: Piece = serde_json::from_str(part.get()).map_err(malformed)?;
        text += &piece.text;
        Ok(())
    })?;
    Ok(text)
}
