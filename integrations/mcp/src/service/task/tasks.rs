//! The tasks of a service: runs of a store.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::{Duration, SystemTime},
};

use rmcp::{
    ErrorData,
    model::{DetailedTask, InputResponses, Task, TaskStatus},
};
use tokio::{
    runtime::Handle,
    sync::oneshot,
    task::AbortHandle,
    time::{sleep, timeout},
};
use toolwright_core::{
    ToolCall, Toolset,
    driver::Mutex,
    run::{RunError, RunId},
    tool::{CallUpdate, Capabilities},
};
use toolwright_runtime::{
    CallOrigin, OnChanged, Recovered, RunEvent, RunHandle, Runner, RunnerBuilder,
    store::{
        InboxContent, InboxItem, LoadedRun, Received, RunInfo, RunStatus, Scope, Store, StoreError,
        StoreErrorKind,
    },
};

use super::{
    failure::{internal, unknown},
    shown::{self, Shown},
};
use crate::service::{Served, asking::Modes, caller::Caller, scopes::Scopes};

/// The least time that the store has for an answer.
const LEAST: Duration = Duration::from_secs(1);

/// Tasks of a service.
pub(super) struct Tasks {
    runner: Runner,
    tools: toolwright_core::ToolRegistry,
    kept_for: Option<Duration>,
    origins: Origins,
    progress: Progress,
    /// Looks for tasks of processes that are gone.
    recovery: OnceLock<AbortHandle>,
}

/// What the calls that run in this process have said last.
type Progress = Arc<Mutex<HashMap<RunId, String>>>;

impl Drop for Tasks {
    fn drop(&mut self) {
        if let Some(recovery) = self.recovery.get() {
            recovery.abort();
        }
    }
}

impl Tasks {
    pub(super) fn new(
        served: &Served,
        place: &dyn Fn(RunnerBuilder) -> RunnerBuilder,
    ) -> Result<Arc<Self>, String> {
        let origins = Origins {
            own: served.options.calls.granted(),
            has_approver: served.options.calls.has_approver(),
            scopes: Arc::clone(&served.tasks.scopes),
        };
        let restoring = origins.clone();
        // Whether the caller may call the tool is known before a task begins, and checked when it goes on.
        let calls = served.options.calls.clone().with_granted(Capabilities::ALL);
        let mut builder = Runner::without_model()
            .registry(served.tools.clone())
            .calls(calls.with_extensions_of(&served.options.context))
            .request_extensions_of(&served.tools.snapshot())
            .restore_extensions(move |info, runner| restoring.restored(info, &runner))
            .suspends()
            // The tool has its own.
            .max_time(None)
            // The call of a tool that has changed asks again.
            .on_changed_tools(OnChanged::Proceed);
        if let Some(time) = served.tasks.kept_for {
            builder = builder.pending_time(time);
        }
        if let Some(time) = served.tasks.lease_time {
            builder = builder.lease_time(time);
        }
        let runner = place(builder).build().map_err(|error| error.to_string())?;
        Ok(Arc::new(Self {
            runner,
            tools: served.tools.clone(),
            kept_for: served.tasks.kept_for,
            origins,
            progress: Progress::default(),
            recovery: OnceLock::new(),
        }))
    }

    /// Goes on with tasks whose process is gone, from now on.
    pub(super) fn recover(&self) {
        let Ok(tokio) = Handle::try_current() else {
            return;
        };
        self.recovery.get_or_init(|| {
            let (runner, progress) = (self.runner.clone(), Arc::clone(&self.progress));
            let recovery = async move {
                // Scopes are set when the service over HTTP is there already.
                sleep(SETTINGS).await;
                let each = |run: Recovered| {
                    if let Ok(handle) = run.handle {
                        tokio::spawn(drive(handle, Arc::clone(&progress), None));
                    }
                };
                runner.keep_recovering(each).await;
            };
            tokio.spawn(recovery).abort_handle()
        });
    }

    /// Begins a task, and returns when it is in the store. It goes on also if the future is dropped.
    pub(super) async fn begin(
        &self,
        call: ToolCall,
        caller: Option<&Caller>,
        modes: Modes,
    ) -> Result<Task, ErrorData> {
        self.recover();
        let owner = caller.map(Caller::id);
        let (mut runner, scopes) = (self.of(owner), caller.map(Caller::scopes));
        let caller = owner.zip(scopes.as_deref());
        let caller = caller.map(|(owner, scopes)| Caller::stored(owner, scopes));
        runner = self.origins.known(&runner, caller, modes);
        let mut request = runner.call(call);
        for (has, label) in [(modes.forms, NO_FORMS), (modes.urls, NO_URLS)] {
            if !has {
                request = request.label(label, "true");
            }
        }
        if let Some(scopes) = scopes {
            request = request.label(SCOPES, scopes);
        }
        let handle = request.start();
        let id = handle.id().to_string();
        let (tell, told) = oneshot::channel();
        tokio::spawn(drive(handle, Arc::clone(&self.progress), Some(tell)));
        told.await.map_err(|error| internal(&error))??;
        // It has begun: without its id the client would begin it again.
        let loaded = self.load(&id, owner, u64::MAX).await;
        let created = loaded.map_or_else(|_| SystemTime::now(), |(_, _, task)| task.info.created);
        let created = shown::timestamp(created);
        Ok(self.dated(Task::new(id, TaskStatus::Working, created.clone(), created)))
    }

