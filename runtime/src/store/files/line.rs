//! The lines of a segment.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::store::{RunStatus, StoreError, StoreErrorKind};

/// The version of the form that is written, and the newest that is read.
pub(super) const VERSION: u32 = 1;

/// The first line of a segment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    /// The version of the form.
    pub(super) version: u32,
    /// The token of the lease.
    pub(super) token: u64,
    /// How much of the segment before counts; `None` in the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<After>,
    /// The time until which the lease holds; `None` if nobody holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) until_ms: Option<u64>,
    /// True if the run is given up with this segment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) abandoned: bool,
    /// When it was given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at_ms: Option<u64>,
}

/// How much of a segment counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct After {
    /// Its token.
    pub(super) token: u64,
    /// Its first bytes, so many of them.
    pub(super) bytes: u64,
}

/// A line of a segment after its first: it has one of these keys.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Line<'a> {
    /// An entry that is JSON of one line, as it is.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub(super) entry: Option<&'a RawValue>,
    /// Any other entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    /// The end of an append.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<End>,
    /// A change of the lease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lease: Option<LeaseLine>,
}

/// The end of an append. Without it the lines of the append count for nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct End {
    /// The place of the first entry.
    pub(super) first: u64,
    /// The number of entries.
    pub(super) entries: u64,
    /// The place of the last item of the inbox that the log has taken; 0 changes nothing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) taken: u64,
    /// Where the run stands now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<RunStatus>,
    /// The time of an append that ends the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at_ms: Option<u64>,
    /// True if it was to survive a loss of power: all before it does as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) synced: bool,
    /// The version of the conversation that is saved with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) saved: Option<Saved>,
    /// What has to be in the inbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) gate: Option<Gate>,
}

/// A version of a conversation that is written beside it, and is one as soon as the append counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Saved {
    /// The version.
    pub(super) version: u64,
    /// The id of its draft.
    pub(super) draft: String,
}

/// An append counts only if the inbox has this gate at this place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Gate {
    /// The place.
    pub(super) place: u64,
    /// The id of the gate.
    pub(super) id: String,
}

/// A change of a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LeaseLine {
    /// The time until which it holds now; `None` if it was given back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) until_ms: Option<u64>,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The error of a form that is newer than what this program reads.
pub(super) fn newer(version: u32) -> StoreError {
    let message = format!(
        "what is stored has version {version}, and this program reads up to {VERSION}: use a newer one"
    );
    StoreError::new(StoreErrorKind::Newer, message)
}

/// The lines of an append.
pub(super) fn append(entries: &[String], end: End) -> Result<Vec<u8>, StoreError> {
    let mut lines = Vec::new();
    for entry in entries {
        // As text it is one line, and what is around the value is part of it. `null` would be no entry.
        let is_object = entry.starts_with('{');
        let raw = is_object
            .then(|| serde_json::from_str::<&RawValue>(entry).ok())
            .flatten();
        let raw = raw.filter(|raw| raw.get() == entry && !entry.contains(['\n', '\r']));
        let text = raw.is_none().then(|| entry.clone());
        push(
            &mut lines,
            &Line {
                entry: raw,
                text,
                ..Line::default()
            },
        )?;
    }
    push(
        &mut lines,
        &Line {
            end: Some(end),
            ..Line::default()
        },
    )?;
    Ok(lines)
}

/// The line of a change of a lease.
pub(super) fn lease(until_ms: Option<u64>) -> Result<Vec<u8>, StoreError> {
    let mut lines = Vec::new();
    let lease = Some(LeaseLine { until_ms });
    push(
        &mut lines,
        &Line {
            lease,
            ..Line::default()
        },
    )?;
    Ok(lines)
}

/// Adds a line.
pub(super) fn push<T: Serialize>(lines: &mut Vec<u8>, value: &T) -> Result<(), StoreError> {
    serde_json::to_writer(&mut *lines, value).map_err(|error| {
        let message = format!("what is stored cannot be written as JSON: {error}");
        StoreError::new(StoreErrorKind::Corrupt, message)
    })?;
    lines.push(b'\n');
    Ok(())
}

/// A time as it is stored.
pub(super) fn to_ms(at: SystemTime) -> u64 {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A time that is stored. One beyond what a clock can show is that of 1970.
pub(super) fn from_ms(ms: u64) -> SystemTime {
    let at = UNIX_EPOCH.checked_add(Duration::from_millis(ms));
    at.unwrap_or(UNIX_EPOCH)
}
