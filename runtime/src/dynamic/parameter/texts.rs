//! The rules for patterns and formats, which the validator knows.

use serde_json::json;
use toolwright_json::path::cut;

use super::{Kind, Parameter, render::one};
use crate::dynamic::{place::Place, validate::SchemaCheck, violation::Violations};

/// The formats that the validator checks.
const FORMATS: [&str; 17] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// Checks the pattern and the format of a text.
pub(super) fn rules(parameter: &Parameter, at: Place<'_>, violations: &mut Violations) {
    if let Some(pattern) = &parameter.pattern
        && SchemaCheck::new(json!({"pattern": pattern}), 1, false).is_err()
    {
        let message = format!(
            "the pattern `{}` is no regular expression, or too large a one: correct it",
            cut(pattern)
        );
        violations.add(at, message);
    }
    if let Some(format) = &parameter.format
        && !FORMATS.contains(&format.as_str())
    {
        let message = format!(
            "the format `{}` is none that is checked for: write one of {}",
            cut(format),
            FORMATS.map(|format| format!("`{format}`")).join(", ")
        );
        violations.add(at, message);
    }
}

/// The check of a parameter's values, if it or what is in it has a pattern or a format, and all of them
/// are right.
pub(super) fn check(parameter: &Parameter) -> Option<SchemaCheck> {
    if !has_text_rules(parameter) {
        return None;
    }
    let schema = Parameter {
        default: None,
        examples: Vec::new(),
        ..parameter.clone()
    };
    let schema = serde_json::from_str(&one(&schema)).ok()?;
    SchemaCheck::new(schema, 1, true).ok()
}

fn has_text_rules(parameter: &Parameter) -> bool {
    parameter.pattern.is_some()
        || parameter.format.is_some()
        || match &parameter.kind {
            Kind::Array(item) => has_text_rules(item),
            Kind::Object(properties) => properties
                .iter()
                .any(|property| has_text_rules(&property.parameter)),
            _ => false,
        }
}
