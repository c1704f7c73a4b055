//! Goes on with the runs of processes that are gone, again and again.

use std::{collections::HashSet, time::Duration};

use super::Recovered;
use crate::{
    Runner,
    dispatch::wait,
    store::{RunStatus, RunSummary},
};
use toolwright_core::{
    driver::Mutex,
    run::{ResumeError, StoreErrorKind},
};

/// The least time between two looks.
const LEAST: Duration = Duration::from_millis(100);

/// The number of checks of open runs between two checks of all runs: waiting ones may have a new inbox item.
const LOOKS: u32 = 60;

impl Runner {
    /// [Recovers](Self::recover) now and repeatedly, until the future is dropped. A program with a store needs one of
    /// these for each runner: a killed process may hold its runs for the [lease
    /// time](crate::RunnerBuilder::lease_time), so that a single look at the start finds nothing.
    ///
    /// It looks for open runs three times in a lease time, and at every 60th look for all runs, including those with a
    /// new item in their inbox. The closure gets each run: [detach](crate::RunHandle::detach) its handle, or read its
    /// events. A run that cannot be resumed is passed with its error, again after each look at all runs.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use toolwright::{ModelResponse, Runner, store::MemoryStore, testing::ScriptedModel};
    /// # let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    /// let runner = Runner::builder(model).store("support", MemoryStore::new()).build()?;
    /// let recovering = runner.clone();
    /// tokio::spawn(async move {
    ///     let recovering = recovering.keep_recovering(|run| match run.handle {
    ///         Ok(handle) => drop(handle.detach()),
    ///         Err(error) => eprintln!("{} cannot go on: {error}", run.run_id),
    ///     });
    ///     recovering.await
    /// });
    /// # Ok(()) }
    /// ```
    ///
    /// It returns an error if the runner has no store, and otherwise never ends: a request to a store that does not
    /// answer is repeated.
    ///
    /// # Cancel safety
    ///
    /// As [`recover`](Self::recover).
    pub async fn keep_recovering(&self, mut each: impl FnMut(Recovered)) -> ResumeError {
        let Some(lease_time) = self.lease_time() else {
            return ResumeError::NoStore;
        };
        let refused = Mutex::new(HashSet::new());
        let refused = || refused.lock();
        loop {
            refused().clear();
            let mut look = 0;
            while look < LOOKS {
                let is_wanted = |run: &RunSummary| {
                    let is_open = look == 0 || run.status == RunStatus::Open;
                    is_open && !refused().contains(&run.info.run_id)
                };
                let found = |run: Recovered| {
                    let is_told = match &run.handle {
                        Ok(_) => true,
                        Err(error) => !may_pass(error) && refused().insert(run.run_id.clone()),
                    };
                    if is_told {
                        each(run);
                    }
                };
                // A store that does not answer is asked the same again.
                let looked = self.recover_each(is_wanted, found).await;
                look += u32::from(looked.is_ok());
                wait((lease_time / 3).max(LEAST)).await;
            }
        }
    }
}

/// Returns true for what another look may not find any more.
fn may_pass(error: &ResumeError) -> bool {
    let ResumeError::Store(error) = error else {
        return false;
    };
    matches!(
        error.kind,
        StoreErrorKind::Held | StoreErrorKind::Unavailable
    )
}
