//! What should have come, in words a model knows.

use serde::de::Expected;

use crate::schema::{Kind, Node, Tagging, Variant};

/// What a visitor expects. Rust's names of types mean nothing to a model.
pub(super) fn of_visitor(expected: &dyn Expected) -> String {
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

/// `one of "a", "b"`, or only `"a"`.
pub(super) fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| format!("{name:?}")).collect();
    one_of_shown(&names)
}

/// The same of values that are written as JSON already.
pub(super) fn one_of_shown(values: &[String]) -> String {
    match values {
        [only] => only.clone(),
        _ => format!("one of {}", values.join(", ")),
    }
}

/// What a node of the schema expects.
pub(super) fn of_node(node: &Node) -> String {
    match node.kind {
        Kind::Null => "null".to_owned(),
        Kind::Any => "a value".to_owned(),
        Kind::Boolean => "a boolean".to_owned(),
        Kind::Integer { minimum, maximum } => match (minimum, maximum) {
            (Some(minimum), Some(maximum)) => integer_between(minimum, maximum),
            (Some(minimum), None) => format!("an integer of at least {minimum}"),
            (None, Some(maximum)) => format!("an integer of at most {maximum}"),
            (None, None) => "an integer".to_owned(),
        },
        Kind::Number => "a number".to_owned(),
        Kind::String => "a string".to_owned(),
        Kind::Character => "a string of one character".to_owned(),
        Kind::Optional(inner) | Kind::Same { node: inner, .. } => of_node(inner()),
        Kind::Array { length, .. } => format!("a list of {length}"),
        Kind::Tuple(items) => format!("a list of {}", items.len()),
        Kind::List(_) | Kind::Set(_) => "a list".to_owned(),
        Kind::Choice(choices) => one_of(choices.iter().map(|choice| choice.name)),
        Kind::Union {
            tagging: Tagging::External,
            variants,
        } => {
            let shown = |variant: &Variant| match variant.content {
                Some(_) => format!("{{{:?}: …}}", variant.name),
                None => format!("{:?}", variant.name),
            };
            one_of_shown(&variants.iter().map(shown).collect::<Vec<_>>())
        }
        Kind::Union {
            tagging: Tagging::Untagged,
            variants,
        } => {
            let null = Node::new(Kind::Null);
            let mut all: Vec<String> = Vec::new();
            for variant in variants {
                let text = of_node(variant.content.map_or(&null, |link| link()));
                if !all.contains(&text) {
                    all.push(text);
                }
            }
            all.join(" or ")
        }
        Kind::Map(_) | Kind::Object { .. } | Kind::Union { .. } => "an object".to_owned(),
    }
}

fn integer_between(minimum: impl std::fmt::Display, maximum: impl std::fmt::Display) -> String {
    format!("an integer from {minimum} to {maximum}")
}
