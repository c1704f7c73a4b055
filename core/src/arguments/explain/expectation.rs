//! Expected values, in words that a model knows.

use std::{
    borrow::Cow,
    fmt::{Display, Write as _},
};

use serde::de::Expected;

use super::{choices::Choices, fault::Fault};
use crate::schema::{Constraint, Kind, Members, Node, Tagging, Variant};

/// Returns the value that a visitor expects. Rust's names of types mean nothing to a model.
pub(crate) fn of_visitor(expected: &dyn Expected) -> String {
    let text = expected.to_string();
    match text.as_str() {
        "i64" | "i128" | "isize" => "an integer".to_owned(),
        "u64" | "u128" | "usize" => "an integer of at least 0".to_owned(),
        "i8" => integer_between(i8::MIN, i8::MAX),
        "i16" => integer_between(i16::MIN, i16::MAX),
        "i32" => integer_between(i32::MIN, i32::MAX),
        "u8" => integer_between(u8::MIN, u8::MAX),
        "u16" => integer_between(u16::MIN, u16::MAX),
        "u32" => integer_between(u32::MIN, u32::MAX),
        "f32" | "f64" => "a number".to_owned(),
        "a character" => "a string of one character".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "unit" => "null".to_owned(),
        _ if text.starts_with("struct ") => "an object".to_owned(),
        _ => text,
    }
}

/// Returns the value that a message of serde expects, if it is a message that serde makes for every type.
pub(crate) fn of_message(message: &str) -> Option<String> {
    let known = [
        "invalid type: ",
        "invalid value: ",
        "invalid length ",
        "unknown variant `",
    ];
    let kind = known.iter().find(|kind| message.starts_with(**kind))?;
    let (_, expected) = message.rsplit_once(", expected ")?;
    if kind.starts_with("unknown") {
        return Some(variants(expected).text(None));
    }
    Some(of_visitor(&expected))
}

/// The names that a message of serde expects, if it is one of a name that is not known.
pub(crate) fn variants_of_message(message: &str) -> Option<Choices> {
    let (_, expected) = message
        .strip_prefix("unknown variant `")?
        .rsplit_once(", expected ")?;
    Some(variants(expected))
}

/// Names that stand between backticks.
fn variants(expected: &str) -> Choices {
    Choices::of_names(expected.split('`').skip(1).step_by(2))
}

/// `one of "a", "b"`, or only `"a"`.
pub(crate) fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    Choices::of_names(names).text(None)
}

/// Returns the fault of a value that a node does not take.
pub(crate) fn fault_of_node(node: &Node) -> Fault {
    match choices(node.base()) {
        Some(choices) => Fault::one_of(choices),
        None => Fault::expected(of_node(node)),
    }
}

/// The values of a node that takes no others.
fn choices(node: &Node) -> Option<Choices> {
    match node.kind {
        Kind::Choice(choices) => Some(Choices::of_names(choices.iter().map(|choice| choice.name))),
        Kind::Union {
            tagging: Tagging::External,
            variants,
        } => {
            let shown = |variant: &Variant| match variant.content {
                Some(_) => format!("{{{:?}: …}}", variant.name),
                None => format!("{:?}", variant.name),
            };
            let all = variants.iter();
            Some(Choices::of_shown(
                all.map(|variant| (variant.name.to_owned(), shown(variant))),
            ))
        }
        _ => None,
    }
}

/// The same of values that are written as JSON already.
#[cfg(feature = "jsonschema")]
pub(crate) fn one_of_shown(values: &[String]) -> String {
    match values {
        [only] => only.clone(),
        _ => format!("one of {}", values.join(", ")),
    }
}

/// Returns the value that a node of the schema expects.
pub(crate) fn of_node(node: &Node) -> Cow<'static, str> {
    let text = match node.kind {
        Kind::Null => "null",
        Kind::Any => "a value",
        Kind::Boolean => "a boolean",
        Kind::Integer { minimum, maximum } => {
            return between("an integer", minimum, maximum).into();
        }
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Character => "a string of one character",
        // The first is what the author of the tool cares most about.
        Kind::Constrained { node, constraints } => match constraints.first() {
            None | Some(Constraint::Example(_)) => return of_node(node()),
            Some(constraint) => return of_constraint(node(), constraint),
        },
        #[cfg(feature = "schemars")]
        Kind::Foreign(foreign) => return format!("a value of `{}`", (foreign.name)()).into(),
        Kind::Formatted(form) => form.expected,
        Kind::Optional(inner) | Kind::Same { node: inner, .. } => return of_node(inner()),
        Kind::Array { length, .. } => return format!("a list of {length}").into(),
        Kind::Tuple(items) => return format!("a list of {}", items.len()).into(),
        Kind::List(_) | Kind::Set(_) => "a list",
        Kind::Choice(_)
        | Kind::Union {
            tagging: Tagging::External,
            ..
        } => return choices(node).map_or(Cow::Borrowed(""), |choices| choices.text(None).into()),
        Kind::Union {
            tagging: Tagging::Untagged,
            variants,
        } => {
            let null = Node::new(Kind::Null);
            let mut all: Vec<Cow<'static, str>> = Vec::new();
            for variant in variants {
                let text = of_variant(variant.content.map_or(&null, |link| link()));
                if !all.contains(&text) {
                    all.push(text);
                }
            }
            return all.join(" or ").into();
        }
        Kind::Map(_) | Kind::Object { .. } | Kind::Union { .. } => "an object",
    };
    Cow::Borrowed(text)
}

