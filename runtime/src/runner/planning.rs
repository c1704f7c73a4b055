//! The hook before each request.

use std::{future::Future, sync::Arc};

use toolwright_core::{
    Conversation,
    model::Usage,
    run::{RequestPlan, Run, RunId},
    tool::{BoxFuture, ToolContext},
};

/// What the hook before a request sees.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NextRequest {
    /// The run's id.
    pub run_id: RunId,
    /// The name of the agent whose request it is; `None` if the runner has no [agents](super::RunnerBuilder::agent).
    pub agent: Option<String>,
    /// The conversation, with the rounds of the run so far.
    pub conversation: Conversation,
    /// The number of rounds of tool calls so far.
    pub rounds: u32,
    /// The tokens of the requests so far.
    pub usage: Usage,
    /// The context that the tools receive: its extensions say for whom the run is.
    pub context: ToolContext,
}

impl NextRequest {
    pub(super) fn of(run: &Run, context: &ToolContext) -> Self {
        let (rounds, usage) = run.spent();
        Self {
            run_id: run.id().clone(),
            agent: run.agent().map(str::to_owned),
            conversation: run.conversation(),
            rounds,
            usage: usage.clone(),
            context: context.clone(),
        }
    }
}

type Hook = dyn Fn(NextRequest) -> BoxFuture<'static, RequestPlan> + Send + Sync;

/// The hook of a runner.
#[derive(Clone)]
pub(super) struct Planner(pub(super) Arc<Hook>);

impl Planner {
    pub(super) fn new<F: Future<Output = RequestPlan> + Send + 'static>(
        plan: impl Fn(NextRequest) -> F + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(move |request| Box::pin(plan(request))))
    }
}
