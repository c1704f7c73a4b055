//! What is written of a run, and what is read of it.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::{ConversationVersion, RunInfo};
use toolwright_core::run::PendingCall;

/// A run that begins.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NewRun {
    /// What is known of it.
    pub info: RunInfo,
    /// The first entries of its log, as text: [`Entry`](super::Entry) makes it. A store does not read it.
    pub entries: Vec<String>,
}

impl NewRun {
    /// A run that begins.
    pub fn new(info: RunInfo, entries: Vec<String>) -> Self {
        Self { info, entries }
    }
}

/// Entries for the log of a run, and all that changes with them.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Append {
    /// The place of the first entry, from 0. Without entries it is not looked at.
    pub first: u64,
    /// The entries, as text.
    pub entries: Vec<String>,
    /// The place of the last item of the inbox that the log has taken; what is there stays if it is greater.
    pub taken: u64,
    /// The new status of the run; `None` changes nothing. Any but [`RunStatus::Open`] gives the lease
    /// back.
    pub status: Option<RunStatus>,
    /// The calls that wait now, if they are others than before; `None` changes nothing. A run that is over has none,
    /// whatever this says.
    pub pending: Option<Vec<PendingCall>>,
    /// The next version of the conversation that the run continues, if it is saved.
    pub conversation: Option<ConversationVersion>,
    /// True if it must survive a loss of power, and not only the end of the process.
    pub synced: bool,
}

impl Append {
    /// Entries from this place on, synced.
    pub fn new(first: u64, entries: Vec<String>) -> Self {
        Self {
            first,
            entries,
            synced: true,
            ..Self::default()
        }
    }
}

/// The status of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunStatus {
    /// It is not finished: a process drives it, or has died.
    #[default]
    Open,
    /// It waits for people or for the application, and no process drives it.
    Suspended,
    /// It was resumed several times without progress, and is no longer resumed automatically.
    Parked {
        /// The reason.
        reason: String,
    },
    /// It is finished.
    Finished,
    /// It was abandoned.
    Abandoned,
}

impl RunStatus {
    /// Returns true if the run is neither finished nor abandoned nor parked.
    pub fn is_unfinished(&self) -> bool {
        matches!(self, Self::Open | Self::Suspended)
    }

    /// Returns true if nothing is appended any more: the run is finished or abandoned.
    pub fn is_over(&self) -> bool {
        matches!(self, Self::Finished | Self::Abandoned)
    }
}

/// A run as it is stored.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LoadedRun {
    /// The data from its start.
    pub info: RunInfo,
    /// Its status.
    pub status: RunStatus,
    /// The requested entries of its log, as text.
    pub entries: Vec<String>,
    /// The place of the last item of the inbox that the log has taken; 0 if it has taken none.
    pub taken: u64,
    /// The end of the current lease, by the clock of the store; `None` if no process holds it, or its time is over by that
    /// clock. Readers compare it with no clock of their own.
    pub held_until: Option<SystemTime>,
    /// The calls that wait for people or for the application, whatever its status, also those of runs of sub-agents
    /// [below](PendingCall::path) it that are suspended.
    pub pending: Vec<PendingCall>,
}

impl LoadedRun {
    /// A run as it is stored without calls that wait, for those who write a store.
    pub fn new(
        info: RunInfo,
        status: RunStatus,
        entries: Vec<String>,
        taken: u64,
        held_until: Option<SystemTime>,
    ) -> Self {
        Self {
            info,
            status,
            entries,
            taken,
            held_until,
            pending: Vec::new(),
        }
    }

    /// Sets the calls that wait.
    #[must_use]
    pub fn with_pending(mut self, pending: Vec<PendingCall>) -> Self {
        self.pending = pending;
        self
    }
}
