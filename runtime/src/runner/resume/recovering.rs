//! Goes on with the runs of processes that are gone, once or again and again.

use std::{collections::HashSet, time::Duration};

use crate::{
    Runner,
    dispatch::wait,
    runner::{RunHandle, begin::Resumed, keeper::KeptRuns},
    store::{RunFilter, RunStatus, RunSummary},
};
use toolwright_core::{
    driver::Mutex,
    run::{ResumeError, RunId, StoreErrorKind},
};

/// The least time between two looks.
const LEAST: Duration = Duration::from_millis(100);

/// The number of checks of open runs between two checks of all runs: waiting ones may have a new inbox item.
const LOOKS: u32 = 60;

/// A resumed run, or the error of the attempt.
#[derive(Debug)]
#[non_exhaustive]
pub struct Recovered {
    /// The run.
    pub run_id: RunId,
    /// Its handle: poll it like every other.
    pub handle: Result<RunHandle, ResumeError>,
}

impl Runner {
    /// Resumes all unfinished runs of runners with this name that no process drives, as far as the
    /// [owner](Self::with_owner) of this runner may see them. They include suspended runs with a new item in their
    /// inbox or in that of a run below, and those with a call whose time is over. A damaged run is included with its
    /// error, even if it may be of another runner: [`abandon`](Self::abandon) it, or repair it.
    ///
    /// Runs of [sub-agents](crate::runner::SubAgent) are not included: they are resumed with the run of their call.
    ///
    /// # Errors
    ///
    /// When the runner has no store, or it cannot be read. The runs that were found before the error are resumed, and
    /// another call finds the others.
    ///
    /// # Cancel safety
    ///
    /// As [`resume`](Self::resume).
    pub async fn recover(&self) -> Result<Vec<Recovered>, ResumeError> {
        let mut recovered = Vec::new();
        let look = self.recover_each(|_| true, |run| recovered.push(run));
        match look.await {
            // Those that go on already are not to be held for nothing.
            Err(error) if recovered.is_empty() => Err(error),
            _ => Ok(recovered),
        }
    }

    /// Goes on with those of these runs that are wanted, and gives each as soon as it has its lease.
    async fn recover_each(
        &self,
        is_wanted: impl Fn(&RunSummary) -> bool,
        mut each: impl FnMut(Recovered),
    ) -> Result<(), ResumeError> {
        let Some(runs) = self.kept_runs() else {
            return Err(ResumeError::NoStore);
        };
        let mut filter = RunFilter {
            runner: Some(runs.runner.to_string()),
            unfinished: true,
            free: true,
            ..RunFilter::default()
        };
        loop {
            let page = runs.store.list(&filter).await?;
            // Runs of sub-agents go on with that of their call.
            let is_ours = |run: &RunSummary| run.info.parent().is_none() && is_wanted(run);
            for run in page.items.into_iter().filter(is_ours) {
                let has_news = runs.has_news_below(&run).await;
                let (run_id, status) = (run.info.run_id, run.status);
                let resumed = match has_news {
                    // Who decides about it meanwhile does not find it held.
                    Ok(false)
                        if status == RunStatus::Suspended
                            && !self.may_go_on(&runs, &run_id).await =>
                    {
                        continue;
                    }
                    Ok(is_told) => {
                        let goes_on = |run: &Resumed| is_told || self.has_news(run);
                        self.resume_if(&run_id, goes_on, None).await
                    }
                    Err(error) => Err(error.into()),
                };
                match resumed.transpose() {
                    // Somebody else was faster.
                    Some(Err(ResumeError::Store(error))) if error.kind == StoreErrorKind::Held => {}
                    None | Some(Err(ResumeError::IsOver)) => {}
                    Some(handle) => each(Recovered { run_id, handle }),
                }
            }
            for error in page.damaged {
                // One without a name is none that could be resumed.
                if let Some(run_id) = error.run_id.clone() {
                    let handle = Err(ResumeError::Store(error));
                    each(Recovered { run_id, handle });
                }
            }
            match page.next {
                Some(next) => filter.after = Some(next),
                None => return Ok(()),
            }
        }
    }

    /// Returns true if a suspended run may go on: it has a new item, the time of a call is over, or an approver may be asked.
    async fn may_go_on(&self, runs: &KeptRuns, run_id: &RunId) -> bool {
        // Whoever goes on with it says what is wrong with one that cannot be read.
        self.inner.has_approver() || runs.may_go_on(run_id).await.unwrap_or(true)
    }

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
pub(super) fn may_pass(error: &ResumeError) -> bool {
    let ResumeError::Store(error) = error else {
        return false;
    };
    matches!(
        error.kind,
        StoreErrorKind::Held | StoreErrorKind::Unavailable
    )
}
