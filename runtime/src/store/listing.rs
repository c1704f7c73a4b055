//! What is known of a run without its log, and how runs are found.

use std::{collections::BTreeMap, time::SystemTime};

use serde::{Deserialize, Serialize};

use super::{ConversationRef, RunStatus, StoreError};
use toolwright_core::{
    Fingerprint,
    run::{CallId, PendingCall, RunId},
};

/// The data of a run from its start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunInfo {
    /// The id of the run.
    pub run_id: RunId,
    /// The name of the runner that began it.
    pub runner: String,
    /// Whom it belongs to, in the application's own terms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// What else the application knows of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The name of the [model](toolwright_core::model::ChatModel::name) that it began with, if that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The tools that were on offer, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, Fingerprint>,
    /// The version of the stored conversation that it continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationRef>,
    /// True if the runner had [extensions](crate::Runner::with_extension) for it, which are not stored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub extended: bool,
    /// When it began.
    pub created: SystemTime,
}

/// The name of the label with the run whose call has started a run of a sub-agent.
pub(crate) const PARENT: &str = "toolwright.parent";
/// The name of the label with that call.
pub(crate) const CALL: &str = "toolwright.call";
/// The name of the label with the run at the top of a sub-agent's.
pub(crate) const ROOT: &str = "toolwright.root";

/// The label of a run of a sub-agent that has a digest of its task, if what is stored of that may be another text.
pub(crate) const TASK: &str = "toolwright.task";

impl RunInfo {
    /// The run and the call that have started the run, if it is one of a [sub-agent](crate::runner::SubAgent). It is
    /// resumed with that run, not by itself. They are the labels `toolwright.parent` and `toolwright.call`.
    pub fn parent(&self) -> Option<(RunId, CallId)> {
        let (run, call) = (self.labels.get(PARENT)?, self.labels.get(CALL)?);
        let (round, index) = call.split_once('.')?;
        let (round, index) = (round.parse().ok()?, index.parse().ok()?);
        Some((RunId::new(run.as_str()), CallId { round, index }))
    }

    /// The run at the top of this one, if it is one of a [sub-agent](crate::runner::SubAgent): no call has started that run. It
    /// is the label `toolwright.root`.
    pub fn top(&self) -> Option<RunId> {
        let top = self.labels.get(ROOT)?;
        Some(RunId::new(top.as_str()))
    }

    /// A run of a runner, without anything else.
    pub fn new(run_id: RunId, runner: impl Into<String>, created: SystemTime) -> Self {
        Self {
            run_id,
            runner: runner.into(),
            owner: None,
            labels: BTreeMap::new(),
            model: None,
            tools: BTreeMap::new(),
            conversation: None,
            extended: false,
            created,
        }
    }
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RunSummary {
    /// The data from its start.
    pub info: RunInfo,
    /// Its status.
    pub status: RunStatus,
    /// The number of entries of its log.
    pub entries: u64,
    /// The end of the current lease, by the clock of the store; `None` if no process holds it, or its time is over by that
    /// clock. Readers compare it with no clock of their own.
    pub held_until: Option<SystemTime>,
    /// The time when it was finished or abandoned, by the clock of the store; `None` if it is not over.
    pub ended: Option<SystemTime>,
    /// The calls that wait: see [`LoadedRun::pending`](super::LoadedRun::pending).
    pub pending: Vec<PendingCall>,
}

impl RunSummary {
    /// A run in a list that is not over, for those who write a store.
    pub fn new(
        info: RunInfo,
        status: RunStatus,
        entries: u64,
        held_until: Option<SystemTime>,
    ) -> Self {
        Self {
            info,
            status,
            entries,
            held_until,
            ended: None,
            pending: Vec::new(),
        }
    }

    /// Sets the time when it was finished or abandoned.
    #[must_use]
    pub fn ended_at(mut self, time: Option<SystemTime>) -> Self {
        self.ended = time;
        self
    }

    /// Sets the calls that wait.
    #[must_use]
    pub fn with_pending(mut self, pending: Vec<PendingCall>) -> Self {
        self.pending = pending;
        self
    }
}

/// Which runs to list. The default lists all of them, 100 a page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RunFilter {
    /// The name of their runner.
    pub runner: Option<String>,
    /// Labels that they all have, among others.
    pub labels: BTreeMap<String, String>,
    /// True for those that are neither finished nor abandoned nor parked.
    pub unfinished: bool,
    /// True for runs that no process drives.
    pub free: bool,
    /// The end of the page before: [`Page::next`].
    pub after: Option<String>,
    /// The most runs of a page; 100 by default. A page has at least one if there are any, or a [damaged](Page::damaged) one: 0
    /// counts as 1.
    pub limit: usize,
}

impl Default for RunFilter {
    fn default() -> Self {
        Self {
            runner: None,
            labels: BTreeMap::new(),
            unfinished: false,
            free: false,
            after: None,
            limit: 100,
        }
    }
}

impl RunFilter {
    /// Returns true if a run of the scope is to be listed, apart from its page.
    pub fn admits(&self, run: &RunSummary) -> bool {
        self.admits_run(&run.info, &run.status, run.held_until)
    }

    /// The same of a run whose summary is not made yet.
    pub(super) fn admits_run(
        &self,
        info: &RunInfo,
        status: &RunStatus,
        held_until: Option<SystemTime>,
    ) -> bool {
        let runner = self.runner.as_ref();
        runner.is_none_or(|runner| *runner == info.runner)
            && self
                .labels
                .iter()
                .all(|(key, value)| info.labels.get(key) == Some(value))
            && (!self.unfinished || status.is_unfinished())
            && (!self.free || held_until.is_none())
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Page<T> {
    /// The items of the page.
    pub items: Vec<T>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<String>,
    /// What of the page cannot be read, so that it is not in `items`: errors that name the run where that is known. Whether a
    /// filter admits it may be unknown as well, but not whose it is. A damaged run can be [abandoned](super::Store::abandon) and then
    /// [deleted](super::Store::delete_run).
    pub damaged: Vec<StoreError>,
}

impl<T> Page<T> {
    /// A page, for those who write a store.
    pub fn new(items: Vec<T>, next: Option<String>) -> Self {
        Self {
            items,
            next,
            damaged: Vec::new(),
        }
    }

    /// Adds what of the page cannot be read.
    #[must_use]
    pub fn with_damaged(mut self, damaged: Vec<StoreError>) -> Self {
        self.damaged = damaged;
        self
    }
}
