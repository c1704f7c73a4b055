//! Where a runner keeps its runs, and what a run is kept with.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use super::{Durability, WhenBusy, known::Known, queue::Queues, wakers::Wakers};
use crate::{
    Runner, RunnerBuilder,
    store::{CALL, ConversationId, PARENT, ROOT, RunInfo, Store, TimedStore},
};
use toolwright_core::run::{CallId, RunId};

/// What happens to a stored run whose tools have changed: removed, or with another definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OnChanged {
    /// It is not resumed: [`ResumeError::ToolsChanged`](toolwright_core::run::ResumeError::ToolsChanged) names them.
    #[default]
    Refuse,
    /// It is resumed. A call of a removed tool gets an error, and a changed tool needs a new approval.
    Proceed,
}

/// Where a runner keeps its runs, and how.
#[derive(Clone)]
pub(in crate::runner) struct KeptRuns {
    /// Its owner is that of the runs; they are those of everybody for the application.
    pub(in crate::runner) store: TimedStore,
    /// The name of the runner.
    pub(in crate::runner) runner: Arc<str>,
    pub(in crate::runner) keeping: Keeping,
    pub(super) queues: Arc<Queues>,
    pub(super) known: Arc<Known>,
    pub(in crate::runner) wakers: Wakers,
}

/// How runs are kept, whatever the store.
#[derive(Clone)]
pub(in crate::runner) struct Keeping {
    pub(in crate::runner) lease_time: Duration,
    pub(in crate::runner) durability: Durability,
    pub(super) when_busy: WhenBusy,
    pub(in crate::runner) on_changed: OnChanged,
    pub(in crate::runner) restore: Option<Restore>,
}

impl KeptRuns {
    /// The same with what this owner has in the store.
    pub(in crate::runner) fn of_owner(self, owner: Option<String>) -> Self {
        Self {
            store: self.store.of_owner(owner),
            ..self
        }
    }
}

/// Gives a runner what it had for a run.
type Restore = Arc<dyn Fn(&RunInfo, Runner) -> Runner + Send + Sync>;

impl Keeping {
    /// How long a driver that is gone keeps others from its runs at most.
    const LEASE_TIME: Duration = Duration::from_secs(30);
}

impl Default for Keeping {
    fn default() -> Self {
        Self {
            lease_time: Self::LEASE_TIME,
            durability: Durability::default(),
            when_busy: WhenBusy::default(),
            on_changed: OnChanged::default(),
            restore: None,
        }
    }
}

/// The store of a runner, and the name of the runner in it.
pub(in crate::runner) struct Place {
    store: Arc<dyn Store>,
    runner: Arc<str>,
}

impl Place {
    /// Keeps runs here, in this way.
    pub(in crate::runner) fn kept(self, keeping: Keeping) -> KeptRuns {
        KeptRuns {
            store: TimedStore::new(self.store, keeping.lease_time),
            runner: self.runner,
            keeping,
            queues: Arc::default(),
            known: Arc::default(),
            wakers: Wakers::default(),
        }
    }
}

/// What a new run is kept with.
#[derive(Clone, Default)]
pub(in crate::runner) struct KeptWith {
    pub(in crate::runner) labels: BTreeMap<String, String>,
    /// The conversation that it continues, and the version of it that has to be the newest.
    pub(in crate::runner) conversation: Option<(ConversationId, Option<u64>)>,
}

impl KeptWith {
    /// Of a run that a call has started. The origin is the run of the call, the call, and the run at the top.
    pub(in crate::runner) fn below(origin: Option<(&RunId, CallId, &RunId)>) -> Self {
        let mut with = Self::default();
        if let Some((run, call, top)) = origin {
            with.labels.extend([
                (PARENT.to_owned(), run.to_string()),
                (CALL.to_owned(), call.to_string()),
                (ROOT.to_owned(), top.to_string()),
            ]);
        }
        with
    }
}

/// Whom the runs of a runner are kept for, and by what.
#[derive(Clone, Default)]
pub(in crate::runner) struct KeptFor {
    /// The owner of the runner; `None` is the application.
    pub(in crate::runner) owner: Option<String>,
    /// What keeps them, if they are below another run.
    pub(super) below: Option<super::around::Below>,
}

impl RunnerBuilder {
    /// Stores the runs, so that they survive this process: [`Runner::resume`] continues one. A record is written before
    /// anybody reads it and before any action that follows from it. A call that writes starts after its start was
    /// written; a call that only reads does not wait.
    ///
    /// The name is that of this runner: [`Runner::recover`] resumes the runs of this name. A store that is chosen when the
    /// program runs is an `Arc<dyn Store>`: `toolwright::store::open` returns one by an address.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, testing::ScriptedModel};
    /// use toolwright::store::{MemoryStore, RunFilter, Scope, Store};
    ///
    /// let store = MemoryStore::new();
    /// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    /// let runner = Runner::builder(model).store("support", store.clone()).build()?;
    /// let outcome = runner.run("Say hello.").await?;
    ///
    /// let runs = store.list(Scope::All, &RunFilter::default()).await?;
    /// assert_eq!(runs.items[0].info.run_id, outcome.run_id);
    /// # Ok(()) }
    /// ```
    pub fn store(mut self, name: impl Into<String>, store: impl Store) -> Self {
        self.place = Some(Place {
            store: Arc::new(store),
            runner: name.into().into(),
        });
        self
    }

