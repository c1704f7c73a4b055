//! Executes one call: whatever happens in it is its result.

use std::{any::Any, future::Future, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use tokio::{task, time};

use crate::{
    ErrorCategory, ToolError,
    tool::{
        BoxFuture, Call, CancellationToken, Effects, Progress, Tool, ToolCall, ToolContext,
        ToolOutput, ToolPolicy,
    },
};

type Outcome = Result<ToolOutput, ToolError>;

/// Runs one call of a tool, for at most the policy's time limit or else the given one. The context's
/// token is the batch's: the call gets a child of it.
pub(crate) async fn execute(
    tool: Arc<dyn Tool>,
    policy: ToolPolicy,
    call: &ToolCall,
    cx: &ToolContext,
    timeout: Option<Duration>,
) -> Outcome {
    let cx = context_of(call, cx);
    let _heard = HeardUntilEnd(cx.progress());
    attempt(tool, policy, call, &cx, policy.timeout.or(timeout)).await
}

/// Runs a call once: through the middleware, if there is any, and in the tool.
async fn attempt(
    tool: Arc<dyn Tool>,
    policy: ToolPolicy,
    call: &ToolCall,
    cx: &ToolContext,
    timeout: Option<Duration>,
) -> Outcome {
    let until_end = CancelUntilEnd::new(cx);
    // Starting a call is the tool's code as well, so that it stands inside of what is guarded.
    let work = async {
        match tool.call(call, cx) {
            Call::Async(future) => limited(future, timeout, "was stopped", policy.effects).await,
            Call::Blocking(work) => {
                let work = on_pool(work);
                limited(work, timeout, "may still be running", policy.effects).await
            }
            Call::Layered(call) => {
                let inside = move |tool, call, cx| inside(tool, policy, call, cx, timeout);
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
    timeout: Option<Duration>,
) -> BoxFuture<'static, Outcome> {
    let token = cx.cancellation().child();
    let cx = cx.with_cancellation(token);
    Box::pin(async move { attempt(tool, policy, &call, &cx, timeout).await })
}

/// Runs the work of one call that is not a [`Tool`]'s.
pub(super) async fn execute_work(
    work: impl Future<Output = Outcome>,
    cx: &ToolContext,
    timeout: Option<Duration>,
) -> Outcome {
    let _heard = HeardUntilEnd(cx.progress());
    let until_end = CancelUntilEnd::new(cx);
    until_end.ends_with(guard(limited(work, timeout, "was stopped", Effects::Write)).await)
}

/// What a call is handed: a token of its own, so that it can be stopped alone, a way to say how far
/// it is that ends with it, and its id.
pub(super) fn context_of(call: &ToolCall, cx: &ToolContext) -> ToolContext {
    let token = cx.cancellation().child();
    cx.clone()
        .with_call_id(call.id.as_str())
        .with_cancellation(token)
        .with_progress(cx.progress().child())
}

/// A panic becomes the result, also one that comes while the work is dropped.
async fn guard(work: impl Future<Output = Outcome>) -> Outcome {
    let ended = AssertUnwindSafe(work).catch_unwind().await;
    ended.unwrap_or_else(|panic| Err(panicked(&*panic)))
}

async fn limited(
    work: impl Future<Output = Outcome>,
    timeout: Option<Duration>,
    state: &str,
    effects: Effects,
) -> Outcome {
    match timeout {
        None => work.await,
        Some(limit) => {
            let ended = time::timeout(limit, work).await;
            ended.map_err(|_| timed_out(limit, state, effects))?
        }
    }
}

/// Runs work that blocks on tokio's pool for it. It cannot be stopped there, only told to stop.
async fn on_pool(work: Box<dyn FnOnce() -> Outcome + Send>) -> Outcome {
    let ended = task::spawn_blocking(work).await;
    ended.unwrap_or_else(|error| match error.try_into_panic() {
        Ok(panic) => Err(panicked(&*panic)),
        Err(_) => Err(ToolError::cancelled("the program is shutting down")),
    })
}

/// Tells what a call has started to stop, unless the call comes to its own end: when its time is up,
/// and when it is dropped.
struct CancelUntilEnd(Option<CancellationToken>);

impl CancelUntilEnd {
    fn new(cx: &ToolContext) -> Self {
        Self(Some(cx.cancellation().clone()))
    }

    fn ends_with(mut self, outcome: Outcome) -> Outcome {
        let timed_out = |error: &ToolError| error.category == ErrorCategory::ExecutionTimeout;
        if !outcome.as_ref().is_err_and(timed_out) {
            self.0 = None;
        }
        outcome
    }
}

impl Drop for CancelUntilEnd {
    fn drop(&mut self) {
        if let Some(token) = &self.0 {
            token.cancel();
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

/// The error of a call that was cancelled while it ran.
pub(crate) fn interrupted(effects: Effects) -> ToolError {
    ToolError::cancelled(format!(
        "the call was cancelled while it ran{}",
        aftermath(effects)
    ))
}

fn timed_out(limit: Duration, state: &str, effects: Effects) -> ToolError {
    let message = format!(
        "the call took longer than {limit:?} and {state}{}",
        aftermath(effects)
    );
    ToolError::new(ErrorCategory::ExecutionTimeout, message)
}

/// What a model must know before it calls again.
fn aftermath(effects: Effects) -> &'static str {
    match effects {
        Effects::Write => "; it may have taken effect",
        Effects::ReadOnly | Effects::Idempotent => "",
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
