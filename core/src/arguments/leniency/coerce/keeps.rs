//! Checks that a value meets the constraints of a schema, without its parts.

use std::{borrow::Cow, collections::HashSet};

use serde_json::{Map, Value};
use toolwright_json::{integer::whole, string::unescaped};

/// The types that a schema takes, by its keywords or by the values it lists; `None` for any.
pub(super) fn types_of(schema: &Map<String, Value>) -> Option<Vec<&str>> {
    let mut types: Vec<&str> = match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => {
            let listed = schema.get("enum").and_then(Value::as_array);
            let one = schema.get("const").map(std::slice::from_ref);
            let values = one.or(listed.map(Vec::as_slice))?;
            let mut types: Vec<_> = values.iter().map(type_of).collect();
            types.sort_unstable();
            types.dedup();
            types
        }
    };
    if schema.get("nullable") == Some(&Value::Bool(true)) {
        types.push("null");
    }
    let are_known = types.iter().all(|name| is_known(name));
    (are_known && !types.is_empty()).then_some(types)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn is_known(name: &str) -> bool {
    matches!(
        name,
        "null" | "boolean" | "number" | "integer" | "string" | "array" | "object"
    )
}

/// Returns true if JSON text is a value of a type.
pub(super) fn is_of_type(name: &str, text: &str) -> bool {
    match name {
        "null" => text == "null",
        "boolean" => matches!(text, "true" | "false"),
        "string" => text.starts_with('"'),
        "object" => text.starts_with('{'),
        "array" => text.starts_with('['),
        "number" => number(text).is_some(),
        "integer" => {
            whole(text).is_some() || number(text).is_some_and(|number| number.fract() == 0.0)
        }
        _ => false,
    }
}

/// The number, if it is one: not `NaN` or `infinity`, which `parse` would read.
pub(super) fn number(text: &str) -> Option<f64> {
    let first = text.as_bytes().first()?;
    matches!(first, b'-' | b'0'..=b'9').then(|| text.parse().ok())?
}

/// Returns true if a value is among those that are listed, and within its limits.
pub(super) fn keeps(schema: &Map<String, Value>, text: &str) -> bool {
    is_listed(schema, text) && is_in_range(schema, text) && has_characters(schema, text)
}

fn is_listed(schema: &Map<String, Value>, text: &str) -> bool {
    let listed = schema.get("enum").and_then(Value::as_array);
    let constant = schema.get("const");
    if listed.is_none() && constant.is_none() {
        return true;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return false;
    };
    let same =
        |other: &Value| value == *other || value.is_number() && value.as_f64() == other.as_f64();
    listed.is_none_or(|all| all.iter().any(same)) && constant.is_none_or(same)
}

fn is_in_range(schema: &Map<String, Value>, text: &str) -> bool {
    let Some(number) = number(text) else {
        return true;
    };
    let limit = |key| schema.get(key).and_then(Value::as_f64);
    limit("minimum").is_none_or(|least| number >= least)
        && limit("maximum").is_none_or(|most| number <= most)
        && limit("exclusiveMinimum").is_none_or(|least| number > least)
        && limit("exclusiveMaximum").is_none_or(|most| number < most)
}

fn has_characters(schema: &Map<String, Value>, text: &str) -> bool {
    let keys = ["minLength", "maxLength"];
    !keys.iter().any(|key| schema.contains_key(*key))
        || unescaped(text).is_none_or(|string| is_counted(schema, keys, string.chars().count()))
}

pub(super) fn has_length(schema: &Map<String, Value>, items: usize) -> bool {
    is_counted(schema, ["minItems", "maxItems"], items)
}

/// Returns true if a count is between the limits of two keywords.
fn is_counted(schema: &Map<String, Value>, [least, most]: [&str; 2], count: usize) -> bool {
    let limit = |key| schema.get(key).and_then(Value::as_u64);
    limit(least).is_none_or(|least| count as u64 >= least)
        && limit(most).is_none_or(|most| count as u64 <= most)
}

pub(super) fn has_required(schema: &Map<String, Value>, pairs: &[(Cow<'_, str>, &str)]) -> bool {
    let Some(required) = schema.get("required").and_then(Value::as_array) else {
        return true;
    };
    let given: HashSet<_> = pairs.iter().map(|(key, _)| &**key).collect();
    let mut names = required.iter().filter_map(Value::as_str);
    names.all(|name| given.contains(name))
}
