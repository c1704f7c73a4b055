//! Types of other crates: their schemas come from schemars, and their definitions join ours.

use std::collections::BTreeMap;

use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};
use toolwright_json::schema_draft::{
    each_reference::each_reference,
    keywords::{Relation, parts},
    local_reference::{key_in_reference, step_of_reference},
};

use super::{Writer, shared::Shared};
use crate::schema::foreign::Foreign;

/// The place of definitions in schemars.
const DEFINITIONS: &str = "#/$defs/";

/// Data about the types of other crates in a tree.
pub(super) struct Collected {
    /// One for all of them, so that types of one name get different ones.
    generator: SchemaGenerator,
    /// The keys of definitions in this schema, by their names in schemars.
    keys: BTreeMap<String, String>,
    met: Vec<(Foreign, Value)>,
}

impl Default for Collected {
    fn default() -> Self {
        Self {
            generator: SchemaSettings::draft2020_12().for_deserialize().into(),
            keys: BTreeMap::new(),
            met: Vec::new(),
        }
    }
}

impl Writer<'_> {
    /// Writes the schema of a type of another crate.
    pub(super) fn foreign(&mut self, foreign: Foreign, description: &str) {
        let schema = Value::from((foreign.schema)(&mut self.foreign.generator));
        let mut written = schema.clone();
        self.foreign.met.push((foreign, schema));
        self.foreign.rename(&mut written, self.shared);
        // `true` and `false` are schemas too.
        if let Value::Bool(any) = written {
            written = if any { json!({}) } else { json!({"not": {}}) };
        }
        if !description.is_empty() {
            written["description"] = description.into();
        }
        self.text.push_str(&written.to_string());
    }

    /// The definitions of the types of other crates.
    pub(super) fn foreign_definitions(&mut self) -> Vec<(String, Value)> {
        let definitions = self.foreign.generator.definitions().clone();
        let written = definitions.into_iter().map(|(name, mut schema)| {
            self.foreign.rename(&mut schema, self.shared);
            (self.foreign.key(&name, self.shared).to_owned(), schema)
        });
        written.collect()
    }

    /// Returns the reason why a type of another crate cannot be an argument.
    pub(super) fn foreign_defect(&self) -> Option<String> {
        let definitions = self.foreign.generator.definitions();
        let mut met = self.foreign.met.iter();
        met.find_map(|(foreign, schema)| {
            let mut way = ReferencePath {
                definitions,
                inside: Vec::new(),
            };
            let (name, stated) = ((foreign.name)(), foreign.depth);
            match way.levels(schema, true) {
                Ok(levels) if levels <= stated.into() => None,
                Ok(levels) => Some(format!(
                    "`{name}` has {levels} levels and counts as {stated}: write \
                     `#[tool(schemars(depth = {levels}))]`"
                )),
                Err(why) => Some(format!("`{name}` {why}")),
            }
        })
    }
}

impl Collected {
    /// Returns the key of a definition in this schema. It must differ from the keys of our own definitions.
    fn key(&mut self, name: &str, shared: &Shared) -> &str {
        if !self.keys.contains_key(name) {
            let numbered = (2_usize..).map(|number| format!("{name}_{number}"));
            let free =
                |key: &String| !shared.has_key(key) && self.keys.values().all(|taken| taken != key);
            let key = std::iter::once(name.to_owned()).chain(numbered).find(free);
            self.keys.insert(name.to_owned(), key.unwrap_or_default());
        }
        &self.keys[name]
    }

    /// Makes references say what definitions are called here.
    fn rename(&mut self, schema: &mut Value, shared: &Shared) {
        each_reference(schema, &mut |reference| {
            if let Some(name) = reference.strip_prefix(DEFINITIONS) {
                let key = self.key(&key_in_reference(name), shared);
                *reference = format!("{DEFINITIONS}{}", step_of_reference(key));
            }
        });
    }
}

/// The way through a schema, to see how deep it is.
struct ReferencePath<'d> {
    definitions: &'d Map<String, Value>,
    /// The definitions that it is inside of.
    inside: Vec<String>,
}

impl ReferencePath<'_> {
    /// Returns the number of levels: objects, and lists directly inside lists.
    fn levels(&mut self, schema: &Value, in_list: bool) -> Result<usize, String> {
        let Value::Object(members) = schema else {
            return Ok(0);
        };
        let is_map = members.contains_key("additionalProperties");
        let is_object = members.get("type").is_some_and(|name| name == "object");
        let mut levels = usize::from(is_object && (!is_map || in_list));
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            levels = levels.max(self.reference(reference, in_list)?);
        }
        for part in parts(members) {
            let below = match part.relation {
                Relation::Same => self.levels(part.schema, in_list)?,
                Relation::Property => 1 + self.levels(part.schema, false)?,
                Relation::Item | Relation::Value if part.schema.is_object() => {
                    usize::from(in_list) + self.levels(part.schema, true)?
                }
                _ => 0,
            };
            levels = levels.max(below);
        }
        Ok(levels)
    }

    fn reference(&mut self, reference: &str, in_list: bool) -> Result<usize, String> {
        let name = reference.strip_prefix(DEFINITIONS).map(key_in_reference);
        let found = name.and_then(|name| Some((self.definitions.get(&name)?, name)));
        let Some((schema, name)) = found else {
            return Err(format!(
                "refers to `{reference}`, which its schema does not define"
            ));
        };
        if self.inside.contains(&name) {
            return Err(format!(
                "contains itself: `{name}` is inside `{name}`; arguments must end"
            ));
        }
        self.inside.push(name);
        let levels = self.levels(schema, in_list);
        self.inside.pop();
        levels
    }
}
