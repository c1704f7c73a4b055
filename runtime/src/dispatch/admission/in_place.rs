//! Questions of calls outside of a run: the approver answers them while the call waits.

use std::{pin::pin, sync::Arc};

use futures_util::future::{Either, select};
use tokio::sync::watch;

use super::approval::{Approver, decide};
use crate::dispatch::AttemptStart;
use toolwright_core::{
    ToolCall, ToolContext,
    driver::{CallDriver, MAX_QUESTIONS, Mutex, defect},
    tool::{ApprovalRequest, BoxFuture, Decision, Effects, Question, Unasked},
};

/// Asks the approver of a call the questions of its attempts, while one of them runs.
pub(crate) struct InPlace {
    approver: Arc<dyn Approver>,
    call: ToolCall,
    effects: Effects,
    asked: Mutex<Vec<Asked>>,
    /// It is closed when no attempt runs.
    attempts: watch::Sender<()>,
}

/// A question of the call.
struct Asked {
    key: String,
    question: Question,
    answer: Option<Decision>,
}

impl InPlace {
    pub(super) fn new(approver: Arc<dyn Approver>, call: ToolCall, effects: Effects) -> Self {
        Self {
            approver,
            call,
            effects,
            asked: Mutex::default(),
            attempts: watch::Sender::new(()),
        }
    }

    /// The start of an attempt that asks its questions here. It runs while what it starts with is there.
    pub(crate) fn begin(self: Arc<Self>, start: AttemptStart) -> AttemptStart {
        AttemptStart {
            asks: Some(self.attempts.subscribe()),
            cx: start.cx.driven_by(Some(self)),
            ..start
        }
    }

    /// The answer that is there. A key is that of one question.
    fn known(&self, key: &str, question: &Question) -> Result<Option<Decision>, Unasked> {
        let mut asked = self.asked.lock();
        if let Some(first) = asked.iter().find(|asked| asked.key == key) {
            if first.question != *question {
                let why = format!("another question of the call has the key `{key}`");
                return Err(Unasked::Invalid(why));
            }
            return Ok(first.answer.clone());
        }
        if asked.len() >= MAX_QUESTIONS {
            return Err(Unasked::TooMany(MAX_QUESTIONS));
        }
        asked.push(Asked {
            key: key.to_owned(),
            question: question.clone(),
            answer: None,
        });
        Ok(None)
    }

    fn answered(&self, key: &str, answer: &Decision) {
        let mut asked = self.asked.lock();
        if let Some(asked) = asked.iter_mut().find(|asked| asked.key == key) {
            asked.answer = Some(answer.clone());
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
            if let Some(why) = defect(&question) {
                return Err(Unasked::Invalid(why));
            }
            if let Some(known) = self.known(&key, &question)? {
                return Ok(known);
            }
            let request = ApprovalRequest::new(self.call.clone(), self.effects)
                .with_context(cx.clone())
                .with_question(&*key, question);
            let over = || Unasked::Failed("the attempt is over".to_owned());
            if self.attempts.is_closed() {
                return Err(over());
            }
            let answer = pin!(decide(Some(Arc::clone(&self.approver)), request));
            // What the tool has started beside itself may ask as well, and nobody reads that answer any more.
            match select(answer, pin!(self.attempts.closed())).await {
                Either::Left((answer, _)) => {
                    self.answered(&key, &answer);
                    Ok(answer)
                }
                Either::Right(_) => Err(over()),
            }
        })
    }
}
