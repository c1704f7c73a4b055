//! The references in a JSON Schema.

use serde_json::{Map, Value};

/// Shows every reference of a schema. What stands there is told by position: a key under `properties`
/// may be called like any keyword, and the values of `default` and the like are no schemas.
pub fn each_reference(schema: &mut Value, see: &mut impl FnMut(&mut String)) {
    let Value::Object(members) = schema else {
        return;
    };
    for (keyword, value) in members {
        match keyword.as_str() {
            "$ref" => {
                if let Value::String(reference) = value {
                    see(reference);
                }
            }
            "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
                let schemas = value.as_object_mut().into_iter();
                schemas
                    .flat_map(Map::values_mut)
                    .for_each(|schema| each_reference(schema, see));
            }
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
                let schemas = value.as_array_mut().into_iter().flatten();
                schemas.for_each(|schema| each_reference(schema, see));
            }
            "items"
            | "contains"
            | "unevaluatedItems"
            | "additionalProperties"
            | "propertyNames"
            | "unevaluatedProperties"
            | "contentSchema"
            | "not"
            | "if"
            | "then"
            | "else" => each_reference(value, see),
            _ => {}
        }
    }
}
