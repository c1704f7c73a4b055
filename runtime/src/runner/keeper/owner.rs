//! The view of a runner with an owner on its store: only the owner's runs and conversations.

use super::{KeptRuns, Scope};
use crate::store::no_conversation;
use toolwright_core::run::{RunId, StoreError, StoreErrorKind};

impl KeptRuns {
    /// Checks that a run is there for whom the runner is. A run keeps its owner, so what was checked stays true.
    pub(in crate::runner) async fn check_owner(
        &self,
        scope: &Scope,
        run_id: &RunId,
    ) -> Result<(), StoreError> {
        let Some(owner) = &scope.owner else {
            return Ok(());
        };
        // What is known of it alone: no entry has this place.
        let loaded = self.answered(self.store.load(run_id, u64::MAX)).await?;
        if loaded.info.is_seen_by(Some(owner)) {
            Ok(())
        } else {
            Err(StoreError::no_run(run_id))
        }
    }

    /// The error of a run of an owner that finds its conversation locked. Who does not see the run that has a new one, sees no
    /// conversation either: this is how it looks before it is saved. A conversation that is the owner's own may be continued by
    /// the application.
    pub(super) async fn busy_for(
        &self,
        owner: Option<&str>,
        is_new: bool,
        busy: StoreError,
    ) -> StoreError {
        let (Some(_), Some(run)) = (owner, &busy.run_id) else {
            return busy;
        };
        match self.answered(self.store.load(run, u64::MAX)).await {
            Ok(loaded) if !loaded.info.is_seen_by(owner) => {
                if is_new {
                    return no_conversation();
                }
                let message = "another run continues the conversation";
                StoreError::new(StoreErrorKind::ConversationBusy, message)
            }
            _ => busy,
        }
    }
}
