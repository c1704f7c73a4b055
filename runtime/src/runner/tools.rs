//! The source of the tools of a runner.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use crate::{ToolRegistry, Toolset, tool::Capabilities};

/// The source of the tools of a runner.
pub(super) enum ToolSource {
    /// A set that stays.
    Fixed(Toolset),
    /// The granted tools of the registry, as they are when a round begins.
    Registry(ToolRegistry, Granted),
}

impl ToolSource {
    pub(super) fn snapshot(&self) -> Toolset {
        match self {
            Self::Fixed(tools) => tools.clone(),
            Self::Registry(registry, granted) => granted.of(registry.snapshot()),
        }
    }
}

impl ToolSource {
    /// Returns true if a call may wait for the application to answer it. What a registry will have, nobody knows yet.
    pub(super) fn may_suspend(&self) -> bool {
        match self {
            Self::Fixed(tools) => tools.names().any(|name| tools.policy(name).external),
            Self::Registry(..) => true,
        }
    }
}

/// The tools of a registry that are granted.
pub(super) struct Granted {
    capabilities: Capabilities,
    /// The state that was seen last, and what is granted of it: its definitions are rendered once.
    last: Mutex<Option<(Toolset, Toolset)>>,
}

impl Granted {
    pub(super) fn new(capabilities: Capabilities) -> Self {
        let last = Mutex::new(None);
        Self { capabilities, last }
    }

    fn of(&self, tools: Toolset) -> Toolset {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((seen, granted)) if seen.is_same(&tools) => granted.clone(),
            _ => {
                let granted = tools.granted(self.capabilities);
                *last = Some((tools, granted.clone()));
                granted
            }
        }
    }
}

impl fmt::Debug for ToolSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.snapshot().fmt(f)
    }
}
