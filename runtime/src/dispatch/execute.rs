//! Executes one attempt of a call: whatever happens in it is its outcome.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use super::{
    body::{Body, Lingering, Tracked},
    elsewhere::{in_task, on_pool, through_layers},
    until::{Limited, Until, panicked},
};
use crate::{
    ErrorCategory, ToolError,
    tool::{
        BoxFuture, Call, Effects, Progress, Tool, ToolCall, ToolContext, ToolOutput, ToolPolicy,
    },
};

/// What work ends with.
pub(crate) type Outcome = Result<ToolOutput, ToolError>;

/// An outcome on its way out of its call. It is moved from hand to hand, and few are errors, so that
/// these have a place of their own.
pub(crate) type Handed = Result<ToolOutput, Box<ToolError>>;

/// An attempt that has ended.
pub(crate) struct Ended {
    pub(crate) outcome: Handed,
    /// What runs on all the same.
    pub(crate) lingering: Option<Lingering>,
}

impl Ended {
    /// Nothing of it is left.
    pub(crate) fn with(outcome: Handed) -> Self {
        Self {
            outcome,
            lingering: None,
        }
    }
}

/// Runs one attempt of a call of a tool. The context is the [call's own](ToolContext::for_call).
pub(crate) async fn execute(
    tool: &Arc<dyn Tool>,
    policy: &ToolPolicy,
    call: &ToolCall,
    cx: &ToolContext,
    until: &Until,
) -> Ended {
    let _heard = HeardUntilEnd(cx.progress());
    let work = attempt(tool, policy, call, cx, until, None);
    #[cfg(feature = "tracing")]
    let work = super::span::around(work, &call.name, cx);
    work.await
}

/// Runs a call once: through the middleware, if there is any, and in the tool. The body is there if
/// something around the call has made it.
pub(super) async fn attempt(
    tool: &Arc<dyn Tool>,
    policy: &ToolPolicy,
    call: &ToolCall,
    cx: &ToolContext,
    until: &Until,
    body: Option<Arc<Body>>,
) -> Ended {
    let until_end = CancelUntilEnd::new(cx);
    // Starting a call is the tool's code as well.
    let start = AssertUnwindSafe(|| start(tool, policy, call, cx, until, body));
    let (outcome, body) = match catch_unwind(start) {
        Ok((work, body)) => (work.await, body),
        Err(panic) => (Err(Box::new(panicked("the tool", panic))), None),
    };
    let mut outcome = until_end.ends_with(outcome);
    let lingering = body.and_then(Lingering::of);
    if let (Some(_), Err(error)) = (&lingering, &mut outcome) {
        error.still_running = true;
    }
    Ended { outcome, lingering }
}

type Work<'a> = Limited<'a, BoxFuture<'a, Outcome>>;

/// The work of a call, and its body if it may run elsewhere.
fn start<'a>(
    tool: &'a Arc<dyn Tool>,
    policy: &ToolPolicy,
    call: &'a ToolCall,
    cx: &'a ToolContext,
    until: &'a Until,
    body: Option<Arc<Body>>,
) -> (Work<'a>, Option<Arc<Body>>) {
    let effects = policy.effects;
    // What stands around a tool is not what computes.
    if policy.spawn && tool.layers().is_none() {
        let body = body.unwrap_or_default();
        let work = in_task(tool, *policy, call, cx, until, Arc::clone(&body));
        return (Limited::unlimited(Box::pin(work)), Some(body));
    }
    match (tool.call(call, cx), body) {
        (Call::Async(future), None) => (until.limit(future, effects), None),
        (Call::Async(future), Some(body)) => {
            let work = Tracked::new(future, Arc::clone(&body));
            (until.limit(Box::pin(work), effects), Some(body))
        }
        (Call::Blocking(work), body) => {
            let body = body.unwrap_or_default();
            let work = on_pool(work, effects, cx, until, Arc::clone(&body));
            (Limited::unlimited(Box::pin(work)), Some(body))
        }
        (Call::Layered(call), body) => {
            let body = body.unwrap_or_default();
            let work = through_layers(call, *policy, until, Arc::clone(&body));
            (Limited::unlimited(Box::pin(work)), Some(body))
        }
    }
}

/// Runs the work of one call that is not a [`Tool`]'s.
pub(super) async fn execute_work(
    work: impl Future<Output = Outcome>,
    cx: &ToolContext,
    until: &Until,
) -> Handed {
    let _heard = HeardUntilEnd(cx.progress());
    let until_end = CancelUntilEnd::new(cx);
    let work = until.limit(Box::pin(work), Effects::Write);
    until_end.ends_with(work.await)
}

/// Tells what a call has started to stop, unless the call comes to its own end: when its time is up,
/// and when it is dropped.
struct CancelUntilEnd<'a>(Option<&'a ToolContext>);

impl<'a> CancelUntilEnd<'a> {
    fn new(cx: &'a ToolContext) -> Self {
        Self(Some(cx))
    }

    fn ends_with(mut self, outcome: Handed) -> Handed {
        match &outcome {
            Err(error) if error.category == ErrorCategory::ExecutionTimeout => {}
            _ => self.0 = None,
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
