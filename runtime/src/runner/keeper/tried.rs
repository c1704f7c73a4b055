//! The state of a run that could not be resumed.

use super::KeptRuns;
use crate::store::LoadedRun;
use toolwright_core::run::RunId;

/// A run that could not be resumed, as it was then. There is no use in another try while it has not
/// changed.
#[derive(Debug)]
pub(in crate::runner) struct Tried {
    /// The place of its next entry.
    pub(in crate::runner) next: u64,
    pub(in crate::runner) run: LoadedRun,
}

impl Tried {
    pub(in crate::runner) async fn look(runs: &KeptRuns, run_id: &RunId) -> Option<Self> {
        let whole = runs.store.load(run_id, 0).await;
        // Of one whose log cannot be read, its entries say nothing.
        let next = whole.map_or(u64::MAX, |run| run.entries.len() as u64);
        let run = runs.store.load(run_id, next).await.ok()?;
        Some(Self { next, run })
    }
}
