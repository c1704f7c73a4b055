//! The source of the tools of a runner.

use std::fmt;

use toolwright_core::{ToolRegistry, Toolset, ToolsetError, driver::Mutex, tool::Capabilities};

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

    /// Those among them that a run may have, whose settings allow [these](toolwright_core::RunConfig::tools).
    pub(super) fn allowed(&self, names: Option<&[String]>) -> Toolset {
        allowed(&self.snapshot(), names)
    }

    /// The tools, if they stay as they are.
    pub(super) fn fixed(&self) -> Option<&Toolset> {
        match self {
            Self::Fixed(tools) => Some(tools),
            Self::Registry(..) => None,
        }
    }

    /// The tools with these in addition, which are there whatever a registry has. No other tool has one of the names that
    /// are reserved.
    ///
    /// # Errors
    ///
    /// When a tool that stays has one of these names.
    pub(super) fn with(&self, added: Toolset, reserved: Vec<String>) -> Result<Self, ToolsetError> {
        Ok(match self {
            Self::Fixed(tools) => {
                let taken = reserved.into_iter().find(|name| tools.find(name).is_some());
                if let Some(name) = taken {
                    return Err(ToolsetError::Duplicate { name });
                }
                Self::Fixed(tools.clone().merge(added)?)
            }
            Self::Registry(registry, selection) => {
                let mut selection = selection.clone();
                (selection.added, selection.reserved) = (added, reserved);
                Self::Registry(registry.clone(), selection)
            }
        })
    }

    /// Returns true if a call may wait for the application to answer it. The tools that a registry will have are not
    /// known yet.
    pub(super) fn may_suspend(&self) -> bool {
        match self {
            Self::Fixed(tools) => tools.has_external(),
            Self::Registry(..) => true,
        }
    }
}

/// Those tools of a set that have one of the names, or all.
pub(super) fn allowed(all: &Toolset, names: Option<&[String]>) -> Toolset {
    match names {
        Some(names) => all.filtered(|tool, _| names.iter().any(|name| tool.name == *name)),
        None => all.clone(),
    }
}

/// The tools of a registry that a run may have.
pub(super) struct Selection {
    /// What is granted.
    capabilities: Capabilities,
    /// The tools that are there in addition, and the names that no other tool has.
    added: Toolset,
    reserved: Vec<String>,
    /// The state that was seen last, and what was chosen of it: its definitions are rendered once.
    last: Mutex<Option<(Toolset, Toolset)>>,
}

impl Selection {
    pub(super) fn granted(capabilities: Capabilities) -> Self {
        Self {
            capabilities,
            added: Toolset::new(),
            reserved: Vec::new(),
            last: Mutex::new(None),
        }
    }

    fn of(&self, tools: Toolset) -> Toolset {
        let mut last = self.last.lock();
        match &*last {
            Some((seen, chosen)) if seen.is_same(&tools) => chosen.clone(),
            _ => {
                let chosen = self.chosen_of(tools.granted(self.capabilities));
                *last = Some((tools, chosen.clone()));
                chosen
            }
        }
    }
}

impl Selection {
    fn chosen_of(&self, granted: Toolset) -> Toolset {
        if self.reserved.is_empty() {
            return granted;
        }
        // Whoever puts a tool of such a name into the registry does not take its place.
        let is_reserved = |name: &str| self.reserved.iter().any(|reserved| reserved == name);
        let others = granted.filtered(|tool, _| !is_reserved(&tool.name));
        let all = others.merge(self.added.clone());
        all.expect("the names of those that are added are reserved")
    }
}

impl Clone for Selection {
    fn clone(&self) -> Self {
        Self {
            added: self.added.clone(),
            reserved: self.reserved.clone(),
            ..Self::granted(self.capabilities)
        }
    }
}

impl fmt::Debug for ToolSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.snapshot().fmt(f)
    }
}
