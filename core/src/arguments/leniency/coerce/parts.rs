//! Parts of a schema, and the places where it describes the parts of a value.

use serde_json::{Map, Value};
use toolwright_json::schema_draft::local_reference::pointer;

/// A part of a schema. A value has to fit all of them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part<'s> {
    /// The keywords beside each other.
    Own(&'s Map<String, Value>),
    /// The schema that a reference or `allOf` names.
    Schema(&'s Value),
    /// The schemas that `anyOf` or `oneOf` names.
    Union(&'s [Value]),
}

/// The parts of a schema, its own keywords first. A reference that leads nowhere is passed over.
pub(super) fn parts<'s>(schema: &'s Map<String, Value>, root: &'s Value) -> Vec<Part<'s>> {
    let mut parts = Vec::with_capacity(1);
    let list = |key| schema.get(key).and_then(Value::as_array);
    let reference = schema.get("$ref").and_then(Value::as_str);
    let target = reference.and_then(|reference| target(root, reference));
    let unions = [list("anyOf"), list("oneOf")];
    let only_elsewhere = target.is_some() || unions.iter().any(Option::is_some);
    if !(only_elsewhere && says_nothing(schema)) {
        parts.push(Part::Own(schema));
    }
    parts.extend(target.map(Part::Schema));
    let all = list("allOf").into_iter().flatten();
    parts.extend(all.map(Part::Schema));
    parts.extend(unions.into_iter().flatten().map(|all| Part::Union(all)));
    parts
}

/// Returns the schema that a reference leads to, unless it leads into a schema with an address of its own: references
/// in there start from that.
fn target<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let pointer = pointer(reference, root)?;
    let target = root.pointer(&pointer)?;
    let mut ends = pointer.match_indices('/').map(|(end, _)| end).skip(1);
    let crosses = ends.any(|end| {
        let way = root.pointer(&pointer[..end]);
        way.and_then(Value::as_object).is_some_and(has_own_base)
    });
    (!crosses).then_some(target)
}

/// Returns true if a schema has an address of its own, from which its references start.
pub(super) fn has_own_base(schema: &Map<String, Value>) -> bool {
    let id = schema.get("$id").or_else(|| schema.get("id"));
    id.is_some_and(Value::is_string)
}

/// Returns true if a schema has no other keywords that matter than its references and branches.
fn says_nothing(schema: &Map<String, Value>) -> bool {
    schema.keys().all(|key| {
        matches!(
            key.as_str(),
            "$ref" | "anyOf" | "oneOf" | "allOf" | "description" | "title" | "default" | "examples"
        )
    })
}

/// Returns the number of values that a schema lists.
pub(super) fn listed(schema: &Map<String, Value>) -> usize {
    let values = schema.get("enum").and_then(Value::as_array);
    values.map_or(0, Vec::len)
}

/// The schema of the member of a key, if it says anything.
pub(super) fn of_member<'s>(schema: &'s Map<String, Value>, key: &str) -> Option<&'s Value> {
    let properties = schema.get("properties").and_then(Value::as_object);
    if let Some(property) = properties.and_then(|all| all.get(key)) {
        return Some(property);
    }
    // Which keys a pattern is about is not looked into.
    if schema.contains_key("patternProperties") {
        return None;
    }
    schema.get("additionalProperties")
}

/// The schema of the item in a place, if it says anything. Older drafts have tuples in `items`.
pub(super) fn of_item(schema: &Map<String, Value>, index: usize) -> Option<&Value> {
    let items = schema.get("items");
    let places = schema
        .get("prefixItems")
        .or(items.filter(|items| items.is_array()));
    let place = places.and_then(|places| places.as_array()?.get(index));
    place.or_else(|| items.filter(|items| !items.is_array()))
}

/// The schema of every item of a list whose places do not differ.
pub(super) fn of_every_item(schema: &Map<String, Value>) -> Option<&Value> {
    let items = schema.get("items").filter(|items| items.is_object());
    items.filter(|_| !schema.contains_key("prefixItems"))
}
