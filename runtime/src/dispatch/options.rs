//! Under which bounds a batch runs.

use std::{num::NonZeroUsize, time::Duration};

use crate::{run::RunConfig, tool::ToolContext};

/// Under which bounds a batch of calls runs, and what its tools are handed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DispatchOptions {
    /// How many calls run at once; 8 by default.
    pub concurrency: NonZeroUsize,
    /// How long a call may take if its tool does not say; 60 seconds by default, `None` is for ever.
    pub timeout: Option<Duration>,
    /// What the tools are handed, apart from the id of their call: extensions, and the token that
    /// cancels the batch.
    pub context: ToolContext,
}

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
}

impl Default for DispatchOptions {
    fn default() -> Self {
        Self {
            concurrency: RunConfig::CONCURRENCY,
            timeout: Some(Self::TIMEOUT),
            context: ToolContext::default(),
        }
    }
}
