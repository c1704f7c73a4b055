//! Keywords of JSON Schema that hold schemas, in all drafts from 4 on.

use serde_json::{Map, Value};

use crate::tree::Json;

/// The value that a nested schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The same value.
    Same,
    /// The same value, which must not fit.
    Not,
    /// The value of the key.
    Property,
    /// The values of some keys.
    Value,
    /// The items of an array.
    Item,
    /// The keys of an object.
    Name,
    /// Nothing, unless something points at it.
    Definition,
}

/// The form in which a keyword holds schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    One,
    List,
    OneOrList,
    Map,
}

/// A schema inside another.
#[derive(Debug)]
pub struct Part<'s> {
    /// The keyword that holds it.
    pub keyword: &'s str,
    /// The value that it describes.
    pub relation: Relation,
    /// The key, where the keyword holds a schema for each of several.
    pub key: Option<&'s str>,
    /// The schema itself.
    pub schema: &'s Value,
}

/// The schemas that stand in a schema, in the order of their keywords. A keyword that does not hold
/// what it should gives itself, which is no schema.
pub fn parts(schema: &Map<String, Value>) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for (keyword, value) in schema {
        let Some((relation, shape)) = known(keyword) else {
            continue;
        };
        let part = |key, schema| Part {
            keyword,
            relation,
            key,
            schema,
        };
        match (shape, value) {
            (Shape::List | Shape::OneOrList, Value::Array(items)) => {
                parts.extend(items.iter().map(|schema| part(None, schema)));
            }
            (Shape::Map, Value::Object(entries)) => {
                // `dependencies` of draft 7 holds lists of names too.
                let is_names = |value: &Value| keyword == "dependencies" && value.is_array();
                let entries = entries.iter().filter(|(_, schema)| !is_names(schema));
                parts.extend(entries.map(|(key, schema)| part(Some(key.as_str()), schema)));
            }
            (_, value) => parts.push(part(None, value)),
        }
    }
    parts
}

/// The value of a keyword, with every schema in it rewritten; `None` if the keyword holds none.
pub fn rewritten<'s>(
    keyword: &str,
    value: &'s Value,
    mut write: impl FnMut(&'s Value) -> Json,
) -> Option<Json> {
    let (_, shape) = known(keyword)?;
    Some(match (shape, value) {
        (Shape::List | Shape::OneOrList, Value::Array(items)) => {
            Json::List(items.iter().map(write).collect())
        }
        (Shape::Map, Value::Object(entries)) => {
            let entries = entries.iter();
            Json::Object(entries.map(|(key, value)| (key, write(value))).collect())
        }
        (_, value) => write(value),
    })
}

/// The value of a keyword in the tree of a schema, with every schema in it rewritten.
pub fn rewritten_in_tree(keyword: &str, value: Json, mut write: impl FnMut(Json) -> Json) -> Json {
    match (known(keyword).map(|(_, shape)| shape), value) {
        (None, value) => value,
        (Some(Shape::Map), Json::Object(all)) => {
            let all = all.into_iter();
            Json::Object(all.map(|(name, schema)| (name, write(schema))).collect())
        }
        (Some(Shape::List | Shape::OneOrList), Json::List(all)) => {
            Json::List(all.into_iter().map(write).collect())
        }
        (Some(_), value) => write(value),
    }
}

/// The schemas under a keyword, to change them.
pub fn schemas_mut<'s>(keyword: &str, value: &'s mut Value) -> Vec<&'s mut Value> {
    match (known(keyword).map(|(_, shape)| shape), value) {
        (None, _) => Vec::new(),
        (Some(Shape::Map), Value::Object(entries)) => entries.values_mut().collect(),
        (Some(Shape::List | Shape::OneOrList), Value::Array(items)) => items.iter_mut().collect(),
        (Some(_), value) => vec![value],
    }
}

/// Returns true if a keyword holds an object whose keys are names and whose values are schemas.
pub fn holds_many_by_name(keyword: &str) -> bool {
    matches!(known(keyword), Some((_, Shape::Map)))
}

fn known(keyword: &str) -> Option<(Relation, Shape)> {
    Some(match keyword {
        "allOf" | "anyOf" | "oneOf" => (Relation::Same, Shape::List),
        "if" | "then" | "else" => (Relation::Same, Shape::One),
        "dependentSchemas" | "dependencies" => (Relation::Same, Shape::Map),
        "not" => (Relation::Not, Shape::One),
        "properties" => (Relation::Property, Shape::Map),
        "patternProperties" => (Relation::Value, Shape::Map),
        "additionalProperties" | "unevaluatedProperties" => (Relation::Value, Shape::One),
        "items" => (Relation::Item, Shape::OneOrList),
        "prefixItems" => (Relation::Item, Shape::List),
        "additionalItems" | "unevaluatedItems" | "contains" | "contentSchema" => {
            (Relation::Item, Shape::One)
        }
        "$defs" | "definitions" => (Relation::Definition, Shape::Map),
        "propertyNames" => (Relation::Name, Shape::One),
        _ => return None,
    })
}

/// The keywords that point at another schema.
pub const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
