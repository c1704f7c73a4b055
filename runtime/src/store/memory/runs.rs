//! Runs in memory.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant, SystemTime},
};

use super::order::Order;
use crate::store::{
    Append, InboxItem, Lease, LoadedRun, NewRun, Page, Received, RunFilter, RunInfo, RunStatus,
    RunSummary, Scope, StoreError, page,
};
use toolwright_core::run::{PendingCall, RunId};

#[derive(Default)]
pub(super) struct Runs {
    runs: BTreeMap<RunId, Kept>,
    order: Order,
}

struct Kept {
    info: RunInfo,
    status: RunStatus,
    pending: Vec<PendingCall>,
    entries: Vec<String>,
    inbox: Vec<InboxItem>,
    /// The indices of its items by their ids.
    ids: BTreeMap<String, usize>,
    /// The number of items that the log has taken.
    taken: u64,
    /// The token of the newest lease.
    token: u64,
    /// How long that holds; `None` if it was given back.
    held: Option<Held>,
    /// When it was over.
    ended: Option<SystemTime>,
}

impl Kept {
    /// The end of the lease; `None` if it is over.
    fn held_until(&self) -> Option<SystemTime> {
        self.held.as_ref().and_then(Held::until)
    }

    fn summary(&self) -> RunSummary {
        let (entries, held) = (self.entries.len() as u64, self.held_until());
        RunSummary::new(self.info.clone(), self.status.clone(), entries, held)
            .ended_at(self.ended)
            .with_pending(self.pending.clone())
    }
}

/// The time of a lease. It is measured by a clock that nobody sets: one that is set forward ends no lease.
struct Held {
    since: Instant,
    time: Duration,
    /// Its end, by the clock of the system.
    until: SystemTime,
}

impl Held {
    /// A time that begins now.
    fn new(time: Duration) -> Self {
        let now = SystemTime::now();
        let far = || now.checked_add(Duration::from_secs(100 * 366 * 24 * 60 * 60));
        Self {
            since: Instant::now(),
            time,
            until: now.checked_add(time).or_else(far).unwrap_or(now),
        }
    }

    fn until(&self) -> Option<SystemTime> {
        (self.since.elapsed() < self.time).then_some(self.until)
    }
}

impl Runs {
    pub(super) fn check_new(&self, new: &RunInfo) -> Result<(), StoreError> {
        let Some(kept) = self.runs.get(&new.run_id) else {
            return Ok(());
        };
        let scope = Scope::from(new.owner.as_deref());
        Err(scope.exists(&new.run_id, kept.info.owner.as_deref()))
    }

    pub(super) fn create(&mut self, run: &NewRun, time: Duration) -> Lease {
        let (id, held) = (run.info.run_id.clone(), Held::new(time));
        let lease = Lease::new(id.clone(), 1, held.until);
        let kept = Kept {
            info: run.info.clone(),
            status: RunStatus::Open,
            pending: Vec::new(),
            entries: run.entries.clone(),
            inbox: Vec::new(),
            ids: BTreeMap::new(),
            taken: 0,
            token: 1,
            held: Some(held),
            ended: None,
        };
        self.order.add(&kept.info);
        self.runs.insert(id.clone(), kept);
        lease
    }

    pub(super) fn lease(
        &mut self,
        scope: Scope<'_>,
        run: &RunId,
        time: Duration,
    ) -> Result<Lease, StoreError> {
        let kept = self.get(scope, run)?;
        if kept.status.is_over() {
            return Err(StoreError::over(run));
        }
        if let Some(until) = kept.held_until() {
            return Err(StoreError::held(run, until));
        }
        kept.token += 1;
        let held = kept.held.insert(Held::new(time));
        Ok(Lease::new(run.clone(), kept.token, held.until))
    }

    pub(super) fn renew(&mut self, lease: &Lease, time: Duration) -> Result<Lease, StoreError> {
        let kept = self.held(lease)?;
        if kept.status.is_over() {
            return Err(StoreError::over(&lease.run_id));
        }
        if kept.held.is_none() {
            return Err(StoreError::lease_lost(&lease.run_id));
        }
        let held = kept.held.insert(Held::new(time));
        Ok(Lease::new(lease.run_id.clone(), lease.token, held.until))
    }

    pub(super) fn release(&mut self, lease: &Lease) -> Result<(), StoreError> {
        self.held(lease)?.held = None;
        Ok(())
    }

    /// Checks that this may be appended now.
    pub(super) fn check_append(
        &mut self,
        lease: &Lease,
        append: &Append,
    ) -> Result<&RunInfo, StoreError> {
        let kept = self.held(lease)?;
        if kept.status.is_over() {
            return Err(StoreError::over(&lease.run_id));
        }
        let next = kept.entries.len() as u64;
        if !append.entries.is_empty() && append.first != next {
            return Err(StoreError::out_of_sequence(
                &lease.run_id,
                append.first,
                next,
            ));
        }
        let taken = kept.taken.max(append.taken);
        let is_suspended = matches!(append.status, Some(RunStatus::Suspended));
        if is_suspended && kept.inbox.len() as u64 > taken {
            return Err(StoreError::inbox_not_empty(&lease.run_id));
        }
        Ok(&kept.info)
    }

