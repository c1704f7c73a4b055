//! The forms of older drafts and of `OpenAPI`, written as 2020-12 has them.
//!
//! What stands beside a `$ref` holds too, as 2020-12 has it and as authors mean it. Draft 3's `required: true` is left
//! as it is: the check of arguments leaves it out, and a provider is not sent it.

use std::collections::HashSet;

use super::{
    keywords::rewritten_in_tree,
    remarks::{SILENT, is_remark},
};
use crate::tree::{Json, Object};

/// A schema and all schemas in it in the forms of 2020-12. `definitions` stay where they are: references lead there.
pub fn modern(schema: Json) -> Json {
    let Json::Object(keywords) = schema else {
        return schema;
    };
    let keywords = keywords.into_iter().map(|(keyword, value)| {
        let value = rewritten_in_tree(&keyword, value, modern);
        (keyword, value)
    });
    modern_keywords(keywords.collect()).into()
}

/// One schema in the forms of 2020-12. Those in it are left as they are.
pub fn modern_keywords(mut old: Object) -> Object {
    let dependencies = old.remove("dependencies");
    let has = |key, value| old.get(key) == Some(&Json::Bool(value));
    let (above, below) = (has("exclusiveMinimum", true), has("exclusiveMaximum", true));
    let is_nullable = has("nullable", true);
    // A list of `items`, up to 2019-09, is one schema for each place.
    let is_tuple = matches!(old.get("items"), Some(Json::List(_)));
    let has_places = old.contains("prefixItems");
    let mut new = Object::new();
    for (key, value) in old {
        match (key.as_str(), value) {
            // An empty list of places says nothing, and 2020-12 forbids it.
            ("items", Json::List(places)) if has_places || places.is_empty() => {}
            ("items", places @ Json::List(_)) => new.push("prefixItems", places),
            ("additionalItems", rest) if is_tuple => new.push("items", rest),
            // Draft 4 says whether the limit itself is left out.
            ("minimum", value) if above => new.push("exclusiveMinimum", value),
            ("maximum", value) if below => new.push("exclusiveMaximum", value),
            // Without a list of `items` there are no additional ones.
            ("additionalItems", _)
            | ("exclusiveMinimum" | "exclusiveMaximum" | "nullable", Json::Bool(_)) => {}
            (_, value) => new.push(key, value),
        }
    }
    if let Some(Json::Object(all)) = dependencies {
        add_dependencies(all, &mut new);
    }
    if is_nullable { or_null(new) } else { new }
}

/// `dependencies`, up to draft 7, holds names and schemas.
fn add_dependencies(all: Object, new: &mut Object) {
    for (name, value) in all {
        let keyword = match value {
            Json::List(_) => "dependentRequired",
            _ => "dependentSchemas",
        };
        let Some(Json::Object(known)) = new.get_mut(keyword) else {
            new.set(keyword, Object::from_iter([(name, value)]));
            continue;
        };
        // What both keywords say of a name holds.
        match (known.get_mut(&name), value) {
            (Some(Json::List(names)), Json::List(more)) => {
                let new = without(more, names);
                names.extend(new);
            }
            (Some(one @ (Json::Object(_) | Json::Bool(_))), other)
                if keyword == "dependentSchemas" =>
            {
                let both = vec![std::mem::replace(one, Json::Null), other];
                known.set(name, Object::from_iter([("allOf", Json::List(both))]));
            }
            (_, value) => known.set(name, value),
        }
    }
}

/// A schema that takes null too. `nullable` of `OpenAPI` 3.0 stands beside `type`; authors write it
/// beside anything.
fn or_null(mut schema: Object) -> Object {
    let decides = |key: &str| !is_remark(key) && !SILENT.contains(&key);
    if !schema.keys().any(decides) {
        return schema; // Any value fits.
    }
    let null = || Json::from(Object::from_iter([("type", Json::from("null"))]));
    let has_other = |others: &[&str]| others.iter().any(|key| schema.contains(key));
    let in_branches = ["$ref", "allOf", "not", "if", "then", "else", "const"];
    let is_plain = !has_other(&in_branches) && !has_other(&["anyOf", "oneOf"]);
    if is_plain && let Some(name @ (Json::String(_) | Json::List(_))) = schema.get("type") {
        let names = match name {
            Json::List(names) => names.clone(),
            name => vec![name.clone()],
        };
        schema.set("type", Json::List(with(names, "null".into())));
        if let Some(Json::List(values)) = schema.get("enum") {
            let values = values.clone();
            schema.set("enum", Json::List(with(values, Json::Null)));
        }
        return schema;
    }
    if !has_other(&in_branches)
        && !has_other(&["oneOf", "type", "enum"])
        && let Some(Json::List(variants)) = schema.get("anyOf")
    {
        let variants = variants.clone();
        schema.set("anyOf", Json::List(with(variants, null())));
        return schema;
    }
    // The annotations of the value are those of null too.
    let (inner, said): (Vec<_>, Vec<_>) = schema.into_iter().partition(|(key, _)| decides(key));
    let inner: Object = inner.into_iter().collect();
    let mut schema: Object = said.into_iter().collect();
    schema.push("anyOf", Json::List(vec![inner.into(), null()]));
    schema
}

