//! A short call that the schema takes, for a model that left something out.

use std::fmt::Write as _;

use toolwright_json::string::quoted;

use crate::{
    arguments::validate::constraints::base,
    schema::{Constraint, Kind, Members, Node, Number, Tagging, constraint::Example},
};

/// The greatest number of characters of an example.
const MAX_CHARS: usize = 200;
/// The greatest length of a list or a string in an example.
const MAX_LENGTH: usize = 8;

/// Arguments with every member that is required and no other. `None` where nothing short is known that
/// the tool takes: of a text of a certain form only its author knows one.
pub(crate) fn of_arguments(root: &Node) -> Option<String> {
    let mut json = String::new();
    write(root, &mut json)?;
    (json.starts_with('{') && json.chars().count() <= MAX_CHARS).then_some(json)
}

fn write(node: &Node, json: &mut String) -> Option<()> {
    // Lists and objects double what stands in them at most so often.
    if json.len() > MAX_CHARS * 4 {
        return None;
    }
    match node.kind {
        Kind::Null => json.push_str("null"),
        Kind::Boolean => json.push_str("true"),
        Kind::Integer { minimum, maximum } => {
            integer(minimum.map(i128::from), maximum.map(i128::from), json);
        }
        Kind::Number => json.push('1'),
        Kind::String => json.push_str("\"text\""),
        Kind::Character => json.push_str("\"a\""),
        Kind::Same { node, .. } | Kind::Optional(node) => write(node(), json)?,
        Kind::Constrained { node, constraints } => constrained(node(), constraints, json)?,
        Kind::List(item) | Kind::Set(item) => list(1, item(), json)?,
        Kind::Array { item, length } if length <= MAX_LENGTH => list(length, item(), json)?,
        Kind::Tuple(items) => {
            json.push('[');
            for (index, item) in items.iter().enumerate() {
                json.push_str(if index > 0 { "," } else { "" });
                write(item(), json)?;
            }
            json.push(']');
        }
        Kind::Choice(choices) => json.push_str(&quoted(choices.first()?.name)),
        Kind::Object { .. } | Kind::Map(_) => object(node, json)?,
        Kind::Union {
            tagging: Tagging::External,
            variants,
        } => {
            let bare = variants.iter().find(|variant| variant.content.is_none());
            match bare.or(variants.first())? {
                variant if variant.content.is_none() => json.push_str(&quoted(variant.name)),
                variant => {
                    json.push('{');
                    json.push_str(&quoted(variant.name));
                    json.push(':');
                    write(variant.content?(), json)?;
                    json.push('}');
                }
            }
        }
        Kind::Union {
            tagging: Tagging::Untagged,
            variants,
        } => write(variants.first()?.content?(), json)?,
        _ => return None,
    }
    Some(())
}

fn object(node: &Node, json: &mut String) -> Option<()> {
    let members = Members::of(node)?;
    let required = members.properties.iter();
    json.push('{');
    for (index, property) in required
        .filter(|property| property.is_required())
        .enumerate()
    {
        json.push_str(if index > 0 { "," } else { "" });
        json.push_str(&quoted(property.name));
        json.push(':');
        write((property.node)(), json)?;
    }
    json.push('}');
    Some(())
}

fn list(length: usize, item: &Node, json: &mut String) -> Option<()> {
    json.push('[');
    for index in 0..length {
        json.push_str(if index > 0 { "," } else { "" });
        write(item, json)?;
    }
    json.push(']');
    Some(())
}

/// A value that keeps its constraints: the author's own, or one that follows from a limit.
fn constrained(node: &Node, constraints: &[Constraint], json: &mut String) -> Option<()> {
    let given = constraints.iter().find_map(|constraint| match constraint {
        Constraint::Example(example) => Some(example),
        _ => None,
    });
    if let Some(example) = given {
        return literal(example, json);
    }
    match (base(node).kind, constraints) {
        (Kind::Integer { minimum, maximum }, [Constraint::Range(range)]) => {
            let (least, greatest) = range.integers();
            let least = least.max(minimum.map(i128::from));
            let greatest = [greatest, maximum.map(i128::from)];
            integer(least, greatest.into_iter().flatten().min(), json);
        }
        (Kind::Integer { .. }, [Constraint::NotZero]) => json.push('1'),
        (Kind::Number, [Constraint::Range(range)]) => match range.start? {
            Number::Integer(least) => write!(json, "{least}").ok()?,
            Number::Float(least) => write!(json, "{least}").ok()?,
        },
        (Kind::String, [Constraint::Length(length)]) => {
            let least = length.minimum.unwrap_or(0).max(1);
            let chars = length
                .maximum
                .map_or(least.max(4), |most| most.min(least.max(4)));
            if chars > MAX_LENGTH {
                return None;
            }
            json.push_str(&quoted(&"texttext"[..chars]));
        }
        (Kind::List(item), [Constraint::Length(length)]) => {
            let least = length.minimum.unwrap_or(1);
            if least > MAX_LENGTH {
                return None;
            }
            list(least, item(), json)?;
        }
        _ => return None,
    }
    Some(())
}

/// 1, or the limit that is nearest to it.
fn integer(least: Option<i128>, greatest: Option<i128>, json: &mut String) {
    let number = least.map_or(1, |least| least.max(1));
    let number = greatest.map_or(number, |greatest| greatest.min(number));
    let _ = write!(json, "{number}");
}

pub(crate) fn literal(example: &Example, json: &mut String) -> Option<()> {
    match example {
        Example::Text(example) => json.push_str(&quoted(example)),
        Example::Character(example) => json.push_str(&quoted(example.encode_utf8(&mut [0; 4]))),
        Example::Number(Number::Integer(number)) => write!(json, "{number}").ok()?,
        Example::Number(Number::Float(number)) => write!(json, "{number}").ok()?,
        Example::Boolean(example) => write!(json, "{example}").ok()?,
        Example::List(examples) => {
            json.push('[');
            for (index, example) in examples.iter().enumerate() {
                json.push_str(if index > 0 { "," } else { "" });
                literal(example, json)?;
            }
            json.push(']');
        }
    }
    Some(())
}