    pub(super) async fn get(
        &self,
        id: &str,
        owner: Option<String>,
    ) -> Result<DetailedTask, ErrorData> {
        let (runner, run, loaded) = self.load(id, owner.as_deref(), 0).await?;
        if self.is_expired(&loaded) {
            // It is not there any more in any case.
            let deleted = self
                .store()
                .delete_with_below(scope(owner.as_deref()), &run);
            let _ = self.answered(deleted).await;
            return Err(ErrorData::invalid_params(
                format!("the task {id} has expired"),
                None,
            ));
        }
        let unheard = self.unheard(&run, owner.as_deref(), &loaded).await?;
        let modes = modes(&loaded.info);
        let is_suspended = loaded.status == RunStatus::Suspended;
        // Whoever else could decide decides in a process that drives it.
        let denials = if is_suspended && !self.origins.has_approver {
            shown::denials(&loaded.pending, &unheard, modes)
        } else {
            Vec::new()
        };
        for denial in &denials {
            self.put(&run, owner.as_deref(), denial).await?;
        }
        let is_left = loaded.status == RunStatus::Open && loaded.held_until.is_none();
        let is_told = !(unheard.is_empty() && denials.is_empty());
        let has_news = is_suspended && is_told;
        if is_left || has_news {
            self.wake(&runner, &run);
        }
        let progress = self.progress.lock().get(&run).cloned();
        let shown = Shown::new(&run, &loaded, &unheard, modes)?;
        let task = shown.task(&self.tools.snapshot(), progress);
        Ok(DetailedTask::new(self.dated(task.task), task.payload))
    }

    /// Hands on what a person says, about calls of tools that the caller could make itself. Answers to what is not asked
    /// are ignored.
    ///
    /// # Errors
    ///
    /// Also when an answer does not fit its question. None of the answers counts then, and the task waits on.
    pub(super) async fn update(
        &self,
        id: &str,
        owner: Option<String>,
        tools: &Toolset,
        said: &InputResponses,
    ) -> Result<(), ErrorData> {
        let (runner, run, loaded) = self.load(id, owner.as_deref(), u64::MAX).await?;
        let all = self.tools.snapshot();
        let mut names = loaded.pending.iter().map(|pending| &pending.call.name);
        if let Some(name) =
            names.find(|name| all.find(name).is_some() && tools.find(name).is_none())
        {
            let why = format!("this caller may not decide about calls of `{name}`");
            return Err(ErrorData::invalid_params(why, None));
        }
        let unheard = self.unheard(&run, owner.as_deref(), &loaded).await?;
        let modes = modes(&loaded.info);
        let items = shown::decisions(&loaded.pending, &unheard, modes, said)?;
        for item in &items {
            self.put(&run, owner.as_deref(), item).await?;
        }
        if !items.is_empty() {
            self.wake(&runner, &run);
        }
        Ok(())
    }

    /// Asks the call to end. A task that is over stays as it is.
    pub(super) async fn cancel(&self, id: &str, owner: Option<String>) -> Result<(), ErrorData> {
        let (runner, run, loaded) = self.load(id, owner.as_deref(), u64::MAX).await?;
        if loaded.status.is_over() {
            return Ok(());
        }
        let cancel = InboxItem::with_id("cancel", InboxContent::Cancel);
        self.put(&run, owner.as_deref(), &cancel).await?;
        self.wake(&runner, &run);
        Ok(())
    }

    /// The runner of an owner.
    fn of(&self, owner: Option<&str>) -> Runner {
        match owner {
            Some(owner) => self.runner.with_owner(owner),
            None => self.runner.clone(),
        }
    }

    fn store(&self) -> &dyn Store {
        &**self.runner.store().expect("it was built with one")
    }

    /// A task of an owner, with its entries from this one on.
    async fn load(
        &self,
        id: &str,
        owner: Option<&str>,
        from: u64,
    ) -> Result<(Runner, RunId, LoadedRun), ErrorData> {
        let run = RunId::new(id);
        let loaded = self.store().load(scope(owner), &run, from);
        let loaded = match self.answered(loaded).await {
            Err(error) if error.kind == StoreErrorKind::NotFound => return Err(unknown(id)),
            loaded => loaded.map_err(|error| internal(&error))?,
        };
        let info = &loaded.info;
        // The application sees all runs of the store, and a client its tasks.
        let is_its = Some(&*info.runner) == self.runner.name()
            && info.owner.as_deref() == owner
            && info.parent().is_none();
        if !is_its {
            return Err(unknown(id));
        }
        Ok((self.of(owner), run, loaded))
    }

