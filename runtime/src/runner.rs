//! Performs runs on tokio.

mod begin;
mod builder;
mod calls;
mod context_window;
mod control;
mod detached;
mod drive;
mod event;
mod hand_over;
mod handle;
mod keeper;
mod live;
mod on_demand;
mod options;
mod planning;
mod printer;
mod queue;
mod request;
mod resume;
mod run_node;
mod seen_calls;
mod shared_conversation;
mod sub_agent;
mod time_limit;
mod tools;
#[cfg(feature = "tracing")]
mod trace;
mod typed_answer;

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

pub use builder::{BuildError, RunnerBuilder};
pub use control::{NotWaiting, RunControl, RunIsOver};
pub use detached::DetachedRun;
pub use event::RunEvent;
pub use hand_over::{Agent, AgentError};
pub use handle::RunHandle;
pub use keeper::{Durability, OnChanged, WhenBusy};
pub use live::RunReader;
pub use options::RunOptions;
pub use planning::NextRequest;
pub use printer::Printer;
pub use request::{OwnsConversation, RunRequest, Within};
pub use resume::{Recovered, Resumable, ResumeRequest};
pub use shared_conversation::{ConversationTurn, SharedConversation};
pub use sub_agent::{SubAgent, SubAgentError};
pub use typed_answer::{Answer, AnswerError, TypedAnswer};

use crate::{CallOptions, DispatchOptions, RateLimiter};
use hand_over::Agents;
use keeper::{KeptWith, NewKeeper};
use planning::Planner;
use run_node::StartedBy;
use tools::ToolSource;
use toolwright_core::{
    Toolset, UserMessage,
    driver::caught,
    model::{ChatModel, ModelSettings},
    run::{AnswerMeans, RunConfig, RunError, RunId, RunOutcome},
    tool::{Backoff, ExtensionType, ToolContext},
};

/// Runs a question to its answer: sends it to the model, runs the tools that the model calls, and sends the results
/// back, until the model answers or a limit is reached.
///
/// Cheap to clone; clones share the model and the tools. Runs of one runner are independent.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, testing::ScriptedModel};
///
/// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
/// let runner = Runner::builder(model).system("Be brief.").build()?;
/// assert_eq!(runner.run("Say hello.").await?.text, "Hello.");
/// # Ok(()) }
/// ```
#[doc(alias("agent", "chain"))]
#[derive(Clone)]
pub struct Runner {
    inner: Arc<Inner>,
    context: ToolContext,
    /// What the runs are kept with.
    scope: keeper::Scope,
}

/// The data that all runs of a runner share.
#[derive(Clone)]
struct Inner {
    model: Arc<dyn ChatModel>,
    /// Other models, which plans of requests name.
    models: BTreeMap<String, Arc<dyn ChatModel>>,
    /// The hook before each request.
    planner: Option<Planner>,
    /// The model that summarizes what is left out of a request, if it is another one.
    summarizer: Option<Arc<dyn ChatModel>>,
    tools: ToolSource,
    /// The agents beside its own.
    agents: Agents,
    config: RunConfig,
    settings: ModelSettings,
    streaming: bool,
    answer_corrections: u32,
    /// The way in which the model is asked for an answer of a type, if it does not decide that.
    answer_means: Option<AnswerMeans>,
    model_backoff: Backoff,
    /// How long a run waits for people before it is suspended; `None` if approvals suspend nothing.
    suspend_after: Option<Duration>,
    calls: CallOptions,
    /// The types of the extensions that come when a run begins, or later.
    request_extensions: Vec<ExtensionType>,
    /// Where the runs are kept.
    kept: Option<keeper::KeptRuns>,
    /// The kept runs that are driven in this process.
    live: live::LiveRuns,
    /// All runs share it.
    rate_limiter: RateLimiter,
}

impl Runner {
    /// Builds a runner for a model. All other settings have defaults.
    pub fn builder(model: impl ChatModel) -> RunnerBuilder {
        RunnerBuilder::new(Arc::new(model))
    }

    /// Returns the current tools. For a runner with [agents](RunnerBuilder::agent) they are those of its own agent.
    pub fn tools(&self) -> Toolset {
        self.inner.tools.snapshot()
    }

    /// Returns the provider's name of the model, if it has one.
    pub fn model_name(&self) -> Option<String> {
        let model = &*self.inner.model;
        // It is user code, which may panic.
        caught(|| model.name().map(str::to_owned)).ok().flatten()
    }

