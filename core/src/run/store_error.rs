//! The error of a store.

use std::{fmt, time::SystemTime};

use serde::{Deserialize, Serialize};

use super::RunId;

/// An operation of a store failed. Nothing has changed, unless the kind is
/// [`Unavailable`](StoreErrorKind::Unavailable): then it may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StoreError {
    /// The kind of error, which says what can be done about it.
    pub kind: StoreErrorKind,
    /// The run that it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// The place in the log of that run, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    /// The time until which a lease is held, of [`Held`](StoreErrorKind::Held).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<SystemTime>,
    /// A description of what happened and of what to do, in one sentence.
    pub message: String,
}

/// The kind of a [`StoreError`], which says what can be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// The run or the conversation does not exist.
    NotFound,
    /// There is a run with this id already, or another item in the inbox of the run.
    Exists,
    /// Another driver holds the lease: wait until it expires, or contact that driver.
    Held,
    /// Another driver has taken the lease since: stop, and do nothing more for this run.
    LeaseLost,
    /// The entry is not the next one of the log: load the run again.
    OutOfSequence,
    /// The conversation has a newer version: load it again.
    Outdated,
    /// Another run is using the conversation, and was not resumed: wait for it, resume it, or abandon it.
    ConversationBusy,
    /// The inbox of a run that is to be suspended has an item that was not taken: take it first.
    InboxNotEmpty,
    /// The run is finished or abandoned.
    RunIsOver,
    /// A run that is not over needs what was to be deleted.
    InUse,
    /// What is stored is damaged, or of another program: mend it by hand, or delete it.
    Corrupt,
    /// What is stored has a newer version than this program reads: use a newer one.
    Newer,
    /// The store cannot be read or written now: full, locked, read-only, deleted, not connected.
    Unavailable,
}

impl StoreError {
    /// An error by its kind and its sentence.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            run_id: None,
            sequence: None,
            until: None,
            message: message.into(),
        }
    }

    /// Sets the run that it is about.
    #[must_use]
    pub fn with_run(mut self, run: &RunId) -> Self {
        self.run_id = Some(run.clone());
        self
    }

    /// Sets the place in the log that it is about.
    #[must_use]
    pub fn with_sequence(mut self, sequence: u64) -> Self {
        self.sequence = Some(sequence);
        self
    }

    /// There is no run with this id.
    pub fn no_run(run: &RunId) -> Self {
        Self::new(StoreErrorKind::NotFound, "the run does not exist").with_run(run)
    }

    /// There is a run with this id already.
    pub fn exists(run: &RunId) -> Self {
        Self::new(StoreErrorKind::Exists, "a run with this id exists already").with_run(run)
    }

    /// There is another item with this id in the inbox of the run.
    pub fn other_item(run: &RunId, id: &str) -> Self {
        let message = format!("the inbox has another item with the id {id:?}");
        Self::new(StoreErrorKind::Exists, message).with_run(run)
    }

    /// Another driver holds the run.
    pub fn held(run: &RunId, until: SystemTime) -> Self {
        let message = "another driver holds the lease of the run: wait until it expires";
        Self {
            until: Some(until),
            ..Self::new(StoreErrorKind::Held, message).with_run(run)
        }
    }

    /// Another driver has taken the run since.
    pub fn lease_lost(run: &RunId) -> Self {
        let message = "another driver has taken the lease of the run: this driver stops";
        Self::new(StoreErrorKind::LeaseLost, message).with_run(run)
    }

    /// An entry is not the next one of the log.
    pub fn out_of_sequence(run: &RunId, first: u64, next: u64) -> Self {
        let message = format!("the next entry of the log has number {next}");
        Self::new(StoreErrorKind::OutOfSequence, message)
            .with_run(run)
            .with_sequence(first)
    }

    /// The inbox of a run that is to be suspended has an item that was not taken.
    pub fn inbox_not_empty(run: &RunId) -> Self {
        let message =
            "the inbox has an item that no record has taken: take it before the run is suspended";
        Self::new(StoreErrorKind::InboxNotEmpty, message).with_run(run)
    }

    /// The run is finished or abandoned.
    pub fn over(run: &RunId) -> Self {
        Self::new(StoreErrorKind::RunIsOver, "the run is over").with_run(run)
    }

    /// The run is not finished.
    pub fn in_use(run: &RunId) -> Self {
        let message = "the run is not over: wait for its end, or abandon it";
        Self::new(StoreErrorKind::InUse, message).with_run(run)
    }

    /// Another run continues the conversation.
    pub fn conversation_busy(run: &RunId) -> Self {
        let message = "this run is using the conversation: wait for its end, or abandon it";
        Self::new(StoreErrorKind::ConversationBusy, message).with_run(run)
    }

    /// A conversation has another version than expected; 0 stands for none.
    pub fn outdated(version: u64) -> Self {
        let message = format!("the conversation now has version {version}: load it again");
        Self::new(StoreErrorKind::Outdated, message)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(run) = &self.run_id {
            write!(f, "run {run}")?;
            if let Some(sequence) = self.sequence {
                write!(f, ", record {sequence}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for StoreError {}
