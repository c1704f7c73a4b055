//! The references in a JSON Schema.

use serde_json::Value;

use super::keywords::schemas_mut;

/// Shows every reference of a schema. The position decides what is a schema: a key under `properties`
/// may have the name of a keyword, and the values of `default` and the like are not schemas.
pub fn each_reference(schema: &mut Value, see: &mut impl FnMut(&mut String)) {
    for (keyword, value) in schema.as_object_mut().into_iter().flatten() {
        match value {
            Value::String(reference) if keyword == "$ref" => see(reference),
            value => {
                let inner = schemas_mut(keyword, value).into_iter();
                inner.for_each(|schema| each_reference(schema, see));
            }
        }
    }
}
