//! The tools on offer.

mod attached;
mod deferred;
mod filter;
mod layer;
mod names;
pub(crate) mod redefined;
mod registry;
mod search;
mod strict;
mod text_input;

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, OnceLock},
};

pub use registry::ToolRegistry;

use serde::{Deserialize, Serialize};
use toolwright_json::path::cut;

use crate::tool::Capabilities;
use crate::{
    ErrorCategory, Schema, ToolError,
    arguments::nearest_first,
    error::{CODE, UNKNOWN_TOOL},
    tool::{Tool, ToolCall, ToolDefinition, ToolDefinitions, ToolPolicy},
};
use attached::Attached;
use search::SearchIndex;

/// The tools on offer: in a fixed order, with unique names. Cheap to clone.
///
/// `toolset![get_weather, search_docs]` makes one of declared tools and finds equal names when it is
/// compiled. Tools that are values join with [`with`](Self::with).
#[derive(Clone, Default)]
pub struct Toolset {
    inner: Arc<Inner>,
}

#[derive(Clone, Default)]
struct Inner {
    tools: Vec<Arc<dyn Tool>>,
    /// Asked once, in the order of the tools.
    policies: Vec<ToolPolicy>,
    /// The tools whose definitions are looked up. Asked once, too.
    deferred: Vec<bool>,
    /// The index of each tool, by its name.
    by_name: BTreeMap<Box<str>, usize>,
    /// Made at the first use.
    definitions: OnceLock<ToolDefinitions>,
    /// Made at the first search.
    index: OnceLock<SearchIndex>,
    kept: Attached,
}

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
        for tool in Arc::unwrap_or_clone(other.inner).tools {
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

    /// Keeps the rate limits together with the other set.
    fn sharing_limits(mut self, other: &Self) -> Self {
        Arc::make_mut(&mut self.inner).kept = other.inner.kept.clone();
        self
    }

    /// Returns true if a tool in the set runs alone.
    pub fn has_sequential(&self) -> bool {
        self.inner.policies.iter().any(|policy| policy.sequential)
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

impl Inner {
    fn push(&mut self, tool: Arc<dyn Tool>) -> Result<(), ToolsetError> {
        let definition = tool.definition();
        let name: Box<str> = definition.name.as_ref().into();
        if !is_name(&name) {
            return Err(ToolsetError::Name { name: name.into() });
        }
        if !is_object(&definition.input_schema) {
            return Err(ToolsetError::Schema { name: name.into() });
        }
        if let Some(reason) = definition.input_schema.defect() {
            return Err(ToolsetError::ForeignType {
                name: name.into(),
                reason: reason.to_owned(),
            });
        }
        if self.by_name.contains_key(&name) {
            return Err(ToolsetError::Duplicate { name: name.into() });
        }
        // Asked before anything changes: it is the tool's own code, which may panic.
        let policy = tool.policy();
        let is_deferred = definition.deferred;
        self.by_name.insert(name, self.tools.len());
        self.policies.push(policy);
        self.deferred.push(is_deferred);
        self.tools.push(tool);
        self.definitions = OnceLock::new();
        self.index = OnceLock::new();
        Ok(())
    }

    fn remove(&mut self, name: &str) -> Option<Arc<dyn Tool>> {
        let place = self.by_name.remove(name)?;
        for other in self.by_name.values_mut().filter(|other| **other > place) {
            *other -= 1;
        }
        self.policies.remove(place);
        self.deferred.remove(place);
        self.definitions = OnceLock::new();
        self.index = OnceLock::new();
        Some(self.tools.remove(place))
    }
}

/// The limit on the names in the error for a model that called an unknown tool.
const TOLD_NAMES: usize = 50;

/// The names, or those that are most like the one that was called, if they are many.
fn names_like<'n>(called: &str, names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let count = names.len();
    let mut told: Vec<_> = names.collect();
    if count > TOLD_NAMES {
        told = nearest_first(called, &told);
        told.truncate(TOLD_NAMES);
        return format!("{}, and {} more", told.join(", "), count - TOLD_NAMES);
    }
    told.join(", ")
}

impl fmt::Debug for Toolset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Returns true if every provider takes the name of a tool: 1 to 64 letters, digits, `_` and `-`.
pub fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Returns true if the root of a schema says that it is an object. The rest of the schema is not read,
/// since it may be nested too deeply.
fn is_object(schema: &Schema) -> bool {
    #[derive(Deserialize)]
    struct Root {
        r#type: String,
    }
    serde_json::from_str::<Root>(schema.as_str()).is_ok_and(|root| root.r#type == "object")
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |near| format!(", did you mean `{near}`?"))
}

/// A tool cannot join a set, or a set has no such tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolsetError {
    /// Two tools have one name.
    #[error(
        "two tools are called `{name}`; rename one of them, by `Toolset::renamed` or `Toolset::prefixed` for example"
    )]
    Duplicate {
        /// The name.
        name: String,
    },
    /// No provider takes the name.
    #[error("invalid tool name `{name}`: write 1 to 64 letters, digits, `_` and `-`")]
    Name {
        /// The name.
        name: String,
    },
    /// A list names a tool that is not there.
    #[error("no tool is called `{name}`{}", hint(nearest.as_deref()))]
    Unknown {
        /// The name.
        name: String,
        /// The name that was probably meant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nearest: Option<String>,
    },
    /// A tool whose input is to be one text has other arguments.
    #[error(
        "`{name}` cannot take its input as plain text: its arguments are not exactly one string"
    )]
    NoText {
        /// The name of the tool.
        name: String,
    },
    /// The arguments are no object.
    #[error("the schema of `{name}` describes no object: its root must say `\"type\": \"object\"`")]
    Schema {
        /// The name of the tool.
        name: String,
    },
    /// A type of another crate, marked `#[tool(schemars)]`, cannot be an argument: only its schema
    /// could tell, which is not known before the program runs.
    #[error("`{name}` cannot be a tool: {reason}")]
    ForeignType {
        /// The name of the tool.
        name: String,
        /// The type, and the problem with it.
        reason: String,
    },
}
