//! The forms of older drafts and of `OpenAPI`, written as 2020-12 has them.
//!
//! It is for the check of the arguments only: the model reads the schema as it was written. What
//! stands beside a `$ref` holds too, as 2020-12 has it and as authors mean it.

use serde_json::{Map, Value};

use super::keywords::each_part;

/// The schema in the forms of 2020-12.
pub(in crate::dynamic) fn modern(mut schema: Value) -> Value {
    change(&mut schema);
    schema
}

/// The depth of the text, which is bounded, bounds the depth of this.
fn change(schema: &mut Value) {
    let Value::Object(keywords) = schema else {
        return;
    };
    keywords.remove("$schema");
    if keywords
        .get("required")
        .is_some_and(|names| !names.is_array())
    {
        keywords.remove("required");
    }
    names(keywords);
    exclusive(keywords, "minimum", "exclusiveMinimum");
    exclusive(keywords, "maximum", "exclusiveMaximum");
    items(keywords);
    dependencies(keywords);
    nullable(keywords);
    each_part(keywords, change);
}

/// `id` of draft 4, and the anchors that were ids up to draft 7.
fn names(keywords: &mut Map<String, Value>) {
    if keywords.get("id").is_some_and(Value::is_string)
        && let Some(id) = keywords.remove("id")
    {
        keywords.entry("$id").or_insert(id);
    }
    let Some(id) = keywords.get("$id").and_then(Value::as_str) else {
        return;
    };
    let Some((address, fragment)) = id.split_once('#') else {
        return;
    };
    let (address, fragment) = (address.to_owned(), fragment.to_owned());
    keywords.remove("$id");
    if !address.is_empty() {
        keywords.insert("$id".to_owned(), address.into());
    }
    if !fragment.is_empty() {
        keywords.entry("$anchor").or_insert(fragment.into());
    }
}

/// `exclusiveMinimum` of draft 4 says whether `minimum` itself is left out.
fn exclusive(keywords: &mut Map<String, Value>, limit: &str, exclusive: &str) {
    let Some(Value::Bool(is_exclusive)) = keywords.get(exclusive) else {
        return;
    };
    let is_exclusive = *is_exclusive;
    keywords.remove(exclusive);
    if is_exclusive && let Some(value) = keywords.remove(limit) {
        keywords.insert(exclusive.to_owned(), value);
    }
}

/// A list of `items`, up to 2019-09, is one schema for each place.
fn items(keywords: &mut Map<String, Value>) {
    let rest = keywords.remove("additionalItems");
    if keywords.get("items").is_some_and(Value::is_array)
        && let Some(places) = keywords.remove("items")
    {
        // An empty list of places says nothing, and 2020-12 forbids it.
        if places != Value::Array(Vec::new()) {
            keywords.entry("prefixItems").or_insert(places);
        }
        keywords.extend(rest.map(|rest| ("items".to_owned(), rest)));
    }
}

/// `dependencies`, up to draft 7, holds names and schemas.
fn dependencies(keywords: &mut Map<String, Value>) {
    let Some(Value::Object(entries)) = keywords.remove("dependencies") else {
        return;
    };
    for (key, value) in entries {
        let keyword = if value.is_array() {
            "dependentRequired"
        } else {
            "dependentSchemas"
        };
        let all = keywords
            .entry(keyword)
            .or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(all) = all {
            all.insert(key, value);
        }
    }
}

/// `nullable` of `OpenAPI` 3.0.
fn nullable(keywords: &mut Map<String, Value>) {
    if keywords.get("nullable") != Some(&Value::Bool(true)) {
        return;
    }
    if let Some(Value::String(name)) = keywords.get("type") {
        let types = Value::from(vec![name.as_str(), "null"]);
        keywords.insert("type".to_owned(), types);
    }
    if let Some(Value::Array(values)) = keywords.get_mut("enum") {
        values.push(Value::Null);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::modern;

    #[track_caller]
    fn check(old: Value, expected: &Value) {
        assert_eq!(modern(old), *expected);
    }

    #[test]
    fn older_forms_are_written_anew_and_others_are_kept() {
        check(
            json!({"$schema": "http://json-schema.org/draft-04/schema#", "id": "a", "minimum": 1,
                "exclusiveMinimum": true, "maximum": 2, "exclusiveMaximum": false}),
            &json!({"$id": "a", "exclusiveMinimum": 1, "maximum": 2}),
        );
        check(
            json!({"properties": {"id": {"items": [{"$id": "#x"}], "additionalItems": false}}}),
            &json!({"properties": {"id": {"prefixItems": [{"$anchor": "x"}], "items": false}}}),
        );
        check(
            json!({"dependencies": {"a": ["b"], "c": {"required": true}}}),
            &json!({"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {}}}),
        );
        check(
            json!({"type": "string", "enum": ["a"], "nullable": true}),
            &json!({"type": ["string", "null"], "enum": ["a", null], "nullable": true}),
        );
        let new = json!({"prefixItems": [true], "items": false, "exclusiveMinimum": 1});
        check(new.clone(), &new);
    }
}
