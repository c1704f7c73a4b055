//! Runs what is not polled in its place: on the pool, in a task, with middleware around it.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use tokio::{
    task::{self, JoinHandle},
    time::timeout,
};

use super::{
    deadline::{Deadline, Over, panicked},
    execute::attempt,
    work_state::{StillRunning, Stopped, Tracked, WorkState, stopped},
};
use crate::dispatch::{Outcome, clock};
use toolwright_core::{
    ToolError,
    driver::Caught,
    tool::{BoxFuture, Call, Effects, LayeredCall, Tool, ToolCall, ToolContext, ToolPolicy},
};

type Blocking = Box<dyn FnOnce() -> Outcome + Send>;

/// Runs work that blocks on tokio's pool for it. Once it runs, it can only be notified; while it waits for a thread, it
/// can be stopped.
pub(crate) async fn on_pool(
    work: Blocking,
    effects: Effects,
    cx: &ToolContext,
    deadline: &Deadline,
    state: Arc<WorkState>,
) -> Outcome {
    let mut task = in_pool(work, cx, Arc::clone(&state));
    match deadline.race(&mut task).await {
        Ok(outcome) => outcome,
        Err(over) => Err(over.error(state.stop(), effects)),
    }
}

fn in_pool(work: Blocking, cx: &ToolContext, state: Arc<WorkState>) -> Offloaded {
    let (cx, inner) = (cx.clone(), Arc::clone(&state));
    let work = move || {
        // Work that was stopped before it started does not start.
        if cx.is_cancelled() {
            inner.stop();
        }
        let Some(_piece) = inner.enter() else {
            return Err(Over::Aborted.error(Stopped::BeforeStart, Effects::ReadOnly));
        };
        work()
    };
    #[cfg(feature = "tracing")]
    let work = super::span::here(work);
    Offloaded {
        task: task::spawn_blocking(work),
        state,
    }
}

/// Runs work that computes in a task of its own. The task is stopped with this future: at once if it waits, at its next
/// `await` if it computes.
pub(crate) async fn in_task(
    tool: &Arc<dyn Tool>,
    policy: ToolPolicy,
    call: &ToolCall,
    cx: &ToolContext,
    deadline: &Deadline,
    state: Arc<WorkState>,
) -> Outcome {
    let work = task_of(
        Arc::clone(tool),
        policy,
        call.clone(),
        cx.clone(),
        deadline.clone(),
        Arc::clone(&state),
    );
    #[cfg(feature = "tracing")]
    let work = tracing::Instrument::in_current_span(work);
    let mut task = Offloaded {
        task: task::spawn(work),
        state: Arc::clone(&state),
    };
    let over = match deadline.race(&mut task).await {
        Ok(outcome) => return outcome,
        Err(over) => over,
    };
    drop(task);
    let mut became = state.stop();
    // The end of a batch does not wait for the work. Otherwise work that computes is notified, and
    // may reach its next `await`.
    if became == Stopped::No && matches!(over, Over::Attempt(_)) {
        cx.cancellation().cancel();
        if let Some(rest) = StillRunning::of(Arc::clone(&state)) {
            // Whether it ended in time is what the state says.
            let _ = timeout(deadline.grace(), rest).await;
        }
        became = state.stop();
    }
    Err(over.error(became, policy.effects))
}

async fn task_of(
    tool: Arc<dyn Tool>,
    policy: ToolPolicy,
    call: ToolCall,
    cx: ToolContext,
    deadline: Deadline,
    state: Arc<WorkState>,
) -> Outcome {
    let Some(piece) = state.enter() else {
        return Err(stopped());
    };
    let work = tool.call(&call, &cx);
    piece.undo();
    match work {
        Call::Async(future) => Tracked::new(future, state).await,
        Call::Blocking(work) => in_pool(work, &cx, state).await,
        // The time limit is enforced by the future that waits for the task.
        Call::Layered(call) => {
            call.run(move |tool, call, cx| inside(tool, policy, call, cx, &deadline, state))
                .await
        }
    }
}

/// Runs a call through its middleware. That is over with its batch; the time limit of the tool begins
/// where the tool does.
pub(crate) async fn through_layers(
    call: LayeredCall,
    policy: ToolPolicy,
    deadline: &Deadline,
    state: Arc<WorkState>,
) -> Outcome {
    let of_batch = deadline.of_batch();
    let call = call.with_deadline(of_batch.at());
    let (inner, of_tool) = (Arc::clone(&state), deadline.clone());
    let inside = move |tool, call, cx| inside(tool, policy, call, cx, &of_tool, inner);
    let mut work = Caught::new(Box::pin(call.run(inside)));
    match of_batch.race(&mut work).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(panic)) => Err(panicked("a middleware", panic)),
        Err(over) => {
            drop(work);
            Err(over.error(state.stop(), policy.effects))
        }
    }
}

/// Runs what middleware stands around. The token is one of its own, since the context may be one
/// that a middleware made.
fn inside(
    tool: Arc<dyn Tool>,
    policy: ToolPolicy,
    call: ToolCall,
    cx: ToolContext,
    deadline: &Deadline,
    state: Arc<WorkState>,
) -> BoxFuture<'static, Outcome> {
    let token = cx.cancellation().child();
    let deadline = deadline.again();
    let ends = [cx.deadline(), deadline.at()];
    let cx = cx
        .with_cancellation(token)
        .with_deadline(ends.into_iter().flatten().min())
        // A middleware may have made it.
        .with_clock(clock);
    Box::pin(async move {
        let end = attempt(&tool, &policy, &call, &cx, &deadline, Some(state)).await;
        end.outcome.map_err(|error| *error)
    })
}

/// Work in a task or on a thread of the pool, which is stopped with this if it can be.
struct Offloaded {
    task: JoinHandle<Outcome>,
    state: Arc<WorkState>,
}

impl Future for Offloaded {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let ended = ready!(Pin::new(&mut self.get_mut().task).poll(cx));
        Poll::Ready(ended.unwrap_or_else(|error| {
            Err(match error.try_into_panic() {
                Ok(panic) => panicked("the tool", panic),
                Err(_) => ToolError::cancelled("the program is shutting down"),
            })
        }))
    }
}

impl Drop for Offloaded {
    fn drop(&mut self) {
        self.state.stop();
        // What has not started is taken out of the pool's queue.
        self.task.abort();
    }
}
