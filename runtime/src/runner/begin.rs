//! The beginnings of a run.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, SystemTime},
};

use super::{
    keeper::{Keeper, NewKeeper, Received},
    live::{LiveRuns, Publisher},
    time_limit::noted,
    typed_answer::AnswerType,
};
use crate::store::RunStatus;
use toolwright_core::{
    Conversation, UserMessage,
    run::{CallId, Record, Resolution, Run, RunId, RunOutcome, Signal},
};

/// How a run begins.
pub(super) enum Begin {
    /// With a question.
    New {
        /// What keeps it in a store.
        keeper: Option<Box<NewKeeper>>,
        id: RunId,
        conversation: Conversation,
        input: UserMessage,
        /// True if the input is not to be checked: it was.
        is_checked: bool,
        /// The type of its answer, if that has one.
        answer: Option<AnswerType>,
    },
    /// Not at all: it does not fit its runner, as its outcome says.
    Refused(Box<RunOutcome>),
    /// Where it stopped.
    Resumed(Box<Resumed>),
}

impl Begin {
    pub(super) fn id(&self) -> &RunId {
        match self {
            Self::New { id, .. } => id,
            Self::Refused(outcome) => &outcome.run_id,
            Self::Resumed(resumed) => resumed.run.id(),
        }
    }

    /// The type of the answer of the run, if that is known.
    pub(super) fn answer(&self) -> Option<&AnswerType> {
        match self {
            Self::New { answer, .. } => answer.as_ref(),
            Self::Refused(_) => None,
            Self::Resumed(resumed) => resumed.answer.as_ref(),
        }
    }

    /// Publishes the run for those who read it along, if it is kept in a store.
    pub(super) fn publish(&self, runs: &LiveRuns) -> Option<Publisher> {
        let owner = match self {
            Self::New { keeper, .. } => keeper.as_ref()?.owner(),
            Self::Refused(_) => return None,
            Self::Resumed(resumed) => resumed.keeper.as_ref()?.owner(),
        };
        Some(runs.publish(self.id(), owner))
    }
}

/// A stored run that goes on.
pub(super) struct Resumed {
    pub(super) run: Run,
    /// Its log, with what was missing at the end.
    pub(super) log: Vec<Record>,
    /// How many records of the log were missing.
    pub(super) missing: usize,
    /// The decisions and answers for the calls that waited.
    pub(super) resolved: Vec<Resolution>,
    /// The calls that waited for others, and since when.
    pub(super) waited: BTreeMap<CallId, SystemTime>,
    /// Those without a decision in time.
    pub(super) expired: BTreeSet<CallId>,
    /// The calls that waited for their next attempt, and since when, as far as that is known.
    pub(super) retried: BTreeMap<CallId, SystemTime>,
    /// The time since when the model was to be asked again, if it was and that is known.
    pub(super) model_delayed: Option<SystemTime>,
    /// Those whose tool has changed since the approval was requested.
    pub(super) changed: BTreeSet<CallId>,
    /// Where it stood in its store; open if it was in none.
    pub(super) found: RunStatus,
    /// What keeps it in a store.
    pub(super) keeper: Option<Keeper>,
    /// What was in its inbox when it was loaded.
    pub(super) received: Vec<Received>,
    /// The type of its answer, if that is known.
    pub(super) answer: Option<AnswerType>,
}

impl Resumed {
    /// Counts time of a process that has died, as far as it would not have written that down itself.
    pub(super) fn count_time(&mut self, time: Duration) {
        let Some(limit) = self
            .run
            .config()
            .limits
            .max_time
            .filter(|_| !time.is_zero())
        else {
            return;
        };
        let used = self.run.time_used().saturating_add(time.min(noted(limit)));
        let records = self.run.handle(Signal::TimeUsed(used));
        self.missing += records.len();
        self.log.extend(records);
    }
}
