//! Wakes a run that has something to hear.

use std::time::Duration;

use tokio::{
    sync::oneshot,
    time::{Instant, sleep},
};

use super::recovering::may_pass;
use crate::{
    Runner,
    runner::{RunHandle, keeper::KeptRuns},
    store::{InboxContent, RunStatus},
};
use toolwright_core::run::{ResumeError, RunId, StoreError, StoreErrorKind};

/// The first wait before a run is tried again that another process holds. Each next one is twice as long, up to
/// [`LONGEST`].
const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);
/// How long it is tried beside two lease times.
const TRIES: Duration = Duration::from_secs(10);

impl Runner {
    /// Makes sure that some process drives a run whose inbox got an item ([`Store::put`](crate::store::Store::put)).
    ///
    /// If no process does, the run is [resumed](Self::resume) by this runner, and the closure gets its handle:
    /// [detach](RunHandle::detach) it, or read its events. For a run below another one, that is the run at the top. If another
    /// process holds the run, or the store does not answer, it is tried again until the items are taken, for two
    /// [lease times](crate::RunnerBuilder::lease_time) and ten seconds: that process may be about to stop. A run that is to be
    /// cancelled and that no known program can resume is [abandoned](Self::abandon).
    ///
    /// It begins at once, and goes on if the future is dropped. The future returns the result of the first try: true if the
    /// run goes on here or is over by that, and false if it is tried again. At most 1,024 runs are tried again at once; others
    /// are left to [`keep_recovering`](Self::keep_recovering).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use toolwright::{ModelResponse, Runner, ToolCall, store::{MemoryStore, Scope, Store}, testing::ScriptedModel, tool, toolset};
    /// use toolwright::store::{InboxContent, InboxItem};
    ///
    /// # /// Delete a file.
    /// # #[tool(approval)]
    /// # fn delete(path: String) -> String { format!("deleted {path}") }
    /// # let calls = ModelResponse::from_calls([ToolCall::new("1", "delete", r#"{"path": "a.txt"}"#)]);
    /// # let model = ScriptedModel::new([calls, ModelResponse::from_text("Done.")]);
    /// # let store = MemoryStore::new();
    /// # let runner = Runner::builder(model).tools(toolset![delete]).store("support", store.clone()).suspends().build()?;
    /// let run = runner.run("Delete a.txt.").await?.run_id;
    /// let waiting = store.load(Scope::All, &run, u64::MAX).await?.pending;
    /// let approval = InboxContent::Resolution(waiting[0].approve());
    /// store.put(Scope::All, &run, &InboxItem::new(approval)).await?;
    /// assert!(runner.wake(&run, |run| drop(run.detach())).await?);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// When the first try failed for another reason: as [`ResumeRequest::start`](crate::ResumeRequest::start).
    ///
    /// # Panics
    ///
    /// When it is called outside of a tokio runtime.
    pub fn wake<F>(
        &self,
        run_id: &RunId,
        drive: F,
    ) -> impl Future<Output = Result<bool, ResumeError>> + Send + use<F>
    where
        F: FnMut(RunHandle) + Send + 'static,
    {
        let (tell, told) = oneshot::channel();
        let (runner, run) = (self.clone(), run_id.clone());
        tokio::spawn(async move { runner.wake_and_tell(run, drive, tell).await });
        async {
            let gone = |_| {
                let message = "the tokio runtime was shut down";
                Err(StoreError::new(StoreErrorKind::Unavailable, message).into())
            };
            told.await.unwrap_or_else(gone)
        }
    }

