//! A check that a default or an example is one of the values that are allowed.

use std::{cmp::Ordering, ops::Bound};

use serde_json::{Number, Value};

use super::{Kind, Parameter, Property, Range};

/// Returns true if a value fits, without regard to patterns and formats.
pub(super) fn fits(parameter: &Parameter, value: &Value) -> bool {
    match (&parameter.kind, value) {
        (Kind::Any, _) | (Kind::Boolean, Value::Bool(_)) => true,
        (Kind::String, Value::String(text)) => {
            let chars = text.chars().count();
            parameter.length.is_none_or(|length| length.contains(chars))
        }
        (Kind::Choice(choices), Value::String(text)) => choices.contains(text),
        (Kind::Integer, Value::Number(number)) => is_whole(number) && is_inside(parameter, value),
        (Kind::Number, Value::Number(_)) => is_inside(parameter, value),
        (Kind::Array(item), Value::Array(values)) => {
            parameter
                .items
                .is_none_or(|items| items.contains(values.len()))
                && values.iter().all(|value| fits(item, value))
        }
        (Kind::Object(properties), Value::Object(values)) => {
            let is_known = |key: &String| properties.iter().any(|known| known.name == *key);
            values.keys().all(is_known)
                && properties
                    .iter()
                    .all(|property| fits_property(property, values.get(&property.name)))
        }
        _ => false,
    }
}

fn fits_property(property: &Property, value: Option<&Value>) -> bool {
    match value {
        None => !property.is_required,
        Some(Value::Null) if !property.is_required && property.parameter.default.is_none() => true,
        Some(value) => fits(&property.parameter, value),
    }
}

pub(super) fn is_whole(number: &Number) -> bool {
    number.is_i64()
        || number.is_u64()
        || number.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// A whole number, if it is one.
pub(super) fn whole(value: &Value) -> Option<i128> {
    let integer = value.as_i64().map(i128::from);
    let integer = integer.or_else(|| value.as_u64().map(i128::from));
    integer.or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
        format!("{number:.0}").parse().ok()
    })
}

fn is_inside(parameter: &Parameter, value: &Value) -> bool {
    parameter.range.as_ref().is_none_or(|Range { from, to }| {
        let from = match from {
            Bound::Unbounded => true,
            Bound::Included(from) => compare(from, value).is_some_and(Ordering::is_le),
            Bound::Excluded(from) => compare(from, value).is_some_and(Ordering::is_lt),
        };
        let to = match to {
            Bound::Unbounded => true,
            Bound::Included(to) => compare(value, to).is_some_and(Ordering::is_le),
            Bound::Excluded(to) => compare(value, to).is_some_and(Ordering::is_lt),
        };
        from && to
    })
}

/// Compares two numbers; `None` if one of them is no number.
pub(super) fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (whole(left), whole(right)) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        _ => left.as_f64()?.partial_cmp(&right.as_f64()?),
    }
}
