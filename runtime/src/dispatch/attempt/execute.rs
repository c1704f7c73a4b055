//! Executes one attempt of a call: whatever happens in it is its outcome.

use std::{
    future::{Future, ready},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use super::{
    deadline::{Deadline, Limited, panicked},
    end::{AttemptEnd, AttemptResult},
    offload::{in_task, on_pool, through_layers},
    start::AttemptStart,
    work_state::{StillRunning, Tracked, WorkState},
};
use crate::dispatch::clock;
use crate::dispatch::{Finished, OutputPolicy};
use toolwright_core::{
    ErrorCategory, ToolError,
    driver::caught,
    tool::{
        BoxFuture, Call, Effects, Progress, Tool, ToolCall, ToolContext, ToolOutput, ToolPolicy,
    },
};

/// The result of the work.
pub(crate) type Outcome = Result<ToolOutput, ToolError>;

impl OutputPolicy {
    /// Runs an attempt of a call: runs its tool as [`execute`] does, and redacts and cuts what came of
    /// it. A tool that is not there is an outcome like others. The call runs as it is edited, if it is.
    pub(crate) async fn run(
        &self,
        tool: Result<&Arc<dyn Tool>, Box<ToolError>>,
        policy: &ToolPolicy,
        call: &ToolCall,
        edited: Option<Arc<ToolCall>>,
        start: AttemptStart,
    ) -> AttemptEnd {
        let call = edited.as_deref().unwrap_or(call);
        let AttemptStart {
            cx,
            time,
            failed,
            asks: _asks,
        } = start;
        let deadline = time.begin();
        let cx = cx.into_context(&call.id, deadline.at(), clock);
        if cx.is_cancelled() && tool.is_ok() {
            return AttemptEnd::not_begun(failed, cx.attempt(), policy.effects);
        }
        let mut end = match tool {
            Ok(tool) => execute(tool, policy, call, &cx, &deadline).await,
            Err(error) => AttemptEnd::from(Err(error)),
        };
        end.outcome = match self.finish(call, policy, &deadline, end.outcome) {
            Finished::Now(outcome) => outcome,
            Finished::Later(cut) => cut.await,
        };
        end
    }
}

/// Runs one attempt of a call of a tool. The context is the [call's own](ToolContext::parts_for_call).
#[inline]
pub(crate) fn execute<'a>(
    tool: &'a Arc<dyn Tool>,
    policy: &'a ToolPolicy,
    call: &'a ToolCall,
    cx: &'a ToolContext,
    deadline: &'a Deadline,
) -> impl Future<Output = AttemptEnd> {
    let work = move || attempt(tool, policy, call, cx, deadline, None);
    #[cfg(feature = "tracing")]
    return super::span::around(work, &call.name, cx);
    #[cfg(not(feature = "tracing"))]
    work()
}

/// Starts a call once: through the middleware, if there is any, and in the tool. The state is there if
/// something around the call has made it.
#[inline]
pub(crate) fn attempt<'a>(
    tool: &'a Arc<dyn Tool>,
    policy: &ToolPolicy,
    call: &'a ToolCall,
    cx: &'a ToolContext,
    deadline: &'a Deadline,
    state: Option<Arc<WorkState>>,
) -> UnderWay<'a> {
    // What stands around a call may go on when what is inside has ended.
    let heard = state.is_none().then(|| HeardUntilEnd(cx.progress()));
    let until_end = CancelUntilEnd(Some(cx));
    // Starting a call is the tool's code as well.
    let started = caught(|| start(tool, policy, call, cx, deadline, state));
    let (work, state) = started.unwrap_or_else(|panic| {
        let failed = ready(Err(panicked("the tool", panic)));
        (Limited::unlimited(Box::pin(failed)), None)
    });
    UnderWay {
        work,
        until_end,
        state,
        _heard: heard,
    }
}

/// An attempt that is under way. It is no `async` block, so that it is small: it is moved to where it
/// is polled.
pub(crate) struct UnderWay<'a> {
    work: Work<'a>,
    until_end: CancelUntilEnd<'a>,
    state: Option<Arc<WorkState>>,
    _heard: Option<HeardUntilEnd<'a>>,
}

impl Future for UnderWay<'_> {
    type Output = AttemptEnd;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<AttemptEnd> {
        let this = self.get_mut();
        let mut outcome = ready!(Pin::new(&mut this.work).poll(cx));
        this.until_end.ends_with(&outcome);
        let still_running = this.state.take().and_then(StillRunning::of);
        if let (Some(_), Err(error)) = (&still_running, &mut outcome) {
            error.still_running = true;
        }
        Poll::Ready(AttemptEnd {
            still_running,
            ..AttemptEnd::from(outcome)
        })
    }
}

type Work<'a> = Limited<'a, BoxFuture<'a, Outcome>>;

/// The work of a call, and its state if it may run in another place.
fn start<'a>(
    tool: &'a Arc<dyn Tool>,
    policy: &ToolPolicy,
    call: &'a ToolCall,
    cx: &'a ToolContext,
    deadline: &'a Deadline,
    state: Option<Arc<WorkState>>,
) -> (Work<'a>, Option<Arc<WorkState>>) {
    let effects = policy.effects;
    // What stands around a tool is not what computes.
    if policy.spawn && tool.layers().is_none() {
        let state = state.unwrap_or_default();
        let work = in_task(tool, *policy, call, cx, deadline, Arc::clone(&state));
        return (Limited::unlimited(Box::pin(work)), Some(state));
    }
    match (tool.call(call, cx), state) {
        (Call::Async(future), None) => (deadline.limit(future, effects), None),
        (Call::Async(future), Some(state)) => {
            let work = Tracked::new(future, Arc::clone(&state));
            (deadline.limit(Box::pin(work), effects), Some(state))
        }
        (Call::Blocking(work), state) => {
            let state = state.unwrap_or_default();
            let work = on_pool(work, effects, cx, deadline, Arc::clone(&state));
            (Limited::unlimited(Box::pin(work)), Some(state))
        }
        (Call::Layered(call), state) => {
            let state = state.unwrap_or_default();
            let work = through_layers(call, *policy, deadline, Arc::clone(&state));
            (Limited::unlimited(Box::pin(work)), Some(state))
        }
    }
}

/// Runs the work of one call that is not a [`Tool`]'s.
pub(crate) async fn execute_work(
    work: impl Future<Output = Outcome>,
    cx: &ToolContext,
    deadline: &Deadline,
) -> AttemptResult {
    let _heard = HeardUntilEnd(cx.progress());
    let mut until_end = CancelUntilEnd(Some(cx));
    let outcome = deadline.limit(Box::pin(work), Effects::Write).await;
    until_end.ends_with(&outcome);
    outcome
}

/// Tells what a call has started to stop, unless the call comes to its own end: when its time is up,
/// and when it is dropped.
struct CancelUntilEnd<'a>(Option<&'a ToolContext>);

impl CancelUntilEnd<'_> {
    fn ends_with(&mut self, outcome: &AttemptResult) {
        let cx = self.0.take();
        if let (Err(error), Some(cx)) = (outcome, cx)
            && error.category == ErrorCategory::ExecutionTimeout
        {
            cx.cancellation().cancel();
        }
    }
}

impl Drop for CancelUntilEnd<'_> {
    fn drop(&mut self) {
        if let Some(cx) = self.0 {
            cx.cancellation().cancel();
        }
    }
}

/// Drops updates of a call that has ended, also from work that still runs.
struct HeardUntilEnd<'a>(&'a Progress);

impl Drop for HeardUntilEnd<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
