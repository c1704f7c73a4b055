//! Calls as tasks: the extension `io.modelcontextprotocol/tasks`. A task is a run of the store with one given call.

mod expiry;
mod failure;
mod shown;
mod tasks;

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};

use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CancelTaskParams, ClientCapabilities,
        CreateTaskResult, GetTaskParams, GetTaskResult, JsonObject, TASKS_EXTENSION_ID,
        UpdateTaskParams,
    },
    service::RequestContext,
};
use toolwright_core::{ToolCall, Toolset};
use toolwright_runtime::store::Store;

use super::{Served, Service, asking::Modes, caller, fields};
use tasks::Tasks;

/// Which calls are tasks, and where they are kept.
#[derive(Clone, Default)]
pub(crate) struct TaskSettings {
    /// The store, and the name of the service in it.
    place: Option<(String, Arc<dyn Store>)>,
    /// The tools whose calls are tasks.
    tools: BTreeMap<String, Needs>,
    kept_for: Option<Duration>,
    lease_time: Option<Duration>,
    /// Made of the settings when the first client comes.
    made: OnceLock<Result<Arc<Tasks>, String>>,
}

/// What a client has to support for a call of a tool.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Needs {
    /// Nothing: a client without tasks waits for the result.
    Nothing,
    Tasks,
}

impl Service {
    /// Sets the store of [tasks](Self::long): every process that serves with the same store and the same name answers for
    /// all of them.
    ///
    /// A task is a [run](toolwright_runtime::Runner) of one call. If a process dies, another one goes on with its tasks: a
    /// call that only reads runs again, one that writes never does. A call that needs an approval, or [asks](super::Elicit),
    /// waits for the person at the client without a process that holds it. Results are kept as long as other runs of the
    /// store: [`delete_before`](Store::delete_before) deletes them.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{mcp::Service, store::MemoryStore, tool, toolset};
    ///
    /// /// Count all books.
    /// #[tool(read_only)]
    /// async fn count_books() -> u32 {
    ///     7
    /// }
    ///
    /// let service = Service::new(toolset![count_books])
    ///     .store("library", MemoryStore::new())
    ///     .long("count_books");
    /// let mcp = service.http();
    /// # Ok(()) }
    /// ```
    #[doc(alias("durable", "task"))]
    pub fn store(self, name: impl Into<String>, store: impl Store) -> Self {
        self.with(|served| served.tasks.place = Some((name.into(), Arc::new(store))))
    }

    /// Answers calls of a tool with a task, before the work starts, where the client has the extension
    /// `io.modelcontextprotocol/tasks`: it asks for the result later, of any process. Other clients wait for the result. It
    /// has no effect without a [store](Self::store), nor on a tool that is [deferred](Toolset::deferred).
    ///
    /// The time limit of the call is that of its tool, or else that of [`Service::calls`]: one minute, unless it is set.
    ///
    /// Over HTTP, a task belongs to the [owner](super::Caller) that began it: for others there is no such task. Its tool finds
    /// the caller with its scopes, and without the values that [`Caller::with_extension`](super::Caller::with_extension) adds:
    /// another process could not know them.
    ///
    /// If another process goes on with a task, what its caller is granted is checked again. What the client that began a task
    /// cannot ask is denied when the task is looked at next: approvals where it has no forms, forms that the protocol cannot
    /// show, addresses where it opens none. This holds also where another client of the owner can ask it.
    pub fn long(self, tool: impl Into<String>) -> Self {
        self.with_task(tool.into(), Needs::Nothing)
    }

    /// As [`long`](Self::long), and refuses the calls of clients without tasks.
    pub fn only_as_task(self, tool: impl Into<String>) -> Self {
        self.with_task(tool.into(), Needs::Tasks)
    }

    fn with_task(self, tool: String, needs: Needs) -> Self {
        self.with(|served| {
            served.tasks.tools.insert(tool, needs);
        })
    }

    /// Sets the time from the beginning of a task after which its result is deleted, and its approval is refused if nobody
    /// has decided; no limit by default.
    ///
    /// A client finds no result from then on. A process that serves deletes it, with its arguments and the runs of
    /// [sub-agents](toolwright_runtime::SubAgent) below it, a tenth of the time later at the latest, with at least a second and at
    /// most an hour. Runs of the store with another name stay.
    #[doc(alias = "ttl")]
    pub fn tasks_kept_for(self, time: Duration) -> Self {
        self.with(|served| served.tasks.kept_for = Some(time))
    }

