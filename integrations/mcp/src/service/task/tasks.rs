//! The tasks of a service: runs of a store.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::SystemTime,
};

use rmcp::{
    ErrorData,
    model::{DetailedTask, InputResponses, Task, TaskStatus},
};
use tokio::{runtime::Handle, sync::oneshot, task::AbortHandle};
use toolwright_core::{
    ToolCall, Toolset,
    driver::Mutex,
    run::{RunError, RunId},
    tool::{CallUpdate, Capabilities},
};
use toolwright_runtime::{
    CallOrigin, OnChanged, Recovered, RunEvent, RunHandle, Runner,
    store::{
        InboxContent, InboxItem, LoadedRun, Received, RunInfo, RunStatus, Store, StoreErrorKind,
        TimedStore,
    },
};

use super::{
    expiry::Expiry,
    failure::{internal, unknown},
    shown::{self, Shown},
};
use crate::service::{Served, asking::Modes, caller::Caller, scopes::Scopes};

/// Tasks of a service.
pub(super) struct Tasks {
    runner: Runner,
    expiry: Option<Expiry>,
    origins: Origins,
    progress: Progress,
    /// Looks for tasks of processes that are gone, and for results whose time is over.
    upkeep: OnceLock<AbortHandle>,
}

/// What the calls that run in this process have said last.
type Progress = Arc<Mutex<HashMap<RunId, String>>>;

impl Drop for Tasks {
    fn drop(&mut self) {
        if let Some(upkeep) = self.upkeep.get() {
            upkeep.abort();
        }
    }
}

impl Tasks {
    pub(super) fn new(
        served: &Served,
        (name, store): &(String, Arc<dyn Store>),
    ) -> Result<Arc<Self>, String> {
        let origins = Origins {
            own: served.options.calls.granted(),
            has_approver: served.options.calls.has_approver(),
            scopes: served.scopes.clone(),
        };
        let restoring = origins.clone();
        // Whether the caller may call the tool is known before a task begins, and checked when it goes on.
        let calls = served.options.calls.clone().with_granted(Capabilities::ALL);
        let mut builder = Runner::without_model()
            .store(&**name, Arc::clone(store))
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
        let runner = builder.build().map_err(|error| error.to_string())?;
        Ok(Arc::new(Self {
            runner,
            expiry: served.tasks.kept_for.map(Expiry),
            origins,
            progress: Progress::default(),
            upkeep: OnceLock::new(),
        }))
    }

    /// Goes on with tasks whose process is gone, and deletes results whose time is over, from now on.
    pub(super) fn keep_up(&self) {
        let Ok(tokio) = Handle::try_current() else {
            return;
        };
        self.upkeep.get_or_init(|| {
            let (runner, progress) = (self.runner.clone(), Arc::clone(&self.progress));
            let expiry = self.expiry;
            let upkeep = async move {
                let each = |run: Recovered| {
                    if let Ok(handle) = run.handle {
                        tokio::spawn(drive(handle, Arc::clone(&progress)));
                    }
                };
                let deleting = async {
                    if let Some(expiry) = expiry {
                        expiry.keep_deleting(&runner).await;
                    }
                };
                tokio::join!(runner.keep_recovering(each), deleting);
            };
            tokio.spawn(upkeep).abort_handle()
        });
    }

    /// Begins a task, and returns when it is in the store. It goes on also if the future is dropped.
    pub(super) async fn begin(
        &self,
        call: ToolCall,
        caller: Option<&Caller>,
        modes: Modes,
    ) -> Result<Task, ErrorData> {
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
        let mut handle = request.start();
        let id = handle.id().to_string();
        let ((tell, told), progress) = (oneshot::channel(), Arc::clone(&self.progress));
        tokio::spawn(async move {
            if handle.has_begun().await {
                // Who asked may be gone, here and below.
                let _ = tell.send(Ok(()));
                return drive(handle, progress).await;
            }
            if let Err(RunError { failure, .. }) = handle.outcome().await {
                let failure = std::io::Error::other(failure.to_string());
                let _ = tell.send(Err(internal(&failure)));
            }
        });
        told.await.map_err(|error| internal(&error))??;
        // It has begun: without its id the client would begin it again.
        let found = self.find(&id, owner, u64::MAX).await;
        let created = found.map_or_else(|_| SystemTime::now(), |it| it.loaded.info.created);
        let created = shown::timestamp(created);
        Ok(self.dated(Task::new(id, TaskStatus::Working, created.clone(), created)))
    }

