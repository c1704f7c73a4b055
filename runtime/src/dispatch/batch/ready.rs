//! The input that a call runs with.

use std::sync::Arc;

use toolwright_core::tool::{ArgumentChange, ToolCall};

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
    /// What a call runs with that was [prepared](crate::CallOptions).
    pub(super) fn new(prepared: Option<(ToolCall, Vec<ArgumentChange>)>) -> Self {
        let (call, changes) = prepared.unzip();
        Self {
            call: call.map(Arc::new),
            changes: changes.unwrap_or_default(),
            is_approved: false,
        }
    }
}
