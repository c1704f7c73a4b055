//! The tools of a batch.

use crate::dispatch::{CallOptions, CallRules, RateLimiter};
use toolwright_core::{
    Toolset,
    tool::{ToolCall, ToolHints, ToolPolicy},
};

/// The tools of a batch, with the settings of its calls.
#[derive(Clone, Copy)]
pub(in crate::dispatch) struct Tools<'a> {
    /// `None` if the calls are a closure's. Each may write then.
    set: Option<&'a Toolset>,
    options: &'a CallOptions,
}

/// The policy of what nothing is known of.
static UNKNOWN: ToolPolicy = ToolPolicy::of(ToolHints::NONE);

impl<'a> Tools<'a> {
    pub(in crate::dispatch) fn new(set: Option<&'a Toolset>, options: &'a CallOptions) -> Self {
        Self { set, options }
    }

    /// Returns the rules of a call.
    #[inline]
    pub(super) fn rules(&self, call: &'a ToolCall) -> CallRules<'a> {
        let granted = self.options.granted.unwrap_or_default();
        let entry = self.set.and_then(|set| set.entry(&call.name));
        let entry = entry.filter(|(_, policy)| granted.contains(policy.requires));
        let (tool, policy) = entry.unzip();
        CallRules {
            call,
            tool,
            policy: policy.unwrap_or(&UNKNOWN),
            options: self.options,
        }
    }

    /// Returns true if the call needs an approval. Nobody is asked about a tool that is not there.
    pub(super) fn asks(&self, rules: CallRules<'_>) -> bool {
        let is_there = rules.tool.is_some() || self.set.is_none();
        is_there && self.options.approvals.asks(rules.policy)
    }

    pub(super) fn has_sequential(&self) -> bool {
        self.set.is_some_and(Toolset::has_sequential)
    }

    /// Returns the rate limiter of the calls: the one that is set, or that of the tools.
    pub(super) fn limiter(&self) -> RateLimiter {
        self.options.limiter(self.set)
    }
}
