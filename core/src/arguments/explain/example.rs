//! A short call that a schema takes, for a model that left something out. Whether it fits is for the check of the
//! schema to say.

use serde_json::{Map, Number, Value};
use toolwright_json::{
    schema_draft::local_reference::target,
    tree::{Json, Object},
};

/// The greatest number of characters of an example.
const MAX_CHARS: usize = 200;
/// The greatest number of values that are made in all.
const MAX_VALUES: usize = 64;
/// The greatest depth to which parts and references are followed.
const MAX_STEPS: usize = 16;
/// The greatest length of an array or a string in an example.
const MAX_LENGTH: u64 = 8;

/// Arguments with every member that is required and no other. `None` where nothing short is known that fits: of a
/// string of a certain form only its author knows one.
pub(crate) fn of_schema(root: &Value) -> Option<String> {
    let left = MAX_VALUES;
    let example = Maker { root, left }.value(root, MAX_STEPS)?.to_string();
    (example.chars().count() <= MAX_CHARS).then_some(example)
}

struct Maker<'s> {
    /// The schema to which references point.
    root: &'s Value,
    /// The number of values that may still be made.
    left: usize,
}

impl Maker<'_> {
    fn value(&mut self, schema: &Value, steps: usize) -> Option<Json> {
        self.left = self.left.checked_sub(1)?;
        let steps = steps.checked_sub(1)?;
        let Value::Object(keywords) = schema else {
            return (*schema == Value::Bool(true)).then(|| Json::from("text"));
        };
        let list = |keyword| keywords.get(keyword).and_then(Value::as_array);
        if let Some(value) = keywords.get("const") {
            return Some(value.into());
        }
        if let Some(values) = list("enum").or_else(|| list("examples")) {
            return values.first().map(Json::from);
        }
        let branches = ["anyOf", "oneOf", "allOf"].into_iter().find_map(list);
        match type_of(keywords) {
            Some("object") => return self.object(keywords, steps),
            Some("array") => return self.array(keywords, steps),
            Some("string") if branches.is_none() => return text(keywords),
            Some("integer" | "number") => return Some(number(keywords)),
            Some("boolean") => return Some(Json::Bool(true)),
            Some("null") => return Some(Json::Null),
            _ => {}
        }
        let reference = keywords.get("$ref").and_then(Value::as_str);
        if let Some(target) = reference.and_then(|reference| target(reference, self.root)) {
            return self.value(target, steps);
        }
        if let Some(branches) = branches {
            let mut branches = branches.iter();
            return branches.find_map(|branch| self.value(branch, steps));
        }
        if keywords.contains_key("properties") {
            return self.object(keywords, steps);
        }
        Some(Json::from("text"))
    }

    fn object(&mut self, keywords: &Map<String, Value>, steps: usize) -> Option<Json> {
        let required = keywords.get("required").and_then(Value::as_array);
        let mut members = Object::new();
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            let known = keywords.get("properties").and_then(|known| known.get(name));
            let member = self.value(known.unwrap_or(&Value::Bool(true)), steps)?;
            members.set(name, member);
        }
        Some(members.into())
    }

    fn array(&mut self, keywords: &Map<String, Value>, steps: usize) -> Option<Json> {
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
        let items: Option<_> = items.map(|schema| self.value(schema, steps)).collect();
        items.map(Json::List)
    }
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

/// `text`, longer or shorter.
fn text(keywords: &Map<String, Value>) -> Option<Json> {
    if keywords.contains_key("pattern") || keywords.contains_key("format") {
        return None;
    }
    let least = limit(keywords, "minLength").unwrap_or(0).max(4);
    let length = limit(keywords, "maxLength").map_or(least, |most| most.min(least));
    "texttext"
        .get(..usize::try_from(length).ok()?)
        .map(Json::from)
}

/// 1, or the limit that is nearest to it.
fn number(keywords: &Map<String, Value>) -> Json {
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
    Json::Number(number.to_string())
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
            "required": ["b", "a", "c", "d", "e", "g", "h"], "properties": {
                "a": {"type": "string", "maxLength": 2}, "b": {"$ref": "#/$defs/N"},
                "c": {"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 2},
                "d": {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "boolean"}]},
                "e": true, "f": {"type": "string"}, "h": {"type": "string", "examples": ["Room 7"]},
                "g": {"type": "string", "oneOf": [{"const": "red", "description": "Stop."}]}}});
        let expected =
            r#"{"b":3,"a":"te","c":["x","x"],"d":true,"e":"text","g":"red","h":"Room 7"}"#;
        assert_eq!(of_schema(&schema).as_deref(), Some(expected));
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
