//! The validator that a schema is made into.

use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde_json::Value;

use super::{
    pattern::{Exceeded, MAX_BYTES, bounded, spend_on_keys},
    refusal::{count, faults, too_long},
};
use crate::{
    ToolError,
    arguments::{
        explain::{example, fault::Fault, message::told},
        leniency::repair,
        with_example,
    },
};

pub(in crate::dynamic) use super::pattern::Patterns;

/// The greatest number of mistakes in a message for the model.
const MAX_TOLD: usize = 3;
/// Up to how many schemas, times the bytes of the arguments, all mistakes are looked for. Beyond it
/// there may be more than fits in memory, and only the first one is reported.
const MAX_FOR_ALL: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Checker {
    schema: Value,
    parts: usize,
    validator: Validator,
    /// The number of steps that it takes for each byte of the keys.
    steps_of_keys: usize,
}

impl Checker {
    pub(super) fn new(
        schema: Value,
        parts: usize,
        formats: bool,
        patterns: &Patterns,
    ) -> Result<Self, String> {
        let for_keyword = patterns.clone();
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_keyword("pattern", move |_, value, _| for_keyword.keyword(value))
            .with_pattern_options(PatternOptions::regex().size_limit(MAX_BYTES))
            .should_validate_formats(formats)
            .offline()
            .build(&schema)
            .map_err(|error| {
                let at = error.instance_path().to_string();
                format!("#{at}: {}", error.masked())
            })?;
        Ok(Self {
            steps_of_keys: patterns.steps_of_keys(&schema),
            schema,
            parts,
            validator,
        })
    }

    /// Asks the validator about a value, within the steps that patterns may take.
    ///
    /// # Errors
    ///
    /// When the patterns would have taken too many steps. What was said until then may be wrong.
    fn ask<T>(&self, value: &Value, ask: impl FnOnce(&Validator) -> T) -> Result<T, Option<T>> {
        let asked = bounded(|| {
            spend_on_keys(self.steps_of_keys, value).ok()?;
            Some(ask(&self.validator))
        });
        match asked {
            Ok(answer) => answer.ok_or(None),
            Err((answer, Exceeded)) => Err(answer),
        }
    }

    /// Returns true if a value fits.
    pub(super) fn fits(&self, value: &Value) -> bool {
        self.ask(value, |validator| validator.is_valid(value)) == Ok(true)
    }

    /// Checks well-formed JSON text.
    pub(super) fn check(&self, text: &str) -> Result<(), ToolError> {
        let arguments: Value = serde_json::from_str(text).map_err(|error| {
            let mistake = repair::mistake(text);
            told([mistake.unwrap_or_else(|| format!("the arguments cannot be read: {error}"))])
        })?;
        let looks_for_all = self.parts.saturating_mul(text.len()) <= MAX_FOR_ALL;
        // All mistakes are collected before the first is reported.
        let errors = |validator: &Validator| -> Vec<ValidationError<'static>> {
            if looks_for_all {
                let errors = validator.iter_errors(&arguments);
                errors.map(ValidationError::to_owned).collect()
            } else {
                let error = validator.validate(&arguments).err();
                error.map(ValidationError::to_owned).into_iter().collect()
            }
        };
        let is_valid = self.ask(&arguments, |validator| validator.is_valid(&arguments));
        if is_valid == Ok(true) {
            return Ok(());
        }
        let errors = match (self.ask(&arguments, errors), is_valid) {
            (Ok(errors), Ok(_)) => errors,
            (Ok(errors) | Err(Some(errors)), _) => return Err(told([too_long(&errors)])),
            (Err(None), _) => return Err(told([too_long(&[])])),
        };
        let mut messages: Vec<String> = Vec::new();
        let mut more = 0_usize;
        let mut lacks_argument = false;
        for error in &errors {
            let room = MAX_TOLD - messages.len();
            if room == 0 {
                more += count(error);
                continue;
            }
            let told = faults(error, &self.schema, room);
            more += count(error).saturating_sub(told.len());
            lacks_argument |= told.iter().any(Fault::lacks_argument);
            for message in told.iter().map(Fault::message) {
                if !messages.contains(&message) {
                    messages.push(message);
                }
            }
        }
        if more > 0 {
            messages.push(format!("and {more} more"));
        }
        let example = self.example().filter(|_| lacks_argument);
        Err(with_example(told(messages), example))
    }

    /// Short arguments that fit, if some are known.
    pub(super) fn example(&self) -> Option<String> {
        let example = example::of_schema(&self.schema)?;
        let fits = self.fits(&serde_json::from_str(&example).ok()?);
        fits.then_some(example)
    }
}
