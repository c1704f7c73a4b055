//! The schema that arguments are checked by: what the walk has seen and no more, in the forms of
//! 2020-12.
//!
//! A validator that read the document itself could find other schemas than the walk, which has
//! bounded them. So it gets no names to find any by: what a reference points at is moved to `$defs`,
//! and every reference is a pointer to there. Keywords that decide nothing are left out, and what
//! nothing points at too.

use std::{
    collections::{HashMap, HashSet},
    ptr,
};

use serde_json::Value;
use toolwright_json::{
    schema_draft::{keywords::rewritten, references::References, upgrade::modern_keywords},
    tree::{Json, Object},
};

use crate::dynamic::validate::Patterns;

/// The number of characters of a reference that become part of a name.
const NAME_CHARS: usize = 60;

/// Writes the schema that arguments are checked by, without the patterns that cannot be checked. Every reference that can
/// be reached has a target.
pub(super) fn bundle(root: &Value, references: &References<'_>, patterns: &Patterns) -> Value {
    let mut bundler = Bundler {
        references,
        patterns,
        names: HashMap::new(),
        taken: HashSet::new(),
        pending: Vec::new(),
    };
    let mut whole = bundler.written(root);
    let mut definitions = Object::new();
    while let Some((name, schema)) = bundler.pending.pop() {
        definitions.push(name, bundler.written(schema));
    }
    if let Json::Object(keywords) = &mut whole
        && !definitions.is_empty()
    {
        keywords.push("$defs", definitions);
    }
    whole.into()
}

struct Bundler<'r, 's> {
    references: &'r References<'s>,
    patterns: &'r Patterns,
    /// The names of what is pointed at.
    names: HashMap<*const Value, String>,
    taken: HashSet<String>,
    /// The schemas that are still to be written under `$defs`.
    pending: Vec<(String, &'s Value)>,
}

impl<'s> Bundler<'_, 's> {
    /// A schema, written where it stands. The depth of the text, which is bounded, bounds the depth
    /// of this.
    fn written(&mut self, schema: &'s Value) -> Json {
        let Value::Object(keywords) = schema else {
            return schema.into();
        };
        let mut new = Object::new();
        for (keyword, value) in keywords {
            let value = match keyword.as_str() {
                "$defs" | "definitions" | "contentSchema" => continue,
                // Up to draft 3 it says that the value itself is.
                "required" if !value.is_array() => continue,
                "pattern"
                    if value
                        .as_str()
                        .is_some_and(|text| !self.patterns.takes(text)) =>
                {
                    continue;
                }
                keyword if decides(keyword) => value.into(),
                keyword => match rewritten(keyword, value, |part| self.part(part)) {
                    Some(value) => value,
                    None => continue,
                },
            };
            new.push(keyword, value);
        }
        let references = self.references;
        for reference in references.of(schema) {
            let Ok(target) = reference.target else {
                continue;
            };
            let pointer = self.pointer(target, reference.text);
            if !new.contains("$ref") {
                new.push("$ref", pointer.as_str());
                continue;
            }
            let one = refers_to(&pointer);
            match new.get_mut("allOf") {
                Some(Json::List(all)) => all.push(one),
                Some(_) => {}
                None => new.push("allOf", Json::List(vec![one])),
            }
        }
        modern_keywords(new).into()
    }

    /// A schema inside another. One that is pointed at stands under `$defs`, once.
    fn part(&mut self, schema: &'s Value) -> Json {
        match self.references.label(schema) {
            Some(label) => refers_to(&self.pointer(schema, label)),
            None => self.written(schema),
        }
    }

    fn pointer(&mut self, target: &'s Value, text: &str) -> String {
        let address = ptr::from_ref(target);
        if !self.names.contains_key(&address) {
            let mut name = name_of(text);
            if self.taken.contains(&name) {
                name = format!("{name}_{}", self.taken.len());
            }
            while !self.taken.insert(name.clone()) {
                name.push('_');
            }
            self.pending.push((name.clone(), target));
            self.names.insert(address, name);
        }
        format!("#/$defs/{}", self.names[&address])
    }
}

fn refers_to(pointer: &str) -> Json {
    Object::from_iter([("$ref", pointer.into())]).into()
}

/// The end of a reference, of characters that mean nothing in a pointer.
fn name_of(reference: &str) -> String {
    let end = reference
        .rsplit(['/', '#'])
        .find(|segment| !segment.is_empty());
    let plain = |char: char| match char {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '.' => char,
        _ => '_',
    };
    let end = end.unwrap_or("root").chars();
    end.take(NAME_CHARS).map(plain).collect()
}

/// Returns true if a keyword that holds no schema decides which values fit.
fn decides(keyword: &str) -> bool {
    matches!(
        keyword,
        "type"
            | "enum"
            | "const"
            | "nullable"
            | "multipleOf"
            | "minimum"
            | "maximum"
            | "exclusiveMinimum"
            | "exclusiveMaximum"
            | "minLength"
            | "maxLength"
            | "pattern"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
            | "minContains"
            | "maxContains"
            | "minProperties"
            | "maxProperties"
            | "required"
            | "dependentRequired"
    )
}
