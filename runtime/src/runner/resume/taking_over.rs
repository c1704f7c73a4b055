//! Goes on with a run whose driver is gone, for a new one in its conversation.

use crate::{
    Runner,
    runner::{RunHandle, begin::Resumed, keeper::Tried},
    store::RunStatus,
};
use toolwright_core::{
    run::{ResumeError, StoreError, StoreErrorKind},
    tool::ToolContext,
};

impl Runner {
    /// Goes on to its end with the run that has a conversation, as the error says, if its driver is gone. It gives `false` if
    /// the run is driven, waits for people, is of a runner of another name, or cannot go on. It has the runner as it was built: what
    /// the request has besides, such as its user, is not the run's.
    ///
    /// # Cancel safety
    ///
    /// The run goes on without the future, or stays held for its lease time.
    pub(in crate::runner) async fn take_over(
        &self,
        busy: &StoreError,
        tried: &mut Option<Tried>,
    ) -> bool {
        let (Some(runs), Some(run_id)) = (self.kept_runs(), busy.run_id.as_ref()) else {
            return false;
        };
        let before = tried.as_ref().filter(|it| it.run.info.run_id == *run_id);
        let next = before.map_or(u64::MAX, |it| it.next);
        let Ok(loaded) = runs.store.load(run_id, next).await else {
            return false;
        };
        if loaded.status != RunStatus::Open
            || *loaded.info.runner != *runs.runner
            || before.is_some_and(|it| it.run == loaded)
        {
            return false;
        }
        let mut built = self.clone();
        built.context = ToolContext::default();
        let may_go_on = |run: &Resumed| match run.found {
            RunStatus::Open => true,
            RunStatus::Suspended => !run.received.is_empty(),
            _ => false,
        };
        let resumed: Result<Option<RunHandle>, _> = built.resume_if(run_id, may_go_on, None).await;
        let goes_on = match resumed {
            Ok(Some(handle)) => {
                handle.detach().over().await;
                true
            }
            Err(ResumeError::Store(error))
                if matches!(
                    error.kind,
                    StoreErrorKind::Held | StoreErrorKind::Unavailable
                ) =>
            {
                return false;
            }
            _ => false,
        };
        let now = Tried::look(&runs, run_id).await;
        // One that was lost again may be tried again when its lease is over.
        let is_lost = |now: &Tried| goes_on && now.run.status == RunStatus::Open;
        let is_over = goes_on && !now.as_ref().is_some_and(is_lost);
        *tried = now.filter(|now| !is_lost(now));
        is_over
    }
}
