//! Questions of calls outside of a run: the approver answers them while the call waits.

use std::{pin::pin, sync::Arc};

use futures_util::future::{Either, select};
use tokio::sync::{OnceCell, watch};

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
    answer: Arc<OnceCell<Decision>>,
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

    /// The place of an answer. A key is that of one question.
    fn answer(&self, key: &str, question: &Question) -> Result<Arc<OnceCell<Decision>>, Unasked> {
        let mut asked = self.asked.lock();
        if let Some(first) = asked.iter().find(|asked| asked.key == key) {
            if first.question != *question {
                let why = format!("another question of the call has the key `{key}`");
                return Err(Unasked::Invalid(why));
            }
            return Ok(Arc::clone(&first.answer));
        }
        if asked.len() >= MAX_QUESTIONS {
            return Err(Unasked::TooMany(MAX_QUESTIONS));
        }
        let answer = Arc::default();
        asked.push(Asked {
            key: key.to_owned(),
            question: question.clone(),
            answer: Arc::clone(&answer),
        });
        Ok(answer)
    }

    /// Asks the approver, as long as an attempt runs: what the tool has started beside itself may ask as well, and nobody reads
    /// that answer any more.
    async fn decided(&self, request: ApprovalRequest) -> Result<Decision, Unasked> {
        let over = || Unasked::Failed("the attempt is over".to_owned());
        if self.attempts.is_closed() {
            return Err(over());
        }
        let answer = pin!(decide(Some(Arc::clone(&self.approver)), request));
        match select(answer, pin!(self.attempts.closed())).await {
            Either::Left((answer, _)) => Ok(answer),
            Either::Right(_) => Err(over()),
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
            let answer = self.answer(&key, &question)?;
            let request = ApprovalRequest::new(self.call.clone(), self.effects)
                .with_context(cx.clone())
                .with_question(&*key, question);
            // Asked twice at once, a person reads it once.
            let answer = answer.get_or_try_init(|| self.decided(request));
            answer.await.cloned()
        })
    }
}
