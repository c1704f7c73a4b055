//! Executes calls: one, or a batch in parallel.

mod admission;
mod attempt;
mod batch;
mod call_options;
mod call_set;
mod event;
mod latest;
mod options;
pub(crate) mod output;
mod running_calls;
mod timer;
pub(crate) mod timers;

use std::{future::Future, sync::Arc, task::Poll};

use futures_util::{Stream, stream};

pub use admission::approval::Approver;
pub use admission::rate_limit::{Admission, RateLimiter, Reservation};
pub use call_options::CallOptions;
pub use event::{DispatchEvent, DispatchStream};
pub use options::DispatchOptions;
pub use output::OversizedOutput;
pub use output::redact::{Credentials, Redact, Redactions, Secrets, redact_fn};
#[cfg(feature = "regex")]
pub use output::redact::{PatternError, RedactPatterns};

pub(crate) use admission::call_rules::CallRules;
pub(crate) use admission::gate::{Gate, Passage, Released};
pub(crate) use admission::in_place::InPlace;
pub(crate) use attempt::deadline::{Ending, Time};
pub(crate) use attempt::end::{AttemptEnd, AttemptResult};
pub(crate) use attempt::execute::{Outcome, execute};
pub(crate) use attempt::start::AttemptStart;
pub(crate) use attempt::work_state::StillRunning;
pub(crate) use call_set::CallSet;
pub(crate) use latest::Latest;
pub(crate) use output::{Finished, OutputPolicy};
pub(crate) use running_calls::RunningCalls;
pub(crate) use timer::{Timer, clock, wait};
pub(crate) use timers::{Timers, after};

use attempt::deadline::Deadline;
use batch::{Attempt, Batch};
use toolwright_core::{
    ErrorCategory, ToolError, Toolset,
    driver::caught,
    tool::{Deliver, ToolCall, ToolContext, ToolResult},
};

/// Runs the calls of a response: one, or all of them in parallel, in order. [`Toolset`] implements it.
///
/// # Panics
///
/// Calls run in a tokio runtime that has its timer enabled. Elsewhere, a batch panics where it needs the timer: for the
/// wait before another attempt or for a rate limit, for work that still runs after its call, and for a deadline while a call
/// waits for an approval. A call that needs the timer, a thread for work that blocks, or a task of its own fails there, and
/// the log text of its error has tokio's message.
pub trait Dispatch {
    /// Runs one call. Whatever goes wrong is its result: an unknown tool, arguments that do not fit, a
    /// failure, a panic. It is one attempt, at once, for programs that repeat and approve calls
    /// themselves: required capabilities are not checked. There is no time limit and no output budget
    /// but the tool's own, and nothing is redacted.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops an async tool where it waits. A blocking one that has started runs
    /// on, unseen.
    fn call<'a>(
        &'a self,
        call: &'a ToolCall,
        cx: &'a ToolContext,
    ) -> impl Future<Output = ToolResult> + Send + 'a;

    /// Runs the calls of a response, at most 8 at once and each attempt for at most 60 seconds, and gives
    /// their results in the order of the calls, whichever finished first.
    ///
    /// A call of a tool that only reads, or that may run twice, gets up to three attempts. A tool that
    /// requires a capability that is not granted counts as unknown. How long a call waits for its rate
    /// limit has no bound. See [`dispatch_with`](Self::dispatch_with) for other bounds.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops async tools where they wait. Blocking ones that have started run on,
    /// unseen.
    fn dispatch(&self, calls: &[ToolCall]) -> impl Future<Output = Vec<ToolResult>> + Send;

    /// Runs the calls of a response under the given options: see [`dispatch`](Self::dispatch).
    ///
    /// A call that failed for a reason that may pass is run again, where the effects of its tool allow
    /// it. While it waits, and while it waits for an approval or a rate limit, it holds no place among
    /// those that run, and the wait is not part of its time limit.
    ///
    /// When the options' context is cancelled, calls that have not started get the result "not executed",
    /// and running calls are notified. What ends within the [grace](CallOptions::with_grace) is kept; what
    /// does not is dropped where it waits, be it in a tool or in a middleware, and answered as cancelled.
    /// So it is at the [deadline](DispatchOptions::deadline).
    ///
    /// A function that blocks cannot be dropped once it has started, and a task that computes only at its
    /// next `await`, for which a call that has taken too long waits up to the grace. The result of one that
    /// is not over says that it [may still be running](ToolError::still_running), and it gets no other
    /// attempt. What waits for a thread of the pool does not start any more; the wait counts as run time.
    /// A `sequential` tool runs alone all the same: it starts when nothing is left of the calls before
    /// it, and nothing starts while it still runs. Calls wait for that as long as the time limit once
    /// more, and are answered as not executed then.
    ///
    /// A panic in a tool is the result of its call. In a program that is built with `panic = "abort"`
    /// there is nothing to catch: a panic ends the program.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops async tools where they wait. Blocking ones that have started run on,
    /// unseen.
    fn dispatch_with(
        &self,
        calls: &[ToolCall],
        options: &DispatchOptions,
    ) -> impl Future<Output = Vec<ToolResult>> + Send;

    /// Runs the calls of a response as [`dispatch_with`](Self::dispatch_with) does, and says what
    /// happens while it happens: a stream of events, and in the end the results in the order of the
    /// calls.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// use toolwright::{Dispatch, ToolCall, Toolset, dispatch::{DispatchEvent, DispatchOptions}};
    ///
    /// let (tools, options) = (Toolset::new(), DispatchOptions::default());
    /// let calls = [ToolCall::new("a", "unknown", "{}")];
    /// let mut stream = tools.dispatch_stream(&calls, &options);
    /// while let Some(event) = stream.next().await {
    ///     if let DispatchEvent::Finished { index, result } = event {
    ///         println!("{index}: {}", result.to_model_text());
    ///     }
    /// }
    /// assert_eq!(stream.results().await.len(), 1);
    /// # }
    /// ```
    fn dispatch_stream<'a>(
        &'a self,
        calls: &'a [ToolCall],
        options: &'a DispatchOptions,
    ) -> DispatchStream<'a>;
}