    /// Sets how long a lease on a run is valid without renewal; 30 seconds by default. A running run renews it three
    /// times as often. If the process has died, others may take the run after that time, or at once if the store knows
    /// of the death, as SQLite and PostgreSQL do. If nobody polls a handle for this long, others may take its run, which then fails
    /// with [`Failure::Store`](toolwright_core::Failure::Store).
    ///
    /// It has no effect without a [store](Self::store).
    pub fn lease_time(mut self, time: Duration) -> Self {
        self.keeping.lease_time = time;
        self
    }

    /// Sets what happens to a stored run whose tools have changed; by default it is refused. It has no effect without a
    /// [store](Self::store).
    pub fn on_changed_tools(mut self, on_changed: OnChanged) -> Self {
        self.keeping.on_changed = on_changed;
        self
    }

    /// Sets how [`Runner::resume`] and [`Runner::recover`] restore the [extensions](Runner::with_extension) of a run,
    /// which are not stored: usually from its owner and its labels. Without it, a run with extensions is refused if the
    /// runner that resumes it has none. A run that is resumed for a new question ([`WhenBusy`]) never gets the
    /// extensions of the question, only these. It has no effect without a [store](Self::store).
    ///
    /// ```
    /// use toolwright::{ModelResponse, Runner, store::MemoryStore, testing::ScriptedModel};
    ///
    /// struct User(String);
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    /// let runner = Runner::builder(model)
    ///     .store("support", MemoryStore::new())
    ///     .restore_extensions(|run, runner| match &run.owner {
    ///         Some(owner) => runner.with_extension(User(owner.clone())),
    ///         None => runner,
    ///     })
    ///     .build()?;
    /// # Ok::<(), toolwright::runner::BuildError>(())
    /// ```
    pub fn restore_extensions(
        mut self,
        restore: impl Fn(&RunInfo, Runner) -> Runner + Send + Sync + 'static,
    ) -> Self {
        self.keeping.restore = Some(Arc::new(restore));
        self
    }
}

impl Runner {
    /// Returns a runner for an owner, in the application's own terms, which is stored with the runs. It does not see
    /// runs and conversations of other owners, or without an owner: [`resume`](Self::resume), [`attach`](Self::attach),
    /// [`abandon`](Self::abandon) and a run that is to continue such a conversation fail with
    /// [`StoreErrorKind::NotFound`](toolwright_core::run::StoreErrorKind::NotFound). A runner without an owner is the
    /// application, and sees all.
    ///
    /// Ids of conversations are unique in the whole store: if users choose them, put the owner into the id, such as
    /// `ada/42`.
    ///
    /// Tools read it as [`ToolContext::owner`](toolwright_core::ToolContext::owner), also without a
    /// [store](RunnerBuilder::store).
    #[must_use = "the runner itself stays as it is"]
    pub fn with_owner(&self, owner: impl Into<String>) -> Self {
        let mut runner = self.clone();
        let owner = owner.into();
        runner.context = runner.context.with_owner(owner.as_str());
        runner.kept_for.owner = Some(owner);
        runner
    }

    /// The [owner](Self::with_owner) of the runner; `None` for the application.
    pub fn owner(&self) -> Option<&str> {
        self.kept_for.owner.as_deref()
    }

    /// The [store](RunnerBuilder::store) of the runner, if it has one.
    pub fn store(&self) -> Option<&Arc<dyn Store>> {
        self.inner.kept.as_ref().map(|runs| runs.store.store())
    }

    /// The [store](RunnerBuilder::store) as the owner of the runner sees it, if it has one: it is not waited for without end.
    #[doc(hidden)]
    pub fn timed_store(&self) -> Option<TimedStore> {
        let runs = self.inner.kept.as_ref()?;
        Some(runs.store.clone().of_owner(self.kept_for.owner.clone()))
    }

    /// The name of the runner in its [store](RunnerBuilder::store), if it has one.
    pub fn name(&self) -> Option<&str> {
        self.inner.kept.as_ref().map(|runs| &*runs.runner)
    }

    /// Returns the [lease time](RunnerBuilder::lease_time), if the runner has a [store](RunnerBuilder::store).
    pub fn lease_time(&self) -> Option<Duration> {
        let runs = self.inner.kept.as_ref()?;
        Some(runs.keeping.lease_time)
    }
}
