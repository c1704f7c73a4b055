//! The keyword `pattern` of the validator, with the patterns of this module.

use std::{collections::HashMap, sync::Arc};

use crate::mutex::Mutex;

use jsonschema::{Keyword, ValidationError};
use serde_json::Value;

use super::{Pattern, work};

/// The greatest size of all patterns of a schema together.
const MAX_WEIGHT: usize = 1 << 20;
/// The start of an error whose text would take too many steps. No pattern begins with it.
const TOO_LONG: &str = "\0";

/// The patterns of a schema, each compiled once.
#[derive(Debug, Default, Clone)]
pub(in super::super) struct Patterns(Arc<Mutex<Compiled>>);

#[derive(Debug, Default)]
struct Compiled {
    known: HashMap<String, Result<Arc<Pattern>, String>>,
    weight: usize,
}

impl Patterns {
    /// A pattern, compiled unless it is known.
    ///
    /// # Errors
    ///
    /// When it is no regular expression, or when it or all of them are too large.
    pub(super) fn get(&self, text: &str) -> Result<Arc<Pattern>, String> {
        let mut compiled = self.0.lock();
        if let Some(known) = compiled.known.get(text) {
            return known.clone();
        }
        let mut made = Pattern::new(text);
        if let Ok(pattern) = &made {
            compiled.weight = compiled.weight.saturating_add(pattern.program.weight);
            if compiled.weight > MAX_WEIGHT {
                made = Err("the patterns of the schema are too large together".to_owned());
            }
        }
        let made = made.map(Arc::new);
        compiled.known.insert(text.to_owned(), made.clone());
        made
    }

    /// The keyword for one schema.
    ///
    /// # Errors
    ///
    /// When its value is no pattern.
    pub(in super::super) fn keyword<'v>(
        &self,
        value: &'v Value,
    ) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'v>> {
        let text = value.as_str().unwrap_or_default();
        match self.get(text) {
            Ok(pattern) => Ok(Box::new(Matches(pattern))),
            Err(reason) => Err(ValidationError::custom(reason)),
        }
    }
}

/// Returns the content of the keyword's error: the pattern, and true if the text was too long for it.
pub(in super::super) fn failed(message: &str) -> (&str, bool) {
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
