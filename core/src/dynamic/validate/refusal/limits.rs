//! Ranges and counts, both ends in one text: a model that breaks one should not break the other next.

use serde_json::Value;

use crate::arguments::explain::expectation::{between, counted};

/// The names in a count: the value, its parts, and the keywords of the limits.
type Counted = [&'static str; 4];

pub(super) const TEXT: Counted = ["a string", "character", "minLength", "maxLength"];
pub(super) const LIST: Counted = ["a list", "item", "minItems", "maxItems"];
pub(super) const OBJECT: Counted = ["an object", "key", "minProperties", "maxProperties"];

/// The numbers that a schema allows, of which one limit is known.
pub(super) fn range(schema: &Value, keyword: &str, limit: &Value) -> String {
    let what = match schema.get("type") {
        Some(name) if name == "integer" => "an integer",
        Some(Value::Array(names))
            if names.iter().any(|name| name == "integer")
                && !names.iter().any(|name| name == "number") =>
        {
            "an integer"
        }
        _ => "a number",
    };
    let get = |name| match schema.get(name) {
        None if name == keyword => Some(limit),
        found => found.filter(|found| found.is_number()),
    };
    let above = get("exclusiveMinimum");
    let below = get("exclusiveMaximum");
    match (get("minimum"), get("maximum")) {
        (least, greatest) if above.is_none() && below.is_none() => between(what, least, greatest),
        (least, greatest) => {
            let from = match (least, above) {
                (_, Some(above)) => format!(" above {above}"),
                (Some(least), None) => format!(" of at least {least}"),
                (None, None) => String::new(),
            };
            let and = if from.is_empty() { "" } else { " and" };
            match (greatest, below) {
                (_, Some(below)) => format!("{what}{from}{and} less than {below}"),
                (Some(greatest), None) => format!("{what}{from}{and} at most {greatest}"),
                (None, None) => format!("{what}{from}"),
            }
        }
    }
}

/// The counts that a schema allows, of which one is known.
pub(super) fn count(
    schema: &Value,
    [what, unit, from, to]: Counted,
    least: Option<u64>,
    most: Option<u64>,
) -> String {
    let get = |name: &str| schema.get(name).and_then(Value::as_u64);
    let (least, most) = (least.or_else(|| get(from)), most.or_else(|| get(to)));
    counted(what, unit, least, most)
}
