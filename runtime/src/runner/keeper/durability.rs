//! What must survive a loss of power.

use crate::RunnerBuilder;
use toolwright_core::{
    run::{Delay, Record, Run},
    tool::Effects,
};

/// What of a stored run survives a loss of power, or a crash of the operating system. The end of the process alone loses
/// nothing that was recorded, whatever this is.
///
/// | | [`Synced`](Self::Synced) | [`Written`](Self::Written) |
/// | --- | --- | --- |
/// | Waits for the disk | twice a round and twice a run, at most, where calls of a round run side by side | never, apart from what a store syncs by itself |
/// | The process dies | nothing recorded is lost | nothing recorded is lost |
/// | The power fails | what was written since the last sync is gone: the model is told that a call that writes may have taken effect though it had a result, reads are made again, and so is a request to the model whose calls only read; decisions and messages of that time are to be given again | the last records of each run are gone: a call that writes may run a second time, an answer that was read may be gone, and so may the run |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Durability {
    /// A call of a tool that is not [`ReadOnly`](Effects::ReadOnly) begins when the record of that, and all before it,
    /// are synced to the disk. So are the end of a round and the end of a run.
    #[default]
    Synced,
    /// A record is written before anything that follows from it is done, and the operating system syncs it when it
    /// likes to: within seconds, as a rule. It is `synchronous=NORMAL` where [`Synced`](Self::Synced) is `FULL`, in
    /// the words of SQLite. For runs whose calls do no harm when they are repeated.
    Written,
}

impl RunnerBuilder {
    /// Sets what of a stored run survives a loss of power; [`Durability::Synced`] by default. Runs that are resumed have
    /// what the runner that resumes them has. Without a [store](Self::store) it says nothing.
    ///
    /// ```
    /// use toolwright::{ModelResponse, Runner, runner::Durability, store::MemoryStore, testing::ScriptedModel};
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    /// let runner = Runner::builder(model)
    ///     .store("search", MemoryStore::new())
    ///     .durability(Durability::Written)
    ///     .build()?;
    /// # Ok::<(), toolwright::runner::BuildError>(())
    /// ```
    pub fn durability(mut self, durability: Durability) -> Self {
        self.keeping.durability = durability;
        self
    }
}

impl Durability {
    /// Returns true if records must survive a loss of power before anything follows from them.
    pub(super) fn syncs<'a>(
        self,
        records: impl IntoIterator<Item = &'a Record>,
        run: &Run,
    ) -> bool {
        self.syncs_ends() && records.into_iter().any(|record| is_vital(record, run))
    }

    /// Returns true if a run must survive a loss of power when it is over, or nobody drives it any more.
    pub(in crate::runner) fn syncs_ends(self) -> bool {
        self == Self::Synced
    }
}

/// Returns true for what must survive a loss of power before anything follows from it: the start of a call that changes
/// something, here or at the application, the end of a round, and the end of the run. What was read can be read again.
fn is_vital(record: &Record, run: &Run) -> bool {
    let changes = |call| {
        let policy = run.policy(call);
        policy.is_none_or(|policy| policy.effects != Effects::ReadOnly)
    };
    match record {
        Record::CallStarted { call, .. }
        | Record::CallDelayed {
            call,
            why: Delay::External,
        } => changes(*call),
        Record::CallFinished { .. } => !run.is_calling(),
        Record::Started { .. } | Record::Finished { .. } => true,
        _ => false,
    }
}
