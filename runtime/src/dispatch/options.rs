//! Under which bounds a batch runs.

use std::{fmt, future::Future, num::NonZeroUsize, sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{Approver, OutputPolicy, OversizedOutput, RateLimiter, Redact};
use crate::{
    Leniency,
    panics::Contained,
    random,
    run::RunConfig,
    tool::{ApprovalPolicy, Backoff, CallUpdate, Capabilities, Progress, ToolContext},
};

/// Under which bounds a batch of calls runs, and what its tools are handed.
#[derive(Clone)]
#[non_exhaustive]
pub struct DispatchOptions {
    /// The number of calls that run at once; 8 by default.
    pub concurrency: NonZeroUsize,
    /// The time limit of a call whose tool sets none; 60 seconds by default, `None` is for ever.
    pub timeout: Option<Duration>,
    /// The context that the tools receive, without the id of their call: extensions, the token that cancels the
    /// batch, and the listener for their updates. Its deadline ends the batch like that of
    /// [`deadline`](Self::deadline), whichever is nearer. Its idempotency key is the prefix of those of the calls
    /// unless a [batch id](Self::with_batch_id) is set.
    pub context: ToolContext,
    updates: Option<Contained<Arc<UpdateListener>>>,
    pub(super) output: OutputPolicy,
    /// The capabilities that the tools may require; none by default. A call to a tool that requires more is answered
    /// as that of an unknown tool, and the log text of its error says what is not granted.
    pub granted: Capabilities,
    /// The time limit of the whole batch; none by default.
    pub deadline: Option<Duration>,
    /// The time that running calls may still take when the batch is cancelled; a quarter of a second by default.
    pub grace: Duration,
    /// The wait of a call between two attempts.
    pub backoff: Backoff,
    /// The rules by which arguments that are almost correct are normalized before the tool reads them; by default
    /// none are.
    pub leniency: Leniency,
    pub(super) approver: Option<Contained<Arc<dyn Approver>>>,
    pub(super) rate_limiter: Option<RateLimiter>,
    batch_id: Option<Arc<str>>,
    /// The policy that selects the calls that wait for an approval; by default those of tools that ask for one.
    pub approvals: ApprovalPolicy,
}

/// Receives the place of a call in the batch, and its update.
type UpdateListener = dyn Fn(usize, CallUpdate) + Send + Sync;

impl DispatchOptions {
    /// The default time limit of a call.
    pub const TIMEOUT: Duration = Duration::from_secs(60);
    /// The default time that running calls may still take when they are cancelled.
    pub const GRACE: Duration = Duration::from_millis(250);

    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many calls run at once.
    pub fn with_concurrency(mut self, concurrency: NonZeroUsize) -> Self {
        self.concurrency = concurrency;
        self
    }

    /// Sets how long a call may take if its tool does not say.
    pub fn with_timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = timeout.into();
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
    /// The listener runs inside the tool's own report, on its thread: it has to be quick. One that
    /// has to wait keeps the latest update of each call, and drops those before.
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
        self.updates = Some(Contained::new(Arc::new(listener)));
        self
    }

    /// Sets the limit of an outcome's text in bytes, if its tool sets none; 32 KiB by default, `None` for no limit.
    ///
    /// What is longer is cut to a head and a tail with a notice between them, which counts as well.
    /// JSON that is cut is sent as text. All text parts of an output share the budget; images are no
    /// text and stay as they are. An error's message and details are cut too, and its text for the
    /// log by itself.
    pub fn with_max_output(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.output.set_max_output(bytes.into());
        self
    }

    /// Sets the function that stores whole outcomes which are over their budget. It may return the place, such as a
    /// path that another tool can read: the notice then shows the place to the model. With `None` the notice shows no
    /// place.
    ///
    /// What it gets is redacted, since the model may come back for it. The call waits for it, and its
    /// time limit does not count that. One that panics has kept nothing, and neither has one that still
    /// waits at the [deadline](Self::with_deadline) or when the [grace](Self::with_grace) is over.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// use toolwright::{ToolCall, dispatch::{DispatchOptions, OversizedOutput, dispatch_fn}};
    ///
    /// let options = DispatchOptions::new().with_max_output(200).with_overflow(
    ///     async |overflow: OversizedOutput| {
    ///         let whole = overflow.result.to_model_text();
    ///         assert_eq!(whole.len(), 1_000);
    ///         Some(format!("kept/{}.txt", overflow.result.call_id))
    ///     },
    /// );
    /// let calls = [ToolCall::new("a", "read_log", "{}")];
    /// let results = dispatch_fn(&calls, &options, async |_, _| Ok("x".repeat(1_000))).await;
    /// let text = results[0].to_model_text();
    /// assert!(text.len() <= 200);
    /// assert!(text.contains("bytes left out; the whole output: kept/a.txt"));
    /// # }
    /// ```
    pub fn with_overflow<F>(
        mut self,
        sink: impl Fn(OversizedOutput) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Option<String>> + Send + 'static,
    {
        self.output.set_sink(sink);
        self
    }

    /// Adds a redaction: it removes from the texts of a call the parts that must not leave the call. It runs after
    /// those that were added before. See [`Secrets`](crate::Secrets), for example.
    ///
    /// Redacted are the texts of outputs, and in JSON its texts, keys and numbers; the addresses of
    /// images; the message, the details and the log text of errors; and what running calls say. A
    /// refusal of arguments that quotes a piece of what must not be seen says only that they do not
    /// fit. Names that are alike then, of details or in an object, get numbers: `[redacted] 2`. It
    /// happens before an output is cut, so that nothing is half shown, and after all middleware. If
    /// it panics, the call fails, and nothing is shown.
    pub fn with_redaction(mut self, redact: impl Redact) -> Self {
        self.output.add_redaction(redact);
        self
    }

    /// Sets the capabilities that the tools may require: see [`Toolset::granted`](crate::Toolset::granted).
    pub fn with_granted(mut self, capabilities: Capabilities) -> Self {
        self.granted = capabilities;
        self
    }

    /// Sets the time limit of the whole batch. At its end calls that run are over as those that have taken too long,
    /// and those that wait are answered as not executed.
    pub fn with_deadline(mut self, deadline: impl Into<Option<Duration>>) -> Self {
        self.deadline = deadline.into();
        self
    }

    /// Sets the time that running calls may still take when the batch is cancelled. They are notified at once
    /// ([`ToolContext::cancelled`]), and results that come in this time are kept. With 0, a call that does not end on
    /// the notice is dropped.
    pub fn with_grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Sets the wait of a call between two attempts. Its tool's [policy](crate::ToolPolicy::retries_after) decides
    /// whether there is another attempt.
    pub fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// Sets the approver for calls that need an approval. Without one, these calls do not run.
    pub fn with_approver(self, approver: impl Approver) -> Self {
        self.with_shared_approver(Arc::new(approver))
    }

    /// Sets the approver for calls that need an approval, if it is shared with others.
    pub fn with_shared_approver(mut self, approver: Arc<dyn Approver>) -> Self {
        self.approver = Some(Contained::new(approver));
        self
    }

    /// Sets the policy that selects the calls which wait for an approval. In [`dispatch_fn`](crate::dispatch_fn)
    /// every call counts as one that may write.
    pub fn with_approvals(mut self, approvals: ApprovalPolicy) -> Self {
        self.approvals = approvals;
        self
    }

    /// Sets the rate limiter of the tools, to share it with others. By default all batches of a
    /// [`Toolset`](crate::Toolset), of its clones and of the sets that were made of it share one.
    ///
    /// A call waits until the limit lets it start: only the [deadline](Self::deadline) bounds the wait. To refuse
    /// such calls instead, set [`OnExcess::Fail`](crate::OnExcess::Fail) in the limit.
    pub fn with_rate_limiter(mut self, limiter: RateLimiter) -> Self {
        self.rate_limiter = Some(limiter);
        self
    }

    /// Sets what the [idempotency keys](ToolContext::idempotency_key) of a batch begin with, for a
    /// batch that is done again as a whole. It is to differ from batch to batch; by default it is drawn
    /// for each.
    pub fn with_batch_id(mut self, id: impl Into<Arc<str>>) -> Self {
        self.batch_id = Some(id.into());
        self
    }

    /// Sets whether arguments that are not quite right are set right before the tool reads them.
    /// [`dispatch_fn`](crate::dispatch_fn) does not, since it knows no schemas.
    pub fn with_leniency(mut self, leniency: Leniency) -> Self {
        self.leniency = leniency;
        self
    }

    pub(super) fn scope(&self) -> Arc<str> {
        let given = self.batch_id.clone();
        let given = given.or_else(|| self.context.idempotency_key().map(Into::into));
        given.unwrap_or_else(|| random::new_id().into())
    }

    /// Returns the time at which the batch is over, and how long that is from now: the nearer of its own deadline and
    /// that of its context.
    pub(super) fn end(&self) -> Option<(Instant, Duration)> {
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
        self.output.progress(all)
    }
}

impl Default for DispatchOptions {
    fn default() -> Self {
        Self {
            concurrency: RunConfig::CONCURRENCY,
            timeout: Some(Self::TIMEOUT),
            context: ToolContext::default(),
            updates: None,
            output: OutputPolicy::standard(),
            granted: Capabilities::NONE,
            deadline: None,
            grace: Self::GRACE,
            backoff: Backoff::default(),
            leniency: Leniency::default(),
            approver: None,
            rate_limiter: None,
            batch_id: None,
            approvals: ApprovalPolicy::default(),
        }
    }
}

impl fmt::Debug for DispatchOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DispatchOptions")
            .field("concurrency", &self.concurrency)
            .field("timeout", &self.timeout)
            .field("context", &self.context)
            .field("leniency", &self.leniency)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}