impl Dispatch for Toolset {
    async fn call(&self, call: &ToolCall, cx: &ToolContext) -> ToolResult {
        let Some((tool, policy)) = self.entry(&call.name) else {
            return ToolResult::error(call.id.as_str(), self.unknown(call));
        };
        let deadline = Deadline::from_now(policy.timeout, None);
        let cx = cx
            .parts_for_call()
            .into_context(&call.id, deadline.at(), clock);
        let ended = execute(tool, policy, call, &cx, &deadline).await;
        let output = OutputPolicy::default();
        let outcome = match output.finish(call, policy, &deadline, ended.outcome) {
            Finished::Now(outcome) => outcome,
            Finished::Later(cut) => cut.await,
        };
        ToolResult::of(call.id.as_str(), outcome)
    }

    async fn dispatch(&self, calls: &[ToolCall]) -> Vec<ToolResult> {
        self.dispatch_with(calls, &DispatchOptions::default()).await
    }

    async fn dispatch_with(
        &self,
        calls: &[ToolCall],
        options: &DispatchOptions,
    ) -> Vec<ToolResult> {
        let start = |attempt| attempt_of(self, attempt);
        batch::results(calls, options, Some(self), start).await
    }

    fn dispatch_stream<'a>(
        &'a self,
        calls: &'a [ToolCall],
        options: &'a DispatchOptions,
    ) -> DispatchStream<'a> {
        let start = move |attempt| attempt_of(self, attempt);
        let batch = move || Batch::of_events(calls, options, Some(self), start);
        DispatchStream::new(calls.len(), events_of(batch))
    }
}

#[inline]
fn attempt_of<'a>(
    tools: &Toolset,
    attempt: Attempt<'a>,
) -> impl Future<Output = AttemptEnd> + Send + use<'a> {
    let Attempt {
        rules,
        edited,
        start,
        ..
    } = attempt;
    let CallRules { call, options, .. } = rules;
    let tool = rules.tool.ok_or_else(|| {
        let absent = caught(|| tools.absent(call, options.granted.unwrap_or_default()));
        Box::new(
            absent.unwrap_or_else(|_| ToolError::internal("the definition of a tool panicked")),
        )
    });
    options.output.run(tool, rules.policy, call, edited, start)
}

