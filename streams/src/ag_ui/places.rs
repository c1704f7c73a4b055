//! Ids of messages.

use crate::reading::{PlaceInRun, Reading};

pub(super) fn message_id(reading: &Reading, step: u32) -> String {
    format!("{}:{step}", run_of(reading))
}

pub(super) fn reasoning_id(reading: &Reading, place: PlaceInRun) -> String {
    format!("{}:{}-{}", run_of(reading), place.step, place.part)
}

pub(super) fn said_id(reading: &Reading, number: u32) -> String {
    format!("{}:said-{number}", run_of(reading))
}

/// The id of reasoning that stands for nothing.
pub(super) fn void_id(reading: &Reading) -> String {
    format!("{}:void", run_of(reading))
}

pub(super) fn result_id(tool_call_id: &str) -> String {
    format!("{tool_call_id}:result")
}

fn run_of(reading: &Reading) -> &str {
    reading.run_id().map_or("run", |run| run.as_str())
}
