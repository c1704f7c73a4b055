//! A run that begins in a store.

use std::{collections::BTreeMap, time::SystemTime};

use tokio::time::Instant;

use super::{Keeper, KeptRuns, KeptWith, Tried, Turn, WhenBusy};
use crate::{
    Runner,
    store::{ConversationRef, Entry, NewRun, RunInfo},
};
use toolwright_core::{
    Conversation, Fingerprint,
    driver::millis,
    run::{Record, RunId, StoreError},
};

/// A run that is to begin in a store.
pub(in crate::runner) struct NewKeeper {
    runs: KeptRuns,
    info: RunInfo,
    /// The version of its conversation that is to be the newest, if that is looked at.
    expected: Option<u64>,
    /// The conversation that it continues, as it is stored.
    continued: Option<(ConversationRef, Conversation)>,
    /// The runner that begins it.
    runner: Runner,
}

impl NewKeeper {
    pub(in crate::runner) fn new(
        runs: KeptRuns,
        runner: &Runner,
        run_id: RunId,
        with: KeptWith,
        tools: BTreeMap<String, Fingerprint>,
    ) -> Self {
        let mut info = RunInfo::new(run_id, &*runs.runner, SystemTime::now());
        info.owner = runs.store.owner().map(str::to_owned);
        info.labels = with.labels;
        info.model = runner.model_name();
        info.tools = tools;
        info.extended = runner.context.has_extensions();
        let (conversation, expected) = with.conversation.unzip();
        info.conversation = conversation.map(|id| ConversationRef { id, version: 0 });
        Self {
            runs,
            info,
            expected: expected.flatten(),
            continued: None,
            runner: runner.clone(),
        }
    }

    /// Whom the run belongs to.
    pub(in crate::runner) fn owner(&self) -> Option<&str> {
        self.info.owner.as_deref()
    }

    /// The conversation that the run continues: that of the store if it is in one.
    pub(in crate::runner) async fn conversation(
        &mut self,
        given: Conversation,
    ) -> Result<Conversation, StoreError> {
        let Some(reference) = &mut self.info.conversation else {
            return Ok(given);
        };
        let (store, known) = (&self.runs.store, &self.runs.known);
        let newest = || known.newest(&**store.store(), store.scope(), &reference.id);
        let (version, conversation) = store.answered(newest).await?;
        if self.expected.is_some_and(|expected| expected != version) {
            return Err(StoreError::outdated(version));
        }
        reference.version = version;
        self.continued = Some((reference.clone(), conversation.clone()));
        Ok(conversation)
    }

    /// The place of the run in the queue of its conversation, if it waits for that. One that is to continue a version does not:
    /// the run that has the conversation saves another one.
    pub(in crate::runner) fn turn(&self) -> Option<Turn> {
        let waits = self.runs.keeping.when_busy == WhenBusy::Wait && self.expected.is_none();
        let reference = self.info.conversation.as_ref().filter(|_| waits)?;
        let owner = self.info.owner.as_deref();
        Some(Turn::new(&self.runs.queues, owner, &reference.id))
    }

    /// Goes on to its end with the run that has the conversation, if its driver is gone: see [`Runner::take_over`]. One that is to
    /// continue a version leaves it alone, since that would save another one.
    pub(in crate::runner) async fn take_over(
        &self,
        busy: &StoreError,
        tried: &mut Option<Tried>,
    ) -> bool {
        self.expected.is_none() && Box::pin(self.runner.take_over(busy, tried)).await
    }

    /// Waits until the conversation may be free that another run continues, as the error says, and goes on with that run if its
    /// driver is gone. It was freed so often before that was found.
    pub(in crate::runner) async fn until_free(
        &self,
        (turn, freed): (&Turn, u64),
        busy: &StoreError,
        tried: &mut Option<Tried>,
    ) {
        while !turn.is_freed(freed).await {
            if self.take_over(busy, tried).await || self.runs.may_be_over(busy).await {
                return;
            }
        }
    }

    /// Leaves the cancel of a run whose store has not answered to whoever goes on with it.
    pub(in crate::runner) async fn leave_cancel(&self) {
        self.runs.store.leave_cancel(&self.info.run_id).await;
    }

    /// Writes the beginning of the run.
    pub(in crate::runner) async fn create(&mut self, log: &[Record]) -> Result<Keeper, StoreError> {
        // It may have waited for its conversation.
        self.info.created = SystemTime::now();
        let (id, at) = (&self.info.run_id, millis::now());
        let mut entries = Vec::new();
        // The rest is held and written as everything else, so that the end of a run is written as one.
        for (sequence, record) in (0..).zip(log.iter().take(1)) {
            let mut entry = Entry::new(id.clone(), sequence, at, FIRST_LEASE, record.clone());
            if let Some(reference) = &self.info.conversation {
                entry = entry.continuing(reference.clone());
            }
            entries.push(entry.to_text()?);
        }
        let next = entries.len() as u64;
        let run = NewRun::new(self.info.clone(), entries);
        let asked = Instant::now();
        let lease = self.runs.store.create(&run).await?;
        let keeper = Keeper::new(self.runs.clone(), (lease, asked), next, 0);
        Ok(keeper.in_conversation(self.continued.take()))
    }
}

/// The token of the first lease of a run.
const FIRST_LEASE: u64 = 1;
