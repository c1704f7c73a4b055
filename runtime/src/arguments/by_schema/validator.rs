//! The validator that a schema is made into.

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use super::{
    example,
    refusal::{count, faults},
};
use crate::{
    ToolError,
    arguments::{fault::Fault, repair, told::told},
};

/// How many mistakes a model is told at once.
const MAX_TOLD: usize = 3;
/// Up to how many schemas, times the bytes of the arguments, all mistakes are looked for. Beyond it
/// there may be more than memory holds, and the first one is told.
const MAX_FOR_ALL: usize = 1 << 20;
/// How many steps back a pattern with look-around may take on one text. Any other pattern takes
/// time in proportion to the text.
const MAX_STEPS_BACK: usize = 100_000;
/// How many characters an example has at most.
const MAX_EXAMPLE_CHARS: usize = 200;
/// How many bytes a compiled pattern may have.
const MAX_PATTERN_BYTES: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Checker {
    schema: Value,
    parts: usize,
    validator: Validator,
}

impl Checker {
    pub(super) fn new(schema: Value, parts: usize, formats: bool) -> Result<Self, String> {
        let patterns = PatternOptions::fancy_regex()
            .backtrack_limit(MAX_STEPS_BACK)
            .size_limit(MAX_PATTERN_BYTES);
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(patterns)
            .should_validate_formats(formats)
            .offline()
            .build(&schema)
            .map_err(|error| {
                let at = error.instance_path().to_string();
                format!("#{at}: {}", error.masked())
            })?;
        Ok(Self {
            schema,
            parts,
            validator,
        })
    }

    /// Whether a value fits.
    pub(super) fn fits(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// Checks well-formed JSON text.
    pub(super) fn check(&self, text: &str) -> Result<(), ToolError> {
        let arguments: Value = serde_json::from_str(text).map_err(|error| {
            let mistake = repair::mistake(text);
            told([mistake.unwrap_or_else(|| format!("the arguments cannot be read: {error}"))])
        })?;
        if self.validator.is_valid(&arguments) {
            return Ok(());
        }
        let mut messages: Vec<String> = Vec::new();
        let mut more = 0_usize;
        let mut lacks_argument = false;
        // All mistakes are collected before the first is told.
        let errors: Vec<_> = if self.parts.saturating_mul(text.len()) <= MAX_FOR_ALL {
            self.validator.iter_errors(&arguments).collect()
        } else {
            self.validator
                .validate(&arguments)
                .err()
                .into_iter()
                .collect()
        };
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
        let error = told(messages);
        match self.example().filter(|_| lacks_argument) {
            Some(example) => Err(error.with_detail("example", example)),
            None => Err(error),
        }
    }

    /// Short arguments that fit, if some are known.
    pub(super) fn example(&self) -> Option<String> {
        let example = example::of_schema(&self.schema)?;
        self.validator
            .is_valid(&example)
            .then(|| example.to_string())
            .filter(|json| json.chars().count() <= MAX_EXAMPLE_CHARS)
    }
}
