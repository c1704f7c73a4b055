//! What has happened to the runs below a suspended one.

use std::{collections::BTreeSet, time::SystemTime};

use tokio::time::Instant;

use super::{Log, expired};
use crate::{
    runner::keeper::{Keeper, KeptRuns},
    store::{Lease, PARENT, RunFilter, RunStatus, RunSummary},
};
use toolwright_core::run::{ResumeError, Run, RunId, Signal, StoreError, StoreErrorKind};

impl KeptRuns {
    /// Returns true if a run is suspended for runs below it, and one of these may go on.
    pub(super) async fn has_news_below(&self, run: &RunSummary) -> Result<bool, StoreError> {
        if run.status != RunStatus::Suspended {
            return Ok(false);
        }
        let steps = run.pending.iter().flat_map(|call| &call.path);
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

    /// Returns true if a run below, however deep, got further since then: it is what the calls of the run do.
    pub(super) async fn has_progress_below(
        &self,
        run_id: &RunId,
        since: SystemTime,
    ) -> Result<bool, StoreError> {
        let mut above = vec![run_id.clone()];
        while let Some(parent) = above.pop() {
            let mut filter = RunFilter::default();
            filter.labels.insert(PARENT.to_owned(), parent.to_string());
            loop {
                let page = self.store.list(&filter).await?;
                for below in page.items {
                    let below = below.info.run_id;
                    match self.progress_of(&below).await {
                        Ok(progress) if progress >= since => return Ok(true),
                        Err(error) if error.kind == StoreErrorKind::Unavailable => {
                            return Err(error);
                        }
                        // Its call says what is wrong with one that cannot be read.
                        _ => above.push(below),
                    }
                }
                match page.next {
                    Some(next) => filter.after = Some(next),
                    None => break,
                }
            }
        }
        Ok(false)
    }

    /// The time when a run got further.
    async fn progress_of(&self, run_id: &RunId) -> Result<SystemTime, StoreError> {
        let loaded = self.store.load(run_id, 0).await?;
        Ok(Log::read(self, run_id, &loaded).await?.progress)
    }

    /// Cancels a run without a driver: its calls get results, and it is over. Returns `false` if another process drives
    /// it.
    pub(in crate::runner) async fn cancel_left(&self, run_id: &RunId) -> Result<bool, ResumeError> {
        let asked = Instant::now();
        let lease = match self.store.lease(run_id).await {
            Err(error) if error.kind == StoreErrorKind::Held => return Ok(false),
            lease => lease?,
        };
        let cancelled = self.cancel_held((lease.clone(), asked)).await;
        if !cancelled.as_ref().is_ok_and(|over| *over) {
            // It is free again after its time in any case.
            let _ = self.store.release(&lease).await;
        }
        cancelled
    }

    async fn cancel_held(&self, (lease, asked): (Lease, Instant)) -> Result<bool, ResumeError> {
        let run_id = lease.run_id.clone();
        let loaded = self.store.load(&run_id, 0).await?;
        let log = Log::read(self, &run_id, &loaded).await?;
        let (mut run, missing) = Run::replay(&log.records)?;
        let written = log.records.len() as u64;
        let mut keeper = Keeper::new(self.clone(), (lease, asked), written, loaded.taken);
        keeper.hold(missing);
        for signal in [Signal::Interrupted, Signal::Cancel] {
            keeper.hold(run.handle(signal));
        }
        if !run.is_over() {
            return Ok(false);
        }
        keeper.write(&run, Vec::new()).await?;
        Ok(true)
    }

    /// Returns true if a run no longer waits as before, or has a new inbox item.
    pub(super) async fn may_go_on(&self, run_id: &RunId) -> Result<bool, StoreError> {
        let loaded = self.store.load(run_id, 0).await?;
        match loaded.status {
            RunStatus::Suspended => {}
            // Somebody drives it.
            RunStatus::Open => return Ok(loaded.held_until.is_none()),
            _ => return Ok(true),
        }
        if !self.store.inbox(run_id, loaded.taken).await?.is_empty() {
            return Ok(true);
        }
        let log = Log::read(self, run_id, &loaded).await?;
        Ok(Run::replay(&log.records)
            .map_or(true, |(run, _)| !expired(&log.waits_since, &run).is_empty()))
    }
}
