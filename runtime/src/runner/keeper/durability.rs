//! What must survive a loss of power.

use crate::RunnerBuilder;
use toolwright_core::{
    run::{Delay, Record, Run},
    tool::Effects,
};

/// What survives a loss of power or a crash of the operating system. The end of the process alone never loses a record.
///
/// | | [`Synced`](Self::Synced) | [`Written`](Self::Written) |
/// | --- | --- | --- |
/// | Waits for the disk | at most twice a round of parallel calls and twice a run | never, unless the store syncs by itself |
/// | The process dies | nothing recorded is lost | nothing recorded is lost |
/// | The power fails | records since the last sync are lost: the model reads that a call that writes may have taken effect although it had a result, reads are repeated, and so is a request to the model whose calls only read; decisions and messages of that time have to be sent again | the last records of each run are lost: a call that writes may run a second time, an answer that was read may be lost, and so may the run |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Durability {
    /// A call of a tool that is not [`ReadOnly`](Effects::ReadOnly) starts after the record of its start, and all
    /// before it, are synced to the disk. A [checkpoint](toolwright_core::ToolContext::checkpoint), the end of a round and the
    /// end of a run are synced as well.
    #[default]
    Synced,
    /// A record is written before any action that follows from it, and the operating system syncs it later, usually
    /// within seconds. In the words of SQLite it is `synchronous=NORMAL`, and [`Synced`](Self::Synced) is `FULL`. Use
    /// it for runs whose calls may be repeated.
    Written,
}

impl RunnerBuilder {
    /// Sets what survives a loss of power; [`Durability::Synced`] by default. A resumed run has the setting of the
    /// runner that resumes it. It has no effect without a [store](Self::store).
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

    /// Returns true if a run must survive a power loss once it is over or is no longer driven.
    pub(in crate::runner) fn syncs_ends(self) -> bool {
        self == Self::Synced
    }
}

/// Returns true for what must survive a loss of power before anything follows from it: the start of a call that changes
/// something, here or at the application, a checkpoint, the end of a round, and the end of the run. What was read can be read again.
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
        // What was done before a checkpoint is not done again, whatever the call does.
        Record::CallCheckpointed { .. } | Record::Started { .. } | Record::Finished { .. } => true,
        _ => false,
    }
}
