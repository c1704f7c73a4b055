//! The values that keywords have, and how large they are.

use toolwright_json::tree::{Json, Object};

/// The schema of a type.
pub(super) fn of_type(name: &str) -> Object {
    Object::from_iter([("type", Json::from(name))])
}

/// The schema of an object that has all of these members.
pub(super) fn record(properties: Object) -> Object {
    let required = properties.keys().map(Json::from).collect();
    let mut record = of_type("object");
    record.push("properties", properties);
    record.push("required", Json::List(required));
    record
}

/// The type whose values a keyword is about.
pub(super) fn kind_of(key: &str) -> Option<&'static str> {
    Some(match key {
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "minProperties"
        | "maxProperties"
        | "propertyNames"
        | "dependentRequired" => "object",
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains" => "array",
        "minLength" | "maxLength" | "pattern" | "contentEncoding" | "contentMediaType" => "string",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
        _ => return None,
    })
}

/// Returns true if a name is that of a type.
pub(super) fn is_type(name: &str) -> bool {
    let all = [
        "string", "number", "integer", "boolean", "object", "array", "null",
    ];
    all.contains(&name)
}

/// Returns true if a keyword has a value of the kind that it needs. Keywords without a known need are right.
pub(super) fn is_right(key: &str, value: &Json) -> bool {
    let are_texts = |all: &[Json]| all.iter().all(|one| one.as_str().is_some());
    let is_schema = |one: &Json| matches!(one, Json::Bool(_) | Json::Object(_));
    match key {
        "type" => match value {
            Json::String(name) => is_type(name),
            Json::List(names) => {
                let mut names = names.iter().map(Json::as_str);
                names.all(|name| name.is_some_and(is_type))
            }
            _ => false,
        },
        "multipleOf" => value.as_f64().is_some_and(|step| step > 0.0),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            value.as_count().is_some()
        }
        key if kind_of(key) == Some("number") => value.as_f64().is_some(),
        "title" | "description" | "pattern" | "format" | "contentEncoding" | "contentMediaType"
        | "$ref" => value.as_str().is_some(),
        "uniqueItems" | "nullable" | "deprecated" | "readOnly" | "writeOnly" => {
            matches!(value, Json::Bool(_))
        }
        "properties" | "patternProperties" => value.as_object().is_some(),
        "required" => value.as_list().is_some_and(are_texts),
        "anyOf" | "oneOf" | "allOf" | "prefixItems" | "enum" | "examples" => {
            value.as_list().is_some()
        }
        "items" | "additionalProperties" => is_schema(value),
        _ => true,
    }
}

/// Returns true if a format is for values of this type. `enum` also needs the values next to it.
pub(super) fn is_format_of(name: &str, kind: Option<&str>, sent: &Object) -> bool {
    match name {
        "float" | "double" => kind == Some("number"),
        "int32" | "int64" => kind == Some("integer"),
        "enum" => kind == Some("string") && sent.contains("enum"),
        _ => kind == Some("string"),
    }
}

/// The approximate number of bytes of a value.
pub(super) fn size(value: &Json) -> usize {
    match value {
        Json::Null | Json::Bool(_) => 5,
        Json::Number(text) | Json::String(text) => text.len() + 3,
        Json::List(items) => 2 + items.iter().map(size).sum::<usize>(),
        Json::Object(object) => size_of_object(object),
    }
}

/// The approximate number of bytes of an object.
pub(super) fn size_of_object(object: &Object) -> usize {
    let members = object
        .iter()
        .map(|(key, value)| key.len() + 4 + size(value));
    2 + members.sum::<usize>()
}
