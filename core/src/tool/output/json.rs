//! Structured results.

use std::ops::Deref;

use serde::Serialize;

use super::{IntoToolOutput, ToolOutput};
use crate::{ToolError, schema::ToolInput};

/// A structured result: JSON for the model, and a schema of it in
/// [`ToolDefinition::output_schema`](crate::ToolDefinition::output_schema) for programs.
///
/// The type derives both `serde::Serialize` and `ToolInput`, whose description is the schema. That
/// holds for what serde writes as it does for what serde reads, so that an attribute that makes them
/// differ, such as `rename(serialize = …)`, is an error; so is `skip_serializing_if` on a field that is
/// neither an `Option` nor has a default. A jiff `Span` that is negative, has a fraction or has weeks
/// beside other units is written otherwise than the format `duration` of its schema says. Constraints
/// are in the schema too, but values are not checked against them; of a type marked `#[tool(schemars)]`
/// the schema is taken as schemars gives it.
///
/// Other programs want an object: a value that is sent as something else, such as a list, is returned
/// as it is and has no schema.
///
/// Any `Serialize` type may be returned without it, without a schema. Unlike a bare `String`, one in
/// here is JSON too, with its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Json<T>(pub T);

#[diagnostic::do_not_recommend]
impl<T: JsonOutput> IntoToolOutput for Json<T> {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        ToolOutput::json(&self.0)
    }
}

/// The bound on the value in a `Json`.
pub trait JsonOutput: Serialize + ToolInput {}

impl<T: Serialize + ToolInput> JsonOutput for T {}

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Json<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}
