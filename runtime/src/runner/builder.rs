//! The settings of a runner.

mod build;
mod checks;
mod error;
mod input;
mod misuse;

use std::{collections::BTreeMap, fmt, future::Future, sync::Arc, time::Duration};

pub(super) use checks::check_choice;
pub use error::BuildError;
pub(super) use error::{named, names};
pub use misuse::IntoToolset;

use super::{NextRequest, planning::Planner};
use crate::{CallOptions, TimeLimit};
use toolwright_core::{
    ToolRegistry, Toolset,
    model::{ChatModel, ModelSettings},
    run::{
        AnswerForm, AnswerMeans, ContextWindow, Limits, OnLimit, PriceTable, RequestPlan,
        RunConfig, StopWhen, ToolChoiceSchedule,
    },
    tool::{Backoff, ExtensionType},
};

/// The settings of a [`Runner`](super::Runner).
#[must_use = "a builder does nothing until `build`"]
pub struct RunnerBuilder {
    model: Arc<dyn ChatModel>,
    models: BTreeMap<String, Arc<dyn ChatModel>>,
    planner: Option<Planner>,
    pub(super) input_checks: super::input_check::InputChecks,
    summarizer: Option<Arc<dyn ChatModel>>,
    tools: Vec<Toolset>,
    registry: Option<ToolRegistry>,
    config: RunConfig,
    settings: ModelSettings,
    streaming: bool,
    answer_corrections: u32,
    answer_means: Option<AnswerMeans>,
    model_backoff: Backoff,
    suspend_after: Option<Duration>,
    calls: CallOptions,
    /// The types of the extensions that come when a run begins, or later.
    request_extensions: Vec<ExtensionType>,
    pub(super) team: super::hand_over::Team,
    pub(super) place: Option<super::keeper::Place>,
    pub(super) keeping: super::keeper::Keeping,
}

impl RunnerBuilder {
    pub(super) fn new(model: Arc<dyn ChatModel>) -> Self {
        Self {
            model,
            models: BTreeMap::new(),
            planner: None,
            input_checks: super::input_check::InputChecks::default(),
            summarizer: None,
            tools: Vec::new(),
            registry: None,
            config: RunConfig::default(),
            settings: ModelSettings::default(),
            streaming: true,
            answer_corrections: AnswerForm::CORRECTIONS,
            answer_means: None,
            model_backoff: Backoff::MODEL,
            suspend_after: None,
            calls: CallOptions::default(),
            request_extensions: Vec::new(),
            team: super::hand_over::Team::default(),
            place: None,
            keeping: super::keeper::Keeping::default(),
        }
    }

    /// Sets the system text, for conversations without a system text. It is sent, but not stored in the conversation.
    #[doc(alias("preamble", "instructions", "system_prompt"))]
    pub fn system(mut self, system: impl Into<String>) -> Self {
        self.config.system = Some(system.into());
        self
    }

    /// Adds tools, after those that were added before.
    pub fn tools(mut self, tools: impl IntoToolset) -> Self {
        self.tools.push(tools.into_toolset());
        self
    }

    /// Takes the tools from a registry, which may change during a run. Each request sends the current tools, and the
    /// calls of its response run with the same ones.
    pub fn registry(mut self, registry: ToolRegistry) -> Self {
        self.registry = Some(registry);
        self
    }

