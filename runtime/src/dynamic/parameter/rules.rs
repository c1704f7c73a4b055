//! The rules for the parameters of a tool.

use std::{cmp::Ordering, collections::HashSet, ops::Bound};

use serde_json::Value;
use toolwright_json::path::cut;

use super::{
    Count, Kind, Parameter, Property, Range,
    fits::{compare, fits, is_whole, whole},
    texts,
};
use crate::{
    dynamic::{place::Place, violation::Violations},
    schema::MAX_DEPTH,
};

/// Checks the parameters of a tool.
pub(in crate::dynamic) fn check(properties: &[Property], violations: &mut Violations) {
    object(properties, Place::Arguments, 1, violations);
}

/// Checks an object, which is the level of this number.
fn object(properties: &[Property], at: Place<'_>, level: u16, violations: &mut Violations) {
    let mut names = HashSet::new();
    for property in properties {
        let name = property.name.as_str();
        if name.is_empty() {
            violations.add(at, "a key has no name: give it one");
        } else if !names.insert(name) {
            let message = format!("`{}` is there twice: rename or remove one", cut(name));
            violations.add(at, message);
        }
        let is_default_idle = property.is_required && property.parameter.default.is_some();
        if is_default_idle {
            violations.add(
                Place::Key(&at, name),
                "what has to be there has no default: make it optional, or remove the default",
            );
        }
        value(
            &property.parameter,
            Place::Key(&at, name),
            level,
            false,
            violations,
        );
    }
}

/// Checks a value that is inside of so many levels.
fn value(
    parameter: &Parameter,
    at: Place<'_>,
    levels: u16,
    in_list: bool,
    violations: &mut Violations,
) {
    let is_array = matches!(parameter.kind, Kind::Array(_));
    let is_level = matches!(parameter.kind, Kind::Object(_)) || (is_array && in_list);
    let levels = levels + u16::from(is_level);
    // What is deeper than it is kept has lost its kind.
    if levels > MAX_DEPTH || parameter.height >= super::MAX_KEPT && parameter.kind == Kind::Any {
        let message = format!(
            "the arguments have more than {MAX_DEPTH} levels: flatten the objects on the way"
        );
        violations.add(at, message);
        return;
    }
    constraints(parameter, at, violations);
    match &parameter.kind {
        Kind::Choice(choices) => choice(choices, at, violations),
        Kind::Array(item) => value(item, Place::Item(&at), levels, true, violations),
        Kind::Object(properties) => object(properties, at, levels, violations),
        _ => {}
    }
    let values = parameter.default.iter().map(|value| ("default", value));
    let mut values = values
        .chain(parameter.examples.iter().map(|value| ("example", value)))
        .peekable();
    let check = values.peek().and_then(|_| texts::check(parameter));
    for (what, value) in values {
        if !fits(parameter, value) || check.as_ref().is_some_and(|check| !check.fits(value)) {
            let shown = cut(&value.to_string());
            violations.add(
                at,
                format!("the {what} {shown} is none of the values that are allowed"),
            );
        }
    }
}

fn constraints(parameter: &Parameter, at: Place<'_>, violations: &mut Violations) {
    let is_text = parameter.kind == Kind::String;
    let is_number = matches!(parameter.kind, Kind::Integer | Kind::Number);
    let is_array = matches!(parameter.kind, Kind::Array(_));
    for (is_set, has_place, what) in [
        (
            parameter.range.is_some(),
            is_number,
            "a range is for a number",
        ),
        (
            parameter.length.is_some(),
            is_text,
            "a length is for a string",
        ),
        (
            parameter.pattern.is_some(),
            is_text,
            "a pattern is for a string",
        ),
        (
            parameter.format.is_some(),
            is_text,
            "a format is for a string",
        ),
        (
            parameter.items.is_some(),
            is_array,
            "a number of items is for an array",
        ),
        (parameter.has_stray_key, false, "a key is for an object"),
    ] {
        if is_set && !has_place {
            violations.add(at, format!("{what}: remove it"));
        }
    }
    if is_text {
        texts::rules(parameter, at, violations);
    }
    if let Some(range) = parameter.range.as_ref().filter(|_| is_number) {
        numbers(range, parameter.kind == Kind::Integer, at, violations);
    }
    let is_empty = |count: Option<Count>| count.is_some_and(|count| count.is_empty);
    if is_empty(parameter.length) || is_empty(parameter.items) {
        violations.add(
            at,
            "the range of the count is empty: write the lower bound first",
        );
    }
}

fn numbers(range: &Range, is_whole_number: bool, at: Place<'_>, violations: &mut Violations) {
    let bound = |bound: &Bound<Value>| match bound {
        Bound::Unbounded => None,
        Bound::Included(value) | Bound::Excluded(value) => Some(value.clone()),
    };
    let (from, to) = (bound(&range.from), bound(&range.to));
    for value in from.iter().chain(&to) {
        match value {
            Value::Number(number) if !is_whole_number || is_whole(number) => {}
            Value::Number(_) => {
                violations.add(
                    at,
                    format!("the bound {value} is for an integer: write a whole number"),
                );
                return;
            }
            _ => return violations.add(at, "a bound of the range is no number: write one"),
        }
    }
    let Some((from, to)) = from.zip(to) else {
        return;
    };
    let excluded =
        [&range.from, &range.to].map(|bound| i64::from(matches!(bound, Bound::Excluded(_))));
    let is_empty = match compare(&from, &to) {
        Some(Ordering::Less) => {
            // Nothing whole lies between 1 and 2.
            let between = whole(&from).zip(whole(&to));
            let between = between.and_then(|(from, to)| to.checked_sub(from));
            is_whole_number && between == Some(1) && excluded == [1, 1]
        }
        Some(Ordering::Equal) => excluded != [0, 0],
        _ => true,
    };
    if is_empty {
        violations.add(at, "no number is in the range: write the lower bound first");
    }
}

fn choice(choices: &[String], at: Place<'_>, violations: &mut Violations) {
    if choices.is_empty() {
        violations.add(
            at,
            "there is nothing to choose from: name at least one text",
        );
    }
    let mut seen = HashSet::new();
    if let Some(twice) = choices.iter().find(|text| !seen.insert(text.as_str())) {
        let message = format!("the choice {:?} is there twice: remove one", cut(twice));
        violations.add(at, message);
    }
}
