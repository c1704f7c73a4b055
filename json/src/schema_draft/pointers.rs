//! The references in the tree of a schema: which there are, and how they read where the schema is moved.

use super::{keywords::holds_many_by_name, local_reference::pointer};
use crate::tree::{Json, Object};

/// Keywords that hold values. All others may hold schemas: references also lead to places that no draft knows.
const DATA: [&str; 6] = [
    "enum", "const", "default", "examples", "example", "required",
];

/// The pointers of all references in a schema, but for those of its definitions.
pub fn collect(schema: &Json, root: &Json, found: &mut Vec<String>) {
    match schema {
        Json::Object(schema) => {
            for (key, value) in schema.iter() {
                match (key, value) {
                    ("$ref", Json::String(reference)) => {
                        found.extend(pointer(reference, root).map(Into::into));
                    }
                    ("$defs" | "definitions", _) => {}
                    (key, _) if DATA.contains(&key) => {}
                    (key, Json::Object(all)) if holds_many_by_name(key) => {
                        all.iter().for_each(|(_, one)| collect(one, root, found));
                    }
                    (_, value) => collect(value, root, found),
                }
            }
        }
        Json::List(all) => all.iter().for_each(|one| collect(one, root, found)),
        _ => {}
    }
}

/// A schema that has moved below `place`, with its references; its definitions stay at the top.
pub fn moved(schema: &Json, root: &Json, place: &str) -> Json {
    let each = |all: &Object| {
        let all = all.iter();
        all.map(|(name, one)| (name.to_owned(), moved(one, root, place)))
            .collect::<Object>()
    };
    match schema {
        Json::Object(schema) => {
            let member = |(key, value): (&str, &Json)| {
                let new = match value {
                    Json::String(reference) if key == "$ref" => {
                        moved_reference(reference, root, place).as_str().into()
                    }
                    value if DATA.contains(&key) => value.clone(),
                    Json::Object(all) if holds_many_by_name(key) => each(all).into(),
                    value => moved(value, root, place),
                };
                (key.to_owned(), new)
            };
            schema.iter().map(member).collect::<Object>().into()
        }
        Json::List(all) => Json::List(all.iter().map(|one| moved(one, root, place)).collect()),
        other => other.clone(),
    }
}

fn moved_reference(reference: &str, root: &Json, place: &str) -> String {
    let is_of_top = |pointer: &str| {
        let mut tops = ["/$defs", "/definitions"].into_iter();
        tops.any(|top| {
            let rest = pointer.strip_prefix(top);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    match pointer(reference, root) {
        Some(found) if (found.is_empty() || found.starts_with('/')) && !is_of_top(&found) => {
            let (_, written) = reference.split_once('#').unwrap_or_default();
            format!("#{place}{written}")
        }
        _ => reference.to_owned(),
    }
}
