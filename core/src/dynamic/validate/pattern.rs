//! The patterns of a schema, matched by `regex`.
//!
//! Its work grows with the pattern and the text, and no faster. What it has no form for, look-around and references to
//! groups, would need an engine that tries one way after the other, for which no limit holds: such a pattern is not
//! checked.

mod ecmascript;
mod work;

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use jsonschema::{Keyword, ValidationError};
use regex::{Regex, RegexBuilder};
use serde_json::Value;
use toolwright_json::schema_draft::keywords::parts;

use crate::mutex::Mutex;
pub(super) use work::{Exceeded, bounded};

/// The greatest size in bytes of a compiled pattern.
pub(super) const MAX_BYTES: usize = 1 << 20;
/// The greatest size of all patterns of a schema together.
const MAX_BYTES_OF_ALL: usize = 8 * MAX_BYTES;
/// The sizes that are tried: how large a pattern is can only be learnt by a limit.
const SIZES: [usize; 3] = [1 << 12, 1 << 16, MAX_BYTES];
/// How many bytes of a pattern count as one step for each byte of a text.
const BYTES_OF_STEP: usize = 1 << 10;
/// The work that it may be to translate all patterns of a schema, in bytes that are read.
const MAX_WORK: usize = 1 << 19;
/// The start of an error whose text would take too many steps. No pattern begins with it.
const TOO_LONG: &str = "\0";

#[derive(Debug)]
struct Pattern {
    /// As it was written.
    text: String,
    regex: Regex,
    /// An upper bound of its size.
    size: usize,
}

impl Pattern {
    /// Compiles a pattern in the syntax of JSON Schema (ECMA-262).
    ///
    /// # Errors
    ///
    /// When it cannot be checked: the size up to which that was tried.
    fn new(text: &str) -> Result<Self, usize> {
        let rewritten = ecmascript::rewritten(text).ok_or(0_usize)?;
        let translated = jsonschema_regex::to_rust_regex(&rewritten).map_err(|()| 0_usize)?;
        let mut tried = 0;
        for size in SIZES {
            match RegexBuilder::new(&translated).size_limit(size).build() {
                Ok(regex) => {
                    let text = text.to_owned();
                    return Ok(Self { text, regex, size });
                }
                Err(regex::Error::CompiledTooBig(_)) => tried = size,
                Err(_) => break,
            }
        }
        Err(tried)
    }

    /// The number of steps for one byte of a text.
    fn steps(&self) -> usize {
        self.size / BYTES_OF_STEP
    }

    /// Returns true if a text matches somewhere. A text that would take more steps than the check has left is not
    /// matched.
    ///
    /// # Errors
    ///
    /// When too few steps are left.
    fn is_match(&self, text: &str) -> Result<bool, Exceeded> {
        work::spend(self.steps().saturating_mul(text.len() + 1))?;
        // There are patterns at which the engine panics: https://github.com/rust-lang/regex/issues/1344.
        let found = catch_unwind(AssertUnwindSafe(|| self.regex.is_match(text)));
        found.map_err(|_| work::exceed())
    }
}

/// The patterns of a schema, each compiled once.
#[derive(Debug, Default, Clone)]
pub(in crate::dynamic) struct Patterns(Arc<Mutex<Compiled>>);

#[derive(Debug, Default)]
struct Compiled {
    known: HashMap<String, Option<Arc<Pattern>>>,
    bytes: usize,
    work: usize,
}

impl Patterns {
    /// Returns true if a pattern can be checked.
    pub(in crate::dynamic) fn takes(&self, text: &str) -> bool {
        self.get(text).is_some()
    }

    fn get(&self, text: &str) -> Option<Arc<Pattern>> {
        let mut compiled = self.0.lock();
        if let Some(known) = compiled.known.get(text) {
            return known.clone();
        }
        let mut made = None;
        compiled.work = compiled.work.saturating_add(ecmascript::work(text));
        if compiled.bytes < MAX_BYTES_OF_ALL && compiled.work <= MAX_WORK {
            let new = Pattern::new(text);
            compiled.bytes += new.as_ref().map_or_else(|tried| *tried, |new| new.size);
            made = new.ok().map(Arc::new);
        }
        compiled.known.insert(text.to_owned(), made.clone());
        made
    }

    /// The keyword `pattern` for one schema.
    ///
    /// # Errors
    ///
    /// When its value cannot be checked.
    pub(super) fn keyword<'v>(
        &self,
        value: &'v Value,
    ) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'v>> {
        match value.as_str().and_then(|text| self.get(text)) {
            Some(pattern) => Ok(Box::new(Matches(pattern))),
            None => Err(ValidationError::custom("it is no pattern")),
        }
    }

    /// The number of steps that the validator takes for one byte of the keys, by the patterns of `patternProperties`.
    pub(super) fn steps_of_keys(&self, schema: &Value) -> usize {
        let parts = schema.as_object().into_iter().flat_map(parts);
        let steps = parts.map(|part| {
            let pattern = part.key.filter(|_| part.keyword == "patternProperties");
            let pattern = pattern.and_then(|pattern| self.get(pattern));
            let steps = pattern.map_or(0, |pattern| pattern.steps());
            steps.saturating_add(self.steps_of_keys(part.schema))
        });
        steps.fold(0, usize::saturating_add)
    }
}

/// Counts so many steps for each byte of the keys in a value.
///
/// # Errors
///
/// When they are too many.
pub(super) fn spend_on_keys(steps: usize, value: &Value) -> Result<(), Exceeded> {
    match value {
        Value::Object(members) => members.iter().try_for_each(|(key, value)| {
            work::spend(steps.saturating_mul(key.len() + 1))?;
            spend_on_keys(steps, value)
        }),
        Value::Array(items) => items.iter().try_for_each(|item| spend_on_keys(steps, item)),
        _ => Ok(()),
    }
}

/// Returns the content of the keyword's error: the pattern, and true if the text was too long for it.
pub(super) fn failed(message: &str) -> (&str, bool) {
    match message.strip_prefix(TOO_LONG) {
        Some(pattern) => (pattern, true),
        None => (message, false),
    }
}

struct Matches(Arc<Pattern>);

impl<'i> Keyword<'i> for Matches {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        let Some(text) = instance.as_str() else {
            return Ok(());
        };
        let was_exceeded = work::is_exceeded();
        match self.0.is_match(text) {
            Ok(true) => Ok(()),
            Ok(false) => Err(ValidationError::custom(self.0.text.clone())),
            // One text is told: after it none is looked at.
            Err(_) if was_exceeded => Ok(()),
            Err(_) => Err(ValidationError::custom(format!(
                "{TOO_LONG}{}",
                self.0.text
            ))),
        }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        let text = instance.as_str();
        text.is_none_or(|text| self.0.is_match(text).unwrap_or(true))
    }
}
