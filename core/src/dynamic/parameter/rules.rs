//! The rules for the parameters of a tool.

use std::{cmp::Ordering, collections::HashSet, ops::Bound};

use serde_json::Value;
use toolwright_json::{integer, path::cut};

use super::{Count, Kind, Parameter, Property, Range, texts, values::Values};
use crate::{
    dynamic::{argument_path::ArgumentPath, violation::Violations},
    schema::MAX_DEPTH,
};

/// Checks the parameters of a tool.
pub(in crate::dynamic) fn check(properties: &[Property], violations: &mut Violations) {
    object(properties, ArgumentPath::Arguments, 1, violations);
}

/// Checks an object, which is the level of this number.
fn object(properties: &[Property], at: ArgumentPath<'_>, level: u16, violations: &mut Violations) {
    let mut names = HashSet::new();
    for property in properties {
        let name = property.name.as_str();
        if name.is_empty() {
            violations.add(at, "the name of a key is empty: give it one");
        } else if !names.insert(name) {
            let message = format!("duplicate key `{}`: rename or remove one", cut(name));
            violations.add(at, message);
        }
        let (place, parameter) = (ArgumentPath::Key(&at, name), &property.parameter);
        if property.is_required && parameter.default.is_some() {
            let message =
                "a required parameter has a default: make it optional, or remove the default";
            violations.add(place, message);
        }
        value(parameter, place, level, false, violations);
    }
}

/// Checks a value that is inside of so many levels.
fn value(
    parameter: &Parameter,
    at: ArgumentPath<'_>,
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
        Kind::Array(item) => value(item, ArgumentPath::Item(&at), levels, true, violations),
        Kind::Object(properties) => object(properties, at, levels, violations),
        _ => {}
    }
    let values = parameter.default.iter().map(|value| ("default", value));
    let mut values = values
        .chain(parameter.examples.iter().map(|value| ("example", value)))
        .peekable();
    let allowed = values.peek().and_then(|_| Values::of(parameter));
    for (what, value) in values {
        if allowed.as_ref().is_some_and(|allowed| !allowed.fits(value)) {
            let shown = cut(&value.to_string());
            let message = format!("the {what} {shown} is not an allowed value");
            violations.add(at, message);
        }
    }
}

fn constraints(parameter: &Parameter, at: ArgumentPath<'_>, violations: &mut Violations) {
    let is_text = parameter.kind == Kind::String;
    let is_number = matches!(parameter.kind, Kind::Integer | Kind::Number);
    let is_array = matches!(parameter.kind, Kind::Array(_));
    let mut misplaced = |is_misplaced: bool, what| {
        if is_misplaced {
            violations.add(at, format!("{what}: remove it"));
        }
    };
    misplaced(
        parameter.range.is_some() && !is_number,
        "a range applies to numbers only",
    );
    misplaced(
        parameter.length.is_some() && !is_text,
        "a length applies to strings only",
    );
    misplaced(
        parameter.pattern.is_some() && !is_text,
        "a pattern applies to strings only",
    );
    misplaced(
        parameter.format.is_some() && !is_text,
        "a format applies to strings only",
    );
    misplaced(
        parameter.items.is_some() && !is_array,
        "a number of items applies to arrays only",
    );
    misplaced(parameter.has_stray_key, "keys belong to objects only");
    if is_text {
        texts::rules(parameter, at, violations);
    }
    if let Some(range) = parameter.range.as_ref().filter(|_| is_number) {
        numbers(range, parameter.kind == Kind::Integer, at, violations);
    }
    let is_empty = |count: Option<Count>| count.is_some_and(|count| count.is_empty);
    if is_empty(parameter.length) || is_empty(parameter.items) {
        let message = "the range of the count is empty: write the lower bound first";
        violations.add(at, message);
    }
}

fn numbers(
    range: &Range,
    is_whole_number: bool,
    at: ArgumentPath<'_>,
    violations: &mut Violations,
) {
    let bound = |bound: &Bound<Value>| match bound {
        Bound::Unbounded => None,
        Bound::Included(value) | Bound::Excluded(value) => Some(value.clone()),
    };
    let (from, to) = (bound(&range.from), bound(&range.to));
    for value in from.iter().chain(&to) {
        match value {
            Value::Number(_) if !is_whole_number || is_whole(value) => {}
            Value::Number(_) => {
                let message =
                    format!("the bound {value} of an integer is not whole: write a whole number");
                return violations.add(at, message);
            }
            _ => return violations.add(at, "a bound of the range is not a number: write a number"),
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

fn is_whole(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

fn whole(value: &Value) -> Option<i128> {
    integer::whole(&value.to_string())
}

/// Compares two numbers; `None` if one of them is no number.
fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (whole(left), whole(right)) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        _ => left.as_f64()?.partial_cmp(&right.as_f64()?),
    }
}

fn choice(choices: &[String], at: ArgumentPath<'_>, violations: &mut Violations) {
    if choices.is_empty() {
        let message = "the choice is empty: give at least one string";
        violations.add(at, message);
    }
    let mut seen = HashSet::new();
    if let Some(twice) = choices.iter().find(|text| !seen.insert(text.as_str())) {
        let message = format!("duplicate choice {:?}: remove one", cut(twice));
        violations.add(at, message);
    }
}
