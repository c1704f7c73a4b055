//! The source of the tools of a runner.

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Mutex, PoisonError},
};

use crate::{ToolRegistry, Toolset, ToolsetError, tool::Capabilities};

/// The source of the tools of a runner.
#[derive(Clone)]
pub(super) enum ToolSource {
    /// A set that stays.
    Fixed(Toolset),
    /// Some tools of the registry, as they are when a round begins.
    Registry(ToolRegistry, Selection),
}

impl ToolSource {
    pub(super) fn snapshot(&self) -> Toolset {
        match self {
            Self::Fixed(tools) => tools.clone(),
            Self::Registry(registry, selection) => selection.of(registry.snapshot()),
        }
    }

    /// The tools, if they stay as they are.
    pub(super) fn fixed(&self) -> Option<&Toolset> {
        match self {
            Self::Fixed(tools) => Some(tools),
            Self::Registry(..) => None,
        }
    }

    /// The tools of these names alone.
    ///
    /// # Errors
    ///
    /// When none of the tools has one of the names. What a registry will have, nobody knows yet.
    pub(super) fn only(&self, names: Vec<String>) -> Result<Self, ToolsetError> {
        Ok(match self {
            Self::Fixed(tools) => Self::Fixed(tools.only(names)?),
            Self::Registry(registry, selection) => {
                Self::Registry(registry.clone(), selection.only(names))
            }
        })
    }

    /// Returns true if a call may wait for the application to answer it. What a registry will have, nobody knows yet.
    pub(super) fn may_suspend(&self) -> bool {
        match self {
            Self::Fixed(tools) => tools.names().any(|name| tools.policy(name).external),
            Self::Registry(..) => true,
        }
    }
}

/// The tools of a registry that a run may have.
pub(super) struct Selection {
    /// What is granted.
    capabilities: Capabilities,
    /// The names of the tools, if they are not all.
    names: Option<BTreeSet<String>>,
    /// The state that was seen last, and what was chosen of it: its definitions are rendered once.
    last: Mutex<Option<(Toolset, Toolset)>>,
}

impl Selection {
    pub(super) fn granted(capabilities: Capabilities) -> Self {
        Self {
            capabilities,
            names: None,
            last: Mutex::new(None),
        }
    }

    /// Those among them that have one of the names.
    fn only(&self, names: Vec<String>) -> Self {
        let is_chosen = |name: &String| self.names.as_ref().is_none_or(|all| all.contains(name));
        Self {
            names: Some(names.into_iter().filter(is_chosen).collect()),
            ..Self::granted(self.capabilities)
        }
    }

    fn of(&self, tools: Toolset) -> Toolset {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((seen, chosen)) if seen.is_same(&tools) => chosen.clone(),
            _ => {
                let granted = tools.granted(self.capabilities);
                let chosen = match &self.names {
                    Some(names) => granted.filtered(|tool, _| names.contains(&*tool.name)),
                    None => granted,
                };
                *last = Some((tools, chosen.clone()));
                chosen
            }
        }
    }
}

impl Clone for Selection {
    fn clone(&self) -> Self {
        Self {
            names: self.names.clone(),
            ..Self::granted(self.capabilities)
        }
    }
}

impl fmt::Debug for ToolSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.snapshot().fmt(f)
    }
}
