//! Questions of calls outside of a run: the approver answers them while the call waits.

use std::sync::Arc;

use super::approval::{Approver, decide};
use toolwright_core::{
    ToolCall, ToolContext,
    driver::{CallDriver, MAX_QUESTIONS, Mutex, defect},
    tool::{ApprovalRequest, BoxFuture, Decision, Effects, Question, Unasked},
};

/// Asks the approver of a call the questions of one attempt.
pub(super) struct InPlace {
    approver: Arc<dyn Approver>,
    call: ToolCall,
    effects: Effects,
    answers: Mutex<Vec<(String, Decision)>>,
}

impl InPlace {
    pub(super) fn new(approver: Arc<dyn Approver>, call: ToolCall, effects: Effects) -> Self {
        Self {
            approver,
            call,
            effects,
            answers: Mutex::default(),
        }
    }

    fn known(&self, key: &str) -> Result<Option<Decision>, Unasked> {
        let answers = self.answers.lock();
        let known = answers.iter().find(|(answered, _)| answered == key);
        match known {
            None if answers.len() >= MAX_QUESTIONS => Err(Unasked::TooMany(MAX_QUESTIONS)),
            known => Ok(known.map(|(_, answer)| answer.clone())),
        }
    }
}

impl CallDriver for InPlace {
    fn ask<'a>(
        &'a self,
        cx: &'a ToolContext,
        key: String,
        question: Question,
    ) -> BoxFuture<'a, Result<Decision, Unasked>> {
        Box::pin(async move {
            if let Some(known) = self.known(&key)? {
                return Ok(known);
            }
            if let Some(why) = defect(&question) {
                return Err(Unasked::Invalid(why));
            }
            let request = ApprovalRequest::new(self.call.clone(), self.effects)
                .with_context(cx.clone())
                .with_question(question);
            let answer = decide(Some(Arc::clone(&self.approver)), request).await;
            self.answers.lock().push((key, answer.clone()));
            Ok(answer)
        })
    }
}
