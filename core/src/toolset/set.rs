//! Makes a set of tools, and finds tools in it.

use std::sync::{Arc, OnceLock};

use toolwright_json::path::cut;

use super::{Inner, Toolset, ToolsetError, names_like};
use crate::{
    ErrorCategory, ToolError,
    error::{CODE, UNKNOWN_TOOL},
    tool::{Capabilities, Tool, ToolCall, ToolDefinition, ToolDefinitions, ToolPolicy},
};

impl Toolset {
    /// A set of no tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool at the end.
    ///
    /// # Errors
    ///
    /// When a tool of this name is there already, or no provider accepts the definition, which needs
    /// a name of 1 to 64 letters, digits, `_` and `-`, and a schema whose root is an object. When a
    /// type marked `#[tool(schemars)]` has more levels than it counts as, contains itself, or refers
    /// to what is not there.
    pub fn with(self, tool: impl Tool) -> Result<Self, ToolsetError> {
        self.with_shared(Arc::new(tool))
    }

    /// Adds a tool that is shared already at the end.
    ///
    /// # Errors
    ///
    /// When a tool of this name is there already, or no provider accepts the definition, which needs
    /// a name of 1 to 64 letters, digits, `_` and `-`, and a schema whose root is an object. When a
    /// type marked `#[tool(schemars)]` has more levels than it counts as, contains itself, or refers
    /// to what is not there.
    pub fn with_shared(mut self, tool: Arc<dyn Tool>) -> Result<Self, ToolsetError> {
        Arc::make_mut(&mut self.inner).push(tool)?;
        Ok(self)
    }

    /// Adds the tools of another set at the end, in their order.
    ///
    /// # Errors
    ///
    /// When both sets have a tool of the same name.
    pub fn merge(mut self, other: Self) -> Result<Self, ToolsetError> {
        let inner = Arc::make_mut(&mut self.inner);
        let other = Arc::unwrap_or_clone(other.inner);
        inner.search = inner.search.take().or(other.search);
        for tool in other.tools {
            inner.push(tool)?;
        }
        Ok(self)
    }

    /// Returns the number of tools.
    pub fn len(&self) -> usize {
        self.inner.tools.len()
    }

    /// Returns true if there is no tool.
    pub fn is_empty(&self) -> bool {
        self.inner.tools.is_empty()
    }

    /// The tools, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<dyn Tool>> {
        self.inner.tools.iter()
    }

    /// Returns the definitions of the tools, as the model receives them, in order.
    pub fn definitions(&self) -> impl ExactSizeIterator<Item = &ToolDefinition> {
        self.iter().map(Tool::definition)
    }

    /// Returns the definitions of the tools, to put into a [`ModelRequest`](crate::ModelRequest): all
    /// clones share what is rendered from them.
    pub fn shared_definitions(&self) -> &ToolDefinitions {
        let inner = &self.inner;
        let all = || inner.tools.iter().map(|tool| tool.definition().clone());
        inner.definitions.get_or_init(|| all().collect())
    }

    /// The names, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.definitions().map(|definition| &*definition.name)
    }

    /// The tool of a name.
    pub fn find(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.inner
            .by_name
            .get(name)
            .map(|&place| &self.inner.tools[place])
    }

    /// Returns the policy of the tool with this name; the default policy for an unknown name.
    pub fn policy(&self, name: &str) -> ToolPolicy {
        let place = self.inner.by_name.get(name);
        place
            .map(|&place| self.inner.policies[place])
            .unwrap_or_default()
    }

    /// The tool of a name and what the program must know of it, found once.
    #[inline]
    #[doc(hidden)]
    pub fn entry(&self, name: &str) -> Option<(&Arc<dyn Tool>, &ToolPolicy)> {
        let &place = self.inner.by_name.get(name)?;
        Some((&self.inner.tools[place], &self.inner.policies[place]))
    }

    /// Keeps the rate limits together with the other set, and has its search.
    pub(super) fn sharing(mut self, other: &Self) -> Self {
        let inner = Arc::make_mut(&mut self.inner);
        inner.kept = other.inner.kept.clone();
        inner.search.clone_from(&other.inner.search);
        self
    }

    /// The same tools, but these in the place of those of their names. Each name is in the set.
    #[doc(hidden)]
    pub fn with_replaced(mut self, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        let inner = Arc::make_mut(&mut self.inner);
        for tool in tools {
            if let Some(&place) = inner.by_name.get(&*tool.definition().name) {
                inner.policies[place] = tool.policy();
                inner.deferred[place] = tool.definition().deferred;
                inner.tools[place] = tool;
            }
        }
        inner.definitions = OnceLock::new();
        inner.index = OnceLock::new();
        self
    }

    /// Returns true if a tool in the set runs alone.
    pub fn has_sequential(&self) -> bool {
        self.inner.policies.iter().any(|policy| policy.sequential)
    }

    /// Returns true if another program runs the calls of a tool in the set.
    #[doc(hidden)]
    pub fn has_external(&self) -> bool {
        self.inner.policies.iter().any(|policy| policy.external)
    }

    /// The tool that a call names.
    ///
    /// # Errors
    ///
    /// `ResourceNotFound`, with the names that there are, when no tool has the name.
    pub fn resolve(&self, call: &ToolCall) -> Result<&Arc<dyn Tool>, ToolError> {
        self.find(&call.name).ok_or_else(|| self.unknown(call))
    }

    /// The error of a call whose name no tool has.
    #[doc(hidden)]
    pub fn unknown(&self, call: &ToolCall) -> ToolError {
        unknown(call, self.names())
    }

    /// The error of a call to a tool that is not there or not granted. Only the log says which of the two.
    #[doc(hidden)]
    pub fn absent(&self, call: &ToolCall, granted: Capabilities) -> ToolError {
        let inner = &self.inner;
        let all = inner.policies.iter().zip(self.names());
        let names: Vec<&str> = all
            .filter(|(policy, _)| granted.contains(policy.requires))
            .map(|(_, name)| name)
            .collect();
        let error = unknown(call, names.into_iter());
        match self.entry(&call.name) {
            Some((_, policy)) => error.with_log(format!(
                "`{}` requires {}, which is not granted",
                call.name,
                policy.requires.without(granted)
            )),
            None => error,
        }
    }

    /// A set of tools whose names are known to differ: `toolset!` has checked it.
    ///
    /// # Panics
    ///
    /// When two names are equal after all, or a type of another crate cannot be an argument.
    #[doc(hidden)]
    pub fn from_checked(tools: Vec<Arc<dyn Tool>>) -> Self {
        let mut inner = Inner::default();
        for tool in tools {
            if let Err(error) = inner.push(tool) {
                panic!("{error}");
            }
        }
        Self {
            inner: Arc::new(inner),
        }
    }
}

/// The error of a call whose name is not among these.
fn unknown<'n>(call: &ToolCall, names: impl ExactSizeIterator<Item = &'n str>) -> ToolError {
    let message = if call.name.is_empty() {
        "the call names no tool".to_owned()
    } else {
        format!("there is no tool called `{}`", cut(&call.name))
    };
    let available = names_like(&call.name, names);
    ToolError::new(ErrorCategory::ResourceNotFound, message)
        .with_detail(CODE, UNKNOWN_TOOL)
        .with_detail(
            "available",
            if available.is_empty() {
                "none"
            } else {
                &available
            },
        )
        .quoting(&call.name)
}
