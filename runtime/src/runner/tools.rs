//! Where the tools of a runner come from.

use std::fmt;

use crate::{ToolRegistry, Toolset};

/// Where the tools of a runner come from.
pub(super) enum ToolSource {
    /// A set that stays.
    Fixed(Toolset),
    /// What is in the registry when a round begins.
    Registry(ToolRegistry),
}

impl ToolSource {
    pub(super) fn snapshot(&self) -> Toolset {
        match self {
            Self::Fixed(tools) => tools.clone(),
            Self::Registry(registry) => registry.snapshot(),
        }
    }
}

impl fmt::Debug for ToolSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.snapshot().fmt(f)
    }
}
