//! Whether argument text fits the schema, and where it does not.
//!
//! The schema is data, so this is compiled once, while a decoder is compiled for every type.

use serde::de::Error as _;
use serde_json::value::RawValue;

use super::{expectation, fault::Fault, pairs::Pairs, refused::start_of, step::Step, whole::whole};
use crate::schema::{Kind, Node, Property};

/// Checks well-formed JSON text, and gives what is to be decoded instead, if that is another text:
/// whole numbers that were written as floats are written as integers.
pub(super) fn rewrite(root: &Node, text: &str) -> Result<Option<String>, Fault> {
    let mut fit = Fit {
        root: text,
        edits: Vec::new(),
    };
    fit.node(root, text)?;
    Ok((!fit.edits.is_empty()).then(|| fit.edited()))
}

struct Fit<'t> {
    root: &'t str,
    /// What stands instead of a part of the text, in the order of the text.
    edits: Vec<(&'t str, String)>,
}

impl<'t> Fit<'t> {
    fn edited(&self) -> String {
        let (mut text, mut end) = (String::new(), 0);
        for (part, new) in &self.edits {
            let start = start_of(part, self.root);
            text.push_str(&self.root[end..start]);
            text.push_str(new);
            end = start + part.len();
        }
        text.push_str(&self.root[end..]);
        text
    }

    fn node(&mut self, node: &Node, text: &'t str) -> Result<(), Fault> {
        self.kind(node, text).map_err(|fault| fault.with_text(text))
    }

    fn kind(&mut self, node: &Node, text: &'t str) -> Result<(), Fault> {
        let fits = match node.kind {
            Kind::Boolean => matches!(text, "true" | "false"),
            Kind::Integer { minimum, maximum } => match integer(text) {
                Some((number, written)) if in_range(number, minimum, maximum) => {
                    if !written {
                        self.edits.push((text, number.to_string()));
                    }
                    true
                }
                _ => false,
            },
            Kind::Number => serde_json::from_str::<f64>(text).is_ok(),
            Kind::String => {
                string(text)?;
                true
            }
            Kind::Character => is_string(text) && string(text)?.chars().count() == 1,
            Kind::Choice(choices) => {
                is_string(text) && {
                    let name = string(text)?;
                    choices.iter().any(|choice| choice.name == name)
                }
            }
            Kind::Optional(inner) => {
                if text != "null" {
                    self.node(inner(), text)?;
                }
                true
            }
            Kind::List(item) => {
                if !text.starts_with('[') {
                    return Err(Fault::expected(expectation::of_node(node)));
                }
                self.list(item(), text)?;
                true
            }
            Kind::Map(value) => {
                for (key, raw) in object(node, text)? {
                    self.node(value(), raw)
                        .map_err(|fault| fault.inside(Step::Key(key)))?;
                }
                true
            }
            Kind::Object { properties, closed } => {
                let pairs = object(node, text)?;
                self.properties(properties, closed, pairs)?;
                true
            }
        };
        if fits {
            Ok(())
        } else {
            Err(Fault::expected(expectation::of_node(node)))
        }
    }

    fn list(&mut self, item: &Node, text: &'t str) -> Result<(), Fault> {
        for (index, text) in items(text)?.into_iter().enumerate() {
            self.node(item, text)
                .map_err(|fault| fault.inside(Step::Index(index)))?;
        }
        Ok(())
    }

    fn properties(
        &mut self,
        properties: &'static [Property],
        closed: bool,
        pairs: Vec<(String, &'t str)>,
    ) -> Result<(), Fault> {
        let mut given = vec![false; properties.len()];
        for (key, text) in pairs {
            let place = properties.iter().position(|known| known.name == key);
            let Some(place) = place else {
                if closed {
                    let known = properties.iter().map(|known| known.name);
                    return Err(Fault::unknown(&key, known.collect()));
                }
                continue;
            };
            if std::mem::replace(&mut given[place], true) {
                return Err(Fault::twice(&key));
            }
            self.node((properties[place].node)(), text)
                .map_err(|fault| fault.inside(Step::Key(key)))?;
        }
        let missing = properties
            .iter()
            .zip(given)
            .find(|(property, given)| !given && property.is_required());
        match missing {
            Some((property, _)) => {
                let expected = expectation::of_node((property.node)());
                Err(Fault::missing(property.name, expected))
            }
            None => Ok(()),
        }
    }
}

/// The pairs of an object.
fn object<'t>(node: &Node, text: &'t str) -> Result<Vec<(String, &'t str)>, Fault> {
    if !text.starts_with('{') {
        return Err(Fault::expected(expectation::of_node(node)));
    }
    let Pairs(pairs) = serde_json::from_str(text).map_err(Fault::custom)?;
    let pairs = pairs.into_iter();
    Ok(pairs.map(|(key, raw)| (key, raw.get())).collect())
}

/// The items of a list.
fn items(text: &str) -> Result<Vec<&str>, Fault> {
    let items: Vec<&RawValue> = serde_json::from_str(text).map_err(Fault::custom)?;
    Ok(items.into_iter().map(RawValue::get).collect())
}

fn is_string(text: &str) -> bool {
    text.starts_with('"')
}

/// The text of a string. Well-formed JSON may still name half a character.
fn string(text: &str) -> Result<String, Fault> {
    if !is_string(text) {
        return Err(Fault::expected("a string"));
    }
    match serde_json::from_str::<String>(text) {
        Ok(string) => Ok(string),
        Err(_) => Err(Fault::expected("a string of whole characters")),
    }
}

/// A whole number, and whether it is written as an integer: to the decoder `1.0` and `-0` are floats.
fn integer(text: &str) -> Option<(i128, bool)> {
    let written = text != "-0" && !text.contains(['.', 'e', 'E']);
    whole(text).map(|number| (number, written))
}

/// Whether a number is in a range. Limits that are not told are those of 64 bits.
fn in_range(number: i128, minimum: Option<i64>, maximum: Option<u64>) -> bool {
    let unsigned = minimum.is_some_and(|minimum| minimum >= 0);
    let greatest = if unsigned {
        u64::MAX.into()
    } else {
        i64::MAX.into()
    };
    number >= minimum.unwrap_or(i64::MIN).into() && number <= maximum.map_or(greatest, i128::from)
}
