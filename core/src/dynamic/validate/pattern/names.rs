//! The patterns of `patternProperties`, which the validator matches itself.
//!
//! It gets none with look-around or references to groups: for each call such a pattern is replaced by the
//! keys of the arguments that it matches.

use std::{collections::HashSet, fmt::Write, sync::Arc};

use serde_json::Value;
use toolwright_json::schema_draft::keywords::{parts, schemas_mut};

use super::{Exceeded, Pattern, keyword::Patterns, work};

/// The greatest size in bytes of the keys that replace a pattern.
const MAX_KEY_BYTES: usize = 1 << 16;

/// The patterns of the names of keys.
#[derive(Debug, Default)]
pub(in super::super) struct Names {
    /// The number of steps for one character of a key.
    cost: usize,
    /// The patterns that the validator does not get.
    replaced: Vec<Arc<Pattern>>,
}

impl Names {
    /// The patterns of a schema.
    ///
    /// # Errors
    ///
    /// When one is no regular expression, or all are too large.
    pub(in super::super) fn of(schema: &Value, patterns: &Patterns) -> Result<Self, String> {
        let mut found = HashSet::new();
        collect(schema, &mut found);
        let mut names = Self::default();
        for text in found {
            let pattern = patterns
                .get(text)
                .map_err(|reason| format!("`{text}`: {reason}"))?;
            if pattern.is_plain() {
                names.cost = names.cost.saturating_add(pattern.cost(0));
            } else {
                names.replaced.push(pattern);
            }
        }
        Ok(names)
    }

    /// Returns true if the schema has to be rewritten for each call.
    pub(in super::super) fn is_replaced(&self) -> bool {
        !self.replaced.is_empty()
    }

    /// Counts the steps that the validator takes for the keys of some arguments.
    ///
    /// # Errors
    ///
    /// When they are too many.
    pub(in super::super) fn spend(&self, arguments: &Value) -> Result<(), Exceeded> {
        if self.cost == 0 {
            return Ok(());
        }
        let mut bytes = 0;
        each_key(arguments, &mut |key| bytes += key.len() + 1);
        work::spend(self.cost.saturating_mul(bytes))
    }

    /// The schema for some arguments, without the patterns that the validator does not get.
    ///
    /// # Errors
    ///
    /// When the keys are too many or too long.
    pub(in super::super) fn written(
        &self,
        schema: &Value,
        arguments: &Value,
    ) -> Result<Value, Exceeded> {
        let mut keys = HashSet::new();
        each_key(arguments, &mut |key| {
            keys.insert(key);
        });
        let mut written = Vec::new();
        for (index, pattern) in self.replaced.iter().enumerate() {
            let mut matched = Vec::new();
            for key in &keys {
                if pattern.is_match(key)? {
                    matched.push(literal(key));
                }
            }
            // What matches nothing, as often as it makes the text one that no other pattern has.
            matched.extend(vec![".^".to_owned(); index + 1]);
            let alternatives = matched.join("|");
            if alternatives.len() > MAX_KEY_BYTES {
                return Err(work::exceed());
            }
            written.push((pattern.text.as_str(), format!("^(?:{alternatives})$")));
        }
        let mut schema = schema.clone();
        replace(&mut schema, &written);
        Ok(schema)
    }
}

/// A key as a pattern that matches no other text.
fn literal(key: &str) -> String {
    let mut pattern = String::with_capacity(key.len());
    for char in key.chars() {
        match char {
            'a'..='z' | 'A'..='Z' | '0'..='9' => pattern.push(char),
            _ if char.is_ascii() => {
                // Writing to a text cannot fail.
                let _ = write!(pattern, "\\x{:02x}", u32::from(char));
            }
            _ => pattern.push(char),
        }
    }
    pattern
}

/// Calls a function with every key in a value.
fn each_key<'v>(value: &'v Value, each: &mut impl FnMut(&'v str)) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                each(key);
                each_key(value, each);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| each_key(item, each)),
        _ => {}
    }
}

/// Collects the patterns of `patternProperties` in a schema and in those inside it.
fn collect<'s>(schema: &'s Value, found: &mut HashSet<&'s str>) {
    for part in schema.as_object().into_iter().flat_map(parts) {
        if part.keyword == "patternProperties" {
            found.extend(part.key);
        }
        collect(part.schema, found);
    }
}

/// Writes other patterns instead of some, in a schema and in those inside it.
fn replace(schema: &mut Value, written: &[(&str, String)]) {
    for (keyword, value) in schema.as_object_mut().into_iter().flatten() {
        let inner = schemas_mut(keyword, value).into_iter();
        inner.for_each(|schema| replace(schema, written));
        if let ("patternProperties", Value::Object(named)) = (keyword.as_str(), value) {
            let renamed = std::mem::take(named).into_iter().map(|(name, schema)| {
                let new = written.iter().find(|(pattern, _)| *pattern == name);
                (new.map_or(name, |(_, new)| new.clone()), schema)
            });
            *named = renamed.collect();
        }
    }
}
