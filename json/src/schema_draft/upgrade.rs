//! The forms of older drafts and of `OpenAPI`, written as 2020-12 has them.
//!
//! It is for the check of the arguments only: the model reads the schema as it was written. What
//! stands beside a `$ref` holds too, as 2020-12 has it and as authors mean it.

use serde_json::{Map, Value, json};

/// One schema in the forms of 2020-12. Those inside it are left as they are.
pub fn modern(mut keywords: Map<String, Value>) -> Value {
    if keywords
        .get("required")
        .is_some_and(|names| !names.is_array())
    {
        keywords.remove("required");
    }
    exclusive(&mut keywords, "minimum", "exclusiveMinimum");
    exclusive(&mut keywords, "maximum", "exclusiveMaximum");
    items(&mut keywords);
    dependencies(&mut keywords);
    nullable(keywords)
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

/// `nullable` of `OpenAPI` 3.0. The standard has it beside `type`; authors mean it anywhere.
fn nullable(mut keywords: Map<String, Value>) -> Value {
    const OTHERS: [&str; 9] = [
        "$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "const",
    ];
    if keywords.remove("nullable") != Some(Value::Bool(true)) {
        return keywords.into();
    }
    let is_plain = !OTHERS.iter().any(|other| keywords.contains_key(*other));
    let mut types = match keywords.get("type").filter(|_| is_plain) {
        Some(Value::String(name)) => vec![Value::from(name.as_str())],
        Some(Value::Array(names)) => names.clone(),
        _ => return json!({"anyOf": [keywords, {"type": "null"}]}),
    };
    let null = Value::from("null");
    if !types.contains(&null) {
        types.push(null);
    }
    keywords.insert("type".to_owned(), types.into());
    if let Some(Value::Array(values)) = keywords.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    keywords.into()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::modern;

    #[track_caller]
    fn check(old: Value, expected: &Value) {
        let Value::Object(old) = old else {
            panic!("a schema with keywords is an object");
        };
        assert_eq!(modern(old), *expected);
    }

    #[test]
    fn older_forms_are_written_anew_and_others_are_kept() {
        check(
            json!({"minimum": 1, "exclusiveMinimum": true, "maximum": 2, "exclusiveMaximum": false}),
            &json!({"exclusiveMinimum": 1, "maximum": 2}),
        );
        check(
            json!({"items": [{}], "additionalItems": false, "required": true}),
            &json!({"prefixItems": [{}], "items": false}),
        );
        check(
            json!({"dependencies": {"a": ["b"], "c": {"minimum": 1}}}),
            &json!({"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"minimum": 1}}}),
        );
        let new = json!({"prefixItems": [true], "items": false, "exclusiveMinimum": 1});
        check(new.clone(), &new);
    }

    #[test]
    fn what_may_be_null_says_so() {
        check(
            json!({"type": "string", "enum": ["a"], "nullable": true}),
            &json!({"type": ["string", "null"], "enum": ["a", null]}),
        );
        check(
            json!({"type": "string", "nullable": false}),
            &json!({"type": "string"}),
        );
        for others in [
            json!({"$ref": "#/a"}),
            json!({"type": "string", "allOf": [{}]}),
        ] {
            let mut old = others.clone();
            old["nullable"] = json!(true);
            check(old, &json!({"anyOf": [others, {"type": "null"}]}));
        }
    }
}
