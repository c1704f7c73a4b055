//! The parameters as JSON Schema text, in the form that declared tools have.

use std::ops::Bound;

use serde_json::Value;
use toolwright_json::tree::{Json, Object};

use super::{Count, Kind, Parameter, Property, Range};

/// The schema of the arguments object.
pub(in crate::dynamic) fn arguments(properties: &[Property]) -> String {
    Json::from(object(properties)).to_string()
}

/// The schema of one parameter.
pub(super) fn one(parameter: &Parameter) -> String {
    Json::from(value(parameter)).to_string()
}

/// The schema of a key. A key that may be left out and has no default may be `null`.
fn property(property: &Property) -> Object {
    let parameter = &property.parameter;
    let is_nullable =
        !property.is_required && parameter.default.is_none() && parameter.kind != Kind::Any;
    if !is_nullable {
        return value(parameter);
    }
    let mut schema = constrained(parameter);
    if let Some(name) = simple(&parameter.kind) {
        schema.set("type", texts([name, "null"]));
    } else {
        let null = Object::from_iter([("type", Json::from("null"))]);
        let both = Json::List(vec![schema.into(), null.into()]);
        schema = Object::from_iter([("anyOf", both)]);
    }
    noted(schema, parameter)
}

fn value(parameter: &Parameter) -> Object {
    noted(constrained(parameter), parameter)
}

fn object(properties: &[Property]) -> Object {
    let mut schema = Object::new();
    schema.push("type", "object");
    let known: Object = properties
        .iter()
        .map(|of| (of.name.as_str(), Json::from(property(of))))
        .collect();
    schema.push("properties", known);
    let required = properties.iter().filter(|property| property.is_required);
    let mut required = required.map(|property| property.name.as_str()).peekable();
    if required.peek().is_some() {
        schema.push("required", texts(required));
    }
    schema.push("additionalProperties", Json::Bool(false));
    schema
}

/// What a parameter allows, without its descriptions.
fn constrained(parameter: &Parameter) -> Object {
    let mut schema = match &parameter.kind {
        Kind::Object(properties) => object(properties),
        _ => Object::new(),
    };
    match &parameter.kind {
        Kind::Choice(choices) => {
            schema.push("type", "string");
            schema.push("enum", texts(choices.iter().map(String::as_str)));
        }
        Kind::Array(item) => {
            schema.push("type", "array");
            schema.push("items", value(item));
        }
        kind => {
            if let Some(name) = simple(kind) {
                schema.push("type", name);
            }
        }
    }
    if let Some(range) = &parameter.range {
        numbers(&mut schema, range, parameter.kind == Kind::Integer);
    }
    counts(&mut schema, parameter.length, "minLength", "maxLength");
    counts(&mut schema, parameter.items, "minItems", "maxItems");
    if let Some(pattern) = &parameter.pattern {
        schema.push("pattern", pattern.as_str());
    }
    if let Some(format) = &parameter.format {
        schema.push("format", format.as_str());
    }
    schema
}

/// `1..10` of whole numbers is 1 to 9.
fn numbers(schema: &mut Object, range: &Range, is_whole: bool) {
    let whole = |number: &Value, step: i64| {
        let number = number.as_i64().filter(|_| is_whole)?;
        number.checked_add(step).map(Value::from)
    };
    for (bound, key, exclusive, step) in [
        (&range.from, "minimum", "exclusiveMinimum", 1),
        (&range.to, "maximum", "exclusiveMaximum", -1),
    ] {
        match bound {
            Bound::Unbounded => {}
            Bound::Included(limit) => schema.push(key, limit),
            Bound::Excluded(limit) => match whole(limit, step) {
                Some(limit) => schema.push(key, &limit),
                None => schema.push(exclusive, limit),
            },
        }
    }
}

fn counts(schema: &mut Object, count: Option<Count>, from: &str, to: &str) {
    let least = count.and_then(|count| count.from);
    if let Some(least) = least.filter(|least| *least > 0) {
        schema.push(from, &Value::from(least));
    }
    if let Some(most) = count.and_then(|count| count.to) {
        schema.push(to, &Value::from(most));
    }
}

/// Adds the descriptions of a parameter.
fn noted(mut schema: Object, parameter: &Parameter) -> Object {
    let description = parameter.description.as_deref().unwrap_or_default().trim();
    if !description.is_empty() {
        schema.push("description", description);
    }
    if let Some(default) = &parameter.default {
        schema.push("default", default);
    }
    if !parameter.examples.is_empty() {
        let examples = parameter.examples.iter().map(Json::from);
        schema.push("examples", Json::List(examples.collect()));
    }
    schema
}

fn texts<'a>(all: impl IntoIterator<Item = &'a str>) -> Json {
    Json::List(all.into_iter().map(Json::from).collect())
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
