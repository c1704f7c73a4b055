//! The settings that the calls of a batch and those of a run share.

use std::{fmt, future::Future, num::NonZeroUsize, sync::Arc, time::Duration};

use super::{Approver, OutputPolicy, OversizedOutput, RateLimiter, Redact};
use crate::{TimeLimit, random};
use toolwright_core::{
    Leniency, Toolset,
    driver::Extensions,
    run::RunConfig,
    tool::{ApprovalPolicy, Backoff, Capabilities, ToolContext},
};

/// The settings of calls: their bounds, what they may do, and what leaves them. They are the same for the calls of a
/// batch ([`DispatchOptions::with_calls`](crate::DispatchOptions::with_calls)) and for those of a run
/// ([`RunnerBuilder::calls`](crate::RunnerBuilder::calls)).
///
/// Setting a value again replaces the previous one, apart from redactions, granted capabilities and extensions, which
/// are added.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
/// use toolwright::{Dispatch,
///     ModelResponse, Runner, Toolset, dispatch::CallOptions, redact::Secrets, testing::ScriptedModel,
/// };
///
/// let calls = CallOptions::new()
///     .with_timeout(Duration::from_secs(10))
///     .with_redaction(Secrets::new(["sk-4711"]));
///
/// let results = Toolset::new().dispatch_with(&[], &calls.clone().into()).await;
/// # assert!(results.is_empty());
/// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
/// let runner = Runner::builder(model).calls(calls).build()?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct CallOptions {
    pub(crate) concurrency: NonZeroUsize,
    pub(crate) timeout: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) backoff: Backoff,
    pub(crate) leniency: Leniency,
    /// `None` until something is granted, which may be [`Capabilities::NONE`].
    pub(crate) granted: Option<Capabilities>,
    pub(crate) approvals: ApprovalPolicy,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) rate_limiter: Option<RateLimiter>,
    pub(crate) extensions: Extensions,
    pub(crate) output: OutputPolicy,
}

impl CallOptions {
    /// The default time limit of a call.
    pub const TIMEOUT: Duration = Duration::from_secs(60);
    /// The default time that running calls may still take when they are cancelled.
    pub const GRACE: Duration = Duration::from_millis(250);

    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many calls of a batch, or of a round of a run, run at once; 8 by default.
    pub fn with_concurrency(mut self, concurrency: NonZeroUsize) -> Self {
        self.concurrency = concurrency;
        self
    }

    /// Sets the time limit of each attempt of a call whose tool sets none; 60 seconds by default, `None` is for ever.
    pub fn with_timeout(mut self, timeout: impl TimeLimit) -> Self {
        self.timeout = timeout.limit();
        self
    }

    /// Sets the grace period of running calls when the batch or the run is cancelled; 250 ms by default. They are
    /// notified at once ([`ToolContext::cancelled`](toolwright_core::ToolContext::cancelled)), and their results in
    /// this time count. With 0, a call that does not end at once is dropped.
    pub fn with_grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Sets the wait of a call between two attempts. Its tool's [policy](toolwright_core::ToolPolicy::retries_after) decides
    /// whether there is another attempt.
    pub fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// Sets the rules by which almost correct arguments are repaired before a tool reads them; none by default.
    /// [`ToolResult::changes`](toolwright_core::ToolResult::changes) lists the changes. It has no effect on
    /// [`dispatch_fn`](crate::dispatch_fn), which knows no schemas.
    pub fn with_leniency(mut self, leniency: Leniency) -> Self {
        self.leniency = leniency;
        self
    }

    /// Grants more capabilities to the tools; none by default. A tool that requires others is not available: the model
    /// does not see it, and a call to it gets the error of an unknown tool. The log text of the error has the missing
    /// capabilities. See [`Toolset::granted`](toolwright_core::Toolset::granted).
    ///
    /// A runner with such a tool cannot be [built](crate::BuildError::NotGranted) while nothing at all is granted, so
    /// that no grant is forgotten: grant [`Capabilities::NONE`] to go without the tool.
    pub fn with_granted(mut self, capabilities: Capabilities) -> Self {
        self.granted = Some(self.granted.unwrap_or_default() | capabilities);
        self
    }

    /// The capabilities that are granted.
    pub fn granted(&self) -> Capabilities {
        self.granted.unwrap_or_default()
    }

    /// Sets the policy that selects the calls which wait for an approval; by default those of tools that ask for one.
    /// In [`dispatch_fn`](crate::dispatch_fn) every call counts as one that may write.
    pub fn with_approvals(mut self, approvals: ApprovalPolicy) -> Self {
        self.approvals = approvals;
        self
    }

    /// The policy that selects the calls which wait for an approval.
    pub fn approvals(&self) -> ApprovalPolicy {
        self.approvals
    }

    /// Sets the approver for calls that need an approval. Without one, these calls do not run.
    pub fn with_approver(self, approver: impl Approver) -> Self {
        self.with_shared_approver(Arc::new(approver))
    }

    /// Sets the approver for calls that need an approval, if it is shared with others.
    pub fn with_shared_approver(mut self, approver: Arc<dyn Approver>) -> Self {
        self.approver = Some(approver);
        self
    }

