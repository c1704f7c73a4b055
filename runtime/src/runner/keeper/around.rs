//! How runs of sub-agents are kept: beside the run of their call, and with it.

use super::{Keeper, KeptFor, KeptRuns};
use crate::{
    Runner,
    store::{InboxItem, ROOT, RunFilter},
};
use toolwright_core::run::{CallId, RunId, StoreError, StoreErrorKind};

/// The most runs that are looked at on the way up from a run: more than can be above it.
const STEPS: usize = 16;

/// The keeper of the runs below a run.
#[derive(Clone)]
pub(in crate::runner) struct Around {
    pub(super) runs: KeptRuns,
}

/// What a run below another one is kept with; nothing if that one is not kept.
#[derive(Clone)]
pub(in crate::runner) struct Below(Option<KeptRuns>);

impl Keeper {
    /// The keeper of the runs below this one, with its owner.
    pub(in crate::runner) fn around(&self) -> Around {
        Around {
            runs: self.runs.clone(),
        }
    }
}

impl Keeper {
    /// The call of this run that a run below it belongs to, and the run that the call has started; `None` of a run that is
    /// not below it.
    pub(in crate::runner) async fn next_below(
        &self,
        below: &RunId,
    ) -> Result<Option<(CallId, RunId)>, StoreError> {
        let mut run = below.clone();
        for _ in 0..STEPS {
            // What is known of it alone: no entry has this place.
            let loaded = match self.runs.store.load(&run, u64::MAX).await {
                Err(error) if error.kind == StoreErrorKind::NotFound => return Ok(None),
                loaded => loaded?,
            };
            let Some((parent, call)) = loaded.info.parent() else {
                return Ok(None);
            };
            if parent == self.lease.run_id {
                return Ok(Some((call, run)));
            }
            run = parent;
        }
        Ok(None)
    }

    /// Puts an item into the inbox of a run below. A finished run takes no items any more, and of two items with one id
    /// the first counts.
    pub(in crate::runner) async fn put_below(
        &self,
        below: &RunId,
        item: &InboxItem,
    ) -> Result<(), StoreError> {
        match self.runs.store.put(below, item).await {
            Err(error)
                if matches!(
                    error.kind,
                    StoreErrorKind::RunIsOver | StoreErrorKind::NotFound | StoreErrorKind::Exists
                ) =>
            {
                Ok(())
            }
            put => put,
        }
    }
}

impl Around {
    /// Gives up what is left of the runs below: see [`KeptRuns::abandon_below`].
    pub(in crate::runner) async fn abandon_below(&self, top: &RunId) -> Result<(), StoreError> {
        self.runs.abandon_below(top).await
    }
}

impl KeptFor {
    /// Of a run that a call of another one has started: it is kept as that one is.
    pub(in crate::runner) fn below(around: Option<&Around>) -> Self {
        Self {
            below: Some(Below(around.map(|around| {
                let mut runs = around.runs.clone();
                // Its context is made of that of the call.
                runs.keeping.restore = None;
                runs
            }))),
            owner: around.and_then(|around| around.runs.store.owner().map(str::to_owned)),
        }
    }
}

impl Runner {
    /// What keeps the runs of this runner.
    pub(in crate::runner) fn kept_runs(&self) -> Option<KeptRuns> {
        let runs = match &self.kept_for.below {
            Some(below) => below.0.clone(),
            None => self.inner.kept.clone(),
        };
        Some(runs?.of_owner(self.kept_for.owner.clone()))
    }
}

impl KeptRuns {
    /// Ends the remaining runs of sub-agents below a finished run, which are not resumed. A run without a driver is
    /// cancelled, and every other one is abandoned.
    pub(in crate::runner) async fn abandon_below(&self, top: &RunId) -> Result<(), StoreError> {
        let mut filter = RunFilter::default();
        filter.labels.insert(ROOT.to_owned(), top.to_string());
        loop {
            let page = self.store.list(&filter).await?;
            for run in page.items.iter().filter(|run| !run.status.is_over()) {
                if self
                    .cancel_left(&run.info.run_id)
                    .await
                    .is_ok_and(|over| over)
                {
                    continue;
                }
                match self.store.abandon(&run.info.run_id).await {
                    Err(error) if error.kind != StoreErrorKind::RunIsOver => return Err(error),
                    _ => {}
                }
            }
            match page.next {
                Some(next) => filter.after = Some(next),
                None => return Ok(()),
            }
        }
    }
}
