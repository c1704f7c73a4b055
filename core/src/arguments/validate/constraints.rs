//! Checks that decoded arguments meet their constraints, and finds the places where they do not.
//!
//! This is a second look at text that the types have read. It goes only where the schema says that
//! something is constrained, and tools without constraints are not looked at again.

mod union;

use std::{borrow::Cow, collections::HashSet};

use toolwright_json::{integer::whole, pairs, path::Step, string::unescaped};

use crate::{
    arguments::explain::{expectation, fault::Fault, mistakes::Mistakes},
    schema::{Constraint, Kind, Link, Members, Node, Property},
};

/// The number of faults after which the search ends: one more than is reported at once.
const MOST: usize = 5;

/// Returns the violations of constraints in text that has been decoded, in the order of the text.
pub(crate) fn mistakes(root: &Node, text: &str) -> Mistakes {
    let mut faults = Vec::new();
    if root.is_constrained {
        node(root, text.trim_ascii(), &mut faults);
    }
    let mut mistakes = Mistakes::default();
    mistakes.extend(faults);
    mistakes
}

fn node(node: &Node, text: &str, faults: &mut Vec<Fault>) {
    if !node.is_constrained || faults.len() >= MOST {
        return;
    }
    match node.kind {
        Kind::Constrained {
            node: inner,
            constraints,
        } => {
            let inner = inner();
            if text != "null" {
                let broken = constraints
                    .iter()
                    .find(|constraint| !keeps(inner, text, constraint));
                if let Some(constraint) = broken {
                    let expected = expectation::of_constraint(inner, constraint);
                    faults.push(Fault::expected(expected).with_text(text));
                    return;
                }
            }
            self::node(inner, text, faults);
        }
        Kind::Same { node: inner, .. } => self::node(inner(), text, faults),
        Kind::Optional(inner) if text != "null" => self::node(inner(), text, faults),
        Kind::List(item) | Kind::Set(item) | Kind::Array { item, .. } => {
            list(|_| Some(item), text, faults);
        }
        Kind::Tuple(links) => list(|index| links.get(index).copied(), text, faults),
        // serde reads the fields from a list too, where nothing says which is which.
        Kind::Object { .. } | Kind::Map(_) if !text.starts_with('{') => {
            faults.push(Fault::expected(expectation::of_node(node)).with_text(text));
        }
        Kind::Object { properties, .. } if !properties.iter().any(|known| known.is_flattened) => {
            object(properties, text, faults);
        }
        Kind::Map(_) | Kind::Object { .. } => members(node, None, text, faults),
        Kind::Union { tagging, variants } => {
            // The same of the tag and what it stands beside.
            let is_told = union::variant(tagging, variants, text, faults);
            if !is_told {
                faults.push(Fault::expected(expectation::of_node(node)).with_text(text));
            }
        }
        _ => {}
    }
}

/// Returns true if a value meets a constraint. A constraint on a value of the wrong kind has been refused when the
/// program was compiled.
fn keeps(node: &Node, text: &str, constraint: &Constraint) -> bool {
    match (node.base().kind, constraint) {
        (Kind::Integer { .. }, Constraint::Range(range)) => {
            let number = text.parse().ok().or_else(|| whole(text));
            number.is_none_or(|number| range.has_integer(number))
        }
        (Kind::Number, Constraint::Range(range)) => {
            text.parse().is_ok_and(|number| range.has_float(number))
        }
        (Kind::List(_), Constraint::Length(length)) => length.has(items(text).len()),
        (Kind::Set(_), Constraint::Length(length)) => {
            // A value that comes twice is read once.
            let different = items(text).into_iter().map(|item| {
                let value = serde_json::from_str::<serde_json::Value>(item);
                value.map_or_else(|_| item.to_owned(), |value| value.to_string())
            });
            length.has(different.collect::<HashSet<_>>().len())
        }
        (Kind::Map(_), Constraint::Length(length)) => {
            let keys = pairs(text).into_iter().map(|(key, _)| key);
            length.has(keys.collect::<HashSet<_>>().len())
        }
        (Kind::String, Constraint::Length(length)) => {
            // There are at least as many bytes as characters.
            unescaped(text).is_none_or(|text| length.has(text.chars().count()))
        }
        (Kind::String, Constraint::Pattern(pattern)) => {
            unescaped(text).is_none_or(|text| (pattern.is_match)(&text))
        }
        (Kind::String, Constraint::Format(format)) => {
            unescaped(text).is_none_or(|text| format.fits(&text))
        }
        _ => true,
    }
}

/// The pairs of an object, and none of anything else: the text has been decoded before.
fn pairs(text: &str) -> Vec<(Cow<'_, str>, &str)> {
    pairs::pairs(text).unwrap_or_default()
}

/// The items of a list, and none of anything else.
fn items(text: &str) -> Vec<&str> {
    pairs::items(text).unwrap_or_default()
}

fn list(link: impl Fn(usize) -> Option<Link>, text: &str, faults: &mut Vec<Fault>) {
    for (index, item) in items(text).into_iter().enumerate() {
        if let Some(link) = link(index) {
            inside(link, item, || Step::Index(index), faults);
        }
    }
}

fn object(properties: &[Property], text: &str, faults: &mut Vec<Fault>) {
    for (key, value) in pairs(text) {
        let property = properties.iter().find(|property| property.is_called(&key));
        if let Some(property) = property {
            inside(property.node, value, || Step::Key(key.to_string()), faults);
        }
    }
}

/// The keys of an object whose members stand in several types, or of a map; but not the tag beside
/// them.
fn members(node: &Node, tag: Option<&str>, text: &str, faults: &mut Vec<Fault>) {
    let members = Members::of(node).unwrap_or_default();
    for (key, value) in pairs(text) {
        if tag == Some(&*key) {
            continue;
        }
        let known = members
            .position(&key, 0)
            .map(|place| members.properties[place].node);
        if let Some(link) = known.or(members.rest) {
            inside(link, value, || Step::Key(key.to_string()), faults);
        }
    }
}

/// Looks into a part, and says where it is if something is wrong with it.
fn inside(link: Link, text: &str, step: impl Fn() -> Step, faults: &mut Vec<Fault>) {
    let before = faults.len();
    node(link(), text, faults);
    for fault in &mut faults[before..] {
        fault.enter(step());
    }
}