    /// Returns true if there is an approver.
    pub fn has_approver(&self) -> bool {
        self.approver.is_some()
    }

    /// Sets the rate limiter of the tools, to share it with others. By default all batches of a
    /// [`Toolset`](toolwright_core::Toolset), of its clones and of the sets that were made of it share one, and so do all runs
    /// of a [`Runner`](crate::Runner).
    ///
    /// A call waits until the limit lets it start, and only the time limit of the
    /// [batch](crate::DispatchOptions::with_deadline) or of the [run](toolwright_core::Limits::max_time) bounds the wait. To
    /// refuse such calls instead, set [`OnExcess::Fail`](toolwright_core::OnExcess::Fail) in the limit.
    pub fn with_rate_limiter(mut self, limiter: RateLimiter) -> Self {
        self.rate_limiter = Some(limiter);
        self
    }

    /// Sets the rate limiter to that which the batches of a [`Toolset`] share, unless one is set: for a
    /// [`Runner`](crate::Runner) whose tools are called by batches as well.
    pub fn with_rate_limiter_of(mut self, tools: &Toolset) -> Self {
        self.rate_limiter = Some(self.limiter(Some(tools)));
        self
    }

    /// The rate limiter of calls of a set: the one that is set, or that of the set.
    pub(super) fn limiter(&self, set: Option<&Toolset>) -> RateLimiter {
        let own = || set.map(|set| RateLimiter::clone(&set.kept()));
        self.rate_limiter.clone().or_else(own).unwrap_or_default()
    }

    /// Puts a value into the context of every call, for tools to find by its type. A value of the same type is
    /// replaced. One that the [context](crate::DispatchOptions::with_context) of a batch or the
    /// [runner of a request](crate::Runner::with_extension) has takes precedence.
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// Puts the values of a context into the context of every call, as [`with_extension`](Self::with_extension) does for one.
    pub fn with_extensions_of(mut self, cx: &ToolContext) -> Self {
        let all = cx.clone().with_missing(&self.extensions);
        self.extensions = all.extensions().clone();
        self
    }

    /// Sets the limit of an outcome's text in bytes, if its tool sets none; 32 KiB by default, `None` for no limit.
    ///
    /// Longer text is cut to a head and a tail with a notice between them, which counts as well. JSON that is cut is
    /// sent as text. All text parts of an output share the limit; images are not cut. The message and details of an
    /// error are cut too, and separately its text for the log.
    pub fn with_max_output(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.output.set_max_output(bytes.into());
        self
    }

    /// Sets the function that stores whole outcomes which are over their budget. It may return the place, such as a
    /// path that another tool can read: the notice then shows the place to the model. With `None` the notice shows no
    /// place.
    ///
    /// It gets the redacted output, because the model may read it later. The call waits for it, outside of its time
    /// limit. If it panics, nothing counts as stored, and neither if it still waits at the
    /// [deadline](crate::DispatchOptions::with_deadline) of its batch or when the [grace](Self::with_grace) is over.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// use toolwright::{
    ///     ToolCall, dispatch::{CallOptions, DispatchOptions, OversizedOutput, dispatch_fn},
    /// };
    ///
    /// let options = CallOptions::new().with_max_output(200).with_overflow(
    ///     async |overflow: OversizedOutput| {
    ///         let whole = overflow.result.to_model_text();
    ///         assert_eq!(whole.len(), 1_000);
    ///         Some(format!("kept/{}.txt", overflow.result.call_id))
    ///     },
    /// );
    /// let options = DispatchOptions::from(options);
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
    ///
    /// It is to compute, and not to wait: it runs on the task of the run or of the batch, whose other calls and time limits
    /// it holds up. Only the outcome of a call with a text of more than 64 KiB is redacted on tokio's pool for blocking work.
    /// What a running call says is redacted by its reader, and not at all if nobody reads it.
    pub fn with_redaction(mut self, redact: impl Redact) -> Self {
        self.output.add_redaction(redact);
        self
    }

    /// Returns a text as the [redactions](Self::with_redaction) leave it; an empty one if a redaction panics.
    pub fn redact(&self, text: &str) -> String {
        self.output.redact(text)
    }

    /// Returns the wait before the next attempt of a call that has failed so often, not less than the hint of its error.
    pub(crate) fn retry_wait(&self, attempts: u32, hint: Option<Duration>) -> Duration {
        self.backoff.wait(attempts, hint, random::fraction())
    }
}

impl Default for CallOptions {
    fn default() -> Self {
        Self {
            concurrency: RunConfig::CONCURRENCY,
            timeout: Some(Self::TIMEOUT),
            grace: Self::GRACE,
            backoff: Backoff::default(),
            leniency: Leniency::default(),
            granted: None,
            approvals: ApprovalPolicy::default(),
            approver: None,
            rate_limiter: None,
            extensions: Extensions::default(),
            output: OutputPolicy::standard(),
        }
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions")
            .field("concurrency", &self.concurrency)
            .field("timeout", &self.timeout)
            .field("grace", &self.grace)
            .field("leniency", &self.leniency)
            .field("granted", &self.granted)
            .field("approvals", &self.approvals)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}
