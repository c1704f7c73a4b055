//! Steps between the end of a call and its reader: the outcome is redacted, then cut to its budget.

pub(crate) mod budget;
pub(crate) mod redact;

use std::{fmt, future::Future, sync::Arc};

use tokio::runtime::Handle;

use super::{AttemptResult, Outcome, attempt::deadline::Deadline};
use budget::{cut_error, cut_output, error_bytes, output_bytes};
use redact::{Redact, Redactions};
use toolwright_core::{
    ErrorCategory, ToolError,
    driver::{Caught, DENIED, caught},
    tool::{BoxFuture, CallUpdate, Progress, ToolCall, ToolPolicy, ToolResult},
};

type Sink = dyn Fn(OversizedOutput) -> BoxFuture<'static, Option<String>> + Send + Sync;

/// An outcome that is over its budget, whole, before it is cut. It is redacted.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OversizedOutput {
    /// The name of the tool.
    pub tool: String,
    /// The result, with the provider's id of the call.
    pub result: ToolResult,
    /// The number of bytes of text that the model reads of it.
    pub limit: usize,
}

/// Changes to the outcome of a call before it leaves the call; none by default.
#[derive(Clone, Default)]
pub(crate) struct OutputPolicy {
    /// The limit of an outcome's text in bytes, if its tool sets none.
    max_output: Option<usize>,
    sink: Option<Arc<Sink>>,
    redactions: Redactions,
}

/// An outcome as it leaves the call.
pub(crate) enum Finished<'a> {
    /// It is there, as nearly all are.
    Now(AttemptResult),
    /// It is cut first, and a hook may store the whole. Dropping the future drops the outcome.
    Later(BoxFuture<'a, AttemptResult>),
}

impl OutputPolicy {
    /// The default limit of an outcome's text in bytes: 32 KiB.
    const MAX_OUTPUT: usize = 32 * 1024;

    /// The longest text in bytes that is redacted on the task of the run.
    const LONG: usize = 64 * 1024;

    /// Returns the default policy of batches and runs.
    pub(crate) fn standard() -> Self {
        Self {
            max_output: Some(Self::MAX_OUTPUT),
            ..Self::default()
        }
    }

    pub(crate) fn set_max_output(&mut self, bytes: Option<usize>) {
        self.max_output = bytes;
    }

    pub(crate) fn set_sink<Fut>(
        &mut self,
        sink: impl Fn(OversizedOutput) -> Fut + Send + Sync + 'static,
    ) where
        Fut: Future<Output = Option<String>> + Send + 'static,
    {
        let sink: Arc<Sink> = Arc::new(move |overflow| Box::pin(sink(overflow)));
        self.sink = Some(sink);
    }

    pub(crate) fn add_redaction(&mut self, redact: impl Redact) {
        self.redactions.push(redact);
    }

    /// Returns a text without what must not be seen; an empty one if that is not known.
    pub(crate) fn redact(&self, text: &str) -> String {
        caught(|| self.redactions.redact(text).into_owned()).unwrap_or_default()
    }

    /// Returns an update of a running call in the form in which it leaves the call; `None` if it cannot be redacted.
    /// A slow reader redacts it only when it reads: redacting may take its time, and most updates are never read.
    pub(crate) fn update(&self, update: CallUpdate) -> Option<CallUpdate> {
        if self.redactions.is_empty() {
            return Some(update);
        }
        caught(|| self.redactions.update(update)).ok()
    }

    /// Wraps a progress sink so that updates are redacted before a listener receives them.
    pub(crate) fn progress(&self, heard: Progress) -> Progress {
        if self.redactions.is_empty() || !heard.is_heard() {
            return heard;
        }
        let (redactions, listener) = (self.redactions.clone(), heard.clone());
        Progress::over(heard, move |update| {
            // The call may end meanwhile.
            let update = redactions.update(update);
            listener.publish(|| update);
        })
    }

