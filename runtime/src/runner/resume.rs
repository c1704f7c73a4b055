//! Goes on with a run that was stored.

mod abandoning;
mod answer_types;
mod below;
mod by_id;
mod log;
mod recovering;
mod request;
mod taking_over;
mod waking;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::SystemTime,
};

pub(super) use log::Log;
pub use recovering::Recovered;
pub use request::{Resumable, ResumeRequest};

use super::{
    RunHandle, Runner,
    begin::{Begin, Resumed},
    typed_answer::AnswerType,
};
use crate::store::RunStatus;
use toolwright_core::{
    ToolDefinition,
    run::{CallId, PendingCall, Resolution, ResumeError, Run, StoredRun},
    tool::ToolDefinitions,
};

impl Runner {
    pub(super) fn go_on<A>(
        &self,
        stored: StoredRun,
        resolutions: Vec<Resolution>,
        answer: Option<AnswerType>,
    ) -> Result<RunHandle<A>, ResumeError> {
        let mut resumed = self.resumed(stored, resolutions)?;
        resumed.answer = answer.or_else(|| self.answer_type_of(&resumed.run));
        let runner = (Arc::clone(&self.inner), self.context.clone());
        Ok(RunHandle::new(
            runner,
            self.kept_for.owner.clone(),
            Begin::Resumed(Box::new(resumed)),
        ))
    }

    pub(super) fn resumed(
        &self,
        stored: StoredRun,
        resolutions: Vec<Resolution>,
    ) -> Result<Resumed, ResumeError> {
        let (run, missing) = Run::replay(stored.records())?;
        if run.is_over() && missing.is_empty() {
            return Err(ResumeError::IsOver);
        }
        // What runs below wait for is theirs.
        let own = stored.pending().iter().filter(|call| call.path.is_empty());
        let own: Vec<_> = own.cloned().collect();
        let waited = own.iter().filter_map(|call| Some((call.id, call.since?)));
        let waited = waited.collect();
        let expired = expired(&waited, &run);
        let tools = self.inner.all_tools_of(&run);
        let tools = self.inner.allowed_tools(&run, &tools);
        let mut seen = BTreeSet::new();
        for resolution in &resolutions {
            let call = resolution.id();
            let mut pending = own.iter();
            let pending =
                pending.find(|pending| resolution.is_for(pending) && waits(&run, pending));
            let pending = pending.ok_or(ResumeError::NotPending { call })?;
            if !seen.insert(call) {
                return Err(ResumeError::Twice { call });
            }
            if expired.contains(&call) {
                return Err(ResumeError::Expired { call });
            }
            if let Some(Err(error)) = resolution.decision().map(|it| pending.check(it)) {
                return Err(ResumeError::Unfit {
                    call,
                    reason: error.message,
                });
            }
            if resolution.lets_run() && is_changed(pending, tools.shared_definitions()) {
                let name = pending.call.name.clone();
                return Err(ResumeError::ToolChanged { call, name });
            }
        }
        let changed = changed_calls(&own, tools.shared_definitions());
        let mut log = stored.into_records();
        let resumed = Resumed {
            run,
            missing: missing.len(),
            resolved: resolutions,
            expired,
            waited,
            retried: BTreeMap::new(),
            model_delayed: None,
            changed,
            keeper: None,
            found: RunStatus::Open,
            received: Vec::new(),
            answer: None,
            log: {
                log.extend(missing);
                log
            },
        };
        Ok(resumed)
    }
}

/// The calls that may not be decided any more.
pub(super) fn expired(waited: &BTreeMap<CallId, SystemTime>, run: &Run) -> BTreeSet<CallId> {
    let (Some(time), now) = (run.config().pending_time, SystemTime::now()) else {
        return BTreeSet::new();
    };
    // A clock that was set back expires nothing.
    let waits = |since: SystemTime| now.duration_since(since).unwrap_or_default();
    // Those that are decided have waited before.
    let delayed = run.delayed().filter(|(_, why)| why.is_of_others());
    let is_late = |call: &CallId| waited.get(call).is_some_and(|since| waits(*since) > time);
    delayed.map(|(call, _)| call).filter(is_late).collect()
}

/// Returns true if a call waits in the log as the approval request showed it.
fn waits(run: &Run, pending: &PendingCall) -> bool {
    run.pending_call(pending.id).is_some_and(|waits| {
        let is_it =
            waits.waits_for == pending.waits_for && waits.question_key == pending.question_key;
        is_it && waits.call == pending.call
    })
}

/// The calls whose tool has changed since the approval was requested.
fn changed_calls(pending: &[PendingCall], tools: &ToolDefinitions) -> BTreeSet<CallId> {
    let changed = pending.iter().filter(|pending| is_changed(pending, tools));
    changed.map(|pending| pending.id).collect()
}

/// Returns true if the tool has changed since the approval was requested.
fn is_changed(pending: &PendingCall, tools: &ToolDefinitions) -> bool {
    let is_it = |tool: &&ToolDefinition| tool.name == pending.call.name;
    match (tools.iter().find(is_it), &pending.definition) {
        (Some(now), Some(then)) => !now.says_as(then),
        (now, then) => now.is_some() || then.is_some(),
    }
}

#[cfg(test)]
mod tests;
