//! The input that a call runs with.

use std::{borrow::Cow, sync::Arc};

use crate::{
    Leniency,
    panics::guarded,
    tool::{ArgumentChange, Tool, ToolCall, ToolPolicy},
};

/// The input that a call runs with, if it differs from the model's own string or needed an approval.
#[derive(Default)]
pub(super) struct Ready {
    /// The call with other arguments than the model's.
    pub(super) call: Option<Arc<ToolCall>>,
    /// The changes to the model's arguments that led to those of `call`.
    pub(super) changes: Vec<ArgumentChange>,
    pub(super) is_approved: bool,
}

impl Ready {
    /// The arguments of a call, set right once for all of its attempts: what somebody approves is what
    /// the tool reads.
    pub(super) fn new(
        leniency: Leniency,
        call: &ToolCall,
        tool: &Arc<dyn Tool>,
        policy: &ToolPolicy,
    ) -> Self {
        // A definition is the tool's own code, which may panic: the call says so when it runs.
        let prepare = || leniency.prepare(call, tool.definition(), policy.effects);
        let Some(prepared) = guarded(prepare) else {
            return Self::default();
        };
        Self {
            call: match prepared.call {
                Cow::Borrowed(_) => None,
                Cow::Owned(call) => Some(Arc::new(call)),
            },
            changes: prepared.changes,
            is_approved: false,
        }
    }
}
