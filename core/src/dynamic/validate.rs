//! Arguments against a schema that is known only at run time.

#[cfg(feature = "jsonschema")]
mod pattern;
#[cfg(feature = "jsonschema")]
mod refusal;
#[cfg_attr(not(feature = "jsonschema"), path = "validate/no_validator.rs")]
mod validator;

use serde_json::Value;
use toolwright_json::duplicate_keys::duplicate_key;

use crate::{
    ToolCall, ToolError,
    arguments::{explain::fault::Fault, object_text, of_call, refusal, well_formed, with_example},
};
use validator::Checker;
pub(super) use validator::Patterns;

/// The check of arguments against a schema. Without the feature `jsonschema` it asks for an object
/// and no more.
#[derive(Debug)]
pub(crate) struct SchemaCheck(Option<Checker>);

impl SchemaCheck {
    /// The check for a schema of our own, formats too.
    ///
    /// # Errors
    ///
    /// Why the schema cannot be checked by.
    pub(crate) fn new(schema: Value) -> Result<Self, String> {
        Checker::new(schema, 1, true, &Patterns::default()).map(|checker| Self(Some(checker)))
    }

    /// The check for a schema in the forms of 2020-12, whose references stay inside, and of whose patterns each can be
    /// checked. It stands for so many schemas where references make it larger than its text. Formats are not checked:
    /// the standard has them as notes.
    ///
    /// # Errors
    ///
    /// Why the schema cannot be checked by.
    pub(super) fn foreign(
        schema: Value,
        parts: usize,
        patterns: &Patterns,
    ) -> Result<Self, String> {
        Checker::new(schema, parts, false, patterns).map(|checker| Self(Some(checker)))
    }

    /// The check that asks for an object and no more.
    pub(crate) fn object_only() -> Self {
        Self(None)
    }

    /// Returns true if a value fits.
    pub(crate) fn fits(&self, value: &Value) -> bool {
        self.0.as_ref().is_none_or(|checker| checker.fits(value))
    }

    /// Checks the arguments of a call.
    pub(crate) fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        self.check_text(&call.arguments)
            .map_err(|error| of_call(error, call))
    }

    fn check_text(&self, text: &str) -> Result<(), ToolError> {
        let text = well_formed(object_text(text))?;
        if !text.starts_with('{') {
            let error = refusal(Fault::expected("an object"), text);
            let example = self.0.as_ref().and_then(Checker::example);
            return Err(with_example(error, example));
        }
        // Whoever reads the text after the check may take the other one.
        if let Some(way) = duplicate_key(text) {
            return Err(refusal(Fault::twice_at(way), text));
        }
        self.0
            .as_ref()
            .map_or(Ok(()), |checker| checker.check(text))
    }
}

#[cfg(test)]
mod tests {
    use super::SchemaCheck;

    #[test]
    fn without_a_validator_an_object_is_asked_for() {
        let refusal = |text: &str| {
            let checked = SchemaCheck::object_only().check_text(text);
            checked.err().map(|error| error.message)
        };
        for fits in ["", "null", " {} ", r#"{"a": [1]}"#] {
            assert_eq!(refusal(fits), None, "{fits:?}");
        }
        let list = "arguments: expected an object, got [1]";
        assert_eq!(refusal("[1]").as_deref(), Some(list));
        let twice = "arguments.a[0].b: given twice, expected once";
        let text = r#"{"a": [{"b": 1, "c": 2, "\u0062": 3}]}"#;
        assert_eq!(refusal(text).as_deref(), Some(twice));
        assert!(refusal("{").is_some_and(|message| message.contains("not valid JSON")));
    }
}