/// Runs the calls of a response through a closure: for people whose tools are not a [`Toolset`].
/// Concurrency, order, time limit, cancellation, panics and what leaves a call are as in
/// [`Dispatch::dispatch_with`].
///
/// Nothing is known of the tools: each call counts as one that may write, and runs once. So
/// [`ApprovalPolicy::Writes`](toolwright_core::ApprovalPolicy::Writes) asks about every call, as
/// [`All`](toolwright_core::ApprovalPolicy::All) does; one that is approved with other arguments does not run, since
/// the closure is handed the calls themselves. What is
/// granted, rate limits, leniency and the backoff have nothing to act on.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use toolwright::{ToolCall, ToolError, dispatch::{DispatchOptions, dispatch_fn}};
///
/// let calls = [ToolCall::new("a", "double", "21"), ToolCall::new("b", "halve", "4")];
/// let results = dispatch_fn(&calls, &DispatchOptions::default(), async |call, _cx| {
///     let n: i64 = call.arguments.parse()?;
///     match call.name.as_str() {
///         "double" => Ok(n * 2),
///         other => Err(ToolError::not_found(format!("there is no {other}"))),
///     }
/// })
/// .await;
/// assert_eq!(results[0].to_model_text(), "42");
/// assert!(results[1].is_error());
/// # }
/// ```
///
/// # Panics
///
/// As [`Dispatch`](Dispatch#panics) does.
///
/// # Cancel safety
///
/// Dropping the future drops the closure's futures that run.
pub async fn dispatch_fn<'a, T, F>(
    calls: &'a [ToolCall],
    options: &DispatchOptions,
    run: impl Fn(&'a ToolCall, ToolContext) -> F,
) -> Vec<ToolResult>
where
    T: Deliver,
    F: Future<Output = Result<T, ToolError>>,
{
    let start = |attempt| through(&run, calls, attempt);
    batch::results(calls, options, None, start).await
}

/// Runs the calls of a response through a closure as [`dispatch_fn`] does, and says what happens while it
/// happens, as [`Dispatch::dispatch_stream`] does.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use toolwright::{
///     ToolCall, ToolError, dispatch::{DispatchEvent, DispatchOptions, dispatch_stream_fn},
/// };
///
/// let (calls, options) = ([ToolCall::new("a", "echo", "{}")], DispatchOptions::default());
/// let mut stream = dispatch_stream_fn(&calls, &options, |call, _cx| async move {
///     Ok::<_, ToolError>(call.arguments.clone())
/// });
/// let first = stream.next().await;
/// assert_eq!(first, Some(DispatchEvent::Started { index: 0, attempt: 1 }));
/// assert_eq!(stream.results().await[0].to_model_text(), "{}");
/// # }
/// ```
pub fn dispatch_stream_fn<'a, T, F>(
    calls: &'a [ToolCall],
    options: &'a DispatchOptions,
    run: impl Fn(&'a ToolCall, ToolContext) -> F + Send + Sync + 'a,
) -> DispatchStream<'a>
where
    T: Deliver + Send + 'a,
    F: Future<Output = Result<T, ToolError>> + Send + 'a,
{
    let run = Arc::new(run);
    let start = move |attempt| {
        let run = Arc::clone(&run);
        async move { through(&*run, calls, attempt).await }
    };
    let batch = move || Batch::of_events(calls, options, None, start);
    DispatchStream::new(calls.len(), events_of(batch))
}

/// The events of a batch, which begins when they are first asked for.
fn events_of<'a, S, F>(
    batch: impl FnOnce() -> Batch<'a, S, F> + Send,
) -> impl Stream<Item = DispatchEvent> + Send
where
    S: Fn(Attempt<'a>) -> F + Send,
    F: Future<Output = AttemptEnd> + Send,
{
    let (mut make, mut batch) = (Some(batch), None);
    stream::poll_fn(move |cx| {
        if let Some(make) = make.take() {
            batch = Some(make());
        }
        batch
            .as_mut()
            .map_or(Poll::Ready(None), |batch| batch.poll_next(cx))
    })
}

/// Runs an attempt of a call through a closure.
async fn through<'a, T, F>(
    run: &impl Fn(&'a ToolCall, ToolContext) -> F,
    calls: &'a [ToolCall],
    attempt: Attempt<'_>,
) -> AttemptEnd
where
    T: Deliver,
    F: Future<Output = Result<T, ToolError>>,
{
    let Attempt {
        index,
        rules,
        edited,
        start,
    } = attempt;
    // It lives as long as the closure may ask for.
    let call = &calls[index];
    let AttemptStart {
        cx,
        time,
        failed,
        asks: _asks,
    } = start;
    let deadline = time.begin();
    let cx = cx.into_context(&call.id, deadline.at(), clock);
    if cx.is_cancelled() {
        return AttemptEnd::not_begun(failed, cx.attempt(), rules.policy.effects);
    }
    // The closure may panic before it gives a future, so that it is called inside.
    let work = async {
        if edited.is_some() {
            return Err(ToolError::new(ErrorCategory::PermissionDenied, EDITED));
        }
        run(call, cx.clone()).await?.deliver(&cx).await
    };
    let outcome = attempt::execute::execute_work(work, &cx, &deadline).await;
    let output = &rules.options.output;
    match output.finish(call, rules.policy, &deadline, outcome) {
        Finished::Now(outcome) => outcome.into(),
        Finished::Later(cut) => cut.await.into(),
    }
}

/// The error of a call through a closure that was approved with other arguments than its own.
const EDITED: &str = "the call was approved with other arguments, and can only run with its own";