    /// What is in the inbox of a task that waits, and was not taken.
    async fn unheard(
        &self,
        run: &RunId,
        owner: Option<&str>,
        loaded: &LoadedRun,
    ) -> Result<Vec<Received>, ErrorData> {
        if loaded.pending.is_empty() {
            return Ok(Vec::new());
        }
        let inbox = self.store().inbox(scope(owner), run, loaded.taken);
        self.answered(inbox).await.map_err(|error| internal(&error))
    }

    /// Puts an item into the inbox of a task. One that is over needs none.
    async fn put(
        &self,
        run: &RunId,
        owner: Option<&str>,
        item: &InboxItem,
    ) -> Result<(), ErrorData> {
        match self
            .answered(self.store().put(scope(owner), run, item))
            .await
        {
            Err(error) if matches!(error.kind, StoreErrorKind::RunIsOver) => Ok(()),
            put => put.map_err(|error| internal(&error)),
        }
    }

    /// Goes on with a task that has something to hear, if no process does.
    fn wake(&self, runner: &Runner, run: &RunId) {
        let progress = Arc::clone(&self.progress);
        let woken = runner.wake(run, move |handle| {
            tokio::spawn(drive(handle, Arc::clone(&progress), None));
        });
        // What becomes of it, the client asks later.
        drop(woken);
    }

    async fn answered<T>(
        &self,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let time = self.runner.lease_time().unwrap_or_default().max(LEAST);
        let late = |_| {
            let message = "the store did not answer in time";
            StoreError::new(StoreErrorKind::Unavailable, message)
        };
        timeout(time, answer).await.map_err(late)?
    }

    /// True if a task is over and its time as well.
    fn is_expired(&self, loaded: &LoadedRun) -> bool {
        let age = SystemTime::now().duration_since(loaded.info.created);
        let age = age.unwrap_or_default();
        loaded.status.is_over() && self.kept_for.is_some_and(|time| age >= time)
    }

    fn dated(&self, task: Task) -> Task {
        let task = task.with_poll_interval_ms(POLL);
        match self.kept_for {
            Some(time) => task.with_ttl_ms(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            None => task,
        }
    }
}

/// The label with the scopes of the caller.
const SCOPES: &str = "toolwright.mcp.scopes";

/// The label of a task whose client has no forms.
const NO_FORMS: &str = "toolwright.mcp.no_forms";

/// The label of a task whose client opens no addresses.
const NO_URLS: &str = "toolwright.mcp.no_urls";

/// How the client can ask that has begun a task.
fn modes(info: &RunInfo) -> Modes {
    Modes {
        forms: !info.labels.contains_key(NO_FORMS),
        urls: !info.labels.contains_key(NO_URLS),
    }
}

/// For whom tasks work.
#[derive(Clone)]
struct Origins {
    /// What is granted to all.
    own: Capabilities,
    /// True if the application answers in the place of clients.
    has_approver: bool,
    scopes: Arc<Mutex<Scopes>>,
}

impl Origins {
    /// The runner for a task that another process may have begun, with its caller.
    fn restored(&self, info: &RunInfo, runner: &Runner) -> Runner {
        let caller = info.owner.as_ref().zip(info.labels.get(SCOPES));
        let caller = caller.map(|(owner, scopes)| Caller::stored(owner, scopes));
        self.known(runner, caller, modes(info))
    }

    fn known(&self, runner: &Runner, caller: Option<Caller>, modes: Modes) -> Runner {
        let origin = CallOrigin::new().with_granted(match &caller {
            Some(caller) => self.scopes.lock().granted(self.own, caller),
            None => self.own,
        });
        let mut runner = runner.with_extension(origin);
        if !self.has_approver {
            runner = runner.with_extension(modes);
        }
        match caller {
            Some(caller) => runner.with_extension(caller),
            None => runner,
        }
    }
}

/// The time for the settings of a service before its tasks go on.
const SETTINGS: Duration = Duration::from_millis(100);

/// How often a client is to ask, in milliseconds.
const POLL: u64 = 1_000;

fn scope(owner: Option<&str>) -> Scope<'_> {
    owner.into()
}

/// Drives a run to its end, and tells when it has begun.
async fn drive(
    mut handle: RunHandle,
    progress: Progress,
    mut begun: Option<oneshot::Sender<Result<(), ErrorData>>>,
) {
    let run = handle.id().clone();
    while let Some(event) = handle.next().await {
        match event {
            RunEvent::Recorded { .. } => {
                if let Some(begun) = begun.take() {
                    // Who asked may be gone.
                    let _ = begun.send(Ok(()));
                }
            }
            RunEvent::Update {
                update: CallUpdate::Progress(report),
                ..
            } if !report.message.is_empty() => {
                progress.lock().insert(run.clone(), report.message);
            }
            _ => {}
        }
    }
    progress.lock().remove(&run);
    let ended = handle.outcome().await;
    if let (Some(begun), Err(RunError { failure, .. })) = (begun, ended) {
        let _ = begun.send(Err(internal(&std::io::Error::other(failure.to_string()))));
    }
}
