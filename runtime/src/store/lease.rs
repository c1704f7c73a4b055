//! The right to drive a run.

use std::time::SystemTime;

use toolwright_core::run::RunId;

/// The right to drive a run, until another process takes it. [`Store`](super::Store) has the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lease {
    /// The run.
    pub run_id: RunId,
    /// The token: the next lease of the run has a greater one.
    pub token: u64,
    /// The end of the lease, by the clock of the store. Its length is a setting of the runner:
    /// [`RunnerBuilder::lease_time`](crate::RunnerBuilder::lease_time).
    pub until: SystemTime,
}

impl Lease {
    /// A lease, for those who write a store.
    pub fn new(run_id: RunId, token: u64, until: SystemTime) -> Self {
        Self {
            run_id,
            token,
            until,
        }
    }
}
