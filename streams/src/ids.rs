//! Ids that follow from a run and from places in it.

use crate::reading::Reading;
use toolwright_core::run::CallId;

/// The id of a call: the run, and the place in it.
pub(super) fn tool_call_id(reading: &Reading, call: CallId) -> String {
    match reading.run_id() {
        Some(run) => format!("{run}:{call}"),
        None => call.to_string(),
    }
}

/// The id of a request for an approval. The same call may be asked about again.
pub(super) fn approval_id(tool_call_id: &str, asked: u32) -> String {
    match asked {
        0 => format!("{tool_call_id}:approval"),
        again => format!("{tool_call_id}:approval-{again}"),
    }
}
