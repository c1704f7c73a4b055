//! Reads the log of a stored run, with the times that only its entries have.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use crate::{
    runner::keeper::KeptRuns,
    store::{ConversationRef, ConversationVersion, Entry, LoadedRun},
};
use toolwright_core::{
    Conversation,
    run::{CallId, Delay, Record, RunId, StoreError, StoreErrorKind},
};

/// The log of a stored run.
pub(in crate::runner) struct Log {
    pub(in crate::runner) records: Vec<Record>,
    /// The calls that wait or have waited for others, and since when.
    pub(super) waits_since: BTreeMap<CallId, SystemTime>,
    /// The calls that wait or have waited for another attempt, and since when.
    pub(super) retried: BTreeMap<CallId, SystemTime>,
    /// The time since when the model is to be asked again.
    pub(super) model_delayed: Option<SystemTime>,
    /// When the run got further for the last time.
    pub(super) progress: SystemTime,
    /// The times at which it was resumed since then.
    resumed: Vec<SystemTime>,
    /// The last checkpoints of its calls that have no result.
    checkpoints: BTreeMap<CallId, String>,
    /// The time up to its last entry that no entry counts: of a process that has died.
    pub(super) uncounted: Duration,
    /// The conversation that it continues, and what was saved of it last.
    pub(super) conversation: Option<(ConversationRef, Conversation)>,
}

impl Log {
    pub(in crate::runner) async fn read(
        runs: &KeptRuns,
        run_id: &RunId,
        loaded: &LoadedRun,
    ) -> Result<Self, StoreError> {
        let mut log = Self {
            records: Vec::with_capacity(loaded.entries.len()),
            waits_since: BTreeMap::new(),
            retried: BTreeMap::new(),
            model_delayed: None,
            progress: SystemTime::UNIX_EPOCH,
            resumed: Vec::new(),
            checkpoints: BTreeMap::new(),
            uncounted: Duration::ZERO,
            conversation: None,
        };
        let mut counted = None;
        for (sequence, text) in (0..).zip(&loaded.entries) {
            let mut entry = Entry::from_text(text, run_id, sequence)?;
            if let (Record::Started { conversation, .. }, Some(reference)) =
                (&mut entry.record, &entry.conversation)
            {
                // It may have been deleted, and be another owner's now.
                let store = runs.store.clone().of_owner(loaded.info.owner.clone());
                let versions = store.conversation(&reference.id, None).await?;
                let then = usize::try_from(reference.version).unwrap_or(usize::MAX);
                let Some(then) = versions.get(..then) else {
                    return Err(gone(run_id, reference));
                };
                *conversation = ConversationVersion::join(then)?;
                let mut newest = reference.clone();
                newest.version = versions.len() as u64;
                log.conversation = Some((newest, ConversationVersion::join(&versions)?));
            }
            log.note_wait(&entry);
            log.note_progress(&entry);
            let from = match &entry.record {
                Record::Started { .. } | Record::TimeUsed { .. } | Record::Resumed { .. } => {
                    *counted.insert(entry.at)
                }
                _ => counted.unwrap_or(entry.at),
            };
            // A clock that was set back counts nothing.
            log.uncounted = entry.at.duration_since(from).unwrap_or_default();
            log.records.push(entry.record);
        }
        Ok(log)
    }

    /// Notes since when something waits.
    fn note_wait(&mut self, entry: &Entry) {
        match &entry.record {
            Record::CallDelayed { call, why } => match why {
                // A call waits for its answer after it has waited for its approval.
                Delay::Approval | Delay::Question { .. } | Delay::External => {
                    self.waits_since.insert(*call, entry.at);
                }
                Delay::Retry { .. } => {
                    self.retried.insert(*call, entry.at);
                }
                _ => {}
            },
            Record::ModelDelayed { .. } => self.model_delayed = Some(entry.at),
            // An item that comes meanwhile ends no wait.
            Record::TimeUsed { .. }
            | Record::MessagePushed { .. }
            | Record::CancelAfterRound
            | Record::Resumed { .. } => {}
            _ => self.model_delayed = None,
        }
    }

    /// Notes when the run got further, and when it was resumed since.
    fn note_progress(&mut self, entry: &Entry) {
        let is_further = match &entry.record {
            Record::Started { .. }
            | Record::Replied { .. }
            | Record::CallDecided { .. }
            | Record::QuestionAnswered { .. }
            | Record::ContextCompacted { .. }
            | Record::MessagePushed { .. } => true,
            Record::CallFinished { call, .. } => {
                self.checkpoints.remove(call);
                true
            }
            // A call that says the same again has done nothing since.
            Record::CallCheckpointed { call, state } => {
                let before = self.checkpoints.insert(*call, state.clone());
                before.as_ref() != Some(state)
            }
            Record::Resumed { suspended: false } => {
                self.resumed.push(entry.at);
                false
            }
            _ => false,
        };
        if is_further {
            self.progress = entry.at;
            self.resumed.clear();
        }
    }

    /// When the run was resumed for the first of the last so many times, if it got no further in any of them.
    pub(super) fn idle_since(&self, resumes: usize) -> Option<SystemTime> {
        let first = self.resumed.len().checked_sub(resumes)?;
        self.resumed.get(first).copied()
    }
}

fn gone(run_id: &RunId, reference: &ConversationRef) -> StoreError {
    let message = format!(
        "the run continues version {} of conversation {}, which does not exist",
        reference.version, reference.id
    );
    StoreError::new(StoreErrorKind::Corrupt, message).with_run(run_id)
}