    pub(super) fn append(&mut self, run: &RunId, append: &Append, now: SystemTime) {
        if let Some(kept) = self.runs.get_mut(run) {
            kept.entries.extend_from_slice(&append.entries);
            kept.taken = kept.taken.max(append.taken);
            if let Some(pending) = &append.pending {
                kept.pending.clone_from(pending);
            }
            if let Some(status) = &append.status {
                kept.status = status.clone();
                kept.ended = status.is_over().then_some(now);
                if status.is_over() {
                    kept.pending.clear();
                }
                if *status != RunStatus::Open {
                    kept.held = None;
                }
            }
        }
    }

    pub(super) fn load(
        &mut self,
        scope: Scope<'_>,
        run: &RunId,
        from: u64,
    ) -> Result<LoadedRun, StoreError> {
        let kept = self.get(scope, run)?;
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        Ok(LoadedRun::new(
            kept.info.clone(),
            kept.status.clone(),
            kept.entries.get(from..).unwrap_or_default().to_vec(),
            kept.taken,
            kept.held_until(),
        )
        .with_pending(kept.pending.clone()))
    }

    pub(super) fn list(&self, scope: Scope<'_>, filter: &RunFilter) -> Page<RunSummary> {
        let runs = self.order.of(filter).filter_map(|(key, run)| {
            let kept = self.runs.get(run)?;
            let is_admitted = scope.sees(kept.info.owner.as_deref())
                && filter.admits_run(&kept.info, &kept.status, kept.held_until());
            is_admitted.then(|| (key.clone(), kept.summary()))
        });
        page::page(runs, filter.after.as_deref(), filter.limit)
    }

    pub(super) fn put(
        &mut self,
        scope: Scope<'_>,
        run: &RunId,
        item: &InboxItem,
    ) -> Result<(), StoreError> {
        let kept = self.get(scope, run)?;
        if let Some(place) = kept.ids.get(item.id()) {
            return if kept.inbox[*place] == *item {
                Ok(())
            } else {
                Err(StoreError::other_item(run, item.id()))
            };
        }
        if kept.status.is_over() {
            return Err(StoreError::over(run));
        }
        kept.ids.insert(item.id().to_owned(), kept.inbox.len());
        kept.inbox.push(item.clone());
        Ok(())
    }

    pub(super) fn inbox(
        &mut self,
        scope: Scope<'_>,
        run: &RunId,
        after: u64,
    ) -> Result<Vec<Received>, StoreError> {
        let kept = self.get(scope, run)?;
        let items = (1..).zip(&kept.inbox);
        Ok(items
            .filter(|(place, _)| *place > after)
            .map(|(place, item)| Received::new(place, item.clone()))
            .collect())
    }

    /// Returns true if the log has an entry at this place, or if the run is not open.
    pub(super) fn has_news(
        &mut self,
        scope: Scope<'_>,
        run: &RunId,
        from: u64,
    ) -> Result<bool, StoreError> {
        let kept = self.get(scope, run)?;
        Ok(kept.entries.len() as u64 > from || kept.status != RunStatus::Open)
    }

    /// True if there is an item after this place.
    ///
    /// # Errors
    ///
    /// When there is none, and none will come.
    pub(super) fn has_more(
        &mut self,
        scope: Scope<'_>,
        run: &RunId,
        after: u64,
    ) -> Result<bool, StoreError> {
        let kept = self.get(scope, run)?;
        let has_more = kept.inbox.len() as u64 > after;
        if !has_more && kept.status.is_over() {
            return Err(StoreError::over(run));
        }
        Ok(has_more)
    }

    /// Gives a run up, and says what is known of it.
    pub(super) fn abandon(
        &mut self,
        scope: Scope<'_>,
        run: &RunId,
        now: SystemTime,
    ) -> Result<&RunInfo, StoreError> {
        let kept = self.get(scope, run)?;
        if kept.status.is_over() {
            return Err(StoreError::over(run));
        }
        kept.status = RunStatus::Abandoned;
        kept.pending.clear();
        kept.ended = Some(now);
        // Whoever drives it has an older one.
        kept.token += 1;
        kept.held = None;
        Ok(&kept.info)
    }

    pub(super) fn delete(&mut self, scope: Scope<'_>, run: &RunId) -> Result<(), StoreError> {
        if !self.get(scope, run)?.status.is_over() {
            return Err(StoreError::in_use(run));
        }
        if let Some(deleted) = self.runs.remove(run) {
            self.order.remove(&deleted.info);
        }
        Ok(())
    }

    /// Deletes those that ended before a time; gives their number.
    pub(super) fn delete_before(&mut self, time: SystemTime) -> u64 {
        let before = self.runs.len();
        let open = self.runs.iter().filter(|(_, kept)| kept.ended.is_none());
        let open: BTreeSet<_> = open.map(|(run, _)| run.clone()).collect();
        let order = &mut self.order;
        self.runs.retain(|_, kept| {
            let is_needed = || kept.info.top().is_some_and(|top| open.contains(&top));
            let stays = kept.ended.is_none_or(|ended| ended >= time) || is_needed();
            if !stays {
                order.remove(&kept.info);
            }
            stays
        });
        (before - self.runs.len()) as u64
    }

    fn get(&mut self, scope: Scope<'_>, run: &RunId) -> Result<&mut Kept, StoreError> {
        let kept = self.runs.get_mut(run);
        let kept = kept.filter(|kept| scope.sees(kept.info.owner.as_deref()));
        kept.ok_or_else(|| StoreError::no_run(run))
    }

    fn held(&mut self, lease: &Lease) -> Result<&mut Kept, StoreError> {
        let kept = self.get(Scope::All, &lease.run_id)?;
        if kept.token == lease.token {
            Ok(kept)
        } else {
            Err(StoreError::lease_lost(&lease.run_id))
        }
    }
}
