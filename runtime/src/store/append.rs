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
    /// Where the run stands now; `None` changes nothing. Any but [`RunStatus::Open`] gives the lease back.
    pub status: Option<RunStatus>,
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

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", from = "StoredStatus")]
#[non_exhaustive]
pub enum RunStatus {
    /// It is not finished: somebody drives it, or is gone.
    #[default]
    Open,
    /// It is not finished, and nobody drives it: it waits for people or for the application.
    Suspended {
        /// The calls that wait, also those of runs of sub-agents [below](PendingCall::path) it.
        pending: Vec<PendingCall>,
    },
    /// It was resumed several times and got no further. It is not resumed by itself any more.
    Parked {
        /// The reason.
        reason: String,
    },
    /// It is over.
    Finished,
    /// It was given up.
    Abandoned,
}

/// A status as it is read. An enum whose tag stands among its values is read into a buffer first, in which the schemas of
/// definitions, which are kept as their text, cannot be found.
#[derive(Deserialize)]
struct StoredStatus {
    #[serde(rename = "type")]
    kind: StatusKind,
    #[serde(default)]
    pending: Vec<PendingCall>,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum StatusKind {
    Open,
    Suspended,
    Parked,
    Finished,
    Abandoned,
}

impl From<StoredStatus> for RunStatus {
    fn from(stored: StoredStatus) -> Self {
        match stored.kind {
            StatusKind::Open => Self::Open,
            StatusKind::Suspended => Self::Suspended {
                pending: stored.pending,
            },
            StatusKind::Parked => Self::Parked {
                reason: stored.reason,
            },
            StatusKind::Finished => Self::Finished,
            StatusKind::Abandoned => Self::Abandoned,
        }
    }
}

impl RunStatus {
    /// Returns true if the run is neither finished nor abandoned nor parked.
    pub fn is_unfinished(&self) -> bool {
        matches!(self, Self::Open | Self::Suspended { .. })
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
    /// What is known of it from its beginning.
    pub info: RunInfo,
    /// Where it stands.
    pub status: RunStatus,
    /// The entries of its log that were asked for, as text.
    pub entries: Vec<String>,
    /// The place of the last item of the inbox that the log has taken; 0 if it has taken none.
    pub taken: u64,
    /// The time until which a driver holds it; `None` if nobody does.
    pub held_until: Option<SystemTime>,
}

impl LoadedRun {
    /// A run as it is stored, for those who write a store.
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
        }
    }
}