    pub(super) async fn get(
        &self,
        id: &str,
        owner: Option<&str>,
        served: &Served,
    ) -> Result<DetailedTask, ErrorData> {
        let found = self.find(id, owner, 0).await?;
        let Found { run, loaded, .. } = &found;
        let is_over = |expiry: Expiry| expiry.has_come(&loaded.info, &loaded.status);
        if self.expiry.is_some_and(is_over) {
            let why = format!("the task {id} has expired");
            return Err(ErrorData::invalid_params(why, None));
        }
        let (unheard, modes) = (found.unheard().await?, modes(&loaded.info));
        let is_suspended = loaded.status == RunStatus::Suspended;
        // Whoever else could decide decides in a process that drives it.
        let denials = if is_suspended && !self.origins.has_approver {
            shown::denials(&loaded.pending, &unheard, modes)
        } else {
            Vec::new()
        };
        for denial in &denials {
            found.put(denial).await?;
        }
        let is_left = loaded.status == RunStatus::Open && loaded.held_until.is_none();
        let is_told = !(unheard.is_empty() && denials.is_empty());
        let has_news = is_suspended && is_told;
        if is_left || has_news {
            self.wake(&found);
        }
        let progress = self.progress.lock().get(run).cloned();
        let shown = Shown::new(run, loaded, &unheard, modes)?;
        let task = shown.task(served, progress);
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
        owner: Option<&str>,
        [all, tools]: [&Toolset; 2],
        said: &InputResponses,
    ) -> Result<(), ErrorData> {
        let found = self.find(id, owner, u64::MAX).await?;
        let pending = &found.loaded.pending;
        let mut names = pending.iter().map(|pending| &pending.call.name);
        if let Some(name) =
            names.find(|name| all.find(name).is_some() && tools.find(name).is_none())
        {
            let why = format!("this caller may not decide about calls of `{name}`");
            return Err(ErrorData::invalid_params(why, None));
        }
        let (unheard, modes) = (found.unheard().await?, modes(&found.loaded.info));
        let items = shown::decisions(pending, &unheard, modes, said)?;
        let mut put = Ok(());
        for item in &items {
            put = put.and(found.put(item).await);
        }
        if !items.is_empty() {
            self.wake(&found);
        }
        put
    }

    /// Asks the call to end. A task that is over stays as it is.
    pub(super) async fn cancel(&self, id: &str, owner: Option<&str>) -> Result<(), ErrorData> {
        let found = self.find(id, owner, u64::MAX).await?;
        if found.loaded.status.is_over() {
            return Ok(());
        }
        let cancel = InboxItem::with_id("cancel", InboxContent::Cancel);
        found.put(&cancel).await?;
        self.wake(&found);
        Ok(())
    }

    /// The runner of an owner.
    fn of(&self, owner: Option<&str>) -> Runner {
        match owner {
            Some(owner) => self.runner.with_owner(owner),
            None => self.runner.clone(),
        }
    }

    /// A task of an owner, with its entries from this one on.
    async fn find(&self, id: &str, owner: Option<&str>, from: u64) -> Result<Found, ErrorData> {
        let (run, runner) = (RunId::new(id), self.of(owner));
        let store = runner.timed_store().expect("it was built with one");
        let loaded = match store.load(&run, from).await {
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
        Ok(Found {
            runner,
            store,
            run,
            loaded,
        })
    }

    /// Goes on with a task that has something to hear, if no process does.
    fn wake(&self, found: &Found) {
        let progress = Arc::clone(&self.progress);
        let woken = found.runner.wake(&found.run, move |handle| {
            tokio::spawn(drive(handle, Arc::clone(&progress)));
        });
        // What becomes of it, the client asks later.
        drop(woken);
    }

    fn dated(&self, task: Task) -> Task {
        let task = task.with_poll_interval_ms(POLL);
        match self.expiry {
            Some(Expiry(time)) => {
                task.with_ttl_ms(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
            }
            None => task,
        }
    }
}

/// A task of an owner, whose runner and store these are.
struct Found {
    runner: Runner,
    store: TimedStore,
    run: RunId,
    loaded: LoadedRun,
}

impl Found {
    /// What is in the inbox of a task that waits, and was not taken.
    async fn unheard(&self) -> Result<Vec<Received>, ErrorData> {
        if self.loaded.pending.is_empty() {
            return Ok(Vec::new());
        }
        let inbox = self.store.inbox(&self.run, self.loaded.taken).await;
        inbox.map_err(|error| internal(&error))
    }

    /// Puts an item into the inbox. A task that is over needs none, and what was answered by somebody else is not asked any more.
    async fn put(&self, item: &InboxItem) -> Result<(), ErrorData> {
        match self.store.put(&self.run, item).await {
            Err(error)
                if matches!(
                    error.kind,
                    StoreErrorKind::RunIsOver | StoreErrorKind::Exists
                ) =>
            {
                Ok(())
            }
            put => put.map_err(|error| internal(&error)),
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
    scopes: Scopes,
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
            Some(caller) => self.scopes.granted(self.own, caller),
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

/// How often a client is to ask, in milliseconds.
const POLL: u64 = 1_000;

/// Drives a run to its end.
async fn drive(mut handle: RunHandle, progress: Progress) {
    let run = handle.id().clone();
    while let Some(event) = handle.next().await {
        if let RunEvent::Update {
            update: CallUpdate::Progress(report),
            ..
        } = event
            && !report.message.is_empty()
        {
            progress.lock().insert(run.clone(), report.message);
        }
    }
    progress.lock().remove(&run);
}
