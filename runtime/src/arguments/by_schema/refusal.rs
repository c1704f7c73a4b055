//! What a validator says, in the words of the other argument errors.

mod limits;

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
    paths::LocationSegment,
};
use serde_json::Value;

use crate::arguments::{
    expectation::{one_of, one_of_shown},
    fault::Fault,
    nearest::nearest_first,
    step::{Step, cut},
};

/// How many of the allowed values are told.
const SHOWN_VALUES: usize = 50;
/// How far references and branches are followed for what a missing key holds.
const MAX_STEPS: usize = 4;
/// How many keys are looked at for the one that was meant.
const MAX_COMPARED: usize = 500;

/// The mistakes that an error stands for: one, or one for each key that is not known.
pub(super) fn fault(error: &ValidationError<'_>, schema: &Value) -> Vec<Fault> {
    match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            of_branches(error, context, schema)
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let known = parent(error, schema).map(known_keys).unwrap_or_default();
            let unknown = |key: &String| {
                let mut nearest = nearest_first(key, &known);
                nearest.truncate(SHOWN_VALUES);
                let message = match nearest.as_slice() {
                    [] => "unknown, expected no such key".to_owned(),
                    nearest => format!("unknown, expected {}", one_of(nearest.iter().copied())),
                };
                at(
                    error,
                    Fault::refused(message).inside(Step::Key(key.clone())),
                )
            };
            unexpected.iter().map(unknown).collect()
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let expected = parent(error, schema)
                .and_then(|parent| parent.get("properties")?.get(name))
                .map(|property| of_schema(property, schema, MAX_STEPS));
            let fault = match expected {
                Some(expected) => Fault::missing(name, expected),
                None => Fault::refused("missing").inside(Step::Key(name.to_owned())),
            };
            vec![at(error, fault)]
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

/// No branch fits. If all ask for another type, that is what was expected; else the branch that came
/// furthest was meant.
fn of_branches(
    error: &ValidationError<'_>,
    branches: &[Vec<ValidationError<'static>>],
    schema: &Value,
) -> Vec<Fault> {
    let depth = |error: &ValidationError<'_>| error.instance_path().segments().count();
    let here = depth(error);
    let firsts = || branches.iter().filter_map(|branch| branch.first());
    let is_simple = |error: &ValidationError<'_>| {
        depth(error) == here
            && matches!(
                error.kind(),
                Kind::Type { .. } | Kind::Enum { .. } | Kind::Constant { .. }
            )
    };
    let meant = firsts()
        .filter(|error| !is_simple(error))
        .max_by_key(|error| depth(error));
    if let Some(meant) = meant {
        return fault(meant, schema);
    }
    let mut all: Vec<String> = Vec::new();
    for expected in firsts().filter_map(|error| expected(error, schema)) {
        if !all.contains(&expected) {
            all.push(expected);
        }
    }
    let fault = if all.is_empty() {
        Fault::refused("fits none of the forms that are allowed")
    } else {
        Fault::expected(all.join(" or "))
    };
    vec![at(error, fault.with_text(&error.instance().to_string()))]
}

/// What should have come instead, in the words that constraints of declared tools have.
fn expected(error: &ValidationError<'_>, schema: &Value) -> Option<String> {
    let near = parent(error, schema).unwrap_or(&Value::Null);
    Some(match error.kind() {
        Kind::Type { kind } => match kind {
            TypeKind::Single(one) => of_type(one.as_str()).to_owned(),
            TypeKind::Multiple(types) => {
                let all: Vec<_> = types.iter().map(|one| of_type(one.as_str())).collect();
                all.join(" or ")
            }
        },
        Kind::Enum { options } => one_of_values(options.as_array().map_or(&[], Vec::as_slice)),
        Kind::Constant { expected_value } => cut(&expected_value.to_string()),
        Kind::Minimum { limit } => limits::range(near, "minimum", limit),
        Kind::Maximum { limit } => limits::range(near, "maximum", limit),
        Kind::ExclusiveMinimum { limit } => limits::range(near, "exclusiveMinimum", limit),
        Kind::ExclusiveMaximum { limit } => limits::range(near, "exclusiveMaximum", limit),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::MinLength { limit } => limits::count(near, limits::TEXT, Some(*limit), None),
        Kind::MaxLength { limit } => limits::count(near, limits::TEXT, None, Some(*limit)),
        Kind::MinItems { limit } => limits::count(near, limits::LIST, Some(*limit), None),
        Kind::MaxItems { limit } => limits::count(near, limits::LIST, None, Some(*limit)),
        Kind::AdditionalItems { limit } => {
            limits::count(&Value::Null, limits::LIST, None, Some(*limit as u64))
        }
        Kind::MinProperties { limit } => limits::count(near, limits::OBJECT, Some(*limit), None),
        Kind::MaxProperties { limit } => limits::count(near, limits::OBJECT, None, Some(*limit)),
        Kind::UniqueItems => "a list in which nothing comes twice".to_owned(),
        Kind::Pattern { pattern } => {
            format!("a string that matches the pattern `{}`", cut(pattern))
        }
        Kind::Format { format } => format!("a string of the format `{}`", cut(format)),
        _ => return None,
    })
}

/// What is wrong where no word says what is right.
fn refused(kind: &Kind) -> &'static str {
    match kind {
        Kind::FalseSchema => "nothing may stand here",
        Kind::OneOfMultipleValid { .. } => "fits more than one of the forms, expected just one",
        Kind::Not { .. } => "has the form that is excluded",
        Kind::Contains => "lacks an item that has to be there",
        Kind::PropertyNames { .. } => "has a key whose name is not allowed",
        Kind::UnevaluatedItems { .. } => "has more items than are described",
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "matching this text takes too many steps, expected a shorter one"
        }
        _ => "does not fit the schema",
    }
}

