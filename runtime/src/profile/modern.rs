//! Forms of older drafts, written as 2020-12 has them.

use super::json::{Json, Object};

/// The schema in the forms of 2020-12. `definitions` stay where they are: references lead there.
pub(super) fn modern(schema: Json) -> Json {
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
            ("exclusiveMinimum" | "exclusiveMaximum", Json::Bool(_)) => {}
            ("properties" | "patternProperties" | "$defs" | "definitions", Json::Object(all)) => {
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
                | "propertyNames",
                value,
            ) => new.push(key, modern(value)),
            (key, value) => new.push(key, value),
        }
    }
    new.into()
}

#[cfg(test)]
mod tests {
    use super::{super::json::Json, modern};

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
        ] {
            let old = Json::parse(old).expect("is not deep");
            assert_eq!(modern(old).to_string(), new);
        }
    }
}