/// The values that are not among others. There may be 100,000 of each.
fn without(values: Vec<Json>, others: &[Json]) -> Vec<Json> {
    let known: HashSet<&str> = others.iter().filter_map(Json::as_str).collect();
    let is_new = |value: &Json| value.as_str().is_none_or(|text| !known.contains(text));
    values.into_iter().filter(is_new).collect()
}

/// A list with a value, which is there once.
fn with(mut values: Vec<Json>, value: Json) -> Vec<Json> {
    if !values.contains(&value) {
        values.push(value);
    }
    values
}

#[cfg(test)]
mod tests {
    use crate::tree::Json;

    use super::modern;

    #[test]
    fn older_forms_are_written_anew() {
        for (old, new) in [
            (
                r#"{"items":[{"type":"string"},true],"additionalItems":false}"#,
                r#"{"prefixItems":[{"type":"string"},true],"items":false}"#,
            ),
            (
                r#"{"items":[{"type":"string"}],"prefixItems":[true],"additionalItems":false}"#,
                r#"{"prefixItems":[true],"items":false}"#,
            ),
            (r#"{"items":[],"additionalItems":{}}"#, r#"{"items":{}}"#),
            (r#"{"items":{},"additionalItems":false}"#, r#"{"items":{}}"#),
            (
                r#"{"dependencies":{"a":["b"],"enum":{"items":[{}]}},"dependentRequired":{"c":[]}}"#,
                r#"{"dependentRequired":{"c":[],"a":["b"]},"dependentSchemas":{"enum":{"prefixItems":[{}]}}}"#,
            ),
            (
                r#"{"dependencies":{"a":["b","c"],"d":{"required":["e"]}},"dependentRequired":{"a":["f","b"]},"dependentSchemas":{"d":false}}"#,
                r#"{"dependentRequired":{"a":["f","b","c"]},"dependentSchemas":{"d":{"allOf":[false,{"required":["e"]}]}}}"#,
            ),
            (
                r#"{"minimum":1,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}"#,
                r#"{"exclusiveMinimum":1,"maximum":9}"#,
            ),
            (
                r#"{"properties":{"items":{"items":[{}]}},"enum":[{"items":[1]}]}"#,
                r#"{"properties":{"items":{"prefixItems":[{}]}},"enum":[{"items":[1]}]}"#,
            ),
            (
                r#"{"type":"string","nullable":true,"enum":["a"]}"#,
                r#"{"type":["string","null"],"enum":["a",null]}"#,
            ),
            (
                r#"{"type":["string","null"],"nullable":true}"#,
                r#"{"type":["string","null"]}"#,
            ),
            (
                r#"{"type":"string","nullable":false}"#,
                r#"{"type":"string"}"#,
            ),
            (
                r#"{"nullable":true,"description":"D."}"#,
                r#"{"description":"D."}"#,
            ),
            (
                r##"{"$ref":"#/$defs/A","nullable":true,"description":"D."}"##,
                r##"{"description":"D.","anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}"##,
            ),
            (
                r#"{"nullable":true,"anyOf":[{"type":"string"},{"type":"object","properties":{"nullable":{"type":"integer","nullable":true}}}]}"#,
                r#"{"anyOf":[{"type":"string"},{"type":"object","properties":{"nullable":{"type":["integer","null"]}}},{"type":"null"}]}"#,
            ),
            (
                r#"{"type":"object","nullable":true,"oneOf":[{"required":["a"]}]}"#,
                r#"{"anyOf":[{"type":"object","oneOf":[{"required":["a"]}]},{"type":"null"}]}"#,
            ),
        ] {
            let old = Json::parse(old).expect("is not deep");
            assert_eq!(modern(old).to_string(), new);
        }
    }

    #[test]
    fn many_names_in_both_forms_are_joined_in_time() {
        let names: Vec<String> = (0..100_000).map(|name| format!("\"{name}\"")).collect();
        let names = names.join(",");
        let text = format!(
            r#"{{"dependencies":{{"a":[{names}]}},"dependentRequired":{{"a":[{names}]}}}}"#
        );
        let schema = modern(Json::parse(&text).expect("it is JSON"));
        let joined = format!(r#"{{"dependentRequired":{{"a":[{names}]}}}}"#);
        assert!(schema == Json::parse(&joined).expect("it is JSON"));
    }
}
