//! The stored form of a record.

#[cfg(test)]
mod tests;

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::{ConversationRef, StoreError, StoreErrorKind};
use toolwright_core::{
    Conversation,
    driver::millis,
    run::{Record, RunId},
};

/// The version of the form that is written, and the newest that is read.
const VERSION: u32 = 1;

/// A record of a run as it is stored: beside the record, whose it is, its place, and when and by whom it was written.
///
/// As text it is a JSON object of one line:
///
/// | Key | Value |
/// | --- | --- |
/// | `version` | 1 |
/// | `run` | the id of the run |
/// | `sequence` | the place of the record in the log, from 0 |
/// | `at_ms` | the time when it was written, in milliseconds since 1970, by the clock of the driver |
/// | `lease` | the token of the lease under which it was written |
/// | `conversation` | in the first entry of a run that continues a stored conversation: its `id` and `version`. That conversation is not in the record then |
/// | `record` | the [`Record`] |
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// The run.
    pub run_id: RunId,
    /// The place of the record in the log, from 0.
    pub sequence: u64,
    /// The time when it was written, by the clock of the driver.
    pub at: SystemTime,
    /// The token of the lease under which it was written.
    pub lease: u64,
    /// The stored conversation that the run continues, in its first entry. The conversation of the record is empty then.
    pub conversation: Option<ConversationRef>,
    /// The record.
    pub record: Record,
}

#[derive(Serialize)]
struct Written<'a> {
    version: u32,
    run: &'a RunId,
    sequence: u64,
    #[serde(with = "millis")]
    at_ms: SystemTime,
    lease: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<&'a ConversationRef>,
    record: &'a Record,
}

#[derive(Deserialize)]
struct Read {
    run: RunId,
    sequence: u64,
    #[serde(with = "millis")]
    at_ms: SystemTime,
    lease: u64,
    #[serde(default)]
    conversation: Option<ConversationRef>,
    record: Record,
}

/// What every version has.
#[derive(Deserialize)]
struct Head {
    version: u32,
}

impl Entry {
    /// A record of a run that continues no stored conversation, or not its first one.
    pub fn new(run_id: RunId, sequence: u64, at: SystemTime, lease: u64, record: Record) -> Self {
        Self {
            run_id,
            sequence,
            at,
            lease,
            conversation: None,
            record,
        }
    }

    /// Sets the stored conversation that the run continues, and takes it out of the record.
    #[must_use]
    pub fn continuing(mut self, reference: ConversationRef) -> Self {
        if let Record::Started { conversation, .. } = &mut self.record {
            *conversation = Conversation::new();
            self.conversation = Some(reference);
        }
        self
    }

    /// The entry as text of one line.
    ///
    /// # Errors
    ///
    /// When a value of the record has no JSON form.
    pub fn to_text(&self) -> Result<String, StoreError> {
        let written = Written {
            version: VERSION,
            run: &self.run_id,
            sequence: self.sequence,
            at_ms: self.at,
            lease: self.lease,
            conversation: self.conversation.as_ref(),
            record: &self.record,
        };
        serde_json::to_string(&written).map_err(|error| {
            let message = format!("the record cannot be written as JSON: {error}");
            self.error(StoreErrorKind::Corrupt, message)
        })
    }

    /// Reads the entry at this place in the log of a run.
    ///
    /// # Errors
    ///
    /// When it is not an entry, belongs to another run or another place, or has a newer version than this
    /// program reads.
    pub fn from_text(text: &str, run_id: &RunId, sequence: u64) -> Result<Self, StoreError> {
        let error = |kind, message: String| {
            StoreError::new(kind, message)
                .with_run(run_id)
                .with_sequence(sequence)
        };
        let corrupt = |why: String| error(StoreErrorKind::Corrupt, why);
        let head: Head = serde_json::from_str(text)
            .map_err(|error| corrupt(format!("not an entry of a log: {error}")))?;
        if head.version > VERSION {
            let message = format!(
                "the entry has version {}, and this program reads up to {VERSION}: use a newer one",
                head.version
            );
            return Err(error(StoreErrorKind::Newer, message));
        }
        let read: Read = serde_json::from_str(text)
            .map_err(|error| corrupt(format!("not an entry of a log: {error}")))?;
        if &read.run != run_id {
            return Err(corrupt(format!("the entry belongs to run {}", read.run)));
        }
        if read.sequence != sequence {
            return Err(corrupt(format!("the entry is record {}", read.sequence)));
        }
        Ok(Self {
            run_id: read.run,
            sequence,
            at: read.at_ms,
            lease: read.lease,
            conversation: read.conversation,
            record: read.record,
        })
    }

    fn error(&self, kind: StoreErrorKind, message: String) -> StoreError {
        StoreError::new(kind, message)
            .with_run(&self.run_id)
            .with_sequence(self.sequence)
    }
}
