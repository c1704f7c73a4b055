//! Walks what a schema stands for: every place of the arguments, through every `$ref`.
//!
//! A place is described by several schemas at once: the one that stands there, what it refers to,
//! and the branches of both. They are looked at together, since a branch may require what another
//! one describes.

use std::{collections::HashSet, ptr};

use serde_json::{Map, Value};

use super::{
    MAX_INSIDE, MAX_SCHEMA_PARTS,
    keywords::{Relation, parts},
    references::Targets,
};
use crate::{
    dynamic::{
        place::{Place, start},
        violation::Violations,
    },
    schema::MAX_DEPTH,
};

/// Checks the places of a schema, and counts the schemas that it stands for.
pub(super) fn walk(root: &Value, targets: &Targets<'_>, violations: &mut Violations) -> usize {
    let mut walker = Walker {
        targets,
        violations,
        told: HashSet::new(),
        parts: 0,
        active: Vec::new(),
    };
    walker.place(root, Place::Arguments, 0, false);
    walker.parts / 2
}

struct Walker<'s, 'v> {
    targets: &'v Targets<'s>,
    violations: &'v mut Violations,
    /// What was told of which schema: one that is referred to twice has one mistake.
    told: HashSet<(*const Value, &'static str)>,
    parts: usize,
    /// The schemas around the one that is looked at.
    active: Vec<*const Value>,
}

/// What the schemas of a place say together.
#[derive(Default)]
struct Here<'s> {
    names: HashSet<&'s str>,
    is_object: bool,
    is_list: bool,
    /// Whether keys that have no name here are described.
    is_map: bool,
}

impl<'s, 'v> Walker<'s, 'v> {
    /// Looks at a place, which is inside of so many levels.
    fn place(&mut self, top: &'s Value, at: Place<'_>, levels: u16, in_list: bool) {
        let mut here = Here::default();
        self.gather(top, at, &mut here);
        let is_object = here.is_object && (!here.names.is_empty() || !here.is_map);
        let is_level = levels == 0 || is_object || (in_list && (here.is_list || here.is_map));
        let levels = levels + u16::from(is_level);
        if levels > MAX_DEPTH {
            let message = format!(
                "the arguments have more than {MAX_DEPTH} levels: flatten the objects on the way"
            );
            return self.tell(top, at, "levels", message);
        }
        self.inside(top, at, &here, levels);
    }

    /// Collects what the schemas of a place say.
    fn gather(&mut self, schema: &'s Value, at: Place<'_>, here: &mut Here<'s>) {
        if !self.enter(schema, at) {
            return;
        }
        if let Value::Object(keywords) = schema {
            let is = |name: &str| match keywords.get("type") {
                Some(Value::Array(types)) => types.iter().any(|one| one == name),
                Some(one) => one == name,
                None => false,
            };
            here.is_object |= is("object") || keywords.contains_key("properties");
            here.is_list |= is("array") || keywords.contains_key("items");
            here.is_list |= keywords.contains_key("prefixItems");
            for part in parts(keywords) {
                match part.relation {
                    Relation::Same => self.gather(part.schema, at, here),
                    Relation::Property => {
                        here.names.extend(part.key);
                    }
                    Relation::Value => here.is_map |= part.schema.is_object(),
                    Relation::Not | Relation::Item | Relation::Name | Relation::Definition => {}
                }
            }
            for target in self.targets_of(schema) {
                self.gather(target, at, here);
            }
        }
        self.active.pop();
    }

    /// Looks at what a schema requires, and at the places in it.
    fn inside(&mut self, schema: &'s Value, at: Place<'_>, here: &Here<'s>, levels: u16) {
        if !self.enter(schema, at) {
            return;
        }
        if let Value::Object(keywords) = schema {
            if !here.is_map {
                self.required(schema, keywords, at, here);
            }
            let in_list = here.is_list || here.is_map;
            for part in parts(keywords) {
                let inner = part.schema;
                match (part.relation, part.key) {
                    (Relation::Same, _) => self.inside(inner, at, here, levels),
                    // What must not fit may name what it likes.
                    (Relation::Not, _) => {
                        let not = Here {
                            is_map: true,
                            ..Here::default()
                        };
                        self.inside(inner, at, &not, levels);
                    }
                    (Relation::Property, Some(key)) => {
                        self.place(inner, Place::Key(&at, key), levels, false);
                    }
                    (Relation::Value | Relation::Property, _) => {
                        self.place(inner, Place::Value(&at), levels, in_list);
                    }
                    (Relation::Item, _) => self.place(inner, Place::Item(&at), levels, in_list),
                    (Relation::Name, _) => self.place(inner, Place::Value(&at), levels, false),
                    (Relation::Definition, _) => {}
                }
            }
            for target in self.targets_of(schema) {
                self.inside(target, at, here, levels);
            }
        }
        self.active.pop();
    }

    fn required(
        &mut self,
        schema: &'s Value,
        keywords: &Map<String, Value>,
        at: Place<'_>,
        here: &Here<'s>,
    ) {
        let Some(Value::Array(required)) = keywords.get("required") else {
            return;
        };
        for name in required.iter().filter_map(Value::as_str) {
            if !here.names.contains(name) && self.told.insert((ptr::from_ref(schema), "required")) {
                let name = start(name);
                let message =
                    format!("`{name}` is required and is none of the properties: describe it");
                self.violations.add(at, message);
            }
        }
    }

    /// Steps into a schema, unless it has no end. One that was entered is the last active one.
    fn enter(&mut self, schema: &'s Value, at: Place<'_>) -> bool {
        self.parts += 1;
        // Each is entered twice: what a place says is gathered before it is looked into.
        if self.parts > 2 * MAX_SCHEMA_PARTS {
            if self.parts == 2 * MAX_SCHEMA_PARTS + 1 {
                let message = format!(
                    "the schema stands for more than {MAX_SCHEMA_PARTS} schemas, what `$ref` points \
                     at counted each time: make it smaller"
                );
                self.violations.add(Place::Arguments, message);
            }
            return false;
        }
        if !matches!(schema, Value::Object(_) | Value::Bool(_)) {
            let message = format!(
                "expected a schema, which is an object or a boolean, got {}",
                start(&schema.to_string())
            );
            self.tell(schema, at, "schema", message);
            return false;
        }
        let address = ptr::from_ref(schema);
        if self.active.contains(&address) {
            let message = "contains itself: arguments must end, so take a flat list whose entries \
                           name each other";
            self.tell(schema, at, "recursion", message.to_owned());
            return false;
        }
        if self.active.len() >= MAX_INSIDE {
            let message = format!("more than {MAX_INSIDE} schemas inside each other: flatten them");
            self.tell(schema, at, "inside", message);
            return false;
        }
        self.active.push(address);
        true
    }

    fn targets_of(&self, schema: &'s Value) -> &'v [&'s Value] {
        self.targets
            .get(&ptr::from_ref(schema))
            .map_or(&[], Vec::as_slice)
    }

    fn tell(&mut self, schema: &'s Value, at: Place<'_>, rule: &'static str, message: String) {
        if self.told.insert((ptr::from_ref(schema), rule)) {
            self.violations.add(at, message);
        }
    }
}
