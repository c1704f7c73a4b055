//! The end of results.

use std::time::{Duration, SystemTime};

use toolwright_runtime::{
    Runner,
    store::{RunFilter, RunInfo, RunStatus, StoreError, StoreErrorKind, TimedStore},
};

/// How long results are kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expiry(pub(super) Duration);

impl Expiry {
    /// The shortest and the longest time between two looks.
    const BETWEEN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60 * 60)];

    /// True if a task is over and its time as well.
    pub(super) fn has_come(self, info: &RunInfo, status: &RunStatus) -> bool {
        let age = SystemTime::now().duration_since(info.created);
        status.is_over() && age.unwrap_or_default() >= self.0
    }

    /// Deletes results whose time is over, of all owners, from now on.
    pub(super) async fn keep_deleting(self, runner: &Runner) {
        let [shortest, longest] = Self::BETWEEN;
        let (Some(name), Some(store)) = (runner.name(), runner.timed_store()) else {
            return;
        };
        loop {
            if let Err(error) = self.delete(name, &store).await {
                tracing::warn!(%error, "results of tasks whose time is over stay for now");
            }
            tokio::time::sleep((self.0 / 10).clamp(shortest, longest)).await;
        }
    }

    async fn delete(self, runner: &str, store: &TimedStore) -> Result<(), StoreError> {
        let mut filter = RunFilter::default();
        filter.runner = Some(runner.to_owned());
        loop {
            let page = store.list(&filter).await?;
            // Runs of sub-agents go with that of their call.
            let tasks = page.items.iter().filter(|run| run.info.parent().is_none());
            for run in tasks.filter(|run| self.has_come(&run.info, &run.status)) {
                match store.delete_with_below(&run.info.run_id).await {
                    Err(error) if error.kind == StoreErrorKind::Unavailable => return Err(error),
                    // Another process was faster.
                    Err(error) if error.kind == StoreErrorKind::NotFound => {}
                    // One that is damaged keeps no other one.
                    Err(error) => tracing::warn!(%error, "the result of a task cannot be deleted"),
                    Ok(()) => {}
                }
            }
            match page.next {
                Some(next) => filter.after = Some(next),
                None => return Ok(()),
            }
        }
    }
}