/// The schema that holds the keyword of an error, where it stands in the document.
fn parent<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Option<&'s Value> {
    let path = error.schema_path().as_str();
    schema.pointer(path.rsplit_once('/')?.0)
}

fn known_keys(schema: &Value) -> Vec<&str> {
    let keys = schema.get("properties").and_then(Value::as_object);
    let keys = keys.into_iter().flat_map(|keys| keys.keys());
    keys.map(String::as_str).take(MAX_COMPARED).collect()
}

/// What a schema expects, as far as a few words say it. References and branches are followed for a
/// few steps.
fn of_schema(schema: &Value, root: &Value, steps: usize) -> String {
    let any = || "a value".to_owned();
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return one_of_values(values);
    }
    match schema.get("type") {
        Some(Value::String(name)) => return of_type(name).to_owned(),
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str).map(of_type);
            return names.collect::<Vec<_>>().join(" or ");
        }
        _ if steps == 0 => return any(),
        _ => {}
    }
    let reference = schema.get("$ref").and_then(Value::as_str);
    let target = reference.and_then(|reference| root.pointer(reference.strip_prefix('#')?));
    if let Some(target) = target {
        return of_schema(target, root, steps - 1);
    }
    let branches = schema.get("anyOf").or_else(|| schema.get("oneOf"));
    let mut all: Vec<String> = Vec::new();
    for branch in branches
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .take(MAX_STEPS)
    {
        let expected = of_schema(branch, root, steps - 1);
        if !all.contains(&expected) {
            all.push(expected);
        }
    }
    if all.is_empty() {
        any()
    } else {
        all.join(" or ")
    }
}

fn of_type(name: &str) -> &'static str {
    match name {
        "string" => "a string",
        "integer" => "an integer",
        "number" => "a number",
        "boolean" => "a boolean",
        "array" => "a list",
        "object" => "an object",
        "null" => "null",
        _ => "a value",
    }
}

fn one_of_values(values: &[Value]) -> String {
    let shown = values.iter().take(SHOWN_VALUES);
    let mut shown: Vec<_> = shown.map(|value| cut(&value.to_string())).collect();
    if values.len() > SHOWN_VALUES {
        shown.push("…".to_owned());
    }
    one_of_shown(&shown)
}
