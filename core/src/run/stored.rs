//! The stored form of a run that is not over.

use serde::{Deserialize, Serialize};

use super::{CallId, CorruptLog, PendingCall, Record, RunId, StoreError};

/// The version of the stored form that is written.
const VERSION: u32 = 1;

/// A run that is not over, as data: its log, and what it waits for. Store it while a run is suspended: another
/// process resumes the run from it.
///
/// It serialises with a version; one that this crate does not know is refused.
#[doc(alias = "checkpoint")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Versioned", into = "Versioned")]
pub struct StoredRun {
    records: Vec<Record>,
    pending: Vec<PendingCall>,
}

impl StoredRun {
    /// A run by the records of its log, which a reader of its events has stored: the first is
    /// [`Record::Started`]. For a run whose process has ended.
    ///
    /// # Errors
    ///
    /// When the log does not begin as one.
    pub fn from_records(records: Vec<Record>) -> Result<Self, CorruptLog> {
        match records.first() {
            Some(Record::Started { .. }) => Ok(Self {
                records,
                pending: Vec::new(),
            }),
            _ => Err(CorruptLog { sequence: 0 }),
        }
    }

    /// A run whose calls wait.
    pub fn suspended(records: Vec<Record>, pending: Vec<PendingCall>) -> Self {
        Self { records, pending }
    }

    /// The run's id.
    pub fn run_id(&self) -> &RunId {
        match self.records.first() {
            Some(Record::Started { run_id, .. }) => run_id,
            _ => unreachable!("both ways to make one look for the first record"),
        }
    }

    /// The records of its log.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The calls that wait for a decision or an answer; none for a run whose process has ended, before it is
    /// resumed.
    pub fn pending(&self) -> &[PendingCall] {
        &self.pending
    }

    /// The records of its log, by value.
    pub fn into_records(self) -> Vec<Record> {
        self.records
    }
}

/// The stored form.
#[derive(Serialize, Deserialize)]
struct Versioned {
    version: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pending: Vec<PendingCall>,
    records: Vec<Record>,
}

impl From<StoredRun> for Versioned {
    fn from(run: StoredRun) -> Self {
        Self {
            version: VERSION,
            pending: run.pending,
            records: run.records,
        }
    }
}

impl TryFrom<Versioned> for StoredRun {
    type Error = String;

    fn try_from(stored: Versioned) -> Result<Self, String> {
        if stored.version != VERSION {
            return Err(format!(
                "the stored run has version {}, and this program reads version {VERSION}: use a newer one",
                stored.version
            ));
        }
        let run = Self::from_records(stored.records).map_err(|error| error.to_string())?;
        Ok(Self {
            pending: stored.pending,
            ..run
        })
    }
}

/// A stored run that cannot be resumed. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The log is not one of a run.
    #[error(transparent)]
    CorruptLog(#[from] CorruptLog),
    /// The run is over.
    #[error("the run is over")]
    IsOver,
    /// The runner has no store: give `Runner::resume` the run as a value.
    #[error("the runner has no store: set one by `RunnerBuilder::store`")]
    NoStore,
    /// The store has no such run, cannot be read, or another driver holds the run.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Tools that were on offer were removed, or have another definition now.
    #[error("tools have changed since the run was stored: {}", names.join(", "))]
    ToolsChanged {
        /// Their names.
        names: Vec<String>,
    },
    /// The run had extensions, which are not stored.
    #[error(
        "the run had extensions, which are not stored: resume it by a runner that has them, or set `RunnerBuilder::restore_extensions`"
    )]
    NoExtensions,
    /// The run is parked.
    #[error("the run is parked: {reason}")]
    Parked {
        /// The reason.
        reason: String,
    },
    /// A decision or an answer is for no call that waits, for one with another tool or other arguments, or not of the
    /// kind that the call waits for.
    #[error(
        "call {call} does not wait for this decision or answer: make it from an entry of `StoredRun::pending`"
    )]
    NotPending {
        /// The id of the call.
        call: CallId,
    },
    /// Two decisions or answers are for one call.
    #[error("call {call} has two decisions or answers: give one")]
    Twice {
        /// The id of the call.
        call: CallId,
    },
    /// A decision or an answer comes too late. Resume without it: the model gets an error that the decision did
    /// not come in time.
    #[error("the time to decide about call {call} is over: resume without a decision about it")]
    Expired {
        /// The id of the call.
        call: CallId,
    },
    /// The answer does not fit the [question](super::PendingCall::question) of a call.
    #[error("the answer to the question of call {call} does not fit: {reason}")]
    Unfit {
        /// The id of the call.
        call: CallId,
        /// The place in the form, and what was expected there.
        reason: String,
    },
    /// The tool has changed since the decision, or was removed.
    #[error("the tool `{name}` of call {call} has changed since the decision: decide again")]
    ToolChanged {
        /// The id of the call.
        call: CallId,
        /// The name of the tool.
        name: String,
    },
}
