//! The tools on offer.

// The page of `Toolset` in the reference begins with the `impl` of the module that comes first.
mod set;

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

pub use registry::{ToolChanges, ToolRegistry, WeakToolRegistry};

use serde::{Deserialize, Serialize};

use crate::{
    Schema,
    arguments::nearest_first,
    tool::{Tool, ToolDefinitions, ToolPolicy},
};
use attached::Attached;
use search::SearchIndex;
pub use search::{ToolSearch, WordSearch};

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
    /// The search among the deferred tools, if it is not ours.
    search: Option<Arc<dyn ToolSearch>>,
    kept: Attached,
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