    /// Sets how long the lease of a process on a task is valid without renewal: see
    /// [`RunnerBuilder::lease_time`](toolwright_runtime::RunnerBuilder::lease_time).
    pub fn lease_time(self, time: Duration) -> Self {
        self.with(|served| served.tasks.lease_time = Some(time))
    }
}

impl TaskSettings {
    /// True if there is a store.
    pub(crate) fn has_store(&self) -> bool {
        self.place.is_some()
    }

    /// Forgets what was made of the settings before they changed.
    pub(crate) fn changed(&mut self) {
        self.made = OnceLock::new();
    }
}

impl Served {
    /// The tasks, if there is a store. Tasks of processes that are gone, and results whose time is over, are looked for from now
    /// on; outside of tokio, from the next use on.
    fn tasks(&self) -> Option<Result<&Arc<Tasks>, ErrorData>> {
        let place = self.tasks.place.as_ref()?;
        let made = self.tasks.made.get_or_init(|| Tasks::new(self, place));
        if let Ok(tasks) = made {
            tasks.keep_up();
        }
        let made = made.as_ref();
        Some(made.map_err(|error| ErrorData::internal_error(error.clone(), None)))
    }

    /// Begins to look for tasks of processes that are gone, if there is a store. Outside of tokio, the first request about a task
    /// does.
    pub(crate) fn recover_tasks(&self) {
        let _ = self.tasks();
    }

    /// The task of a call; `None` if it is to be answered with its result.
    pub(crate) async fn begin_task(
        &self,
        tools: &Toolset,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Option<CallToolResponse>, ErrorData> {
        let Some(needs) = self.tasks.tools.get(&*request.name) else {
            return Ok(None);
        };
        let Some(tasks) = self.tasks() else {
            return Ok(None);
        };
        let client = context.client_capabilities().unwrap_or_default();
        if !client.supports_tasks() {
            return match needs {
                Needs::Nothing => Ok(None),
                Needs::Tasks => Err(ErrorData::missing_required_client_capability(
                    ClientCapabilities::builder().enable_tasks().build(),
                )),
            };
        }
        let calls = &self.options.calls;
        let asks = calls.approvals().asks(&tools.policy(&request.name)) && !calls.has_approver();
        let is_deferred = tools
            .find(&request.name)
            .is_some_and(|tool| tool.definition().deferred);
        let modes = Modes::of(&client);
        // A call that nobody can approve is refused at once.
        if is_deferred || asks && !modes.forms {
            return Ok(None);
        }
        let arguments = request.arguments.as_ref();
        let arguments = arguments.map_or_else(|| "{}".to_owned(), fields::to_json);
        let call = ToolCall::new("given", &*request.name, arguments);
        let caller = caller::admitted(context).map(|admitted| &admitted.caller);
        let task = tasks?.begin(call, caller, modes).await?;
        Ok(Some(CallToolResponse::Task(CreateTaskResult::new(task))))
    }

    pub(crate) async fn get_task(
        &self,
        request: GetTaskParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let (tasks, owner) = (self.of_request()?, caller::owner(context));
        let task = tasks.get(&request.task_id, owner.as_deref(), self);
        Ok(GetTaskResult::new(task.await?))
    }

    pub(crate) async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let (tasks, owner) = (self.of_request()?, caller::owner(context));
        let (id, said) = (&request.task_id, &request.input_responses);
        let tools = [&self.tools.snapshot(), &self.tools_for(context)];
        tasks.update(id, owner.as_deref(), tools, said).await
    }

    pub(crate) async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let (tasks, owner) = (self.of_request()?, caller::owner(context));
        tasks.cancel(&request.task_id, owner.as_deref()).await
    }

    fn of_request(&self) -> Result<&Arc<Tasks>, ErrorData> {
        let none = || ErrorData::invalid_params("there are no tasks", None);
        self.tasks().ok_or_else(none)?
    }
}

/// The capability of the server, as it is told to clients.
pub(crate) fn extension() -> (String, JsonObject) {
    (TASKS_EXTENSION_ID.to_owned(), JsonObject::new())
}

impl fmt::Debug for TaskSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskSettings")
            .field("tools", &self.tools)
            .field("kept_for", &self.kept_for)
            .finish_non_exhaustive()
    }
}
