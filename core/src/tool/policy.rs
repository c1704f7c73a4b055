//! The policy of a tool: settings for the program that runs it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Capabilities, RateLimit, ToolHints};

/// The settings for the program that runs a tool; the model does not see them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each stands for a key of `#[tool]`, and any of them may go together"
)]
pub struct ToolPolicy {
    /// The changes that a call may make; [`Effects::Write`] by default.
    #[serde(default)]
    pub effects: Effects,
    /// True if a call runs alone. It waits for the calls before it, and the calls after it wait for it.
    /// They also wait for work of the call that is [still running](crate::ToolError::still_running) after
    /// its time limit.
    #[serde(default)]
    pub sequential: bool,
    /// The time limit of an attempt; `None` means the limit of the program that runs the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// The number of retries of a call that failed for a reason that may pass. `None` means 0 for a tool
    /// that writes and 2 for the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<u32>,
    /// The limit on how often calls may start; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_limit: Option<RateLimit>,
    /// The capabilities that the application has to grant before the tool is offered; none by default.
    #[serde(default, skip_serializing_if = "Capabilities::is_empty")]
    pub requires: Capabilities,
    /// True if a call needs an approval before it starts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub approval: bool,
    /// The limit, in bytes, of the text of an output, which is cut beyond it; `None` means the limit of the
    /// program that runs the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output: Option<usize>,
    /// True if a model may repeat the same call with the same result, because the tool asks how far
    /// something is. The repetition is then no sign of a model without progress. See
    /// [`Limits::no_progress`](crate::run::Limits::no_progress).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub polls: bool,
    /// True if a result of the tool ends the run, and is its answer. An error does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends_run: bool,
    /// True if the application answers the calls, and nothing runs here: a browser, a person, another service. A run
    /// waits for the answer, and is [suspended](crate::Finish::Suspended) meanwhile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
    /// True if a call that was interrupted by the end of its program resumes where it was, also one that writes: the
    /// tool is a sub-agent, whose run is stored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[doc(hidden)]
    pub resumes: bool,
    /// True if an `async` call computes rather than waits, so that it gets a task of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spawn: bool,
    /// True if there is no such tool, or it was not on offer: a call of it ends with an error and has no effect.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[doc(hidden)]
    pub unknown: bool,
}

impl ToolPolicy {
    /// The number of retries of a call, unless set, for a tool that is read-only or idempotent.
    pub const RETRIES: u32 = 2;

    /// Creates the policy that follows from a tool's own hints: they decide which changes a call may make.
    pub const fn of(hints: ToolHints) -> Self {
        Self {
            effects: hints.effects(),
            sequential: false,
            timeout: None,
            retries: None,
            rate_limit: None,
            requires: Capabilities::NONE,
            approval: false,
            max_output: None,
            polls: false,
            ends_run: false,
            external: false,
            resumes: false,
            spawn: false,
            unknown: false,
        }
    }

    /// Sets what a call may change.
    pub const fn with_effects(mut self, effects: Effects) -> Self {
        self.effects = effects;
        self
    }

    /// Makes a call run alone.
    pub const fn with_sequential(mut self) -> Self {
        self.sequential = true;
        self
    }

    /// Sets how long an attempt may take.
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets how many more attempts a call gets that failed for a reason that may pass. It does
    /// nothing for a tool that writes, which is never run twice.
    pub const fn with_retries(mut self, retries: u32) -> Self {
        self.retries = Some(retries);
        self
    }

    /// Sets how often calls may start.
    pub const fn with_rate_limit(mut self, limit: RateLimit) -> Self {
        self.rate_limit = Some(limit);
        self
    }

    /// Sets what the application has to grant before the tool is offered.
    pub const fn with_requires(mut self, capabilities: Capabilities) -> Self {
        self.requires = capabilities;
        self
    }

    /// Makes a call wait for an approval.
    pub const fn with_approval(mut self) -> Self {
        self.approval = true;
        self
    }

    /// Sets how many bytes of text an output may have before it is cut.
    pub const fn with_max_output(mut self, bytes: usize) -> Self {
        self.max_output = Some(bytes);
        self
    }

    /// Says that the same call with the same result is to be expected.
    pub const fn with_polls(mut self) -> Self {
        self.polls = true;
        self
    }

    /// Makes a result of the tool the answer of the run.
    pub const fn with_ends_run(mut self) -> Self {
        self.ends_run = true;
        self
    }

    /// Says that the application answers the calls.
    pub const fn with_external(mut self) -> Self {
        self.external = true;
        self
    }

    /// Gives a call that is async a task of its own.
    pub const fn with_spawn(mut self) -> Self {
        self.spawn = true;
        self
    }

    /// Says that there is no such tool, or that it was not on offer.
    #[doc(hidden)]
    pub const fn with_unknown(mut self) -> Self {
        self.unknown = true;
        self
    }

    /// Returns the number of retries that a call gets: none for a tool that writes.
    pub fn allowed_retries(&self) -> u32 {
        match self.effects {
            Effects::Write => 0,
            Effects::ReadOnly | Effects::Idempotent => self.retries.unwrap_or(Self::RETRIES),
        }
    }
}

/// The changes that a call may make. They decide if a call may run a second time after an interruption.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effects {
    /// Nothing: it may run again at any time.
    ReadOnly,
    /// The same as one call, however often it runs with the same idempotency key.
    Idempotent,
    /// Anything. It is never run twice, unless it continues from a [checkpoint](crate::ToolContext::checkpoint).
    #[default]
    Write,
}

impl Effects {
    /// The words that the model reads in addition of a call that has begun and has no result. To call an idempotent tool
    /// again is another call, with another key.
    #[doc(hidden)]
    pub const fn aftermath(self) -> &'static str {
        match self {
            Self::ReadOnly => "",
            Self::Idempotent | Self::Write => "; it may have taken effect",
        }
    }
}
