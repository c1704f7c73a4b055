//! Goes on with a run whose driver is gone, for a new one in its conversation.

use crate::{
    Runner,
    runner::{DetachedRun, RunHandle},
    store::RunStatus,
};
use toolwright_core::run::StoreError;

impl Runner {
    /// Goes on with the run that has a conversation, as the error says, if its driver is gone. It gives `None` if the run is
    /// driven, waits for people, is of a runner of another name, or cannot go on.
    pub(in crate::runner) async fn take_over(&self, busy: &StoreError) -> Option<DetachedRun> {
        let (runs, run_id) = (self.kept_runs()?, busy.run_id.as_ref()?);
        // What is known of it alone: no entry has this place.
        let loaded = runs.answered(runs.store.load(run_id, u64::MAX));
        let loaded = loaded.await.ok()?;
        if loaded.status != RunStatus::Open || *loaded.info.runner != *runs.runner {
            return None;
        }
        let resumed = self.resume_if(run_id, |run| !run.was_suspended, None);
        let handle: RunHandle = resumed.await.ok()??;
        Some(handle.detach())
    }
}
