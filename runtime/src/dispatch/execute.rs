//! Executes one call: whatever happens in it is its result.

use std::{
    any::Any,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use futures_util::FutureExt;
use tokio::{task, time};

use crate::{
    ErrorCategory, ToolError,
    tool::{Call, Effects, Tool, ToolCall, ToolContext, ToolOutput},
};

type Outcome = Result<ToolOutput, ToolError>;

/// Runs one call of a tool, for at most the tool's time limit or else the given one.
pub(crate) async fn execute(
    tool: Arc<dyn Tool>,
    call: &ToolCall,
    cx: ToolContext,
    timeout: Option<Duration>,
) -> Outcome {
    let policy = tool.policy();
    let timeout = policy.timeout.or(timeout);
    // Starting a call is the tool's code as well, and may panic too.
    match catch_unwind(AssertUnwindSafe(|| tool.call(call, &cx))) {
        Ok(Call::Async(future)) => guard(future, timeout, policy.effects).await,
        Ok(Call::Blocking(work)) => blocking(work, &cx, timeout, policy.effects).await,
        Err(panic) => Err(panicked(&*panic)),
    }
}

/// Runs the work of one call: a panic and the time limit become its result.
pub(super) async fn guard(
    work: impl Future<Output = Outcome>,
    timeout: Option<Duration>,
    effects: Effects,
) -> Outcome {
    let work = AssertUnwindSafe(work).catch_unwind();
    let ended = match timeout {
        None => work.await,
        Some(limit) => {
            let ended = time::timeout(limit, work).await;
            ended.map_err(|_| timed_out(limit, "was stopped", effects))?
        }
    };
    ended.unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// Runs work that blocks on tokio's pool for it. It cannot be stopped there, only told to stop.
async fn blocking(
    work: Box<dyn FnOnce() -> Outcome + Send>,
    cx: &ToolContext,
    timeout: Option<Duration>,
    effects: Effects,
) -> Outcome {
    let task = task::spawn_blocking(work);
    let ended = match timeout {
        None => task.await,
        Some(limit) => {
            let Ok(ended) = time::timeout(limit, task).await else {
                cx.cancellation().cancel();
                return Err(timed_out(limit, "may still be running", effects));
            };
            ended
        }
    };
    ended.unwrap_or_else(|error| match error.try_into_panic() {
        Ok(panic) => Err(panicked(&*panic)),
        Err(_) => Err(ToolError::cancelled("the program is shutting down")),
    })
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
