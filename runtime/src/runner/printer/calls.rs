//! What is printed of calls.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use crate::runner::seen_calls::SeenCalls;
use toolwright_core::{
    run::{CallId, Delay, Record, RunId},
    tool::{CallUpdate, Decision, ToolResult},
};

/// The calls of a run, and a line for what happens to each.
#[derive(Default)]
pub(super) struct Calls {
    /// True if lines say how long a call took.
    pub(super) are_timed: bool,
    seen: SeenCalls,
    /// The calls that have started and have no result.
    started: BTreeMap<CallId, Started>,
}

struct Started {
    name: String,
    at: Instant,
}

impl Calls {
    /// Takes the calls that are known of a run.
    pub(super) fn follow(&mut self, seen: SeenCalls) {
        self.seen = seen;
    }

    /// Takes the calls that are known of a run below another.
    pub(super) fn follow_below(&mut self, above: &Self, run: &RunId) {
        self.seen = above.seen.of_below(run).unwrap_or_default();
    }

    /// Forgets the calls of the run before.
    pub(super) fn begin(&mut self) {
        self.seen.begin_again();
        self.started.clear();
    }

    pub(super) fn read(&mut self, record: &Record) {
        self.seen.read(record);
    }

    /// What a call says of itself, if people look at that.
    pub(super) fn update(id: CallId, name: &str, update: &CallUpdate) -> Option<String> {
        match update {
            CallUpdate::Progress(report) => {
                let total = report.total.map(|total| format!(" of {total}"));
                let (progress, total) = (report.progress, total.unwrap_or_default());
                let message = &report.message;
                Some(format!("{id} {name} {progress}{total}: {message}"))
            }
            CallUpdate::Partial(output) => {
                Some(format!("{id} {name} so far: {}", output.to_text()))
            }
            _ => None,
        }
    }

    pub(super) fn started(&mut self, id: CallId, name: &str) -> String {
        if self.started.contains_key(&id) {
            return format!("{id} {name} starts again");
        }
        let call = self.shown(id, name);
        let (name, at) = (name.to_owned(), Instant::now());
        self.started.insert(id, Started { name, at });
        format!("{id} {call}")
    }

    pub(super) fn delayed(&self, id: CallId, why: &Delay) -> String {
        let name = self.name(id);
        match why {
            Delay::Retry { error } => format!("{id} {name} is tried again: {error}"),
            Delay::Approval => format!("{id} waits for an approval: {}", self.shown(id, &name)),
            Delay::Question { question, .. } => format!("{id} {name} asks: {}", question.message),
            Delay::External => format!("{id} waits for an answer: {}", self.shown(id, &name)),
            Delay::RateLimit => format!("{id} {name} waits for its rate limit"),
            Delay::StillRunning => format!("{id} {name} waits for other work"),
            Delay::Below { .. } => format!("{id} {name} waits for people"),
        }
    }

    pub(super) fn decided(&self, id: CallId, decision: &Decision) -> String {
        let name = self.name(id);
        match decision {
            Decision::Approve => format!("{id} {name} is approved"),
            Decision::ApproveWith { arguments } => {
                format!("{id} {name} is approved with {arguments}")
            }
            Decision::Deny { reason } if reason.is_empty() => format!("{id} {name} is denied"),
            Decision::Deny { reason } => format!("{id} {name} is denied: {reason}"),
            _ => format!("{id} {name} is decided"),
        }
    }

    pub(super) fn answered(&self, id: CallId, answer: &Decision) -> String {
        let name = self.name(id);
        match answer {
            Decision::Deny { reason } if !reason.is_empty() => {
                format!("{id} {name} has no as the answer: {reason}")
            }
            Decision::Deny { .. } => format!("{id} {name} has no as the answer"),
            // It may be what only its reader may know.
            _ => format!("{id} {name} has an answer"),
        }
    }

    pub(super) fn revoked(&self, id: CallId) -> String {
        let name = self.name(id);
        format!("{id} {name} has changed: its approval is void")
    }

    pub(super) fn interrupted(&self, id: CallId) -> String {
        format!("{id} {} was interrupted", self.name(id))
    }

    pub(super) fn finished(&mut self, id: CallId, result: &ToolResult) -> String {
        let name = self.name(id);
        let started = self.started.remove(&id).filter(|_| self.are_timed);
        let time = started.map(|started| format!(" after {}", shown_time(started.at.elapsed())));
        let time = time.unwrap_or_default();
        match &result.outcome {
            Ok(_) => format!("{id} {name}{time}: {}", result.to_model_text()),
            Err(error) => format!("{id} {name} failed{time}: {error}"),
        }
    }

    /// The name of a call. A resumed run does not have it for an earlier call, unless the printer followed that.
    fn name(&self, id: CallId) -> String {
        let seen = self.seen.get(id).map(|call| &call.name);
        let name = seen.or_else(|| self.started.get(&id).map(|started| &started.name));
        name.cloned().unwrap_or_else(|| "(a call)".to_owned())
    }

    /// A call with its arguments, if they are known.
    fn shown(&self, id: CallId, name: &str) -> String {
        match self.seen.get(id) {
            Some(call) => format!("{}({})", call.name, call.arguments),
            None => name.to_owned(),
        }
    }
}

pub(super) fn shown_time(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}
