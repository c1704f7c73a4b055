//! Whether a value fits a schema, as far as it takes to tell variants apart.

use serde_json::{Value, value::RawValue};

use super::super::json::{Json, Object, Pairs};

/// Checks values by a schema. Keywords that say nothing of the form, such as `pattern`, are passed
/// over.
pub(super) struct Fits<'p> {
    /// Where references lead.
    root: &'p Json,
    /// How many more places are looked at; beyond, nothing fits.
    left: &'p mut usize,
}

/// How deep schemas are followed.
const MAX_DEPTH: usize = 128;

impl<'p> Fits<'p> {
    pub(super) fn new(root: &'p Json, left: &'p mut usize) -> Self {
        Self { root, left }
    }

    pub(super) fn check(&mut self, schema: &Json, text: &str) -> bool {
        self.at(schema, text, 0)
    }

    fn at(&mut self, schema: &Json, text: &str, depth: usize) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        *self.left = left;
        if depth > MAX_DEPTH {
            return false;
        }
        let schema = match schema {
            Json::Bool(any) => return *any,
            Json::Object(schema) => schema,
            _ => return true,
        };
        let depth = depth + 1;
        if let Some(reference) = schema.text("$ref") {
            let root = self.root;
            let target = reference.strip_prefix('#').and_then(|at| root.pointer(at));
            if target.is_some_and(|target| !self.at(target, text, depth)) {
                return false;
            }
        }
        let mut branches = |key, enough: fn(usize, usize) -> bool| match schema.get(key) {
            Some(Json::List(all)) => {
                let fitting = all.iter().filter(|one| self.at(one, text, depth)).count();
                enough(fitting, all.len())
            }
            _ => true,
        };
        branches("anyOf", |fitting, _| fitting > 0)
            && branches("oneOf", |fitting, _| fitting > 0)
            && branches("allOf", |fitting, all| fitting == all)
            && has_type(schema, text)
            && is_listed(schema, text)
            && is_in_range(schema, text)
            && match text.as_bytes().first() {
                Some(b'{') => self.members(schema, text, depth),
                Some(b'[') => self.items(schema, text, depth),
                _ => true,
            }
    }

    fn members(&mut self, schema: &Object, text: &str, depth: usize) -> bool {
        let Ok(Pairs(pairs)) = serde_json::from_str(text) else {
            return false;
        };
        let required = schema.get("required").and_then(Json::as_list);
        let is_there = |name: &Json| {
            pairs
                .iter()
                .any(|(key, _)| Some(key.as_str()) == name.as_str())
        };
        if !required.unwrap_or_default().iter().all(is_there) {
            return false;
        }
        let properties = schema.get("properties").and_then(Json::as_object);
        let others = schema.get("additionalProperties");
        let others = others.filter(|_| !schema.contains("patternProperties"));
        pairs.iter().all(
            |(key, value)| match properties.and_then(|all| all.get(key)).or(others) {
                Some(schema) => self.at(schema, value.get(), depth),
                None => true,
            },
        )
    }

    fn items(&mut self, schema: &Object, text: &str, depth: usize) -> bool {
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) else {
            return false;
        };
        let count = items.len() as u64;
        let limit = |key| schema.get(key).and_then(Json::as_count);
        if limit("minItems").is_some_and(|least| count < least)
            || limit("maxItems").is_some_and(|most| count > most)
        {
            return false;
        }
        let places = schema.get("prefixItems").and_then(Json::as_list);
        let places = places.unwrap_or_default();
        let others = schema.get("items");
        items
            .iter()
            .enumerate()
            .all(|(index, item)| match places.get(index).or(others) {
                Some(schema) => self.at(schema, item.get(), depth),
                None => true,
            })
    }
}

fn has_type(schema: &Object, text: &str) -> bool {
    let is_nullable = matches!(schema.get("nullable"), Some(Json::Bool(true)));
    let is = |name: &Json| match name.as_str() {
        Some("null") => text == "null",
        Some("boolean") => matches!(text, "true" | "false"),
        Some("string") => text.starts_with('"'),
        Some("object") => text.starts_with('{'),
        Some("array") => text.starts_with('['),
        Some("number") => number(text).is_some(),
        Some("integer") => number(text).is_some_and(|number| number.fract() == 0.0),
        _ => true,
    };
    match schema.get("type") {
        Some(Json::List(names)) => names.iter().any(is),
        Some(name) => is(name) || is_nullable && text == "null",
        None => true,
    }
}

fn is_listed(schema: &Object, text: &str) -> bool {
    let listed = schema.get("enum").and_then(Json::as_list);
    let constant = schema.get("const");
    if listed.is_none() && constant.is_none() {
        return true;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return false;
    };
    let same = |json: &Json| {
        let other: Value = serde_json::from_str(&json.to_string()).unwrap_or_default();
        value == other || value.is_number() && value.as_f64() == other.as_f64()
    };
    listed.is_none_or(|all| all.iter().any(same)) && constant.is_none_or(same)
}

fn is_in_range(schema: &Object, text: &str) -> bool {
    let limit = |key| schema.get(key).and_then(Json::as_f64);
    if let Some(number) = number(text) {
        return limit("minimum").is_none_or(|least| number >= least)
            && limit("maximum").is_none_or(|most| number <= most)
            && limit("exclusiveMinimum").is_none_or(|least| number > least)
            && limit("exclusiveMaximum").is_none_or(|most| number < most);
    }
    let bound = |key| schema.get(key).and_then(Json::as_count);
    let (least, most) = (bound("minLength"), bound("maxLength"));
    if !text.starts_with('"') || least.is_none() && most.is_none() {
        return true;
    }
    let chars = serde_json::from_str::<String>(text).map_or(0, |text| text.chars().count() as u64);
    least.is_none_or(|least| chars >= least) && most.is_none_or(|most| chars <= most)
}

/// The number, if it is one: not `NaN` or `infinity`, which `parse` would read.
fn number(text: &str) -> Option<f64> {
    let first = text.as_bytes().first()?;
    matches!(first, b'-' | b'0'..=b'9').then(|| text.parse().ok())?
}
