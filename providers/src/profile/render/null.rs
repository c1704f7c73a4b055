//! Null beside other values.

use toolwright_json::tree::{Json, Object};

use super::{
    super::{Enums, Nulls},
    MAX_DEPTH, Renderer, Sent, form,
    merge::merge,
};

/// The schema without its null, if null is one of several values it takes.
pub(super) fn without_null(schema: &Object) -> Option<Object> {
    let keys = ["type", "enum", "anyOf", "oneOf"];
    if !keys.iter().any(|key| {
        schema
            .get(key)
            .is_some_and(|value| value.as_list().is_some())
    }) {
        return None;
    }
    let mut new = schema.clone();
    // It says the same again.
    new.remove("nullable");
    if let Some(Json::List(names)) = schema.get("type") {
        let others: Vec<_> = names
            .iter()
            .filter(|name| !is_null_name(name))
            .cloned()
            .collect();
        if others.len() == names.len() || others.is_empty() {
            return None;
        }
        if schema
            .get("enum")
            .and_then(Json::as_list)
            .is_some_and(|all| !all.contains(&Json::Null))
        {
            return None;
        }
        new.set(
            "type",
            match <[Json; 1]>::try_from(others) {
                Ok([one]) => one,
                Err(others) => Json::List(others),
            },
        );
        remove_value(&mut new);
        return Some(new);
    }
    if !schema.contains("type") && remove_value(&mut new) {
        return Some(new);
    }
    let several = ["anyOf", "oneOf"]
        .into_iter()
        .find(|key| schema.contains(key))?;
    let all = schema.get(several)?.as_list()?;
    let others: Vec<_> = all.iter().filter(|one| !is_null(one)).cloned().collect();
    if others.len() == all.len() || others.is_empty() {
        return None;
    }
    let [Json::Object(one)] = others.as_slice() else {
        new.set(several, Json::List(others));
        return Some(new);
    };
    new.remove(several);
    merge(one, &new)
}

fn is_null_name(name: &Json) -> bool {
    name.as_str() == Some("null")
}

/// Returns true if nothing but null fits.
pub(super) fn is_null(schema: &Json) -> bool {
    let Json::Object(schema) = schema else {
        return false;
    };
    let only = |value: &Json| value == &Json::List(vec![Json::Null]);
    schema.get("type").is_some_and(is_null_name)
        || schema.get("const") == Some(&Json::Null)
        || schema.get("enum").is_some_and(only)
}

impl Renderer<'_> {
    /// Returns true if null is one of several values, also in a union or behind a reference. `left` is the
    /// number of schemas that may still be looked at; at zero the answer is true.
    pub(super) fn takes_null(&self, schema: &Json, depth: usize, left: &mut usize) -> bool {
        if *left == 0 || depth > MAX_DEPTH {
            return true;
        }
        *left -= 1;
        let Json::Object(schema) = schema else {
            return false;
        };
        if let Some(Ok(target)) = schema.text("$ref").map(|reference| self.target(reference)) {
            return self.takes_null(target.1, depth + 1, left);
        }
        if without_null(schema).is_some() {
            return true;
        }
        let variants = ["anyOf", "oneOf"]
            .into_iter()
            .filter_map(|key| schema.get(key));
        let mut variants = variants.filter_map(Json::as_list).flatten();
        variants.any(|one| is_null(one) || self.takes_null(one, depth + 1, left))
    }
}

/// Takes null out of an `enum` that has other values too.
fn remove_value(schema: &mut Object) -> bool {
    let Some(Json::List(values)) = schema.get("enum") else {
        return false;
    };
    let others: Vec<_> = values
        .iter()
        .filter(|value| **value != Json::Null)
        .cloned()
        .collect();
    if others.len() == values.len() || others.is_empty() {
        return false;
    }
    schema.set("enum", Json::List(others));
    true
}

impl Renderer<'_> {
    /// Adds null to what is sent. On the way back null needs no step.
    pub(super) fn or_null(&mut self, mut sent: Sent) -> Sent {
        let schema = &mut sent.schema;
        if self.profile.nulls == Nulls::Keyword {
            schema.push("nullable", Json::Bool(true));
            return sent;
        }
        let null = || Json::from(form::of_type("null"));
        if let Some(Json::List(variants)) = schema.get("anyOf") {
            let variants = variants.iter().cloned().chain([null()]).collect();
            schema.set("anyOf", Json::List(variants));
            return sent;
        }
        let kind = schema.text("type").map(str::to_owned);
        let enums = self.profile.enums;
        let lists_null = matches!(enums, Enums::All | Enums::Primitives);
        let is_apart = schema.contains("const") || schema.contains("enum") && !lists_null;
        match kind.as_deref() {
            Some("null") => return sent,
            Some(name) if !matches!(name, "object" | "array") && !is_apart => {
                schema.set("type", Json::List(vec![name.into(), "null".into()]));
                if let Some(Json::List(values)) = schema.get("enum") {
                    let values = values.iter().cloned().chain([Json::Null]).collect();
                    schema.set("enum", Json::List(values));
                }
            }
            None if !schema.contains("$ref") && !schema.contains("const") => return sent,
            _ => {
                let description = schema.remove("description");
                let inner = std::mem::take(schema);
                schema.push("anyOf", Json::List(vec![inner.into(), null()]));
                if let Some(description) = description {
                    schema.push("description", description);
                }
            }
        }
        self.cost.unions += 1;
        sent
    }
}
