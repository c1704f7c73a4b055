//! Goes on with one run of a store.

use std::{collections::BTreeMap, sync::Arc};

use tokio::time::Instant;

use super::{Log, expired};
use crate::{
    Runner,
    runner::{
        OnChanged, RunHandle,
        begin::{Begin, Resumed},
        keeper::{Keeper, KeptRuns},
        typed_answer::AnswerType,
    },
    store::{Append, Lease, LoadedRun, RunStatus},
};
use toolwright_core::{
    Fingerprint,
    driver::caught,
    run::{ResumeError, RunId, StoreError, StoreErrorKind, StoredRun},
    tool::ToolContext,
};

/// How often a run is resumed that gets no further.
const RESUMES: usize = 5;

impl Runner {
    /// Goes on with a run, unless it is not to.
    pub(in crate::runner) async fn resume_if<A>(
        &self,
        run_id: &RunId,
        goes_on: impl Fn(&Resumed) -> bool,
        answer: Option<AnswerType>,
    ) -> Result<Option<RunHandle<A>>, ResumeError> {
        let Some(runs) = self.kept_runs() else {
            return Err(ResumeError::NoStore);
        };
        let (mut resumed, context) = loop {
            let asked = Instant::now();
            let lease = match runs.store.lease(run_id).await {
                Err(error) if error.kind == StoreErrorKind::RunIsOver => {
                    return Err(ResumeError::IsOver);
                }
                lease => lease?,
            };
            let resumed = self.resume_held(&runs, (lease.clone(), asked)).await;
            if resumed.as_ref().is_ok_and(|(resumed, _)| goes_on(resumed)) {
                break resumed?;
            }
            // It is free again after its time in any case.
            let _ = runs.store.release(&lease).await;
            let (resumed, _) = resumed?;
            // A sender found the run held meanwhile, and left.
            let heard = resumed.received.len();
            match &resumed.keeper {
                Some(keeper) if keeper.inbox().await?.len() > heard => {}
                _ => return Ok(None),
            }
        };
        resumed.answer = answer.or_else(|| self.answer_type_of(&resumed.run));
        let runner = (Arc::clone(&self.inner), context);
        let owner = resumed
            .keeper
            .as_ref()
            .and_then(Keeper::owner)
            .map(str::to_owned);
        let begin = Begin::Resumed(Box::new(resumed));
        Ok(Some(RunHandle::new(runner, owner, begin)))
    }

    /// Returns false if a run was suspended and waits for the same as then.
    pub(super) fn has_news(&self, run: &Resumed) -> bool {
        let is_told = !run.received.is_empty() || !run.expired.is_empty();
        let approver = self.inner.approver_of(&run.run);
        run.found != RunStatus::Suspended || is_told || approver.is_some()
    }

    async fn resume_held(
        &self,
        runs: &KeptRuns,
        (lease, asked): (Lease, Instant),
    ) -> Result<(Resumed, ToolContext), ResumeError> {
        let run_id = lease.run_id.clone();
        let loaded = runs.store.load(&run_id, 0).await?;
        if loaded.status.is_over() {
            return Err(ResumeError::IsOver);
        }
        let log = Log::read(runs, &run_id, &loaded).await?;
        let was_parked = matches!(loaded.status, RunStatus::Parked { .. });
        if !was_parked
            && let Some(since) = log.idle_since(RESUMES)
            && !runs.has_progress_below(&run_id, since).await?
        {
            let reason = format!("it was resumed {RESUMES} times and got no further");
            park(runs, &lease, log.records.len() as u64, &reason).await?;
            return Err(ResumeError::Parked { reason });
        }
        let names = changed_tools(&loaded, &self.inner.fingerprints(None));
        if runs.keeping.on_changed == OnChanged::Refuse && !names.is_empty() {
            return Err(ResumeError::ToolsChanged { names });
        }
        let written = log.records.len() as u64;
        let stored = StoredRun::suspended(log.records, loaded.pending.clone());
        let mut resumed = self.resumed(stored, Vec::new())?;
        for (call, since) in log.waits_since {
            resumed.waited.entry(call).or_insert(since);
        }
        resumed.expired = expired(&resumed.waited, &resumed.run);
        resumed.retried = log.retried;
        resumed.model_delayed = log.model_delayed;
        resumed.count_time(log.uncounted);
        resumed.received = runs.store.inbox(&run_id, loaded.taken).await?;
        let runs = runs.clone().of_owner(loaded.info.owner.clone());
        let keeper = Keeper::new(runs.clone(), (lease, asked), written, loaded.taken);
        let keeper = keeper.with_pending(loaded.pending);
        let keeper = keeper.in_conversation(log.conversation);
        let is_open = loaded.status == RunStatus::Open;
        resumed.keeper = Some(if is_open { keeper } else { keeper.closed() });
        resumed.found = loaded.status;
        let context = match &runs.keeping.restore {
            // It is somebody else's code, and other runs go on without it.
            Some(restore) => caught(|| restore(&loaded.info, self.clone()).context)
                .ok()
                .ok_or(ResumeError::NoExtensions)?,
            None => self.context.clone(),
        };
        if loaded.info.extended && !context.has_extensions() {
            return Err(ResumeError::NoExtensions);
        }
        let owner = loaded.info.owner.as_deref().map(Into::into);
        Ok((resumed, context.owned_by(owner)))
    }
}

async fn park(runs: &KeptRuns, lease: &Lease, first: u64, reason: &str) -> Result<(), StoreError> {
    let mut append = Append::new(first, Vec::new());
    append.synced = runs.keeping.durability.syncs_ends();
    append.status = Some(RunStatus::Parked {
        reason: reason.to_owned(),
    });
    runs.store.append(lease, &append).await
}

/// The tools that were on offer and are gone, or have another definition now.
fn changed_tools(loaded: &LoadedRun, now: &BTreeMap<String, Fingerprint>) -> Vec<String> {
    let then = loaded.info.tools.iter();
    then.filter(|(name, fingerprint)| now.get(*name) != Some(*fingerprint))
        .map(|(name, _)| name.clone())
        .collect()
}
