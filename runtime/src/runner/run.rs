//! Builds a runner, and runs questions.

use std::sync::Arc;

use super::{RunHandle, Runner, RunnerBuilder};
use crate::DispatchOptions;
use toolwright_core::{
    ChatModel, Toolset, UserMessage,
    driver::caught,
    run::{Limits, RunError, RunOutcome},
};

impl Runner {
    /// Builds a runner for a model. All other settings have defaults.
    ///
    /// What other libraries write as `client.agent("gpt-5.1-mini")` is
    /// `Runner::builder(OpenAiChat::from_env("gpt-5.1-mini")?)`.
    #[doc(alias("agent", "AgentBuilder", "client"))]
    pub fn builder(model: impl ChatModel) -> RunnerBuilder {
        RunnerBuilder::new(Arc::new(model))
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

    /// Returns the limits of its runs.
    pub fn limits(&self) -> &Limits {
        &self.inner.config.limits
    }

    /// Returns the settings and the context of the calls of its runs, to make calls without a model: use
    /// [`Dispatch::dispatch_with`](crate::Dispatch::dispatch_with) on its [tools](Self::tools). Both share a rate
    /// limiter. [`call`](Self::call) makes a call with a log and a place in the store.
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
}
