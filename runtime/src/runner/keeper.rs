//! Keeps a run in a store while it is driven: what is recorded is written before anybody reads it, and before anything
//! that follows from it is done.

mod answer;
mod around;
mod begin;
mod durability;
mod fingerprints;
mod known;
mod lease;
mod lease_clock;
mod queue;
mod settings;
mod tried;
mod wakers;

use std::{
    mem::take,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

pub(super) use crate::store::Received;
pub(super) use answer::until_given_up;
pub(super) use around::Around;
pub(super) use begin::NewKeeper;
pub use durability::Durability;
pub(super) use fingerprints::fingerprints;
pub(super) use lease::Watch;
use lease_clock::Held;
pub(super) use queue::Turn;
pub use queue::WhenBusy;
pub use settings::OnChanged;
pub(super) use settings::{Keeping, KeptFor, KeptRuns, KeptWith, Place};
pub(super) use tried::Tried;

use tokio::time::Instant;

use crate::store::{
    Append, ConversationRef, ConversationVersion, Entry, InboxContent, Lease, RunStatus,
};
use toolwright_core::{
    Conversation, UserMessage,
    driver::millis,
    run::{PendingCall, Record, Run, StoreError, StoreErrorKind},
};

/// What keeps a run in a store.
pub(super) struct Keeper {
    runs: KeptRuns,
    lease: Lease,
    /// Since when the lease is held.
    held: Held,
    /// True if the store has the run as open.
    is_open: bool,
    /// The place of the first record that is not written.
    next: u64,
    unwritten: Vec<Record>,
    /// The place of the last item of the inbox that the run has taken.
    taken: u64,
    /// The calls that wait, as they were written last.
    pending: Vec<PendingCall>,
    /// The conversation that the run continues, and what was saved of it last.
    conversation: Option<(ConversationRef, Conversation)>,
    /// True while the append is under way that gives the lease back.
    is_ending: Arc<AtomicBool>,
}

impl Keeper {
    /// The keeper of a run, whose lease was asked for at this time: so many of its records are written, and this is the
    /// place of the last item of its inbox that it has taken.
    pub(super) fn new(
        runs: KeptRuns,
        (lease, asked): (Lease, Instant),
        written: u64,
        taken: u64,
    ) -> Self {
        Self {
            is_open: true,
            held: Held::new(asked, runs.keeping.lease_time),
            runs,
            lease,
            next: written,
            unwritten: Vec::new(),
            taken,
            pending: Vec::new(),
            conversation: None,
            is_ending: Arc::default(),
        }
    }

    /// Whom the run belongs to.
    pub(super) fn owner(&self) -> Option<&str> {
        self.runs.store.owner()
    }

    /// Sets the calls that wait as the store has them.
    pub(super) fn with_pending(self, pending: Vec<PendingCall>) -> Self {
        Self { pending, ..self }
    }

    /// Says that the store has the run as suspended or parked.
    pub(super) fn closed(self) -> Self {
        Self {
            is_open: false,
            ..self
        }
    }

    /// The number of records that are written.
    pub(super) fn written(&self) -> usize {
        usize::try_from(self.next).unwrap_or(usize::MAX)
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

    /// Returns true if an item of the inbox was taken.
    pub(super) fn has_taken(&self, place: u64) -> bool {
        place <= self.taken
    }

    /// Takes an item of the inbox, unless it was taken. That is written with the next records.
    pub(super) fn takes(&mut self, place: u64) -> bool {
        let is_new = place > self.taken;
        self.taken = self.taken.max(place);
        is_new
    }

    /// Writes what is not written, and with it which calls wait. It gives what it wrote with its places: now others may
    /// read it.
    ///
    /// # Errors
    ///
    /// When the store did not take it. Nothing more is to be done for the run then.
    pub(super) async fn write(
        &mut self,
        run: &Run,
        pending: Vec<PendingCall>,
    ) -> Result<(u64, Vec<Record>), StoreError> {
        if self.is_settled() {
            return Ok((self.next, Vec::new()));
        }
        let is_over = self.unwritten.iter().any(is_end);
        let status = match (is_over, self.is_open) {
            (true, _) => Some(RunStatus::Finished),
            (false, false) => Some(RunStatus::Open),
            (false, true) => None,
        };
        let synced = self.runs.keeping.durability.syncs(&self.unwritten, run);
        let written = self.append(run, status, pending, synced).await?;
        self.is_open = !is_over;
        Ok(written)
    }

    /// Writes that the run is suspended, with what is not written, and gives the run back. Returns `false` if the inbox
    /// has an item that the run has not taken.
    pub(super) async fn suspend(
        &mut self,
        run: &Run,
        pending: Vec<PendingCall>,
    ) -> Result<bool, StoreError> {
        let status = RunStatus::Suspended;
        let synced = self.runs.keeping.durability.syncs_ends();
        match self.append(run, Some(status), pending, synced).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind == StoreErrorKind::InboxNotEmpty => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Puts a cancel into the inbox of the run, for the driver that resumes it.
    pub(super) async fn put_cancel(&self) -> Result<(), StoreError> {
        self.runs.store.put_cancel(&self.lease.run_id).await
    }

    /// Leaves a cancel in the inbox of the run, if the store takes that soon.
    pub(super) async fn leave_cancel(&self) {
        self.runs.store.leave_cancel(&self.lease.run_id).await;
    }

    /// Writes that the run is given up.
    pub(super) async fn abandon(&mut self, run: &Run) -> Result<(), StoreError> {
        let status = RunStatus::Abandoned;
        let synced = self.runs.keeping.durability.syncs_ends();
        let abandoned = self.append(run, Some(status), Vec::new(), synced);
        abandoned.await.map(drop)
    }

    /// The inbox beyond what was taken.
    pub(super) async fn inbox(&self) -> Result<Vec<Received>, StoreError> {
        let _asking = self.held.asking();
        let inbox = self.runs.store.inbox(&self.lease.run_id, self.taken);
        inbox.await
    }

    /// The messages in the inbox that the run has not taken.
    pub(super) async fn unheard(&self) -> Result<Vec<UserMessage>, StoreError> {
        let left = self.inbox().await?;
        let messages = left
            .into_iter()
            .filter_map(|received| match received.item.into_content() {
                InboxContent::Message(message) => Some(message),
                _ => None,
            });
        Ok(messages.collect())
    }

    /// What holds the lease and reads the inbox while the run is driven.
    pub(super) fn watch(&self) -> Watch {
        let (runs, lease) = (self.runs.clone(), self.lease.clone());
        Watch::new(
            runs,
            lease,
            self.taken,
            self.held.clone(),
            Arc::clone(&self.is_ending),
        )
    }

    async fn append(
        &mut self,
        run: &Run,
        status: Option<RunStatus>,
        pending: Vec<PendingCall>,
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
        let is_over = status.as_ref().is_some_and(RunStatus::is_over);
        let is_exit = status
            .as_ref()
            .is_some_and(|status| *status != RunStatus::Open);
        let saved = is_exit.then(|| run.conversation());
        if let (Some((reference, before)), Some(now)) = (&self.conversation, &saved) {
            let version = reference.version.saturating_add(1);
            append.conversation = Some(ConversationVersion::following(before, version, now)?);
        }
        append.pending = (pending != self.pending).then_some(pending);
        append.status = status;
        append.synced = synced;
        self.is_ending.store(is_exit, Ordering::SeqCst);
        let appended = {
            let _asking = self.held.asking();
            self.runs.store.append(&self.lease, &append).await
        };
        if let Err(error) = appended {
            self.is_ending.store(false, Ordering::SeqCst);
            return Err(error);
        }
        if !is_exit {
            // The answer may have waited for longer than the lease holds, and what follows from it is not to be done then.
            self.held.sure().await;
        }
        if let (Some((reference, before)), Some(now)) = (&mut self.conversation, saved) {
            reference.version = reference.version.saturating_add(1);
            if let Some(stored) = append.conversation.take() {
                self.runs
                    .known
                    .learn_next(&reference.id, stored, now.clone());
            }
            *before = now;
        }
        if let (Some((reference, _)), true) = (&self.conversation, is_over) {
            self.runs.queues.freed(self.owner(), &reference.id);
        }
        if let Some(pending) = append.pending {
            self.pending = pending;
        }
        let written = take(&mut self.unwritten);
        self.next = first.saturating_add(written.len() as u64);
        Ok((first, written))
    }
}

fn is_end(record: &Record) -> bool {
    matches!(record, Record::Finished { .. })
}
