//! The outcome of a run.

use std::mem::take;

use super::{Failure, Finish, Run, RunOutcome, StoredRun, phase::Phase, round::Round};
use crate::Conversation;

/// The outcome of the run.
impl Run {
    /// Returns the outcome of the run; `None` while it is in progress.
    pub fn outcome(&self) -> Option<RunOutcome> {
        let Phase::Finished(finish) = &self.state.phase else {
            return None;
        };
        let (text, conversation) = (self.text(), self.state.conversation.clone());
        Some(self.outcome_of(finish.clone(), text, conversation))
    }

    /// The outcome of a run that is not needed any more.
    pub fn into_outcome(mut self) -> Option<RunOutcome> {
        let Phase::Finished(finish) = &self.state.phase else {
            return None;
        };
        let finish = finish.clone();
        let text = self.state.answering.take_text();
        let conversation = take(&mut self.state.conversation);
        Some(self.outcome_of(finish, text, conversation))
    }

    /// The outcome of a run that is suspended.
    pub fn suspended(&self, stored: StoredRun) -> RunOutcome {
        let (text, conversation) = (self.text(), self.conversation());
        let mut outcome = RunOutcome {
            // They are in the log.
            unread: Vec::new(),
            pending: stored.pending().to_vec(),
            suspended: Some(stored),
            ..self.outcome_of(Finish::Suspended, text, conversation)
        };
        let below = self.state.phase.round().into_iter();
        below
            .flat_map(Round::spent_below)
            .for_each(|spent| outcome.count(spent));
        outcome
    }

    /// The outcome of a run that continues elsewhere or not at all: its store failed, or it does not fit its
    /// runner.
    pub fn lost(&self, failure: Failure) -> RunOutcome {
        let (text, conversation) = (self.text(), self.conversation());
        self.outcome_of(Finish::Failed(failure), text, conversation)
    }

    fn text(&self) -> String {
        self.state.answering.text().to_owned()
    }

    fn outcome_of(&self, finish: Finish, text: String, conversation: Conversation) -> RunOutcome {
        let state = &self.state;
        let spent = state.spent.in_all();
        RunOutcome {
            run_id: state.id.clone(),
            finish,
            text,
            broken_off: state.answering.is_broken_off(),
            conversation,
            agent: self.agent().map(str::to_owned),
            rounds: state.spent.rounds(),
            tool_calls: spent.tool_calls,
            model_calls: spent.model_calls,
            requests: spent.requests,
            model_retries: state.spent.model_retries(),
            corrections: state.spent.corrections(),
            pauses: state.spent.pauses(),
            compactions: state.compacting.compactions(),
            usage: spent.usage,
            cost: (!state.config.prices.is_empty()).then_some(spent.cost),
            warnings: state.warnings.all().to_vec(),
            pushed_messages: state.pushed.read(),
            unread: state.pushed.unread().to_vec(),
            pending: Vec::new(),
            suspended: None,
        }
    }
}
