//! Several schemas that hold at once, as one.

use std::collections::HashSet;

use toolwright_json::{
    schema_draft::remarks::{SILENT, is_remark},
    tree::{Json, Object},
};

use super::{super::Reason, At, Fault, Renderer, form, union::noted};

/// The keywords of two schemas that cannot be joined into one schema. They can be described in words.
pub(super) type Left = Vec<(String, Json)>;

/// Both schemas in one; `None` if there is none. Of remarks the second has the last word.
pub(super) fn merge(first: &Object, second: &Object) -> Option<Object> {
    let (mut all, mut left) = (first.clone(), Left::new());
    merge_into(&mut all, second, &mut left).ok()?;
    left.is_empty().then_some(all)
}

/// Adds a schema to one that holds too. Keywords that cannot be joined are put into `left`. The
/// error is the keyword because of which no value fits both.
pub(super) fn merge_into(all: &mut Object, more: &Object, left: &mut Left) -> Result<(), String> {
    const BRANCHES: [&str; 3] = ["if", "then", "else"];
    check_closed(all, more)?;
    check_closed(more, all)?;
    // A condition and what follows from it belong together.
    let differs = |key: &&str| all.get(key) != more.get(key);
    let is_second = all.contains("if") && more.contains("if") && BRANCHES.iter().any(differs);
    for (key, value) in more.iter() {
        if is_second && BRANCHES.contains(&key) {
            left.push((key.to_owned(), value.clone()));
            continue;
        }
        if key == "properties"
            && let (Some(Json::Object(old)), Json::Object(new)) = (all.get_mut(key), value)
        {
            both(old, new);
            continue;
        }
        let new = match all.get(key) {
            None => value.clone(),
            Some(old) if old == value => continue,
            Some(old) => {
                if let Some(new) = combined(key, old, value)? {
                    new
                } else {
                    left.push((key.to_owned(), value.clone()));
                    continue;
                }
            }
        };
        all.set(key, new);
    }
    Ok(())
}

/// Two values of a keyword as one; `None` if there is none that says both.
fn combined(key: &str, old: &Json, new: &Json) -> Result<Option<Json>, String> {
    let is_schema = |one: &Json| matches!(one, Json::Bool(_) | Json::Object(_));
    Ok(match (key, old, new) {
        (key, _, _) if is_remark(key) || SILENT.contains(&key) && !key.ends_with('s') => {
            Some(new.clone())
        }
        ("required", Json::List(old), Json::List(new)) => {
            let known: HashSet<_> = old.iter().filter_map(Json::as_str).collect();
            let is_new = |name: &&Json| name.as_str().is_none_or(|name| !known.contains(name));
            let more = new.iter().filter(is_new);
            Some(Json::List(old.iter().chain(more).cloned().collect()))
        }
        ("$defs" | "definitions", Json::Object(old), Json::Object(new)) => {
            let mut all = old.clone();
            both(&mut all, new);
            Some(all.into())
        }
        ("type", old, new) => Some(types(old, new).ok_or(key)?),
        ("minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties", _, _) => {
            larger(old, new)
        }
        ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", _, _) => {
            larger(old, new).map(|larger| if larger == *old { new } else { old }.clone())
        }
        ("uniqueItems", Json::Bool(old), Json::Bool(new)) => Some(Json::Bool(*old || *new)),
        ("enum", Json::List(old), Json::List(new)) => {
            let new: HashSet<_> = new.iter().map(Json::to_string).collect();
            let both = old.iter().filter(|value| new.contains(&value.to_string()));
            Some(Json::List(both.cloned().collect()))
        }
        ("const", _, _) => return Err(key.to_owned()),
        ("additionalProperties", Json::Bool(true), other)
        | ("additionalProperties", other, Json::Bool(true)) => Some(other.clone()),
        ("additionalProperties", Json::Bool(false), _)
        | ("additionalProperties", _, Json::Bool(false)) => Some(Json::Bool(false)),
        ("items" | "additionalProperties", old, new) if is_schema(old) && is_schema(new) => {
            Some(Object::from_iter([("allOf", Json::List(vec![old.clone(), new.clone()]))]).into())
        }
        _ => None,
    })
}

