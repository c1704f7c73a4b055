//! What has happened to the runs below a suspended one.

use std::{collections::BTreeSet, time::SystemTime};

use super::{by_id::Log, expired};
use crate::{
    run::{Run, RunId, StoreError, StoreErrorKind},
    runner::keeper::KeptRuns,
    store::RunStatus,
};

impl KeptRuns {
    /// Returns true if a run is suspended for runs below it, and one of these may go on.
    pub(super) async fn has_news_below(&self, status: &RunStatus) -> Result<bool, StoreError> {
        let RunStatus::Suspended { pending } = status else {
            return Ok(false);
        };
        let steps = pending.iter().flat_map(|call| &call.path);
        let below: BTreeSet<_> = steps.map(|step| &step.run_id).collect();
        for run in below {
            match self.may_go_on(run).await {
                Err(error) if error.kind == StoreErrorKind::Unavailable => return Err(error),
                Ok(false) => {}
                // Its call says what is wrong with it.
                Ok(true) | Err(_) => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Returns true if a run does not wait any more as it did, or if somebody has spoken to it.
    async fn may_go_on(&self, run_id: &RunId) -> Result<bool, StoreError> {
        let loaded = self.answered(self.store.load(run_id, 0)).await?;
        match loaded.status {
            RunStatus::Suspended { .. } => {}
            // Somebody drives it.
            RunStatus::Open => {
                let now = SystemTime::now();
                return Ok(loaded.held_until.is_none_or(|until| until <= now));
            }
            _ => return Ok(true),
        }
        let inbox = self.store.inbox(run_id, loaded.taken);
        if !self.answered(inbox).await?.is_empty() {
            return Ok(true);
        }
        let log = Log::read(self, run_id, &loaded).await?;
        Ok(Run::replay(&log.records)
            .map_or(true, |(run, _)| !expired(&log.waits_since, &run).is_empty()))
    }
}
