//! Who decides and what is granted in a run that belongs to no other.

use std::{fmt, sync::Arc};

use toolwright_core::tool::Capabilities;

use crate::{Approver, CallOptions};

/// Who decides in what a call starts that belongs to no run: an extension of its context, which a server sets. This approver
/// decides about the calls of a [`SubAgent`](super::SubAgent) that is called so, if its own runner has none. The owner of its
/// run is [that of the context](toolwright_core::ToolContext::with_owner).
///
/// As an [extension of a runner](crate::Runner::with_extension), it is that of its runs.
#[derive(Clone, Default)]
pub struct CallOrigin {
    pub(in crate::runner) approver: Option<Arc<dyn Approver>>,
    pub(in crate::runner) granted: Option<Capabilities>,
}

impl CallOrigin {
    /// A call of nobody that is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets who decides about the calls of the run: the [approver](CallOptions::with_approver) of these settings.
    #[must_use]
    pub fn with_approver_of(mut self, calls: &CallOptions) -> Self {
        self.approver.clone_from(&calls.approver);
        self
    }

    /// Sets what is granted when a run goes on: for a call under way of a tool that requires more, there is no such tool.
    #[must_use]
    pub fn with_granted(mut self, capabilities: Capabilities) -> Self {
        self.granted = Some(capabilities);
        self
    }
}

impl fmt::Debug for CallOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOrigin")
            .field("granted", &self.granted)
            .finish_non_exhaustive()
    }
}
