//! Goes on with the run of a sub-agent that is in the store.

use std::{pin::pin, time::Duration};

use futures_util::future::{Either, select};

use super::{Beginning, Begun, digest};
use crate::{
    dispatch::wait,
    runner::{keeper::KeptRuns, resume::Log},
    store::{LoadedRun, RunStatus, TASK},
};
use toolwright_core::{
    ErrorCategory, ToolError,
    run::{CallSpent, Record, ResumeError, Run, RunId, StoreError, StoreErrorKind},
    tool::{BoxFuture, ToolContext},
};

/// The wait before a store is asked again, or a run that another driver holds.
const PAUSE: Duration = Duration::from_millis(250);

impl<'a> Beginning<'a> {
    /// Begins the run, or goes on with it if it is in the store.
    pub(in crate::runner::sub_agent) fn begin(
        self,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, Result<Begun, ToolError>> {
        Box::pin(async move {
            let id = self.started_by.run_id();
            let (Some(id), Some(runs)) = (id, self.runner.kept_runs()) else {
                return self.anew(cx);
            };
            loop {
                match runs.store.load(&id, 0).await {
                    Err(error) if error.kind == StoreErrorKind::NotFound => {
                        // It may have run and be deleted since.
                        return self.anew(cx);
                    }
                    Err(error) if error.kind == StoreErrorKind::Unavailable => {}
                    Err(error) => return Err(self.lost(&ResumeError::Store(error))),
                    Ok(loaded) if loaded.status.is_over() => {
                        return self.over(&runs, &id, &loaded).await;
                    }
                    Ok(loaded) => {
                        self.log(&runs, &id, &loaded).await?;
                        let answer = self.answer.clone();
                        match self.runner.resume_if(&id, |_| true, answer).await {
                            Ok(Some(handle)) => return Ok(Begun::Under(Box::new(handle))),
                            // It may be over by now, or free.
                            Ok(None) | Err(ResumeError::IsOver) => {}
                            Err(ResumeError::Store(error)) if may_pass(&error) => {}
                            Err(error) => return Err(self.lost(&error)),
                        }
                    }
                }
                let (waits, cancelled) = (pin!(wait(PAUSE)), pin!(cx.cancelled()));
                if let Either::Right(_) = select(waits, cancelled).await {
                    return Err(self.stopped("was cancelled"));
                }
            }
        })
    }

    /// The outcome of a run that is over.
    async fn over(
        &self,
        runs: &KeptRuns,
        id: &RunId,
        loaded: &LoadedRun,
    ) -> Result<Begun, ToolError> {
        let log = self.log(runs, id, loaded).await?;
        let replayed = Run::replay(&log.records);
        let (run, _) = replayed.map_err(|error| self.lost(&ResumeError::CorruptLog(error)))?;
        let outcome = run.outcome();
        let outcome = outcome.filter(|_| loaded.status == RunStatus::Finished);
        let Some(outcome) = outcome else {
            self.started_by.count(run.spent_in_all());
            return Err(self.stopped("was given up"));
        };
        self.started_by.count(CallSpent::of(&outcome));
        Ok(Begun::Over(Box::new(outcome)))
    }

    /// The log of a run in the store, if it is the one of this call: of a tool that asks several agents it may be another.
    async fn log(&self, runs: &KeptRuns, id: &RunId, loaded: &LoadedRun) -> Result<Log, ToolError> {
        let log = Log::read(runs, id, loaded).await;
        let log = log.map_err(|error| self.lost(&ResumeError::Store(error)))?;
        let is_same = match (loaded.info.labels.get(TASK), log.records.first()) {
            (Some(task), _) => *task == digest(&self.input),
            (None, Some(Record::Started { input, .. })) => *input == self.input,
            (None, _) => false,
        };
        if is_same {
            return Ok(log);
        }
        let why = "its run in the store was begun with another task";
        let error = StoreError::new(StoreErrorKind::Corrupt, why).with_run(id);
        Err(self.lost(&ResumeError::Store(error)))
    }

    /// The error of a call whose run cannot be resumed.
    fn lost(&self, error: &ResumeError) -> ToolError {
        let (name, aftermath) = (self.name, self.effects.aftermath());
        let why = format!("the agent `{name}` was interrupted and cannot go on{aftermath}");
        ToolError::new(ErrorCategory::Unknown, why).with_log(format!(
            "the run of the agent `{name}` cannot go on: {error}"
        ))
    }
}

/// Returns true if a run may go on later.
fn may_pass(error: &StoreError) -> bool {
    matches!(
        error.kind,
        StoreErrorKind::Held | StoreErrorKind::Unavailable
    )
}
