//! Executes one attempt of a call: whatever happens in it is its outcome.

use std::{any::Any, future::Future, panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use tokio::task::{self, JoinError, JoinHandle};

use super::until::{Place, Until};
use crate::{
    ErrorCategory, ToolError,
    tool::{
        BoxFuture, Call, Effects, Progress, Tool, ToolCall, ToolContext, ToolOutput, ToolPolicy,
    },
};

pub(crate) type Outcome = Result<ToolOutput, ToolError>;

/// Runs one attempt of a call of a tool. The context is the [call's own](ToolContext::for_call).
pub(crate) async fn execute(
    tool: Arc<dyn Tool>,
    policy: ToolPolicy,
    call: &ToolCall,
    cx: ToolContext,
    until: Until,
) -> Outcome {
    let cx = cx.with_deadline(until.deadline());
    let _heard = HeardUntilEnd(cx.progress());
    let work = attempt(tool, policy, call, &cx, &until);
    #[cfg(feature = "tracing")]
    let work = super::span::around(work, &call.name, &cx);
    work.await
}

/// Runs a call once: through the middleware, if there is any, and in the tool.
async fn attempt(
    tool: Arc<dyn Tool>,
    policy: ToolPolicy,
    call: &ToolCall,
    cx: &ToolContext,
    until: &Until,
) -> Outcome {
    let until_end = CancelUntilEnd::new(cx);
    let effects = policy.effects;
    // Starting a call is the tool's code as well, so that it stands inside of what is guarded.
    let work = async {
        // What stands around a tool is not what computes.
        if policy.spawn && tool.layers().is_none() {
            let work = in_task(tool, call.clone(), cx.clone());
            return until.limit(work, Place::Polled, effects).await;
        }
        match tool.call(call, cx) {
            Call::Async(future) => until.limit(future, Place::Polled, effects).await,
            Call::Blocking(work) => until.limit(on_pool(work), Place::Thread, effects).await,
            Call::Layered(call) => {
                let until = until.clone();
                let inside = move |tool, call, cx| inside(tool, policy, call, cx, until);
                call.run(inside).await
            }
        }
    };
    until_end.ends_with(guard(work).await)
}

/// Runs what middleware stands around. The token is one of its own, since the context may be one
/// that a middleware made.
fn inside(
    tool: Arc<dyn Tool>,
    policy: ToolPolicy,
    call: ToolCall,
    cx: ToolContext,
    until: Until,
) -> BoxFuture<'static, Outcome> {
    let token = cx.cancellation().child();
    let cx = cx.with_cancellation(token);
    Box::pin(async move { attempt(tool, policy, &call, &cx, &until).await })
}

/// Runs the work of one call that is not a [`Tool`]'s.
pub(super) async fn execute_work(
    work: impl Future<Output = Outcome>,
    cx: &ToolContext,
    until: Until,
) -> Outcome {
    let _heard = HeardUntilEnd(cx.progress());
    let until_end = CancelUntilEnd::new(cx);
    until_end.ends_with(guard(until.limit(work, Place::Polled, Effects::Write)).await)
}

/// A panic becomes the outcome, also one that comes while the work is dropped.
async fn guard(work: impl Future<Output = Outcome>) -> Outcome {
    let ended = AssertUnwindSafe(work).catch_unwind().await;
    ended.unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// Runs work that blocks on tokio's pool for it. It cannot be stopped there, only told to stop.
async fn on_pool(work: Box<dyn FnOnce() -> Outcome + Send>) -> Outcome {
    let ended = task::spawn_blocking(work).await;
    ended.unwrap_or_else(|error| Err(not_joined(error)))
}

/// Runs work that computes in a task of its own, which ends with this future.
async fn in_task(tool: Arc<dyn Tool>, call: ToolCall, cx: ToolContext) -> Outcome {
    let work = async move {
        match tool.call(&call, &cx) {
            Call::Async(future) => future.await,
            Call::Blocking(work) => on_pool(work).await,
            Call::Layered(_) => unreachable!("a tool with middleware around it is not spawned"),
        }
    };
    let mut task = AbortOnDrop(task::spawn(work));
    let ended = (&mut task.0).await;
    ended.unwrap_or_else(|error| Err(not_joined(error)))
}

struct AbortOnDrop(JoinHandle<Outcome>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn not_joined(error: JoinError) -> ToolError {
    match error.try_into_panic() {
        Ok(panic) => panicked(&*panic),
        Err(_) => ToolError::cancelled("the program is shutting down"),
    }
}

/// Tells what a call has started to stop, unless the call comes to its own end: when its time is up,
/// and when it is dropped.
struct CancelUntilEnd<'a>(Option<&'a ToolContext>);

impl<'a> CancelUntilEnd<'a> {
    fn new(cx: &'a ToolContext) -> Self {
        Self(Some(cx))
    }

    fn ends_with(mut self, outcome: Outcome) -> Outcome {
        let timed_out = |error: &ToolError| error.category == ErrorCategory::ExecutionTimeout;
        if !outcome.as_ref().is_err_and(timed_out) {
            self.0 = None;
        }
        outcome
    }
}

impl Drop for CancelUntilEnd<'_> {
    fn drop(&mut self) {
        if let Some(cx) = self.0 {
            cx.cancellation().cancel();
        }
    }
}

/// A call that has ended, however, is not heard any more: what runs on says nothing of a call whose
/// result is there.
struct HeardUntilEnd<'a>(&'a Progress);

impl Drop for HeardUntilEnd<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// A panic is the tool's own failure: the text is for the log, where it helps, and not for the model.
fn panicked(panic: &(dyn Any + Send)) -> ToolError {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a text");
    ToolError::new(
        ErrorCategory::Unknown,
        "the tool failed with an internal error",
    )
    .with_log(format!("the tool panicked: {text}"))
}
