//! Stands for the validator where the feature `jsonschema` is off: every object fits.
#![expect(
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "the validator needs them"
)]

use serde_json::Value;

use crate::ToolError;

#[derive(Debug, Default)]
pub(in crate::dynamic) struct Patterns(());

impl Patterns {
    pub(in crate::dynamic) fn takes(&self, _text: &str) -> bool {
        true
    }
}

#[derive(Debug)]
pub(super) struct Checker;

impl Checker {
    pub(super) fn new(
        _schema: Value,
        _parts: usize,
        _formats: bool,
        _patterns: &Patterns,
    ) -> Result<Self, String> {
        Ok(Self)
    }

    pub(super) fn fits(&self, _value: &Value) -> bool {
        true
    }

    pub(super) fn example(&self) -> Option<String> {
        None
    }

    pub(super) fn check(&self, _text: &str) -> Result<(), ToolError> {
        Ok(())
    }
}