    /// Returns the settings and the context of the calls of its runs, to make calls without a model: use
    /// [`Dispatch::dispatch_with`](crate::Dispatch::dispatch_with) on its [tools](Self::tools). Both share a rate
    /// limiter.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{Dispatch, ModelResponse, Runner, ToolCall, testing::ScriptedModel, tool, toolset};
    ///
    /// /// Double a number.
    /// #[tool(read_only)]
    /// fn double(n: i64) -> i64 {
    ///     n * 2
    /// }
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    /// let runner = Runner::builder(model).tools(toolset![double]).build()?;
    /// let calls = [ToolCall::new("1", "double", r#"{"n": 21}"#)];
    /// let results = runner.tools().dispatch_with(&calls, &runner.dispatch_options()).await;
    /// assert_eq!(results[0].to_model_text(), "42");
    /// # Ok(()) }
    /// ```
    pub fn dispatch_options(&self) -> DispatchOptions {
        let limiter = self.inner.rate_limiter.clone();
        let calls = self.inner.calls.clone().with_rate_limiter(limiter);
        DispatchOptions::from(calls).with_context(self.context.clone())
    }

    /// Returns a runner with a value in the context of every call, such as the current user. Tools find it by its type.
    /// It replaces a value of the same type; this runner stays unchanged. Both share model, tools and rate limits.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{
    ///     ModelResponse, Runner, ToolCall, ToolContext, ToolError, Toolset, dynamic::DynamicTool,
    ///     testing::ScriptedModel,
    /// };
    ///
    /// struct User(&'static str);
    ///
    /// let who = DynamicTool::builder("who_am_i", "Says who asks.").build(
    ///     async |_: ToolCall, cx: ToolContext| Ok::<_, ToolError>(cx.require::<User>()?.0),
    /// )?;
    /// let calls = ModelResponse::from_calls([ToolCall::new("a", "who_am_i", "{}")]);
    /// let model = ScriptedModel::new([calls, ModelResponse::from_text("You are Ada.")]);
    /// let runner = Runner::builder(model).tools(Toolset::new().with(who)?).build()?;
    ///
    /// // For each request:
    /// let outcome = runner.with_extension(User("Ada")).run("Who am I?").await?;
    /// let round = outcome.tool_rounds().next().unwrap();
    /// assert_eq!(round.results[0].to_model_text(), "Ada");
    /// # Ok(()) }
    /// ```
    #[must_use = "the runner itself stays as it is"]
    pub fn with_extension<T: Send + Sync + 'static>(&self, value: T) -> Self {
        let mut runner = self.clone();
        runner.context = runner.context.with_extension(value);
        runner
    }

    /// Runs a question in a new conversation.
    ///
    /// # Errors
    ///
    /// When the run [failed](toolwright_core::Finish::Failed); its finished work is in the error. Every other end is an
    /// outcome.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with an enabled timer, if a timer is needed: for retries, calls that still run after
    /// a cancel, time limits of the run or of a request, and a limited wait for people. Also there, if the run is in a
    /// store, or if its model needs tokio. Calls are as in [`Dispatch`](crate::Dispatch#panics).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the run and loses its work, unless it is in a store and can be resumed.
    /// [`start`](Self::start) returns a handle that can be cancelled without losing work.
    #[doc(alias("prompt", "chat"))]
    pub async fn run(&self, input: impl Into<UserMessage>) -> Result<RunOutcome, RunError> {
        self.request(input).run().await
    }

    /// Starts a run in a new conversation and returns its handle: a stream of events, which can be cancelled.
    pub fn start(&self, input: impl Into<UserMessage>) -> RunHandle {
        self.request(input).start()
    }
}

impl Runner {
    /// The same runner for a run that a call has started. It has the extensions of the call that it does not set.
    fn below(&self, cx: &ToolContext, started_by: StartedBy) -> Self {
        let mut runner = self.clone();
        let context = runner.context.with_missing(&self.inner.calls.extensions);
        {
            runner.scope = keeper::Scope::below(started_by.kept());
        }
        runner.context = context
            .with_missing(cx.extensions())
            .with_extension(started_by);
        runner
    }

    /// The keeper of a new run, if this runner has a store. The inner runner is the one with the options of the
    /// run.
    fn keeper_of(&self, inner: &Inner, id: &RunId, with: KeptWith) -> Option<Box<NewKeeper>> {
        let kept = self.kept_runs()?;
        let tools = inner.fingerprints(inner.config.tools.as_deref());
        Some(Box::new(NewKeeper::new(
            kept,
            self,
            id.clone(),
            with,
            tools,
        )))
    }
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("tools", &self.inner.tools)
            .field("config", &self.inner.config)
            .finish_non_exhaustive()
    }
}
