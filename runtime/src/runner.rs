//! Performs runs on tokio.

// The page of a type in the reference begins with the `impl` of the module that comes first.
mod handle;
mod run;

mod begin;
mod builder;
mod call_origin;
mod call_requests;
mod calls;
mod context_window;
mod control;
mod detached;
mod drive;
mod event;
mod given_call;
mod hand_over;
mod input_check;
mod keeper;
mod live;
pub mod misuse;
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

pub use builder::{BuildError, IntoToolset, RunnerBuilder};
pub use call_origin::CallOrigin;
pub use control::{NotWaiting, RunControl, RunIsOver};
pub use detached::DetachedRun;
pub use event::RunEvent;
pub use hand_over::{Agent, AgentError};
pub use handle::RunHandle;
pub use input_check::{InputRefusal, UserInput};
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

use crate::{Approver, CallOptions, RateLimiter};
use hand_over::Agents;
use keeper::{KeptWith, NewKeeper};
use planning::Planner;
use run_node::StartedBy;
use tools::ToolSource;
use toolwright_core::{
    model::{ChatModel, ModelSettings},
    run::{AnswerMeans, RunConfig, RunId},
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
    kept_for: keeper::KeptFor,
    /// The types by which it checks the answers of runs that it resumes.
    answer_types: Vec<typed_answer::AnswerType>,
}

/// The data that all runs of a runner share.
#[derive(Clone)]
struct Inner {
    model: Arc<dyn ChatModel>,
    /// Other models, which plans of requests name.
    models: BTreeMap<String, Arc<dyn ChatModel>>,
    /// The hook before each request.
    planner: Option<Planner>,
    /// The checks of what the user says.
    input_checks: input_check::InputChecks,
    /// The model that summarizes what is left out of a request, if it is another one.
    summarizer: Option<Arc<dyn ChatModel>>,
    tools: ToolSource,
    /// What is made of the tools for the runs in which they are looked up.
    looked_up: on_demand::LastPrepared,
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
    /// Who decides about the calls of one run, and not about those of runs below it, in the place of the approver.
    own_approver: Option<Arc<dyn Approver>>,
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
    /// The same runner for a run that a call has started. It has the extensions of the call that it does not set.
    fn below(&self, cx: &ToolContext, started_by: StartedBy) -> Self {
        let mut runner = self.clone();
        let context = runner.context.with_missing(&self.inner.calls.extensions);
        if started_by.is_of_run() {
            runner.kept_for = keeper::KeptFor::below(started_by.kept());
        } else if let Some(owner) = cx.owner() {
            runner.kept_for.owner = Some(owner.to_owned());
        }
        runner.context = context
            .owned_by(cx.owner().map(Into::into))
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
