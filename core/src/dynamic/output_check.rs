//! Results against the output schema of a definition from elsewhere.

use serde_json::Value;

use super::{DefinitionError, foreign, validate::SchemaCheck, violation::Violations};
use crate::{Schema, ToolCall, ToolError};

/// The check of results against the output schema of a tool from elsewhere. Without the feature `jsonschema` everything fits.
#[derive(Debug)]
pub struct OutputCheck(SchemaCheck);

impl OutputCheck {
    /// Reads the schema, within the limits of arguments.
    ///
    /// # Errors
    ///
    /// When it breaks one of them.
    pub fn new(tool: &str, schema: &Schema) -> Result<Self, DefinitionError> {
        let mut violations = Violations::of(tool);
        let checked = foreign::read(schema, &mut violations, &mut Vec::new());
        violations.into_result()?;
        Ok(Self(checked.unwrap_or_else(|_| SchemaCheck::object_only())))
    }

    /// Checks the text of a form.
    pub(super) fn check(&self, text: &str) -> Result<(), ToolError> {
        self.0.check(&ToolCall::new("", "the form", text))
    }

    /// Returns true if a result fits.
    pub fn fits(&self, result: &Value) -> bool {
        self.0.fits(result)
    }
}
