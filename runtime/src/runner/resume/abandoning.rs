//! Gives up runs of a store.

use tokio::time::Instant;

use super::Log;
use crate::{
    Runner,
    runner::keeper::{Keeper, KeptRuns},
    store::Lease,
};
use toolwright_core::run::{ResumeError, Run, RunId, StoreErrorKind};

impl Runner {
    /// Gives up a run that is not over: no more of it is executed, and its conversation is free. If no process drives
    /// the run, the conversation is saved as far as the run came. A driver in another process stops before its next
    /// action.
    ///
    /// # Errors
    ///
    /// When the runner has no store, or it has no such run or cannot be read; when the run is over.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future may leave the run held until the [lease time](crate::RunnerBuilder::lease_time) is over.
    pub async fn abandon(&self, run_id: &RunId) -> Result<(), ResumeError> {
        let Some(runs) = self.kept_runs() else {
            return Err(ResumeError::NoStore);
        };
        let asked = Instant::now();
        let lease = match runs.store.lease(run_id).await {
            // Nobody can drive one whose log cannot be read.
            Err(error) if matches!(error.kind, StoreErrorKind::Held | StoreErrorKind::Corrupt) => {
                runs.store.abandon(run_id).await?;
                // Its driver finds the run lost, and leaves those below as they are.
                let _ = runs.abandon_below(run_id).await;
                return Ok(());
            }
            Err(error) if error.kind == StoreErrorKind::RunIsOver => {
                return Err(ResumeError::IsOver);
            }
            lease => lease?,
        };
        match abandon_held(&runs, (lease.clone(), asked)).await {
            Err(error) if is_damaged(&error) => {
                runs.store.abandon(run_id).await?;
            }
            Err(error) => {
                // It is free again after its time in any case, and goes on with what is below it.
                let _ = runs.store.release(&lease).await;
                return Err(error);
            }
            Ok(()) => {}
        }
        // What stays is not resumed by itself.
        let _ = runs.abandon_below(run_id).await;
        Ok(())
    }
}

/// Gives a run up, and saves its conversation as far as it came.
async fn abandon_held(
    runs: &KeptRuns,
    (lease, asked): (Lease, Instant),
) -> Result<(), ResumeError> {
    let loaded = runs.store.load(&lease.run_id, 0).await?;
    let log = Log::read(runs, &lease.run_id, &loaded).await?;
    let (run, missing) = Run::replay(&log.records)?;
    let written = log.records.len() as u64;
    let runs = runs.clone().of_owner(loaded.info.owner.clone());
    let keeper = Keeper::new(runs, (lease, asked), written, loaded.taken);
    let mut keeper = keeper.in_conversation(log.conversation);
    keeper.hold(missing);
    Ok(keeper.abandon(&run).await?)
}

/// Returns true if what is stored of a run says no more.
fn is_damaged(error: &ResumeError) -> bool {
    match error {
        ResumeError::CorruptLog(_) => true,
        ResumeError::Store(error) => matches!(
            error.kind,
            StoreErrorKind::Corrupt | StoreErrorKind::Newer | StoreErrorKind::Outdated
        ),
        _ => false,
    }
}
