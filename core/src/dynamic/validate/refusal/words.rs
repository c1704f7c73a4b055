//! Expected values, in words.

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;
use toolwright_json::{
    path::{cut, cut_to},
    schema_draft::local_reference::target,
};

use super::{super::pattern::failed, limits, place::parent};
use crate::arguments::explain::choices::Choices;

/// The greatest number of characters of a pattern in a message: a model needs the whole pattern to meet it.
pub(super) const PATTERN_CHARS: usize = 300;
/// The greatest depth to which references and branches are followed, to find the value of a missing key.
const MAX_STEPS: usize = 4;

/// Returns the expected value, in the words that constraints of declared tools have.
pub(super) fn expected(error: &ValidationError<'_>, schema: &Value) -> Option<String> {
    let near = parent(error, schema).unwrap_or(&Value::Null);
    Some(match error.kind() {
        Kind::Type { kind } => match kind {
            TypeKind::Single(one) => of_type(one.as_str()).to_owned(),
            TypeKind::Multiple(types) => {
                let all: Vec<_> = types.iter().map(|one| of_type(one.as_str())).collect();
                all.join(" or ")
            }
        },
        Kind::Enum { options } => one_of_values(options.as_array().map_or(&[], Vec::as_slice)),
        Kind::Constant { expected_value } => cut(&expected_value.to_string()),
        Kind::Minimum { limit } => limits::range(near, "minimum", limit),
        Kind::Maximum { limit } => limits::range(near, "maximum", limit),
        Kind::ExclusiveMinimum { limit } => limits::range(near, "exclusiveMinimum", limit),
        Kind::ExclusiveMaximum { limit } => limits::range(near, "exclusiveMaximum", limit),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::MinLength { limit } => limits::count(near, limits::TEXT, Some(*limit), None),
        Kind::MaxLength { limit } => limits::count(near, limits::TEXT, None, Some(*limit)),
        Kind::MinItems { limit } => limits::count(near, limits::LIST, Some(*limit), None),
        Kind::MaxItems { limit } => limits::count(near, limits::LIST, None, Some(*limit)),
        Kind::AdditionalItems { limit } => {
            limits::count(&Value::Null, limits::LIST, None, Some(*limit as u64))
        }
        Kind::MinProperties { limit } => limits::count(near, limits::OBJECT, Some(*limit), None),
        Kind::MaxProperties { limit } => limits::count(near, limits::OBJECT, None, Some(*limit)),
        Kind::UniqueItems => "a list without duplicates".to_owned(),
        // The keyword `pattern` is our own.
        Kind::Custom { message, .. } => {
            let (pattern, _) = failed(message);
            let pattern = cut_to(pattern, PATTERN_CHARS);
            format!("a string that matches the pattern `{pattern}`")
        }
        Kind::Format { format } => format!("a string of the format `{}`", cut(format)),
        _ => return None,
    })
}

/// Returns the fault where no words describe the expected value.
pub(super) fn refused(kind: &Kind) -> &'static str {
    match kind {
        Kind::FalseSchema => "no value is allowed here",
        Kind::OneOfMultipleValid { .. } => "fits more than one form, expected exactly one",
        Kind::Not { .. } => "has an excluded form",
        Kind::Contains => "lacks a required item",
        Kind::PropertyNames { .. } => "has a key whose name is not allowed",
        Kind::UnevaluatedItems { .. } => "has more items than are described",
        _ => "does not fit the schema",
    }
}

/// Returns the value that a schema expects, as far as a few words can describe it.
pub(super) fn of_schema(schema: &Value, root: &Value) -> String {
    within(schema, root, MAX_STEPS)
}

/// References and branches are followed for so many steps.
fn within(schema: &Value, root: &Value, steps: usize) -> String {
    let any = || "a value".to_owned();
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return one_of_values(values);
    }
    if let Some(value) = schema.get("const") {
        return cut(&value.to_string());
    }
    match schema.get("type") {
        Some(Value::String(name)) => return of_type(name).to_owned(),
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str).map(of_type);
            return names.collect::<Vec<_>>().join(" or ");
        }
        _ if steps == 0 => return any(),
        _ => {}
    }
    let reference = schema.get("$ref").and_then(Value::as_str);
    if let Some(target) = reference.and_then(|reference| target(reference, root)) {
        return within(target, root, steps - 1);
    }
    let branches = schema.get("anyOf").or_else(|| schema.get("oneOf"));
    let mut all: Vec<String> = Vec::new();
    for branch in branches
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .take(MAX_STEPS)
    {
        let expected = within(branch, root, steps - 1);
        if !all.contains(&expected) {
            all.push(expected);
        }
    }
    if all.is_empty() {
        any()
    } else {
        all.join(" or ")
    }
}

fn of_type(name: &str) -> &'static str {
    match name {
        "string" => "a string",
        "integer" => "an integer",
        "number" => "a number",
        "boolean" => "a boolean",
        "array" => "a list",
        "object" => "an object",
        "null" => "null",
        _ => "a value",
    }
}

fn one_of_values(values: &[Value]) -> String {
    Choices::of_values(values).text(None)
}
