//! The tools of a batch.

use std::sync::Arc;

use crate::dispatch::RateLimiter;
use toolwright_core::{
    Toolset,
    tool::{ApprovalPolicy, Capabilities, Tool, ToolCall, ToolHints, ToolPolicy},
};

/// The tools of a batch.
pub(in crate::dispatch) enum Tools<'a> {
    /// The granted tools of a set, some of whose calls wait for an approval.
    Of(&'a Toolset, ApprovalPolicy, Capabilities),
    /// They are no tools: each may write.
    Unknown(ApprovalPolicy),
}

/// The data of a batch about the tool of a call.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    /// None if there is no such tool, or nobody knows it.
    pub(super) tool: Option<&'a Arc<dyn Tool>>,
    pub(super) policy: &'a ToolPolicy,
    /// True if the call needs an approval.
    pub(super) asks: bool,
}

/// The policy of what nothing is known of.
static UNKNOWN: ToolPolicy = ToolPolicy::of(ToolHints::NONE);

impl<'a> Tools<'a> {
    /// Returns the entry for the tool of a call.
    #[inline]
    pub(super) fn of(&self, call: &ToolCall) -> Entry<'a> {
        let (tools, approvals, granted) = match *self {
            Self::Of(tools, approvals, granted) => (tools, approvals, granted),
            Self::Unknown(approvals) => {
                return Entry {
                    tool: None,
                    policy: &UNKNOWN,
                    asks: approvals.asks(&UNKNOWN),
                };
            }
        };
        match tools.entry(&call.name) {
            Some((tool, policy)) if granted.contains(policy.requires) => Entry {
                tool: Some(tool),
                policy,
                asks: approvals.asks(policy),
            },
            // Nobody is asked about a tool that is not there.
            _ => Entry {
                tool: None,
                policy: &UNKNOWN,
                asks: false,
            },
        }
    }

    pub(super) fn has_sequential(&self) -> bool {
        match self {
            Self::Of(tools, ..) => tools.has_sequential(),
            Self::Unknown(_) => false,
        }
    }

    /// Returns the rate limiter of the tools, which is used unless another one is set.
    pub(super) fn limiter(&self) -> RateLimiter {
        match self {
            Self::Of(tools, ..) => RateLimiter::clone(&tools.kept()),
            Self::Unknown(_) => RateLimiter::new(),
        }
    }
}
