//! The tools of a batch.

use std::sync::Arc;

use crate::{
    Toolset,
    dispatch::RateLimiter,
    tool::{ApprovalPolicy, Capabilities, Tool, ToolCall, ToolPolicy},
};

/// The tools of a batch.
pub(in crate::dispatch) enum Tools {
    /// Those of these that are granted, some of whose calls wait for an approval.
    Of(Toolset, ApprovalPolicy, Capabilities),
    /// They are no tools: each may write.
    Unknown(ApprovalPolicy),
}

impl Tools {
    /// The tool of a call and its policy.
    pub(super) fn of(&self, call: &ToolCall) -> (Option<&Arc<dyn Tool>>, ToolPolicy) {
        let (tools, approvals, granted) = match self {
            Self::Of(tools, approvals, granted) => (tools, approvals, granted),
            Self::Unknown(approvals) => return (None, approvals.applied(ToolPolicy::default())),
        };
        match tools.entry(&call.name) {
            Some((tool, policy)) if granted.contains(policy.requires) => {
                (Some(tool), approvals.applied(policy))
            }
            // Nobody is asked about a tool that is not there.
            _ => (None, ToolPolicy::default()),
        }
    }

    pub(super) fn has_sequential(&self) -> bool {
        match self {
            Self::Of(tools, ..) => tools.has_sequential(),
            Self::Unknown(_) => false,
        }
    }

    /// What keeps them to their rate limits, unless set.
    pub(super) fn limiter(&self) -> RateLimiter {
        match self {
            Self::Of(tools, ..) => RateLimiter::of(tools.starts()),
            Self::Unknown(_) => RateLimiter::new(),
        }
    }
}
