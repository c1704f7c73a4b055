//! Keeps a run in a store while it is driven: what is recorded is written before anybody reads it, and before anything
//! that follows from it is done.

mod begin;
mod settings;
mod watch;

use std::mem::take;

pub(super) use crate::store::Received;
pub(super) use begin::NewKeeper;
pub use settings::OnChanged;
pub(super) use settings::{KeptRuns, Scope};
pub(super) use watch::Watch;

use crate::{
    Conversation, millis,
    run::{PendingCall, Record, Run, StoreError, StoreErrorKind},
    store::{Append, ConversationRef, ConversationVersion, Entry, Lease, RunStatus},
    tool::Effects,
};

/// What keeps a run in a store.
pub(super) struct Keeper {
    runs: KeptRuns,
    lease: Lease,
    /// The place of the first record that is not written.
    next: u64,
    unwritten: Vec<Record>,
    /// The place of the last item of the inbox that the run has taken.
    taken: u64,
    /// The conversation that the run continues, and what was saved of it last.
    conversation: Option<(ConversationRef, Conversation)>,
}

impl Keeper {
    /// The keeper of a run: so many of its records are written, and this is the place of the last item of
    /// its inbox that it has taken.
    pub(super) fn new(runs: KeptRuns, lease: Lease, written: u64, taken: u64) -> Self {
        Self {
            runs,
            lease,
            next: written,
            unwritten: Vec::new(),
            taken,
            conversation: None,
        }
    }

    /// Sets the conversation that the run continues, and what was saved of it last.
    pub(super) fn in_conversation(
        self,
        conversation: Option<(ConversationRef, Conversation)>,
    ) -> Self {
        Self {
            conversation,
            ..self
        }
    }

    /// Keeps records until they are written. They follow those before.
    pub(super) fn hold(&mut self, records: Vec<Record>) {
        self.unwritten.extend(records);
    }

    /// Returns true if everything is written that may be read.
    pub(super) fn is_settled(&self) -> bool {
        self.unwritten.is_empty()
    }

    /// Takes an item of the inbox, unless it was taken. That is written with the next records.
    pub(super) fn takes(&mut self, place: u64) -> bool {
        let is_new = place > self.taken;
        self.taken = self.taken.max(place);
        is_new
    }

    /// Writes what is not written, and gives it with its places: now others may read it.
    ///
    /// # Errors
    ///
    /// When the store did not take it. Nothing more is to be done for the run then.
    pub(super) async fn write(&mut self, run: &Run) -> Result<(u64, Vec<Record>), StoreError> {
        if self.is_settled() {
            return Ok((self.next, Vec::new()));
        }
        let is_over = self.unwritten.iter().any(is_end);
        let status = is_over.then_some(RunStatus::Finished);
        let synced = self.unwritten.iter().any(|record| is_synced(record, run));
        self.append(run, status, synced).await
    }

    /// Writes that the run is suspended, with what is not written, and gives the run back. It gives `false` if somebody
    /// has said something to the run that it has not heard.
    pub(super) async fn suspend(
        &mut self,
        run: &Run,
        pending: Vec<PendingCall>,
    ) -> Result<bool, StoreError> {
        let status = RunStatus::Suspended { pending };
        match self.append(run, Some(status), true).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind == StoreErrorKind::InboxNotEmpty => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Writes that the run is given up.
    pub(super) async fn abandon(&mut self, run: &Run) -> Result<(), StoreError> {
        let status = RunStatus::Abandoned;
        self.append(run, Some(status), true).await.map(drop)
    }

    /// The inbox beyond what was taken.
    pub(super) async fn inbox(&self) -> Result<Vec<Received>, StoreError> {
        self.runs.store.inbox(&self.lease.run_id, self.taken).await
    }

    /// What holds the lease and reads the inbox while the run is driven.
    pub(super) fn watch(&self) -> Watch {
        Watch::new(self.runs.clone(), self.lease.clone(), self.taken)
    }

    async fn append(
        &mut self,
        run: &Run,
        status: Option<RunStatus>,
        synced: bool,
    ) -> Result<(u64, Vec<Record>), StoreError> {
        let (first, at) = (self.next, millis::now());
        let mut append = Append::new(first, Vec::with_capacity(self.unwritten.len()));
        for (sequence, record) in (first..).zip(&self.unwritten) {
            let (run, lease) = (self.lease.run_id.clone(), self.lease.token);
            let entry = Entry::new(run, sequence, at, lease, record.clone());
            append.entries.push(entry.to_text()?);
        }
        append.taken = self.taken;
        let saved = status.is_some().then(|| run.conversation());
        if let (Some((reference, before)), Some(now)) = (&self.conversation, &saved) {
            let version = reference.version.saturating_add(1);
            let version = ConversationVersion::following(before, version, now)?;
            append.conversation = Some(version);
        }
        append.status = status;
        append.synced = synced;
        self.runs.store.append(&self.lease, &append).await?;
        if let (Some((reference, before)), Some(now)) = (&mut self.conversation, saved) {
            reference.version = reference.version.saturating_add(1);
            *before = now;
        }
        let written = take(&mut self.unwritten);
        self.next = first.saturating_add(written.len() as u64);
        Ok((first, written))
    }
}

fn is_end(record: &Record) -> bool {
    matches!(record, Record::Finished { .. })
}

/// Returns true for what must survive a loss of power before anything follows from it: the start of a call that changes
/// something, the end of a round, and the end of the run. What was read can be read again.
fn is_synced(record: &Record, run: &Run) -> bool {
    match record {
        Record::CallStarted { call, .. } => {
            let policy = run.policy(*call);
            policy.is_none_or(|policy| policy.effects != Effects::ReadOnly)
        }
        Record::CallFinished { .. } => run.calls_under_way().is_empty(),
        Record::Started { .. } | Record::Finished { .. } => true,
        _ => false,
    }
}
