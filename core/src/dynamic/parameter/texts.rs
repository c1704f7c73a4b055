//! The rules for patterns and formats, which the validator knows.

use toolwright_json::path::cut;

use super::Parameter;
use crate::dynamic::{
    argument_path::ArgumentPath, finding::NO_PATTERN, validate::Patterns, violation::Violations,
};

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
pub(super) fn rules(parameter: &Parameter, at: ArgumentPath<'_>, violations: &mut Violations) {
    if let Some(pattern) = &parameter.pattern
        && !Patterns::default().takes(pattern)
    {
        let message = format!("the pattern `{}` {NO_PATTERN}: correct it", cut(pattern));
        violations.add(at, message);
    }
    if let Some(format) = &parameter.format
        && !FORMATS.contains(&format.as_str())
    {
        let message = format!(
            "unknown format `{}`: write one of {}",
            cut(format),
            FORMATS.map(|format| format!("`{format}`")).join(", ")
        );
        violations.add(at, message);
    }
}
