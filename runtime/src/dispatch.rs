//! Executes calls: one, or a batch in parallel.

mod batch;
mod budget;
mod execute;
mod finish;
mod options;
mod redact;

use std::{future::Future, sync::Arc};

pub use finish::Overflow;
pub use options::DispatchOptions;
#[cfg(feature = "regex")]
pub use redact::{PatternError, Patterns};
pub use redact::{Redact, Secrets, redact_fn};

pub(crate) use execute::{execute, interrupted};
pub(crate) use finish::Finishing;

use crate::{
    Schedule, ToolError, Toolset,
    tool::{Deliver, Effects, ToolCall, ToolContext, ToolPolicy, ToolResult},
};

impl Toolset {
    /// Runs one call. Whatever goes wrong is its result: an unknown tool, arguments that do not fit,
    /// a failure, a panic. There is no time limit and no output budget but the tool's own, and nothing
    /// is redacted.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled, where the tool blocks or has a time limit.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops an async tool where it waits. A blocking one runs on, unseen.
    pub async fn call(&self, call: &ToolCall, cx: &ToolContext) -> ToolResult {
        let policy = self.policy(&call.name);
        let outcome = match self.resolve(call) {
            Ok(tool) => execute(Arc::clone(tool), policy, call, cx, None).await,
            Err(error) => Err(error),
        };
        let outcome = Finishing::default().finish(call, policy, outcome).await;
        ToolResult {
            call_id: call.id.clone(),
            outcome,
        }
    }

    /// Runs the calls of a reply, at most 8 at once and each for at most 60 seconds, and gives their
    /// results in the order of the calls, whichever finished first.
    ///
    /// See [`dispatch_under`](Self::dispatch_under) for other bounds.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops async tools where they wait. Blocking ones run on, unseen.
    pub async fn dispatch(&self, calls: &[ToolCall]) -> Vec<ToolResult> {
        self.dispatch_under(calls, &DispatchOptions::default())
            .await
    }

    /// Runs the calls of a reply under the given options: see [`dispatch`](Self::dispatch).
    ///
    /// When the options' context is cancelled, calls that have not started are answered as not
    /// executed, calls that run are dropped and answered as cancelled, and the results of finished
    /// calls are kept.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops async tools where they wait. Blocking ones run on, unseen.
    pub async fn dispatch_under(
        &self,
        calls: &[ToolCall],
        options: &DispatchOptions,
    ) -> Vec<ToolResult> {
        let policy = |index: usize| self.policy(&calls[index].name);
        let sequential = (0..calls.len()).map(|index| policy(index).sequential);
        let start = |index: usize| {
            let call = &calls[index];
            let tool = self.resolve(call).map(Arc::clone);
            let cx = options.context_of(index);
            let policy = policy(index);
            async move {
                let outcome = match tool {
                    Ok(tool) => execute(tool, policy, call, &cx, options.timeout).await,
                    Err(error) => Err(error),
                };
                options.finishing.finish(call, policy, outcome).await
            }
        };
        let schedule = Schedule::new(options.concurrency, sequential);
        let effects = |index: usize| policy(index).effects;
        batch::run(
            calls,
            schedule,
            options.context.cancellation(),
            start,
            effects,
        )
        .await
    }
}

/// Runs the calls of a reply through a closure: for people whose tools are not a [`Toolset`].
/// Concurrency, order, time limit, cancellation, panics and what leaves a call are as in
/// [`Toolset::dispatch_under`].
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use toolwright_runtime::{DispatchOptions, ToolCall, ToolError, dispatch_with};
///
/// let calls = [ToolCall::new("a", "double", "21"), ToolCall::new("b", "halve", "4")];
/// let results = dispatch_with(&calls, &DispatchOptions::default(), async |call, _cx| {
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
/// Outside of a tokio runtime with time enabled.
///
/// # Cancel safety
///
/// Dropping the future drops the closure's futures that run.
pub async fn dispatch_with<'a, T, F>(
    calls: &'a [ToolCall],
    options: &DispatchOptions,
    run: impl Fn(&'a ToolCall, ToolContext) -> F,
) -> Vec<ToolResult>
where
    T: Deliver,
    F: Future<Output = Result<T, ToolError>>,
{
    let schedule = Schedule::new(options.concurrency, calls.iter().map(|_| false));
    let run = &run;
    let start = |index: usize| {
        let call = &calls[index];
        let cx = execute::context_of(call, &options.context_of(index));
        let work_cx = cx.clone();
        // The closure may panic before it gives a future, so that it is called inside.
        let deliver_cx = cx.clone();
        let work = async move { run(call, work_cx).await?.deliver(&deliver_cx).await };
        async move {
            let outcome = execute::execute_work(work, &cx, options.timeout).await;
            let policy = ToolPolicy::default();
            options.finishing.finish(call, policy, outcome).await
        }
    };
    batch::run(
        calls,
        schedule,
        options.context.cancellation(),
        start,
        |_| Effects::Write,
    )
    .await
}
