//! A check that a default or an example is one of the values that are allowed.

use serde_json::Value;

use super::{Parameter, render::one};
use crate::{arguments::leniency::coerce::takes, dynamic::validate::SchemaCheck};

/// The values that a parameter allows.
pub(super) struct Values {
    schema: Value,
    /// The validator, which knows patterns and formats too. None if the parameter has mistakes.
    check: Option<SchemaCheck>,
}

impl Values {
    /// The values of a parameter; `None` if they are not known.
    pub(super) fn of(parameter: &Parameter) -> Option<Self> {
        let schema = Parameter {
            default: None,
            examples: Vec::new(),
            ..parameter.clone()
        };
        let schema: Value = serde_json::from_str(&one(&schema)).ok()?;
        let check = SchemaCheck::new(schema.clone()).ok();
        Some(Self { schema, check })
    }

    pub(super) fn fits(&self, value: &Value) -> bool {
        takes(&self.schema, &value.to_string())
            && self.check.as_ref().is_none_or(|check| check.fits(value))
    }
}
