//! A short value that a schema takes, for a model that left something out. Whether it fits is for the
//! validator to say.

use serde_json::{Map, Number, Value};
use toolwright_json::schema_draft::local_reference::target;

/// The greatest depth to which parts and references are followed.
const MAX_STEPS: usize = 16;
/// The greatest length of an array or a string in an example, and the greatest number of members of an object.
const MAX_LENGTH: u64 = 8;

/// Arguments with every member that is required and no other.
pub(super) fn of_schema(root: &Value) -> Option<Value> {
    let mut left = 64;
    value(root, root, MAX_STEPS, &mut left)
}

/// A value for a schema. `left` bounds how many are made in all.
fn value(schema: &Value, root: &Value, steps: usize, left: &mut usize) -> Option<Value> {
    *left = left.checked_sub(1)?;
    let steps = steps.checked_sub(1)?;
    let Value::Object(keywords) = schema else {
        return (*schema == Value::Bool(true)).then(|| Value::from("text"));
    };
    if let Some(value) = keywords.get("const") {
        return Some(value.clone());
    }
    if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
        return values.first().cloned();
    }
    match type_of(keywords) {
        Some("object") => return object(keywords, root, steps, left),
        Some("array") => return list(keywords, root, steps, left),
        Some("string") => return text(keywords),
        Some("integer" | "number") => return Some(number(keywords)),
        Some("boolean") => return Some(Value::Bool(true)),
        Some("null") => return Some(Value::Null),
        _ => {}
    }
    let reference = keywords.get("$ref").and_then(Value::as_str);
    if let Some(target) = reference.and_then(|reference| target(reference, root)) {
        return value(target, root, steps, left);
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if let Some(branches) = keywords.get(keyword).and_then(Value::as_array) {
            return branches
                .iter()
                .find_map(|branch| value(branch, root, steps, left));
        }
    }
    if keywords.contains_key("properties") {
        return object(keywords, root, steps, left);
    }
    Some(Value::from("text"))
}

/// The first type that is more than nothing.
fn type_of(keywords: &Map<String, Value>) -> Option<&str> {
    match keywords.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => {
            let mut names = names.iter().filter_map(Value::as_str);
            names.clone().find(|name| *name != "null").or(names.next())
        }
        _ => None,
    }
}

fn object(
    keywords: &Map<String, Value>,
    root: &Value,
    steps: usize,
    left: &mut usize,
) -> Option<Value> {
    let required = keywords.get("required").and_then(Value::as_array);
    let mut members = Map::new();
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        let known = keywords.get("properties").and_then(|known| known.get(name));
        let member = value(known.unwrap_or(&Value::Bool(true)), root, steps, left)?;
        members.insert(name.to_owned(), member);
    }
    Some(members.into())
}

fn list(
    keywords: &Map<String, Value>,
    root: &Value,
    steps: usize,
    left: &mut usize,
) -> Option<Value> {
    let places = keywords.get("prefixItems").and_then(Value::as_array);
    let places = places.map_or(&[][..], Vec::as_slice);
    let least = limit(keywords, "minItems").unwrap_or(1);
    let most = limit(keywords, "maxItems").unwrap_or(u64::MAX);
    let length = least.max(places.len() as u64).min(most);
    if length > MAX_LENGTH {
        return None;
    }
    let rest = keywords.get("items").unwrap_or(&Value::Bool(true));
    let schemas = places.iter().chain(std::iter::repeat(rest));
    let items = schemas.take(usize::try_from(length).ok()?);
    items
        .map(|schema| value(schema, root, steps, left))
        .collect::<Option<Vec<_>>>()
        .map(Value::from)
}

/// `text`, longer or shorter. Of a text of a certain form only its author knows one.
fn text(keywords: &Map<String, Value>) -> Option<Value> {
    if keywords.contains_key("pattern") || keywords.contains_key("format") {
        return None;
    }
    let least = limit(keywords, "minLength").unwrap_or(0).max(4);
    let length = limit(keywords, "maxLength").map_or(least, |most| most.min(least));
    if length > MAX_LENGTH {
        return None;
    }
    let text: String = "texttext"
        .chars()
        .take(usize::try_from(length).ok()?)
        .collect();
    Some(text.into())
}

/// 1, or the limit that is nearest to it.
fn number(keywords: &Map<String, Value>) -> Value {
    let limit = |keyword| keywords.get(keyword).and_then(Value::as_number);
    let as_float = |number: &&Number| number.as_f64().is_some_and(f64::is_finite);
    let least = limit("minimum").filter(as_float);
    let most = limit("maximum").filter(as_float);
    let one = Number::from(1);
    let is_less = |one: &Number, other: &Number| one.as_f64() < other.as_f64();
    let number = match (least, most) {
        (Some(least), _) if is_less(&one, least) => least,
        (_, Some(most)) if is_less(most, &one) => most,
        _ => &one,
    };
    Value::Number(number.clone())
}

fn limit(keywords: &Map<String, Value>, keyword: &str) -> Option<u64> {
    keywords.get(keyword).and_then(Value::as_u64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::of_schema;

    #[test]
    fn required_members_have_short_values() {
        let schema = json!({"type": "object", "$defs": {"N": {"type": ["null", "integer"], "minimum": 3}},
            "required": ["a", "b", "c", "d", "e"], "properties": {
                "a": {"type": "string", "maxLength": 2}, "b": {"$ref": "#/$defs/N"},
                "c": {"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 2},
                "d": {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "boolean"}]},
                "e": true, "f": {"type": "string"}}});
        let expected = json!({"a": "te", "b": 3, "c": ["x", "x"], "d": true, "e": "text"});
        assert_eq!(of_schema(&schema), Some(expected));
    }

    #[test]
    fn what_is_endless_or_unknown_has_none() {
        let endless =
            json!({"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}});
        let form = json!({"type": "object", "required": ["a"],
            "properties": {"a": {"type": "string", "format": "date"}}});
        for schema in [endless, form, Value::Bool(false)] {
            assert_eq!(of_schema(&schema), None, "{schema}");
        }
    }
}
