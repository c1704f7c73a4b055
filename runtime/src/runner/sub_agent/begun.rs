//! The run of a sub-agent, which begins, or goes on with the run of its call.

mod stored;

use std::sync::Arc;

use crate::store::TASK;
use crate::{
    Runner,
    runner::{
        RunHandle, begin::Begin, drive::new_run_id, keeper::KeptWith, run_node::StartedBy,
        typed_answer::AnswerType,
    },
};
use toolwright_core::{
    Conversation, ToolError, UserMessage,
    driver::{digest, not_executed},
    run::RunOutcome,
    tool::{Effects, ToolContext},
};

/// The run of a sub-agent.
pub(super) enum Begun {
    Under(Box<RunHandle>),
    /// It was over already when its call was resumed.
    Over(Box<RunOutcome>),
}

/// What the run of a sub-agent is begun with.
pub(super) struct Beginning<'a> {
    pub(super) name: &'a str,
    pub(super) runner: &'a Runner,
    pub(super) started_by: &'a StartedBy,
    pub(super) input: UserMessage,
    pub(super) answer: Option<AnswerType>,
    pub(super) effects: Effects,
}

impl Beginning<'_> {
    /// Begins a run that is in no store, or not any more.
    fn anew(self, cx: &ToolContext) -> Result<Begun, ToolError> {
        // An attempt before may have begun it elsewhere: in a store that this runner does not have, for example.
        let has_begun = cx.attempt() > 1 && self.started_by.is_first();
        if has_begun && self.effects == Effects::Write {
            return Err(self.stopped("was interrupted"));
        }
        if let Some(limit) = self.started_by.limit_reached() {
            return Err(not_executed(&limit.to_string()));
        }
        let id = self.started_by.run_id().unwrap_or_else(new_run_id);
        let mut with = KeptWith::below(self.started_by.origin());
        if !self.runner.inner.input_checks.is_empty() {
            with.labels.insert(TASK.to_owned(), digest(&self.input));
        }
        let inner = Arc::clone(&self.runner.inner);
        let begin = Begin::New {
            keeper: self.runner.keeper_of(&inner, &id, with),
            id,
            conversation: Conversation::new(),
            input: self.input,
            is_checked: false,
            answer: self.answer,
        };
        let runner = (inner, self.runner.context.clone());
        let owner = self.runner.kept_for.owner.clone();
        Ok(Begun::Under(Box::new(RunHandle::new(runner, owner, begin))))
    }

    /// The error of a run that was stopped.
    fn stopped(&self, why: &str) -> ToolError {
        let aftermath = self.effects.aftermath();
        ToolError::cancelled(format!("the agent `{}` {why}{aftermath}", self.name))
    }
}
