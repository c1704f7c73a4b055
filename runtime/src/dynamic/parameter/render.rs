//! The parameters as JSON Schema text, in the form that declared tools have.

use std::{fmt::Write as _, ops::Bound};

use serde_json::Value;

use super::{Count, Kind, Parameter, Property, Range};

/// The schema of the arguments object.
pub(in crate::dynamic) fn arguments(properties: &[Property]) -> String {
    let mut text = "{".to_owned();
    object(&mut text, properties);
    text.push('}');
    text
}

/// The schema of one parameter.
pub(super) fn one(parameter: &Parameter) -> String {
    let mut text = String::new();
    value(&mut text, parameter);
    text
}

/// Writes the schema of a key. A key that may be left out and has no default may be `null`.
fn property(text: &mut String, property: &Property) {
    let parameter = &property.parameter;
    let is_nullable =
        !property.is_required && parameter.default.is_none() && parameter.kind != Kind::Any;
    if !is_nullable {
        return value(text, parameter);
    }
    text.push('{');
    if let Some(name) = simple(&parameter.kind) {
        let _ = write!(text, r#""type":["{name}","null"]"#);
        constraints(text, parameter);
    } else {
        text.push_str(r#""anyOf":[{"#);
        structure(text, parameter);
        constraints(text, parameter);
        text.push_str(r#"},{"type":"null"}]"#);
    }
    notes(text, parameter);
    text.push('}');
}

fn value(text: &mut String, parameter: &Parameter) {
    text.push('{');
    match simple(&parameter.kind) {
        Some(name) => {
            let _ = write!(text, r#""type":"{name}""#);
        }
        None => structure(text, parameter),
    }
    constraints(text, parameter);
    notes(text, parameter);
    text.push('}');
}

fn structure(text: &mut String, parameter: &Parameter) {
    match &parameter.kind {
        Kind::Choice(choices) => {
            text.push_str(r#""type":"string","enum":"#);
            text.push_str(&Value::from(choices.as_slice()).to_string());
        }
        Kind::Array(item) => {
            text.push_str(r#""type":"array","items":"#);
            value(text, item);
        }
        Kind::Object(properties) => object(text, properties),
        _ => {}
    }
}

fn object(text: &mut String, properties: &[Property]) {
    text.push_str(r#""type":"object","properties":{"#);
    for (index, of) in properties.iter().enumerate() {
        text.push_str(if index > 0 { "," } else { "" });
        text.push_str(&Value::from(of.name.as_str()).to_string());
        text.push(':');
        property(text, of);
    }
    text.push('}');
    let required = properties.iter().filter(|property| property.is_required);
    let required: Vec<&str> = required.map(|property| property.name.as_str()).collect();
    if !required.is_empty() {
        member(text, "required", &Value::from(required));
    }
    text.push_str(r#","additionalProperties":false"#);
}

fn constraints(text: &mut String, parameter: &Parameter) {
    if let Some(range) = &parameter.range {
        numbers(text, range, parameter.kind == Kind::Integer);
    }
    counts(text, parameter.length, "minLength", "maxLength");
    counts(text, parameter.items, "minItems", "maxItems");
    if let Some(pattern) = &parameter.pattern {
        member(text, "pattern", &Value::from(pattern.as_str()));
    }
    if let Some(format) = &parameter.format {
        member(text, "format", &Value::from(format.as_str()));
    }
}

/// `1..10` of whole numbers is 1 to 9.
fn numbers(text: &mut String, range: &Range, is_whole: bool) {
    let whole = |number: &Value, step: i64| {
        let number = number.as_i64().filter(|_| is_whole)?;
        number.checked_add(step).map(Value::from)
    };
    match &range.from {
        Bound::Unbounded => {}
        Bound::Included(from) => member(text, "minimum", from),
        Bound::Excluded(from) => match whole(from, 1) {
            Some(from) => member(text, "minimum", &from),
            None => member(text, "exclusiveMinimum", from),
        },
    }
    match &range.to {
        Bound::Unbounded => {}
        Bound::Included(to) => member(text, "maximum", to),
        Bound::Excluded(to) => match whole(to, -1) {
            Some(to) => member(text, "maximum", &to),
            None => member(text, "exclusiveMaximum", to),
        },
    }
}

fn counts(text: &mut String, count: Option<Count>, from: &str, to: &str) {
    if let Some(least) = count
        .and_then(|count| count.from)
        .filter(|least| *least > 0)
    {
        member(text, from, &Value::from(least));
    }
    if let Some(most) = count.and_then(|count| count.to) {
        member(text, to, &Value::from(most));
    }
}

fn notes(text: &mut String, parameter: &Parameter) {
    let description = parameter.description.as_deref().unwrap_or_default().trim();
    if !description.is_empty() {
        member(text, "description", &Value::from(description));
    }
    if let Some(default) = &parameter.default {
        member(text, "default", default);
    }
    if !parameter.examples.is_empty() {
        member(
            text,
            "examples",
            &Value::from(parameter.examples.as_slice()),
        );
    }
}

/// Writes a member. Any value at all may have none before it.
fn member(text: &mut String, name: &str, value: &Value) {
    let comma = if text.ends_with('{') { "" } else { "," };
    let _ = write!(text, r#"{comma}"{name}":{value}"#);
}

/// The name of a type without parts.
fn simple(kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::String => Some("string"),
        Kind::Integer => Some("integer"),
        Kind::Number => Some("number"),
        Kind::Boolean => Some("boolean"),
        Kind::Any | Kind::Choice(_) | Kind::Array(_) | Kind::Object(_) => None,
    }
}
