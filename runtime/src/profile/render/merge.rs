//! Several schemas that hold at once, as one.

use super::{
    super::{
        Reason,
        json::{Json, Object},
    },
    At, Fault, MAX_PLACES, Renderer,
    words::is_remark,
};

/// Both schemas in one. Of remarks the second has the last word. The error is the keyword that they
/// disagree about.
pub(super) fn merge(first: &Object, second: &Object) -> Result<Object, String> {
    let mut all = first.clone();
    for (key, value) in second.iter() {
        let Some(old) = first.get(key) else {
            all.push(key, value.clone());
            continue;
        };
        if old == value {
            continue;
        }
        let new = match (key, old, value) {
            (key, _, _) if is_remark(key) => value.clone(),
            ("required", Json::List(old), Json::List(new)) => {
                let more = new.iter().filter(|name| !old.contains(name));
                Json::List(old.iter().chain(more).cloned().collect())
            }
            ("properties" | "$defs" | "definitions", Json::Object(old), Json::Object(new)) => {
                both(old, new).into()
            }
            ("type", Json::String(integer), Json::String(number))
            | ("type", Json::String(number), Json::String(integer))
                if integer == "integer" && number == "number" =>
            {
                "integer".into()
            }
            ("type", Json::List(names), Json::String(name))
            | ("type", Json::String(name), Json::List(names))
                if names.iter().any(|other| other.as_str() == Some(name)) =>
            {
                name.as_str().into()
            }
            ("minimum" | "exclusiveMinimum" | "minLength" | "minItems", old, new) => {
                larger(old, new).ok_or(key)?
            }
            ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems", old, new) => {
                if larger(old, new).ok_or(key)? == *old {
                    new.clone()
                } else {
                    old.clone()
                }
            }
            ("enum", Json::List(old), Json::List(new)) => Json::List(
                old.iter()
                    .filter(|value| new.contains(value))
                    .cloned()
                    .collect(),
            ),
            _ => return Err(key.to_owned()),
        };
        all.set(key, new);
    }
    // A closed schema has no room for the members of the other.
    for (closed, other) in [(first, second), (second, first)] {
        let is_closed = closed
            .get("additionalProperties")
            .is_some_and(|rest| *rest != Json::Bool(true));
        let has = |name: &str| {
            let own = closed.get("properties").and_then(Json::as_object);
            own.is_some_and(|own| own.contains(name))
        };
        let others = other.get("properties").and_then(Json::as_object);
        if is_closed && others.is_some_and(|others| !others.keys().all(has)) {
            return Err("additionalProperties".to_owned());
        }
    }
    Ok(all)
}

/// The members of both; what both have must fit both.
fn both(first: &Object, second: &Object) -> Object {
    let mut all = first.clone();
    for (name, value) in second.iter() {
        match first.get(name) {
            Some(old) if old != value => {
                let both = Json::List(vec![old.clone(), value.clone()]);
                all.set(name, Object::from_iter([("allOf", both)]));
            }
            Some(_) => {}
            None => all.push(name, value.clone()),
        }
    }
    all
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
        let mut all = Object::new();
        for member in members.as_ref().and_then(Json::as_list).unwrap_or_default() {
            self.places += 1;
            if self.places > MAX_PLACES {
                return Err(at.fault(Reason::TooLarge { limit: MAX_PLACES }));
            }
            let member = match member {
                Json::Object(member) if member.contains("$ref") => self.inlined(member, at)?,
                Json::Object(member) => member.clone(),
                Json::Bool(false) => return Err(at.fault(Reason::Nothing)),
                _ => continue,
            };
            all = merge(&all, &member).map_err(|keyword| at.fault(Reason::AllOf { keyword }))?;
        }
        merge(&all, &rest).map_err(|keyword| at.fault(Reason::AllOf { keyword }))
    }
}
