//! The settings of a batch of calls.

use std::{fmt, sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{CallOptions, Ending};
use crate::{TimeLimit, random::draw_id};
use toolwright_core::{
    driver::BatchContext,
    tool::{CallUpdate, Progress, ToolContext},
};

/// The settings of a batch of calls: those of its [calls](CallOptions), and what its tools are handed.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct DispatchOptions {
    /// The settings that the calls of a batch and those of a run share.
    pub calls: CallOptions,
    /// The context that the tools receive, without the id of their call: extensions, the token that cancels the
    /// batch, and the listener for their updates. Its deadline ends the batch like that of
    /// [`deadline`](Self::deadline), whichever is nearer. Its idempotency key is the prefix of those of the calls
    /// unless a [batch id](Self::with_batch_id) is set.
    pub context: ToolContext,
    /// The time limit of the whole batch; none by default.
    pub deadline: Option<Duration>,
    updates: Option<Arc<UpdateListener>>,
    batch_id: Option<Arc<str>>,
}

/// Receives the place of a call in the batch, and its update.
type UpdateListener = dyn Fn(usize, CallUpdate) + Send + Sync;

impl DispatchOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the settings of the calls. Those that were set before are replaced.
    pub fn with_calls(mut self, calls: CallOptions) -> Self {
        self.calls = calls;
        self
    }

    /// Sets what the tools are handed.
    pub fn with_context(mut self, context: ToolContext) -> Self {
        self.context = context;
        self
    }

    /// Sets the listener for the progress and the partial results of running calls. It receives the place of the call
    /// in the batch, and nothing of a call that has ended.
    ///
    /// The listener runs on the thread of the tool and has to be quick. If it has to wait, it should store only the
    /// latest update of each call.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// use std::sync::{Arc, Mutex};
    /// use toolwright::{ToolCall, ToolError, dispatch::{DispatchOptions, dispatch_fn}};
    ///
    /// let latest = Arc::new(Mutex::new(vec![None; 1]));
    /// let heard = latest.clone();
    /// let options = DispatchOptions::new()
    ///     .with_updates(move |index, update| heard.lock().unwrap()[index] = Some(update));
    /// let calls = [ToolCall::new("a", "count", "{}")];
    /// dispatch_fn(&calls, &options, async |_call, cx| {
    ///     cx.progress().step(1, 2, "half of it");
    ///     Ok(())
    /// })
    /// .await;
    /// assert!(latest.lock().unwrap()[0].is_some());
    /// # }
    /// ```
    pub fn with_updates(
        mut self,
        listener: impl Fn(usize, CallUpdate) + Send + Sync + 'static,
    ) -> Self {
        self.updates = Some(Arc::new(listener));
        self
    }

    /// Sets the time limit of the whole batch. At its end calls that run are over as those that have taken too long,
    /// and those that wait are answered as not executed.
    pub fn with_deadline(mut self, deadline: impl TimeLimit) -> Self {
        self.deadline = deadline.limit();
        self
    }

    /// Sets the prefix of the [idempotency keys](ToolContext::idempotency_key) of a batch, to repeat a whole batch. Use
    /// another one for each batch; by default it is random.
    pub fn with_batch_id(mut self, id: impl Into<Arc<str>>) -> Self {
        self.batch_id = Some(id.into());
        self
    }

    /// Returns what the contexts of the calls are made of.
    pub(super) fn context_of_calls(&self) -> BatchContext<'_> {
        let id = self.batch_id.as_ref();
        self.context.for_batch(id, &self.calls.extensions, draw_id)
    }

    /// Returns the end of a batch that begins now.
    pub(super) fn ending(&self) -> Ending {
        Ending::new(self.end(), self.calls.grace)
    }

    /// Returns the time at which the batch is over, and how long that is from now: the nearer of its own deadline and
    /// that of its context.
    fn end(&self) -> Option<(Instant, Duration)> {
        if self.deadline.is_none() && self.context.deadline().is_none() {
            return None;
        }
        let now = Instant::now();
        let own = self.deadline.and_then(|limit| {
            let at = now.checked_add(limit)?;
            Some((at, limit))
        });
        let around = self.context.deadline().map(|at| {
            let at = Instant::from_std(at);
            (at, at.saturating_duration_since(now))
        });
        match (own, around) {
            (Some(own), Some(around)) => Some(own.min(around)),
            (own, around) => own.or(around),
        }
    }

    /// Returns the progress sink of the call at `index`, which reports to `others` and to the listener of the batch.
    pub(super) fn progress(&self, index: usize, others: Progress) -> Progress {
        let all = match &self.updates {
            None => others,
            Some(listener) => {
                let listener = listener.clone();
                Progress::over(others.clone(), move |update| {
                    others.publish(|| update.clone());
                    listener(index, update);
                })
            }
        };
        self.calls.output.progress(all)
    }
}

/// The defaults of a batch with these calls.
impl From<CallOptions> for DispatchOptions {
    fn from(calls: CallOptions) -> Self {
        Self {
            calls,
            ..Self::default()
        }
    }
}

impl fmt::Debug for DispatchOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DispatchOptions")
            .field("calls", &self.calls)
            .field("context", &self.context)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}
