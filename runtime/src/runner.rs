//! Performs runs on tokio.

mod builder;
mod calls;
mod drive;
mod event;
mod handle;
mod queue;
mod tools;

use std::{fmt, sync::Arc, time::Duration};

pub use builder::{BuildError, RunnerBuilder};
pub use event::RunEvent;
pub use handle::RunHandle;

use crate::{
    Approver, Conversation, DispatchOptions, Leniency, RateLimiter, Toolset, UserMessage,
    dispatch::Finishing,
    model::{ChatModel, ModelSettings},
    run::{RunConfig, RunError, RunOutcome},
    tool::{ApprovalPolicy, Backoff, ToolContext},
};
use tools::ToolSource;

/// Runs questions to their answers: asks the model, runs the tools it calls, and asks again, until
/// it answers or a limit is reached.
///
/// Cheap to clone; clones share the model and the tools. Runs of one runner do not touch each other.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright_runtime::{ModelResponse, Runner, testing::ScriptedModel};
///
/// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
/// let runner = Runner::builder(model).system("Be brief.").build()?;
/// assert_eq!(runner.run("Say hello.").await?.text, "Hello.");
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Runner {
    inner: Arc<Inner>,
}

/// What all runs of a runner share.
struct Inner {
    model: Arc<dyn ChatModel>,
    tools: ToolSource,
    config: RunConfig,
    settings: ModelSettings,
    tool_timeout: Option<Duration>,
    context: ToolContext,
    streaming: bool,
    calls: CallSettings,
}

/// How calls run, apart from their time limit.
struct CallSettings {
    grace: Duration,
    backoff: Backoff,
    approver: Option<Arc<dyn Approver>>,
    approvals: ApprovalPolicy,
    rate_limiter: RateLimiter,
    leniency: Leniency,
    finishing: Finishing,
}

impl Default for CallSettings {
    fn default() -> Self {
        Self {
            grace: DispatchOptions::GRACE,
            backoff: Backoff::default(),
            approver: None,
            approvals: ApprovalPolicy::default(),
            rate_limiter: RateLimiter::default(),
            leniency: Leniency::default(),
            finishing: Finishing::standard(),
        }
    }
}

impl Runner {
    /// A runner for a model; the rest has defaults.
    pub fn builder(model: impl ChatModel) -> RunnerBuilder {
        RunnerBuilder::new(Arc::new(model))
    }

    /// The tools on offer, as they are now.
    pub fn tools(&self) -> Toolset {
        self.inner.tools.snapshot()
    }

    /// Runs a question in a conversation of its own.
    ///
    /// # Errors
    ///
    /// When the run [failed](crate::Finish::Failed); what it had done by then is in the error. Every
    /// other end is an outcome.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled, where a tool has a time limit.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the run and loses what it had done. [`start`](Self::start) gives a
    /// handle that can be cancelled and keeps it.
    pub async fn run(&self, input: impl Into<UserMessage>) -> Result<RunOutcome, RunError> {
        self.start(input).outcome().await
    }

    /// Runs a question in a conversation that goes on. The conversation gets what the run added,
    /// whether it succeeds or fails.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the run and leaves the conversation as it was.
    pub async fn run_in(
        &self,
        conversation: &mut Conversation,
        input: impl Into<UserMessage>,
    ) -> Result<RunOutcome, RunError> {
        let result = self.start_in(conversation.clone(), input).outcome().await;
        let outcome = result.as_ref().unwrap_or_else(|error| &error.outcome);
        conversation.clone_from(&outcome.conversation);
        result
    }

    /// Begins a run in a conversation of its own and gives the handle to it: a stream of events,
    /// which can be cancelled.
    pub fn start(&self, input: impl Into<UserMessage>) -> RunHandle {
        self.start_in(Conversation::new(), input)
    }

    /// Begins a run in a conversation that goes on, which comes back in the outcome.
    pub fn start_in(&self, conversation: Conversation, input: impl Into<UserMessage>) -> RunHandle {
        RunHandle::new(Arc::clone(&self.inner), conversation, input.into())
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