/// The types that are among both.
fn types(old: &Json, new: &Json) -> Option<Json> {
    let names = |json: &Json| -> Vec<String> {
        let all = match json {
            Json::List(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        all.iter()
            .filter_map(Json::as_str)
            .map(str::to_owned)
            .collect()
    };
    let (old, new) = (names(old), names(new));
    let has = |all: &[String], name: &str| all.iter().any(|other| other == name);
    let mut both = Vec::<Json>::new();
    for name in old {
        let found = match name.as_str() {
            name if has(&new, name) => name,
            "number" if has(&new, "integer") => "integer",
            "integer" if has(&new, "number") => "integer",
            _ => continue,
        };
        let found = Json::from(found);
        if form::is_type(found.as_str()?) && !both.contains(&found) {
            both.push(found);
        }
    }
    match <[Json; 1]>::try_from(both) {
        Ok([one]) => Some(one),
        Err(both) => (!both.is_empty()).then_some(Json::List(both)),
    }
}

/// A closed schema has no room for the members of the other.
fn check_closed(closed: &Object, other: &Object) -> Result<(), String> {
    let is_closed = closed
        .get("additionalProperties")
        .is_some_and(|rest| *rest != Json::Bool(true));
    let members = |schema: &Object, has: &dyn Fn(&Object) -> bool| {
        let properties = schema.get("properties").and_then(Json::as_object);
        properties.is_some_and(has)
    };
    let has = |name: &str| members(closed, &|own| own.contains(name));
    if is_closed && members(other, &|others| !others.keys().all(has)) {
        return Err("additionalProperties".to_owned());
    }
    Ok(())
}

/// Adds members; what both have must fit both.
fn both(all: &mut Object, more: &Object) {
    for (name, value) in more.iter() {
        match all.get_mut(name) {
            Some(old) if old != value => {
                let first = std::mem::replace(old, Json::Null);
                let both = Json::List(vec![first, value.clone()]);
                *old = Object::from_iter([("allOf", both)]).into();
            }
            Some(_) => {}
            None => all.push(name, value.clone()),
        }
    }
}

fn larger(first: &Json, second: &Json) -> Option<Json> {
    let larger = if first.as_f64()? >= second.as_f64()? {
        first
    } else {
        second
    };
    Some(larger.clone())
}

impl Renderer<'_> {
    /// The members of `allOf` and what stands beside it, as one schema.
    pub(super) fn merged(&mut self, schema: &Object, at: &At) -> Result<Object, Fault> {
        let mut rest = schema.clone();
        let members = rest.remove("allOf");
        let (mut all, mut left) = (Object::new(), Left::new());
        let fault = |keyword| at.fault(Reason::AllOf { keyword });
        for member in members.as_ref().and_then(Json::as_list).unwrap_or_default() {
            self.places += 1;
            let member = match member {
                Json::Object(member) if member.contains("$ref") => self.inlined(member, at)?,
                Json::Object(member) => member.clone(),
                Json::Bool(false) => return Err(at.fault(Reason::Nothing)),
                _ => continue,
            };
            self.spend(form::size_of_object(&member));
            self.check_size(at)?;
            merge_into(&mut all, &member, &mut left).map_err(fault)?;
        }
        merge_into(&mut all, &rest, &mut left).map_err(fault)?;
        Ok(self.with_left(all, left, at))
    }

    /// Tells what does not go into one schema.
    pub(super) fn with_left(&mut self, schema: Object, left: Left, at: &At) -> Object {
        let told = left.into_iter().filter_map(|(key, value)| {
            let words = match &value {
                Json::String(text) => text.clone(),
                value => value.to_string(),
            };
            self.told(&key, &words, at)
        });
        let told: Vec<_> = told.collect();
        noted(schema, &told)
    }
}
