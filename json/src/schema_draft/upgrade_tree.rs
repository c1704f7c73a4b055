//! Forms of older drafts, written as 2020-12 has them.

use crate::tree::{Json, Object};

use crate::schema_draft::remarks::{SILENT, is_remark};

/// The schema in the forms of 2020-12. `definitions` stay where they are: references lead there.
pub fn modern(schema: Json) -> Json {
    let Json::Object(object) = schema else {
        return schema;
    };
    let is_tuple = matches!(object.get("items"), Some(Json::List(_)));
    let excludes = |key| matches!(object.get(key), Some(Json::Bool(true)));
    let (above, below) = (excludes("exclusiveMinimum"), excludes("exclusiveMaximum"));
    let mut new = Object::new();
    for (key, value) in object.iter() {
        let value = value.clone();
        match (key, value) {
            ("items", Json::List(items)) => {
                let items = items.into_iter().map(modern).collect();
                new.push("prefixItems", Json::List(items));
            }
            ("additionalItems", value) if is_tuple => new.push("items", modern(value)),
            ("minimum", value) if above => new.push("exclusiveMinimum", value),
            ("maximum", value) if below => new.push("exclusiveMaximum", value),
            ("exclusiveMinimum" | "exclusiveMaximum" | "nullable", Json::Bool(_)) => {}
            (
                "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions",
                Json::Object(all),
            ) => {
                let all: Object = all
                    .iter()
                    .map(|(name, schema)| (name, modern(schema.clone())))
                    .collect();
                new.push(key, all);
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Json::List(all)) => {
                new.push(key, Json::List(all.into_iter().map(modern).collect()));
            }
            (
                "items"
                | "additionalProperties"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "unevaluatedProperties"
                | "unevaluatedItems",
                value,
            ) => new.push(key, modern(value)),
            (key, value) => new.push(key, value),
        }
    }
    if object.get("nullable") == Some(&Json::Bool(true)) {
        new = or_null(new);
    }
    new.into()
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
    if is_plain && let Some(Json::String(_) | Json::List(_)) = schema.get("type") {
        let names = match schema.get("type") {
            Some(Json::List(names)) => names.clone(),
            Some(name) => vec![name.clone()],
            None => Vec::new(),
        };
        schema.set("type", with(names, "null".into()));
        if let Some(Json::List(values)) = schema.get("enum") {
            let values = values.clone();
            schema.set("enum", with(values, Json::Null));
        }
        return schema;
    }
    if !has_other(&in_branches)
        && !has_other(&["oneOf", "type", "enum"])
        && let Some(Json::List(variants)) = schema.get("anyOf")
    {
        let variants = variants.clone();
        schema.set("anyOf", with(variants, null()));
        return schema;
    }
    // What is said of the value is said of null too.
    let (said, inner): (Object, Object) = {
        let own = |key: &str| is_remark(key) || SILENT.contains(&key);
        let (said, inner): (Vec<_>, Vec<_>) = schema
            .iter()
            .map(|(key, value)| (key.to_owned(), value.clone()))
            .partition(|(key, _)| own(key));
        (said.into_iter().collect(), inner.into_iter().collect())
    };
    let mut schema = said;
    schema.push("anyOf", Json::List(vec![inner.into(), null()]));
    schema
}

/// A list with a value, which is there once.
fn with(mut values: Vec<Json>, value: Json) -> Json {
    if !values.contains(&value) {
        values.push(value);
    }
    Json::List(values)
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
}