    /// Sets the limits of a run; [`Limits::agent`] by default.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.config.limits = limits;
        self
    }

    /// Sets the number of rounds of tool calls; 50 by default.
    pub fn max_rounds(mut self, rounds: u32) -> Self {
        self.config.limits.max_rounds = rounds;
        self
    }

    /// Sets whether a run without progress is warned and then stopped; true by default. See [`Limits::no_progress`].
    pub fn no_progress(mut self, stops: bool) -> Self {
        self.config.limits.no_progress = stops;
        self
    }

    /// Sets what happens at a limit; a summary by default.
    pub fn on_limit(mut self, on_limit: OnLimit) -> Self {
        self.config.limits.on_limit = on_limit;
        self
    }

    /// Sets the prices for the cost of a run: see [`RunOutcome::cost`](toolwright_core::RunOutcome::cost).
    pub fn prices(mut self, prices: PriceTable) -> Self {
        self.config.prices = prices;
        self
    }

    /// Sets the time limit of a run; one hour by default, and `None` for no limit. [`on_limit`](Self::on_limit) sets what happens at it. See
    /// [`Limits::max_time`].
    pub fn max_time(mut self, time: impl TimeLimit) -> Self {
        self.config.limits.max_time = time.limit();
        self
    }

    /// Sets the time limit of one request to the model, up to the end of its response; 10 minutes by default. See
    /// [`Limits::model_timeout`].
    pub fn model_timeout(mut self, time: impl TimeLimit) -> Self {
        self.config.limits.model_timeout = time.limit();
        self
    }

    /// Sets the size of the model's context window, so that a long conversation is sent in part. By default the whole
    /// conversation is sent.
    pub fn context_window(mut self, window: ContextWindow) -> Self {
        self.config.context_window = Some(window);
        self
    }

    /// Sets the model that summarizes what a request leaves out. It may be cheaper than the model of the run. It needs
    /// a [context window](Self::context_window).
    ///
    /// ```
    /// use toolwright::{ModelResponse, Runner, run::ContextWindow, testing::ScriptedModel};
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    /// let cheaper = ScriptedModel::new([ModelResponse::from_text("A summary.")]);
    /// let runner = Runner::builder(model)
    ///     .context_window(ContextWindow::new(128_000))
    ///     .compact_with(cheaper)
    ///     .build()?;
    /// # Ok::<(), toolwright::runner::BuildError>(())
    /// ```
    pub fn compact_with(mut self, model: impl ChatModel) -> Self {
        self.summarizer = Some(Arc::new(model));
        self
    }

    /// Sets the settings of the calls, and replaces earlier ones.
    ///
    /// A tool that requires more than is [granted](CallOptions::with_granted) is not shown to the model and cannot be
    /// called, even if it comes from a registry.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{
    ///     ModelResponse, Runner, approval::{ApprovalRequest, Decision}, dispatch::CallOptions,
    ///     testing::ScriptedModel,
    /// };
    ///
    /// let calls = CallOptions::new()
    ///     .with_max_output(4_096)
    ///     .with_approver(async |_: ApprovalRequest| Decision::Approve);
    /// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    /// let runner = Runner::builder(model).calls(calls).build()?;
    /// # Ok(()) }
    /// ```
    pub fn calls(mut self, calls: CallOptions) -> Self {
        self.calls = calls;
        self
    }

    /// Sets which tools the model may or must call; by default the model decides. A
    /// [`ToolChoice`](toolwright_core::model::ToolChoice) that forces a call applies to the first round;
    /// [`ToolChoiceSchedule`] sets other rounds.
    pub fn tool_choice(mut self, choice: impl Into<ToolChoiceSchedule>) -> Self {
        self.config.tool_choice = choice.into();
        self
    }

    /// Sets the settings of the model.
    #[doc(alias("temperature", "max_tokens"))]
    pub fn settings(mut self, settings: ModelSettings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets whether responses are streamed; true by default. Otherwise a [`RunHandle`](super::RunHandle) has no deltas.
    #[doc(alias("stream_text", "stream_prompt"))]
    pub fn streaming(mut self, streaming: bool) -> Self {
        self.streaming = streaming;
        self
    }

    /// Sets how often the model is asked again if its answer does not fit [its type](crate::RunRequest::answer_as); 2
    /// by default.
    pub fn answer_corrections(mut self, corrections: u32) -> Self {
        self.answer_corrections = corrections;
        self
    }

    /// Sets the way in which the model is asked for [an answer of a type](crate::RunRequest::answer_as). By default
    /// [the model](ChatModel::takes_answer_schema) decides when a run begins.
    ///
    /// ```
    /// # use toolwright::testing::ScriptedModel;
    /// use toolwright::{Runner, run::AnswerMeans};
    ///
    /// # let model = ScriptedModel::default();
    /// // The model takes schemas and follows them badly.
    /// let runner = Runner::builder(model).answer_means(AnswerMeans::Tool("give_answer".to_owned())).build()?;
    /// # Ok::<(), toolwright::runner::BuildError>(())
    /// ```
    pub fn answer_means(mut self, means: AnswerMeans) -> Self {
        self.answer_means = Some(means);
        self
    }

    /// Sets the wait before a request is retried, if the provider does not give one; [`Backoff::MODEL`] by default. The
    /// [limits](Self::limits) have the number of retries.
    pub fn model_backoff(mut self, backoff: Backoff) -> Self {
        self.model_backoff = backoff;
        self
    }

    /// Sets a hook before each request that may call tools. It sees the rounds so far, and may offer fewer tools,
    /// change the tool choice, the model and the settings, add instructions, or end the run. Its decision is in the
    /// log. A hook that panics fails the run. It is dropped when the run is cancelled or reaches its time limit.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, run::RequestPlan, runner::NextRequest, testing::ScriptedModel};
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    /// let runner = Runner::builder(model)
    ///     .before_request(async |next: NextRequest| match next.rounds {
    ///         0 => RequestPlan::new().with_instructions("Look everything up first."),
    ///         _ => RequestPlan::new(),
    ///     })
    ///     .build()?;
    /// assert_eq!(runner.run("Say hello.").await?.text, "Hello.");
    /// # Ok(()) }
    /// ```
    pub fn before_request<F: Future<Output = RequestPlan> + Send + 'static>(
        mut self,
        plan: impl Fn(NextRequest) -> F + Send + Sync + 'static,
    ) -> Self {
        self.planner = Some(Planner::new(plan));
        self.config.plans_requests = true;
        self
    }

    /// Adds another model, which the plan of a request may name: see
    /// [`RequestPlan::with_model`](toolwright_core::run::RequestPlan::with_model).
    pub fn other_model(mut self, name: impl Into<String>, model: impl ChatModel) -> Self {
        let model: Arc<dyn ChatModel> = Arc::new(model);
        self.models.insert(name.into(), model);
        self
    }

    /// Ends a run after a round if one of these conditions is true: see
    /// [`Finish::Stopped`](toolwright_core::Finish::Stopped).
    pub fn stop_when(mut self, conditions: impl IntoIterator<Item = StopWhen>) -> Self {
        self.config.stop_when.extend(conditions);
        self
    }

    /// Lets calls that need an approval wait for people if there is no approver. When no other work is left, the run is
    /// [suspended](toolwright_core::Finish::Suspended) and can be resumed after the decision. See
    /// [`RunOutcome::suspended`](toolwright_core::RunOutcome::suspended).
    ///
    /// Calls of [external](toolwright_core::ToolPolicy::external) tools suspend a run without this.
    #[doc(alias("interrupt", "human_in_the_loop", "human in the loop"))]
    pub fn suspends(self) -> Self {
        self.suspend_after(Duration::ZERO)
    }

    /// Like [`suspends`](Self::suspends), but only after this time, in which [`RunControl`](super::RunControl) may
    /// decide.
    pub fn suspend_after(mut self, time: Duration) -> Self {
        self.suspend_after = Some(time);
        self
    }

    /// Sets the time limit for a decision about a call, or for the application's answer; 7 days by default. See
    /// [`RunConfig::pending_time`](toolwright_core::RunConfig::pending_time).
    pub fn pending_time(mut self, time: impl TimeLimit) -> Self {
        self.config.pending_time = time.limit();
        self
    }

    /// Announces a value of this type in the context of calls, which [`calls`](Self::calls) does not set:
    /// [`Runner::with_extension`](super::Runner::with_extension) sets it for each request, or a middleware does. Without
    /// this, [`build`](Self::build) fails if a tool takes an [`Extension`](toolwright_core::Extension) that is not set.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{
    ///     ModelResponse, Runner, ToolCall, testing::ScriptedModel, tool, tool::Extension, toolset,
    /// };
    ///
    /// #[derive(Clone)]
    /// struct User(&'static str);
    ///
    /// /// Say who asks.
    /// #[tool(read_only)]
    /// fn who_am_i(#[context] user: Extension<User>) -> String {
    ///     user.0.0.to_owned()
    /// }
    ///
    /// let calls = ModelResponse::from_calls([ToolCall::new("a", "who_am_i", "{}")]);
    /// let model = ScriptedModel::new([calls, ModelResponse::from_text("You are Ada.")]);
    /// let runner = Runner::builder(model.clone()).tools(toolset![who_am_i]);
    /// assert!(runner.build().is_err());
    ///
    /// let runner = Runner::builder(model).tools(toolset![who_am_i]).request_extension::<User>().build()?;
    /// // For each request:
    /// let outcome = runner.with_extension(User("Ada")).run("Who am I?").await?;
    /// # assert_eq!(outcome.tool_rounds().next().unwrap().results[0].to_model_text(), "Ada");
    /// # Ok(()) }
    /// ```
    pub fn request_extension<T: Send + Sync + 'static>(mut self) -> Self {
        self.request_extensions.push(ExtensionType::of::<T>());
        self
    }

    /// As [`request_extension`](Self::request_extension), for all extensions that these tools take. A call whose extension does
    /// not come fails.
    pub fn request_extensions_of(mut self, tools: &Toolset) -> Self {
        let extensions = tools.iter().flat_map(|tool| tool.extensions());
        self.request_extensions.extend(extensions);
        self
    }
}

impl fmt::Debug for RunnerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunnerBuilder")
            .field("tools", &self.tools)
            .field("registry", &self.registry)
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