/// Returns the value that a variant without a tag expects: only the keys distinguish one object from another.
fn of_variant(node: &Node) -> Cow<'static, str> {
    let members = Members::of(node).unwrap_or_default();
    let properties = members.properties.iter();
    let required: Vec<_> = properties
        .filter(|property| property.is_required())
        .map(|property| format!("{:?}", property.name))
        .collect();
    match required.as_slice() {
        [] => of_node(node),
        [only] => format!("an object with {only}").into(),
        [all @ .., last] => format!("an object with {} and {last}", all.join(", ")).into(),
    }
}

/// Returns the expected integer with both of its limits. Limits that are not given are those of 64 bits.
pub(crate) fn of_integer(minimum: Option<i64>, maximum: Option<u64>) -> String {
    match (minimum, maximum) {
        (Some(minimum), Some(maximum)) => integer_between(minimum, maximum),
        (Some(minimum), None) if minimum >= 0 => integer_between(minimum, u64::MAX),
        (None, Some(maximum)) => integer_between(i64::MIN, maximum),
        (minimum, None) => integer_between(minimum.unwrap_or(i64::MIN), i64::MAX),
    }
}

fn integer_between(minimum: impl Display, maximum: impl Display) -> String {
    format!("an integer from {minimum} to {maximum}")
}

/// Returns the value that a constraint of this node expects.
pub(crate) fn of_constraint(node: &Node, constraint: &Constraint) -> Cow<'static, str> {
    let text = match (constraint, node.base().kind) {
        (Constraint::Range(range), Kind::Integer { minimum, maximum }) => {
            let (least, greatest) = range.integers();
            let least = least.max(minimum.map(i128::from));
            let greatest = [greatest, maximum.map(i128::from)];
            between("an integer", least, greatest.into_iter().flatten().min())
        }
        (Constraint::Range(range), _) => {
            let start = range.start;
            match range.end {
                Some(end) if range.is_half_open => match start {
                    Some(start) => format!("a number from {start} to less than {end}"),
                    None => format!("a number less than {end}"),
                },
                end => between("a number", start, end),
            }
        }
        (Constraint::Length(length), kind) => {
            let (what, unit) = match kind {
                Kind::String => ("a string", "character"),
                Kind::List(_) => ("a list", "item"),
                Kind::Set(_) => ("a list", "different item"),
                _ => ("an object", "key"),
            };
            counted(what, unit, length.minimum, length.maximum)
        }
        (Constraint::Pattern(pattern), _) => {
            format!("a string that matches the pattern `{}`", pattern.text)
        }
        (Constraint::Format(format), _) => {
            format!("a string of the format `{}`", format.name())
        }
        (Constraint::NotZero, _) => format!("{}, but not 0", of_node(node)),
        (Constraint::Example(_), _) => return of_node(node),
    };
    text.into()
}

/// Returns the words for a range between two inclusive limits.
pub(crate) fn between(
    what: &str,
    least: Option<impl Display>,
    greatest: Option<impl Display>,
) -> String {
    let mut text = String::with_capacity(what.len() + 32);
    text.push_str(what);
    let _ = match (least, greatest) {
        (Some(least), Some(greatest)) => write!(text, " from {least} to {greatest}"),
        (Some(least), None) => write!(text, " of at least {least}"),
        (None, Some(greatest)) => write!(text, " of at most {greatest}"),
        (None, None) => Ok(()),
    };
    text
}

/// Returns the words for a count of parts between two inclusive limits.
pub(crate) fn counted<T: Display + PartialEq + From<u8>>(
    what: &str,
    unit: &str,
    least: Option<T>,
    most: Option<T>,
) -> String {
    let s = |count: &T| if *count == T::from(1) { "" } else { "s" };
    match (least, most) {
        (Some(only), Some(same)) if only == same => format!("{what} of {only} {unit}{}", s(&only)),
        (Some(least), Some(most)) => format!("{what} of {least} to {most} {unit}{}", s(&most)),
        (Some(least), None) => format!("{what} of at least {least} {unit}{}", s(&least)),
        (None, Some(most)) => format!("{what} of at most {most} {unit}{}", s(&most)),
        (None, None) => what.to_owned(),
    }
}
