//! What a model is told of a tool.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::schema::Schema;

/// What a model is told of a tool. Elsewhere called a function declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// The name that the model calls.
    pub name: Cow<'static, str>,
    /// What the tool does and when to call it.
    pub description: Cow<'static, str>,
    /// JSON Schema (2020-12) of the arguments object.
    pub input_schema: Schema,
}

impl ToolDefinition {
    /// A definition from its parts, unchecked: declared tools are checked when they are compiled.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        input_schema: Schema,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            input_schema,
        }
    }
}
