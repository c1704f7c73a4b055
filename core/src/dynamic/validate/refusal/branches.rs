//! A value that fits none of the branches of a union: which one was meant, and what it lacks.

use std::collections::HashSet;

use jsonschema::{ValidationError, error::ValidationErrorKind as Kind};
use serde_json::Value;
use toolwright_json::path::{Step, cut};

use super::{at, faults as of_error, place::parent, words::expected};
use crate::arguments::explain::{choices::Choices, fault::Fault};

type Branch = Vec<ValidationError<'static>>;

/// The mistakes of the intended branch; if it is not clear which was intended, what all branches
/// expect.
pub(super) fn faults(
    error: &ValidationError<'_>,
    branches: &[Branch],
    schema: &Value,
    most: usize,
) -> Vec<Fault> {
    let here = depth(error);
    let (others, same_kind): (Vec<_>, Vec<_>) = branches
        .iter()
        .partition(|branch| branch.iter().any(|error| is_about_kind(error, here)));
    if same_kind.is_empty() {
        return vec![at(error, of_kind(error, &others, schema))];
    }
    let names = tag_names(&same_kind, here, schema);
    let (other_tags, meant): (Vec<_>, Vec<_>) = same_kind.into_iter().partition(|branch| {
        branch
            .iter()
            .any(|error| tag(error, here, &names, schema).is_some())
    });
    if meant.is_empty() {
        return vec![of_tag(error, &other_tags, here, &names, schema)];
    }
    let keys: Vec<_> = meant
        .iter()
        .map_while(|branch| missing_keys(branch, here))
        .collect();
    if keys.len() == meant.len() && keys.len() > 1 {
        let fault = Fault::refused(format!("expected one more key: {}", keys.join(", or ")));
        return vec![at(error, fault)];
    }
    // The one that came furthest, and of these the one that lacks least.
    let furthest = |branch: &&&Branch| {
        let furthest = branch.iter().map(depth).max();
        (furthest, usize::MAX - branch.len())
    };
    let meant = meant.iter().rev().max_by_key(furthest);
    let errors = meant.into_iter().flat_map(|branch| branch.iter());
    let mut all = Vec::new();
    for error in errors {
        if all.len() < most {
            all.extend(of_error(error, schema, most - all.len()));
        }
    }
    all
}

fn depth(error: &ValidationError<'_>) -> usize {
    error.instance_path().segments().count()
}

/// Returns true if a branch expects a value of another kind.
fn is_about_kind(error: &ValidationError<'_>, here: usize) -> bool {
    let kinds = matches!(
        error.kind(),
        Kind::Type { .. } | Kind::Enum { .. } | Kind::Constant { .. } | Kind::FalseSchema
    );
    kinds && depth(error) == here
}

/// Returns a fault with the values that the branches expect.
fn of_kind(error: &ValidationError<'_>, branches: &[&Branch], schema: &Value) -> Fault {
    let mut all: Vec<String> = Vec::new();
    for first in branches.iter().filter_map(|branch| branch.first()) {
        if let Some(expected) = expected(first, schema).filter(|expected| !all.contains(expected)) {
            all.push(expected);
        }
    }
    let fault = if all.is_empty() {
        Fault::refused("fits none of the allowed forms")
    } else {
        Fault::expected(all.join(" or "))
    };
    fault.with_text(&error.instance().to_string())
}

/// A key whose value may tell a branch from the others.
struct Tag {
    name: String,
    values: Vec<Value>,
    /// True if the branch asks for one value only.
    is_constant: bool,
}

/// Returns the key that an error of a branch is about, with the values that the branch expects there.
fn tag_of(error: &ValidationError<'_>, here: usize, schema: &Value) -> Option<Tag> {
    let (name, values) = match error.kind() {
        Kind::Constant { expected_value } => {
            (key_below(error, here)?, vec![Value::clone(expected_value)])
        }
        Kind::Enum { options } => (key_below(error, here)?, options.as_array()?.clone()),
        Kind::Required { property } if depth(error) == here => {
            let name = property.as_str()?;
            (name.to_owned(), constants(error, name, schema))
        }
        _ => return None,
    };
    let is_constant = values.len() == 1;
    (!values.is_empty()).then_some(Tag {
        name,
        values,
        is_constant,
    })
}

/// The keys whose values tell the branches apart: what one of them asks to be a constant.
fn tag_names(branches: &[&Branch], here: usize, schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    for error in branches.iter().flat_map(|branch| branch.iter()) {
        let tag = tag_of(error, here, schema).filter(|tag| tag.is_constant);
        names.extend(tag.map(|tag| tag.name).filter(|name| !names.contains(name)));
    }
    names
}

/// Returns the tag that an error of a branch is about, if the actual value differs from it.
fn tag(error: &ValidationError<'_>, here: usize, names: &[String], schema: &Value) -> Option<Tag> {
    tag_of(error, here, schema).filter(|tag| names.contains(&tag.name))
}

/// No branch has the tag that came: these are the tags.
fn of_tag(
    error: &ValidationError<'_>,
    branches: &[&Branch],
    here: usize,
    names: &[String],
    schema: &Value,
) -> Fault {
    let errors = branches.iter().flat_map(|branch| branch.iter());
    let all: Vec<_> = errors
        .filter_map(|error| tag(error, here, names, schema))
        .collect();
    let name = all.first().map_or("", |tag| &tag.name);
    let own = all.iter().filter(|tag| tag.name == name);
    let mut seen = HashSet::new();
    let values = own.flat_map(|tag| &tag.values);
    let values = Choices::of_values(values.filter(|value| seen.insert(value.to_string())));
    let fault = match error.instance().get(name) {
        None => Fault::missing(name, values.text(None)),
        Some(came) => Fault::one_of(values)
            .with_text(&came.to_string())
            .inside(Step::Key(name.to_owned())),
    };
    at(error, fault)
}

/// The key of the value that an error is about, if it is a member of the value here.
fn key_below(error: &ValidationError<'_>, here: usize) -> Option<String> {
    use jsonschema::paths::LocationSegment;

    let mut steps = error.instance_path().segments().skip(here);
    match (steps.next(), steps.next()) {
        (Some(LocationSegment::Property(key)), None) => Some(key.into_owned()),
        _ => None,
    }
}

/// The constant that a member of a branch has to be.
fn constants(error: &ValidationError<'_>, name: &str, schema: &Value) -> Vec<Value> {
    let member = parent(error, schema).and_then(|parent| parent.get("properties")?.get(name));
    let Some(member) = member else {
        return Vec::new();
    };
    match (member.get("const"), member.get("enum")) {
        (Some(value), _) => vec![value.clone()],
        (None, Some(options)) if is_one(options) => vec![options[0].clone()],
        _ => Vec::new(),
    }
}

fn is_one(options: &Value) -> bool {
    options.as_array().is_some_and(|options| options.len() == 1)
}

/// The keys that are all that a branch lacks.
fn missing_keys(branch: &Branch, here: usize) -> Option<String> {
    let key = |error: &ValidationError<'static>| match error.kind() {
        Kind::Required { property } if depth(error) == here => {
            Some(format!("`{}`", cut(property.as_str().unwrap_or_default())))
        }
        _ => None,
    };
    let keys: Option<Vec<_>> = branch.iter().map(key).collect();
    keys.filter(|keys| !keys.is_empty())
        .map(|keys| keys.join(" and "))
}