    async fn wake_and_tell(
        &self,
        run: RunId,
        mut drive: impl FnMut(RunHandle),
        tell: oneshot::Sender<Result<bool, ResumeError>>,
    ) {
        let Some(runs) = self.kept_runs() else {
            // Whoever asked may be gone, here and below.
            let _ = tell.send(Err(ResumeError::NoStore));
            return;
        };
        let (top, tried) = match top_of(&runs, &run).await {
            Ok(top) => {
                let tried = self.try_to_wake(&runs, &top).await;
                (Some(top), tried)
            }
            Err(error) => (None, Err(error.into())),
        };
        match tried {
            Ok(woken) => {
                let _ = tell.send(Ok(true));
                woken.into_iter().for_each(drive);
                return;
            }
            Err(error) if !may_pass(&error) => {
                let _ = tell.send(Err(error));
                return;
            }
            Err(_) => {}
        }
        let mut waking = runs.wakers.wake(&run);
        let _ = tell.send(Ok(false));
        let top = top.unwrap_or_else(|| run.clone());
        while let Some(waker) = waking {
            self.until_heard(&runs, (&run, &top), &mut drive).await;
            waking = waker.again();
        }
    }

    /// Goes on with a run, unless it was to be cancelled and is given up: its conversation is free again.
    async fn try_to_wake(
        &self,
        runs: &KeptRuns,
        run: &RunId,
    ) -> Result<Option<RunHandle>, ResumeError> {
        let error = match self.resume(run).start().await {
            Ok(handle) => return Ok(Some(handle)),
            Err(error) => error,
        };
        if is_for_good(&error) && is_cancelled(runs, run).await && self.abandon(run).await.is_ok() {
            return Ok(None);
        }
        Err(error)
    }

    async fn until_heard(
        &self,
        runs: &KeptRuns,
        (run, top): (&RunId, &RunId),
        drive: &mut impl FnMut(RunHandle),
    ) {
        // After that, `keep_recovering` finds it, or another process does.
        let time = runs.keeping.lease_time.saturating_mul(2);
        let (begun, time) = (Instant::now(), time.saturating_add(TRIES));
        let mut pause = FIRST;
        while begun.elapsed() < time {
            // The process that holds it takes the item, or is gone.
            sleep(pause).await;
            pause = LONGEST.min(pause * 2);
            if has_heard(runs, run).await {
                return;
            }
            match self.try_to_wake(runs, top).await {
                Ok(woken) => return woken.into_iter().for_each(drive),
                Err(error) if may_pass(&error) => {}
                Err(_) => return,
            }
        }
    }
}

/// The run to resume for this one.
async fn top_of(runs: &KeptRuns, run: &RunId) -> Result<RunId, StoreError> {
    // Without entries.
    let loaded = runs.store.load(run, u64::MAX);
    let top = loaded.await?.info.top();
    Ok(top.unwrap_or_else(|| run.clone()))
}

/// Returns true if the run has a cancel.
async fn is_cancelled(runs: &KeptRuns, run: &RunId) -> bool {
    let items = runs.store.inbox(run, 0);
    let items = items.await.unwrap_or_default();
    let mut said = items.iter().map(|received| received.item.content());
    said.any(|content| *content == InboxContent::Cancel)
}

/// Returns true if a run has taken all items of its inbox, or is over.
async fn has_heard(runs: &KeptRuns, run: &RunId) -> bool {
    let loaded = runs.store.load(run, u64::MAX);
    let Ok(loaded) = loaded.await else {
        return false;
    };
    if loaded.status.is_over() {
        return true;
    }
    if matches!(loaded.status, RunStatus::Open) && loaded.held_until.is_none() {
        return false;
    }
    let inbox = runs.store.inbox(run, loaded.taken);
    inbox.await.is_ok_and(|items| items.is_empty())
}

/// Returns true if no process is known that can resume the run. A newer program can, where its log needs one.
fn is_for_good(error: &ResumeError) -> bool {
    match error {
        ResumeError::ToolsChanged { .. }
        | ResumeError::NoExtensions
        | ResumeError::Parked { .. }
        | ResumeError::CorruptLog(_) => true,
        ResumeError::Store(error) => error.kind == StoreErrorKind::Corrupt,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
