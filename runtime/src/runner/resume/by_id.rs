//! Goes on with runs of a store.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, SystemTime},
};

use tokio::time::Instant;

use super::expired;
use crate::{
    Runner,
    runner::{
        OnChanged, RunHandle,
        begin::{Begin, Resumed},
        keeper::{Keeper, KeptRuns},
        typed_answer::AnswerType,
    },
    store::{
        Append, ConversationRef, ConversationVersion, Entry, Lease, LoadedRun, RunFilter,
        RunStatus, RunSummary,
    },
};
use toolwright_core::{
    Fingerprint,
    driver::caught,
    run::{CallId, Delay, Record, ResumeError, Run, RunId, StoreError, StoreErrorKind, StoredRun},
    tool::ToolContext,
};

/// How often a run is resumed that gets no further.
const RESUMES: usize = 5;

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
            let lease = runs
                .store
                .lease(runs.scope(), run_id, runs.keeping.lease_time);
            let lease = match runs.answered(lease).await {
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
            let _ = runs.answered(runs.store.release(&lease)).await;
            let (resumed, _) = resumed?;
            // A sender found the run held meanwhile, and left.
            let heard = resumed.received.len();
            match &resumed.keeper {
                Some(keeper) if keeper.inbox().await?.len() > heard => {}
                _ => return Ok(None),
            }
        };
        resumed.answer = answer;
        let runner = (Arc::clone(&self.inner), context);
        let owner = resumed
            .keeper
            .as_ref()
            .and_then(Keeper::owner)
            .map(str::to_owned);
        let begin = Begin::Resumed(Box::new(resumed));
        Ok(Some(RunHandle::new(runner, owner, begin)))
    }

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
    pub(super) async fn recover_each(
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
            let page = runs
                .answered(runs.store.list(runs.scope(), &filter))
                .await?;
            // Runs of sub-agents go on with that of their call.
            let is_ours = |run: &RunSummary| run.info.parent().is_none() && is_wanted(run);
            for run in page.items.into_iter().filter(is_ours) {
                let has_news = runs.has_news_below(&run).await;
                let run_id = run.info.run_id;
                let resumed = match has_news {
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
        let lease = runs
            .store
            .lease(runs.scope(), run_id, runs.keeping.lease_time);
        let lease = match runs.answered(lease).await {
            // Nobody can drive one whose log cannot be read.
            Err(error) if matches!(error.kind, StoreErrorKind::Held | StoreErrorKind::Corrupt) => {
                runs.answered(runs.store.abandon(runs.scope(), run_id))
                    .await?;
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
                runs.answered(runs.store.abandon(runs.scope(), run_id))
                    .await?;
            }
            Err(error) => {
                // It is free again after its time in any case, and goes on with what is below it.
                let _ = runs.answered(runs.store.release(&lease)).await;
                return Err(error);
            }
            Ok(()) => {}
        }
        // What stays is not resumed by itself.
        let _ = runs.abandon_below(run_id).await;
        Ok(())
    }

    /// Returns false if a run was suspended and waits for the same as then.
    fn has_news(&self, run: &Resumed) -> bool {
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
        let loaded = runs
            .answered(runs.store.load(runs.scope(), &run_id, 0))
            .await?;
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
        let received = runs.store.inbox(runs.scope(), &run_id, loaded.taken);
        resumed.received = runs.answered(received).await?;
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
        Ok((resumed, context))
    }
}

/// Gives a run up, and saves its conversation as far as it came.
async fn abandon_held(
    runs: &KeptRuns,
    (lease, asked): (Lease, Instant),
) -> Result<(), ResumeError> {
    let loaded = runs
        .answered(runs.store.load(runs.scope(), &lease.run_id, 0))
        .await?;
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

/// The log of a stored run.
pub(in crate::runner) struct Log {
    pub(in crate::runner) records: Vec<Record>,
    /// The calls that wait or have waited for others, and since when.
    pub(super) waits_since: BTreeMap<CallId, SystemTime>,
    /// The calls that wait or have waited for another attempt, and since when.
    retried: BTreeMap<CallId, SystemTime>,
    /// The time since when the model is to be asked again.
    model_delayed: Option<SystemTime>,
    /// When the run got further for the last time.
    pub(super) progress: SystemTime,
    /// The times at which it was resumed since then.
    resumed: Vec<SystemTime>,
    /// The time up to its last entry that no entry counts: of a process that has died.
    uncounted: Duration,
    /// The conversation that it continues, and what was saved of it last.
    conversation: Option<(ConversationRef, toolwright_core::Conversation)>,
}

impl Log {
    pub(in crate::runner) async fn read(
        runs: &KeptRuns,
        run_id: &RunId,
        loaded: &LoadedRun,
    ) -> Result<Self, StoreError> {
        let mut log = Self {
            records: Vec::with_capacity(loaded.entries.len()),
            waits_since: BTreeMap::new(),
            retried: BTreeMap::new(),
            model_delayed: None,
            progress: SystemTime::UNIX_EPOCH,
            resumed: Vec::new(),
            uncounted: Duration::ZERO,
            conversation: None,
        };
        let mut counted = None;
        for (sequence, text) in (0..).zip(&loaded.entries) {
            let mut entry = Entry::from_text(text, run_id, sequence)?;
            if let (Record::Started { conversation, .. }, Some(reference)) =
                (&mut entry.record, &entry.conversation)
            {
                // It may have been deleted, and be another owner's now.
                let scope = loaded.info.owner.as_deref().into();
                let versions = runs.store.conversation(scope, &reference.id, 0, None);
                let versions = runs.answered(versions).await?;
                let then = usize::try_from(reference.version).unwrap_or(usize::MAX);
                let Some(then) = versions.get(..then) else {
                    return Err(gone(run_id, reference));
                };
                *conversation = ConversationVersion::join(then)?;
                let mut newest = reference.clone();
                newest.version = versions.len() as u64;
                log.conversation = Some((newest, ConversationVersion::join(&versions)?));
            }
            log.note_wait(&entry);
            log.note_progress(&entry);
            let from = match &entry.record {
                Record::Started { .. } | Record::TimeUsed { .. } | Record::Resumed { .. } => {
                    *counted.insert(entry.at)
                }
                _ => counted.unwrap_or(entry.at),
            };
            // A clock that was set back counts nothing.
            log.uncounted = entry.at.duration_since(from).unwrap_or_default();
            log.records.push(entry.record);
        }
        Ok(log)
    }

    /// Notes since when something waits.
    fn note_wait(&mut self, entry: &Entry) {
        match &entry.record {
            Record::CallDelayed { call, why } => match why {
                // A call waits for its answer after it has waited for its approval.
                Delay::Approval | Delay::External => {
                    self.waits_since.insert(*call, entry.at);
                }
                Delay::Retry { .. } => {
                    self.retried.insert(*call, entry.at);
                }
                _ => {}
            },
            Record::ModelDelayed { .. } => self.model_delayed = Some(entry.at),
            // An item that comes meanwhile ends no wait.
            Record::TimeUsed { .. }
            | Record::MessagePushed { .. }
            | Record::CancelAfterRound
            | Record::Resumed { .. } => {}
            _ => self.model_delayed = None,
        }
    }

    /// Notes when the run got further, and when it was resumed since.
    fn note_progress(&mut self, entry: &Entry) {
        match &entry.record {
            Record::Started { .. }
            | Record::Replied { .. }
            | Record::CallFinished { .. }
            | Record::CallDecided { .. }
            | Record::ContextCompacted { .. }
            | Record::MessagePushed { .. } => {
                self.progress = entry.at;
                self.resumed.clear();
            }
            Record::Resumed { suspended: false } => self.resumed.push(entry.at),
            _ => {}
        }
    }

    /// When the run was resumed for the first of the last so many times, if it got no further in any of them.
    fn idle_since(&self, resumes: usize) -> Option<SystemTime> {
        let first = self.resumed.len().checked_sub(resumes)?;
        self.resumed.get(first).copied()
    }
}

fn gone(run_id: &RunId, reference: &ConversationRef) -> StoreError {
    let message = format!(
        "the run continues version {} of conversation {}, which does not exist",
        reference.version, reference.id
    );
    StoreError::new(StoreErrorKind::Corrupt, message).with_run(run_id)
}

async fn park(runs: &KeptRuns, lease: &Lease, first: u64, reason: &str) -> Result<(), StoreError> {
    let mut append = Append::new(first, Vec::new());
    append.synced = runs.keeping.durability.syncs_ends();
    append.status = Some(RunStatus::Parked {
        reason: reason.to_owned(),
    });
    runs.answered(runs.store.append(lease, &append)).await
}

/// The tools that were on offer and are gone, or have another definition now.
fn changed_tools(loaded: &LoadedRun, now: &BTreeMap<String, Fingerprint>) -> Vec<String> {
    let then = loaded.info.tools.iter();
    then.filter(|(name, fingerprint)| now.get(*name) != Some(*fingerprint))
        .map(|(name, _)| name.clone())
        .collect()
}