    /// The outcome as it leaves the call. One that cannot be redacted does not leave it. Who keeps it
    /// whole has time until the batch is over. A long one is redacted on a thread that may block: other calls go on
    /// meanwhile.
    #[inline]
    pub(crate) fn finish<'a>(
        &'a self,
        call: &'a ToolCall,
        policy: &ToolPolicy,
        deadline: &'a Deadline,
        outcome: AttemptResult,
    ) -> Finished<'a> {
        let limit = policy.max_output.or(self.max_output);
        if !self.redactions.is_empty()
            && bytes(&outcome) > Self::LONG
            && let Ok(tokio) = Handle::try_current()
        {
            return Finished::Later(Box::pin(async move {
                let apart = self.clone();
                let redacted = tokio.spawn_blocking(move || apart.redacted(outcome)).await;
                let outcome = redacted.unwrap_or_else(|_| Err(Box::new(unredacted())));
                match limit {
                    Some(limit) if bytes(&outcome) > limit => {
                        self.cut(call, limit, deadline, outcome).await
                    }
                    _ => outcome,
                }
            }));
        }
        let outcome = self.redacted(outcome);
        match limit {
            Some(limit) if bytes(&outcome) > limit => {
                Finished::Later(Box::pin(self.cut(call, limit, deadline, outcome)))
            }
            _ => Finished::Now(outcome),
        }
    }

    /// The answer of the application to a call, as it leaves the call. Nobody keeps the whole of it.
    pub(crate) fn answer(&self, policy: &ToolPolicy, outcome: AttemptResult) -> AttemptResult {
        let outcome = self.redacted(outcome);
        match policy.max_output.or(self.max_output) {
            Some(limit) if bytes(&outcome) > limit => outcome
                .map(|output| cut_output(output, limit, None))
                .map_err(|error| Box::new(cut_error(*error, limit, None))),
            _ => outcome,
        }
    }

    /// An error of a call that does not run, as it leaves the call. Nobody keeps the whole of it.
    pub(crate) fn error(&self, policy: &ToolPolicy, error: ToolError) -> ToolError {
        self.bounded(policy.max_output.or(self.max_output), error)
    }

    /// Returns the reason why a call is denied, redacted and cut to the budget.
    pub(crate) fn reason(&self, policy: &ToolPolicy, reason: String) -> String {
        let limit = policy.max_output.or(self.max_output);
        // With what stands before it.
        let limit = limit.map(|limit| limit.saturating_sub(DENIED.len() + ": ".len()));
        let error = ToolError::new(ErrorCategory::PermissionDenied, reason);
        self.bounded(limit, error).message
    }

    fn bounded(&self, limit: Option<usize>, error: ToolError) -> ToolError {
        match (self.redacted(Err(Box::new(error))), limit) {
            (Err(error), Some(limit)) if error_bytes(&error) > limit => {
                cut_error(*error, limit, None)
            }
            (Err(error), _) => *error,
            (Ok(_), _) => unreachable!("an error that is redacted stays one"),
        }
    }

    #[inline]
    fn redacted(&self, mut outcome: AttemptResult) -> AttemptResult {
        if self.redactions.is_empty() {
            if let Err(error) = &mut outcome {
                error.take_quoted();
            }
            return outcome;
        }
        let outcome = outcome.map_err(|error| *error);
        caught(|| self.redactions.outcome(outcome))
            .unwrap_or_else(|_| Err(unredacted()))
            .map_err(Box::new)
    }

    async fn cut(
        &self,
        call: &ToolCall,
        limit: usize,
        deadline: &Deadline,
        outcome: AttemptResult,
    ) -> AttemptResult {
        let outcome: Outcome = outcome.map_err(|error| *error);
        let (outcome, kept) = match &self.sink {
            None => (outcome, None),
            Some(sink) => {
                let result = ToolResult::new(call.id.as_str(), outcome.clone());
                let overflow = OversizedOutput {
                    tool: call.name.clone(),
                    result,
                    limit,
                };
                // Asking is the sink's code as well, so that it stands inside of the catch.
                let mut keep = Caught::new(Box::pin(async { sink(overflow).await }));
                let kept = deadline.of_batch().race(&mut keep).await;
                drop(keep);
                // A sink that panics or is late has kept nothing, and the call is none the worse for it.
                let kept = kept.ok().and_then(Result::ok).flatten();
                (outcome, kept)
            }
        };
        let kept = kept.as_deref();
        outcome
            .map(|output| cut_output(output, limit, kept))
            .map_err(|error| Box::new(cut_error(error, limit, kept)))
    }
}

/// Returns the number of bytes of the longest text of an outcome.
#[inline]
fn bytes(outcome: &AttemptResult) -> usize {
    match outcome {
        Ok(output) => output_bytes(output),
        Err(error) => {
            let log = error.log.as_ref().map_or(0, String::len);
            let for_user = error.user_text().map_or(0, str::len);
            error_bytes(error).max(log).max(for_user)
        }
    }
}

/// The panic's own text may be what was to be taken out.
fn unredacted() -> ToolError {
    ToolError::internal("a redaction panicked, so the outcome of the call is withheld")
}

impl fmt::Debug for OutputPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputPolicy")
            .field("max_output", &self.max_output)
            .field("keeps_overflow", &self.sink.is_some())
            .field("redactions", &self.redactions)
            .finish()
    }
}
