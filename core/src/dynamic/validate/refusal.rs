//! Errors of a validator, in the words of the other argument errors.

mod branches;
mod limits;
mod place;
mod words;

use jsonschema::{ValidationError, error::ValidationErrorKind as Kind, paths::LocationSegment};
use serde_json::Value;
use toolwright_json::path::{Step, cut, cut_to};

use super::pattern::failed;
use crate::arguments::explain::{
    choices::Choices, expectation::one_of_shown, fault::Fault, suggest::nearest_first,
};
use place::parent;
use words::{PATTERN_CHARS, expected, of_schema, refused};

/// The greatest number of known keys in a message, the nearest first.
const SHOWN_KEYS: usize = 20;

/// The number of keys that are compared to find the intended one.
const MAX_COMPARED: usize = 500;

/// Returns the number of mistakes in an error: one, or one for each key that is not known.
pub(super) fn count(error: &ValidationError<'_>) -> usize {
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected.len()
        }
        _ => 1,
    }
}

/// The mistakes that an error stands for, at most so many.
pub(super) fn faults(error: &ValidationError<'_>, schema: &Value, most: usize) -> Vec<Fault> {
    match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            branches::faults(error, context, schema, most)
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let known = parent(error, schema).map(known_keys).unwrap_or_default();
            let unknown = |key: &String| {
                let mut nearest = nearest_first(key, &known);
                nearest.truncate(SHOWN_KEYS);
                let message = match nearest.as_slice() {
                    [] => "unknown, expected no such key".to_owned(),
                    nearest => {
                        let shown: Vec<_> = nearest.iter().map(|key| quoted(key)).collect();
                        format!("unknown, expected {}", one_of_shown(&shown))
                    }
                };
                at(
                    error,
                    Fault::refused(message).inside(Step::Key(key.clone())),
                )
            };
            unexpected.iter().take(most).map(unknown).collect()
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let expected = parent(error, schema)
                .and_then(|parent| parent.get("properties")?.get(name))
                .map(|property| of_schema(property, schema));
            let fault = match expected {
                Some(expected) => Fault::missing(name, expected),
                None => Fault::refused("missing").inside(Step::Key(name.to_owned())),
            };
            vec![at(error, fault)]
        }
        Kind::Enum { options } => {
            let fault = Fault::one_of(Choices::of_values(options.as_array().into_iter().flatten()));
            vec![at(error, fault.with_text(&error.instance().to_string()))]
        }
        kind => {
            let fault = match expected(error, schema) {
                Some(expected) => Fault::expected(expected),
                None => Fault::refused(refused(kind)),
            };
            vec![at(error, fault.with_text(&error.instance().to_string()))]
        }
    }
}

/// Returns the message about a text that is too long to be matched, with its place if one of the errors has it.
pub(super) fn too_long(errors: &[ValidationError<'_>]) -> String {
    let found = errors.iter().find_map(|error| match error.kind() {
        Kind::Custom { message, .. } => match failed(message) {
            (pattern, true) => Some((error, pattern)),
            (_, false) => None,
        },
        _ => None,
    });
    let Some((error, pattern)) = found else {
        let reason = "the strings are too long to be matched against the patterns of the schema, expected shorter ones";
        return Fault::refused(reason).message();
    };
    let length = error
        .instance()
        .as_str()
        .map_or(0, |text| text.chars().count());
    let pattern = cut_to(pattern, PATTERN_CHARS);
    let reason = format!(
        "a string of {length} characters is too long to be matched against the pattern `{pattern}`, \
         expected a shorter one"
    );
    at(error, Fault::refused(reason)).message()
}

/// A fault of the value that an error is about.
fn at(error: &ValidationError<'_>, mut fault: Fault) -> Fault {
    let mut steps: Vec<_> = error.instance_path().segments().collect();
    while let Some(step) = steps.pop() {
        fault = fault.inside(match step {
            LocationSegment::Property(key) => Step::Key(key.into_owned()),
            LocationSegment::Index(index) => Step::Index(index),
        });
    }
    fault
}

fn known_keys(schema: &Value) -> Vec<&str> {
    let keys = schema.get("properties").and_then(Value::as_object);
    let keys = keys.into_iter().flat_map(|keys| keys.keys());
    keys.map(String::as_str).take(MAX_COMPARED).collect()
}

/// A key in quotes, or its start.
fn quoted(key: &str) -> String {
    format!("{:?}", cut(key))
}
