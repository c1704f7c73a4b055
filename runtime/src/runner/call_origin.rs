//! For whom a run works that belongs to no other.

use std::{fmt, sync::Arc};

use toolwright_core::tool::Capabilities;

use crate::{Approver, CallOptions};

/// For whom a call is made that belongs to no run: an extension of its context, which a server sets. The run of a
/// [`SubAgent`](super::SubAgent) that is called so is one of this owner, and this approver decides about its calls if its
/// own runner has none.
///
/// As an [extension of a runner](crate::Runner::with_extension), it is that of its runs.
#[derive(Clone, Default)]
pub struct CallOrigin {
    pub(in crate::runner) owner: Option<String>,
    pub(in crate::runner) approver: Option<Arc<dyn Approver>>,
    pub(in crate::runner) granted: Option<Capabilities>,
}

impl CallOrigin {
    /// A call of nobody that is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the [owner](crate::Runner::with_owner) of the run.
    #[must_use]
    pub fn with_owner(mut self, owner: impl Into<String>) -> Self {
        self.owner = Some(owner.into());
        self
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
            .field("owner", &self.owner)
            .finish_non_exhaustive()
    }
}
