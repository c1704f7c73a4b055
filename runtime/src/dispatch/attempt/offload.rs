//! Runs what is not polled in its place: on the pool, in a task, with middleware around it.

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::FutureExt;
use tokio::{
    runtime::Handle,
    sync::oneshot,
    task::{self, JoinHandle},
};

use super::{
    deadline::{Deadline, Over, panicked},
    execute::attempt,
    work_state::{StillRunning, Stopped, Tracked, WorkState, stopped},
};
use crate::dispatch::{Outcome, clock, within};
use toolwright_core::{
    ToolError,
    driver::{Contained, caught},
    tool::{BoxFuture, Call, Effects, LayeredCall, Tool, ToolCall, ToolContext, ToolPolicy},
};

type Blocking = Contained<Box<dyn FnOnce() -> Outcome + Send>>;

/// Runs work that blocks on tokio's pool for it, or outside of tokio in a thread. It cannot be stopped there, only told to
/// stop; while it waits for a thread it can.
pub(crate) async fn on_pool(
    work: Blocking,
    effects: Effects,
    cx: &ToolContext,
    deadline: &Deadline<'_>,
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
        // What was told to stop before it started does not start.
        if cx.is_cancelled() {
            inner.stop();
        }
        let Some(_piece) = inner.enter() else {
            return Err(Over::Aborted.error(Stopped::BeforeStart, Effects::ReadOnly));
        };
        caught(work.into_inner()).unwrap_or_else(|panic| Err(panicked("the tool", panic)))
    };
    #[cfg(feature = "tracing")]
    let work = super::span::here(work);
    let place = match Handle::try_current() {
        Ok(_) => Place::Tokio(task::spawn_blocking(work)),
        Err(_) => Place::Thread(in_thread(work)),
    };
    Offloaded { place, state }
}

fn in_thread(work: impl FnOnce() -> Outcome + Send + 'static) -> oneshot::Receiver<Outcome> {
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::Builder::new().name("toolwright-call".to_owned());
    let spawned = thread.spawn(move || {
        // Nobody may wait for it any more.
        let _ = sender.send(work());
    });
    if let Err(error) = spawned {
        panic!("a tool that blocks needs a thread, which cannot be started: {error}");
    }
    receiver
}

/// Runs work that computes in a task of its own, or outside of tokio where it is polled. The task is stopped with this future: at once if it
/// waits, at its next `await` if it computes.
pub(crate) async fn in_task(
    tool: &Arc<dyn Tool>,
    policy: ToolPolicy,
    call: &ToolCall,
    cx: &ToolContext,
    deadline: &Deadline<'_>,
    state: Arc<WorkState>,
) -> Outcome {
    let work = task_of(
        Contained::new(Arc::clone(tool)),
        policy,
        call.clone(),
        cx.clone(),
        deadline.detached(),
        Arc::clone(&state),
    );
    let work = AssertUnwindSafe(work).catch_unwind();
    let work = work.map(|ended| ended.unwrap_or_else(|panic| Err(panicked("the tool", panic))));
    #[cfg(feature = "tracing")]
    let work = tracing::Instrument::in_current_span(work);
    let mut task = Offloaded {
        place: match Handle::try_current() {
            Ok(_) => Place::Tokio(task::spawn(work)),
            Err(_) => Place::Here(Box::pin(work)),
        },
        state: Arc::clone(&state),
    };
    let over = match deadline.race(&mut task).await {
        Ok(outcome) => return outcome,
        Err(over) => over,
    };
    drop(task);
    let mut became = state.stop();
    // The end of a batch waits for nobody. Else what computes is told to stop, and may reach its next
    // `await`.
    if became == Stopped::No && matches!(over, Over::Attempt(_)) {
        cx.cancellation().cancel();
        if let Some(mut rest) = StillRunning::of(Arc::clone(&state)) {
            within(deadline.grace(), &mut rest).await;
        }
        became = state.stop();
    }
    Err(over.error(became, policy.effects))
}

async fn task_of(
    tool: Contained<Arc<dyn Tool>>,
    policy: ToolPolicy,
    call: ToolCall,
    cx: ToolContext,
    deadline: Deadline<'static>,
    state: Arc<WorkState>,
) -> Outcome {
    let Some(piece) = state.enter() else {
        return Err(stopped());
    };
    let work = tool.call(&call, &cx);
    piece.undo();
    match work {
        Call::Async(future) => Tracked::new(future, state).await,
        Call::Blocking(work) => in_pool(Contained::new(work), &cx, state).await,
        // The time limit is that of whoever waits for the task.
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
    deadline: &Deadline<'_>,
    state: Arc<WorkState>,
) -> Outcome {
    let of_batch = deadline.of_batch();
    let call = call.with_deadline(of_batch.at());
    let (inner, of_tool) = (Arc::clone(&state), deadline.detached());
    let inside = move |tool, call, cx| inside(tool, policy, call, cx, &of_tool, inner);
    let mut work = Box::pin(AssertUnwindSafe(call.run(inside)).catch_unwind());
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
    deadline: &Deadline<'static>,
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
    let tool = Contained::new(tool);
    Box::pin(async move {
        let end = attempt(&tool, &policy, &call, &cx, &deadline, Some(state)).await;
        end.outcome.map_err(|error| *error)
    })
}

/// Work that runs in another place, and is stopped with this if it can be.
struct Offloaded {
    place: Place,
    state: Arc<WorkState>,
}

enum Place {
    /// A task of tokio, or a thread of its pool.
    Tokio(JoinHandle<Outcome>),
    /// A thread of its own.
    Thread(oneshot::Receiver<Outcome>),
    /// The task that waits for it.
    Here(BoxFuture<'static, Outcome>),
}

impl Future for Offloaded {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        const ENDS: &str = "the program is shutting down";
        match &mut self.get_mut().place {
            Place::Tokio(task) => Pin::new(task).poll(cx).map(|ended| match ended {
                Ok(outcome) => outcome,
                Err(error) => Err(match error.try_into_panic() {
                    Ok(panic) => panicked("the tool", panic),
                    Err(_) => ToolError::cancelled(ENDS),
                }),
            }),
            Place::Thread(result) => Pin::new(result)
                .poll(cx)
                .map(|ended| ended.unwrap_or_else(|_| Err(ToolError::cancelled(ENDS)))),
            Place::Here(work) => work.as_mut().poll(cx),
        }
    }
}

impl Drop for Offloaded {
    fn drop(&mut self) {
        self.state.stop();
        if let Place::Tokio(task) = &self.place {
            // What has not started is taken out of the pool's queue.
            task.abort();
        }
    }
}
