//! Under which bounds a batch runs.

use std::{fmt, num::NonZeroUsize, sync::Arc, time::Duration};

use crate::{
    Leniency,
    run::RunConfig,
    tool::{CallUpdate, Progress, ToolContext},
};

/// Under which bounds a batch of calls runs, and what its tools are handed.
#[derive(Clone)]
#[non_exhaustive]
pub struct DispatchOptions {
    /// How many calls run at once; 8 by default.
    pub concurrency: NonZeroUsize,
    /// How long a call may take if its tool does not say; 60 seconds by default, `None` is for ever.
    pub timeout: Option<Duration>,
    /// What the tools are handed, apart from the id of their call: extensions, and the token that
    /// cancels the batch.
    pub context: ToolContext,
    updates: Option<Arc<UpdateListener>>,
    /// Whether arguments that are not quite right are set right before the tool reads them; they are
    /// not by default.
    pub leniency: Leniency,
}

/// Takes the place of a call among those of the batch, and what it says.
type UpdateListener = dyn Fn(usize, CallUpdate) + Send + Sync;

impl DispatchOptions {
    /// How long a call may take, unless set.
    pub const TIMEOUT: Duration = Duration::from_mins(1);

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

    /// Sets who hears of the progress and the partial results of running calls. It is given the place
    /// of the call in the batch, and nothing of a call that has ended.
    ///
    /// The listener runs inside the tool's own report, on its thread: it has to be quick. One that
    /// has to wait keeps the latest update of each call, and drops those before.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// use std::sync::{Arc, Mutex};
    /// use toolwright_runtime::{DispatchOptions, ToolCall, ToolError, dispatch_with};
    ///
    /// let latest = Arc::new(Mutex::new(vec![None; 1]));
    /// let heard = latest.clone();
    /// let options = DispatchOptions::new()
    ///     .with_updates(move |index, update| heard.lock().unwrap()[index] = Some(update));
    /// let calls = [ToolCall::new("a", "count", "{}")];
    /// dispatch_with(&calls, &options, async |_call, cx| {
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

    /// Sets whether arguments that are not quite right are set right before the tool reads them.
    pub fn with_leniency(mut self, leniency: Leniency) -> Self {
        self.leniency = leniency;
        self
    }

    /// What the call in this place is handed.
    pub(super) fn context_of(&self, index: usize) -> ToolContext {
        let context = self.context.clone();
        match &self.updates {
            None => context,
            Some(listener) => {
                let listener = Arc::clone(listener);
                context.with_progress(Progress::new(move |update| listener(index, update)))
            }
        }
    }
}

impl Default for DispatchOptions {
    fn default() -> Self {
        Self {
            concurrency: RunConfig::CONCURRENCY,
            timeout: Some(Self::TIMEOUT),
            context: ToolContext::default(),
            updates: None,
            leniency: Leniency::default(),
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
            .finish_non_exhaustive()
    }
}
