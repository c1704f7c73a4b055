//! Checks that argument text fits the schema, and finds the places where it does not.
//!
//! The schema is data, so this is compiled once, while a decoder is compiled for every type.

mod given;
mod union;

use std::borrow::Cow;

use toolwright_json::{integer::whole, pairs, part::replaced, path::Step, string::unescaped};

use given::Given;

use crate::{
    arguments::{
        explain::{
            expectation,
            fault::Fault,
            mistakes::Mistakes,
            refused::{self, malformed},
        },
        validate::constraints,
    },
    schema::{Constraint, Kind, Link, Members, Node},
};

/// Checks well-formed JSON text, and gives what is to be decoded instead, if that is another text:
/// whole numbers that were written as floats are written as integers.
///
/// All mistakes in the arguments themselves are told, up to a few, constraints that are not kept among
/// them; of what stands inside of one of them, the first.
pub(crate) fn rewrite(root: &Node, text: &str) -> Result<Option<String>, Mistakes> {
    rewrite_pairs(root, text, None)
}

/// [`rewrite`], for an object whose pairs may have been read before.
pub(crate) fn rewrite_pairs(
    root: &Node,
    text: &str,
    pairs: Option<Pairs<'_>>,
) -> Result<Option<String>, Mistakes> {
    let mut fit = Fit {
        root: text,
        pairs,
        edits: Vec::new(),
        mistakes: Mistakes::default(),
    };
    if let Err(fault) = fit.node(root, text) {
        fit.mistakes.add(|| fault);
    }
    if !fit.mistakes.faults.is_empty() {
        return Err(fit.mistakes);
    }
    Ok((!fit.edits.is_empty()).then(|| replaced(text, fit.edits)))
}

/// The keys of an object and their values.
type Pairs<'t> = Vec<(Cow<'t, str>, &'t str)>;

struct Fit<'t> {
    root: &'t str,
    /// The pairs of the root, until they are looked at.
    pairs: Option<Pairs<'t>>,
    /// The replacements for parts of the text, in the order of the text.
    edits: Vec<(&'t str, String)>,
    /// The mistakes in the arguments themselves.
    mistakes: Mistakes,
}

impl<'t> Fit<'t> {
    fn node(&mut self, node: &Node, text: &'t str) -> Result<(), Fault> {
        self.kind(node, text).map_err(|fault| fault.with_text(text))
    }

    fn kind(&mut self, node: &Node, text: &'t str) -> Result<(), Fault> {
        let fits = match node.kind {
            Kind::Null => text == "null",
            Kind::Any => true,
            Kind::Boolean => matches!(text, "true" | "false"),
            Kind::Integer { minimum, maximum } => match integer(text) {
                Some((number, written)) if in_range(number, minimum, maximum) => {
                    if !written {
                        self.edits.push((text, number.to_string()));
                    }
                    true
                }
                Some((number, _)) if keeps_told(number, minimum, maximum) => {
                    return Err(Fault::expected(expectation::of_integer(minimum, maximum)));
                }
                _ => false,
            },
            Kind::Number => {
                let is_number =
                    text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
                if is_number && serde_json::from_str::<f64>(text).is_err() {
                    return Err(Fault::expected("a number that a 64-bit float can hold"));
                }
                is_number
            }
            Kind::String => {
                string(text)?;
                true
            }
            Kind::Character => is_string(text) && string(text)?.chars().count() == 1,
            #[cfg(feature = "schemars")]
            Kind::Foreign(foreign) => {
                self.edits
                    .extend(crate::arguments::foreign::rewrite(foreign, text)?);
                true
            }
            Kind::Formatted(form) => match (form.check)(text) {
                Ok(()) => true,
                Err(error) => return Err(refused::of_form(form.expected, text, &error)),
            },
            Kind::Choice(choices) => {
                is_string(text) && {
                    let name = string(text)?;
                    choices.iter().any(|choice| choice.is_called(&name))
                }
            }
            Kind::Same { node, .. } => {
                self.node(node(), text)?;
                true
            }
            // Whether it keeps its constraints is asked when it is decoded. One that is of another
            // kind is told of them already.
            Kind::Constrained {
                node: inner,
                constraints,
            } => {
                let kind = self.kind(inner(), text);
                match kind {
                    Ok(()) if constraints.contains(&Constraint::NotZero) => {
                        whole(text).is_some_and(|number| number != 0)
                    }
                    Err(fault) if fault.is_about_kind() => false,
                    other => other.map(|()| true)?,
                }
            }
            Kind::Optional(inner) => {
                if text != "null" {
                    self.node(inner(), text)?;
                }
                true
            }
            Kind::List(item) | Kind::Set(item) => self.list(|_| Some(item), None, text)?,
            Kind::Array { item, length } => self.list(|_| Some(item), Some(length), text)?,
            Kind::Tuple(links) => {
                self.list(|index| links.get(index).copied(), Some(links.len()), text)?
            }
            Kind::Map(_) | Kind::Object { .. } => {
                text.starts_with('{') && {
                    let is_root = std::ptr::eq(text, self.root);
                    let pairs = match self.pairs.take().filter(|_| is_root) {
                        Some(pairs) => pairs,
                        None => pairs(text)?,
                    };
                    self.members(node, pairs, is_root)?;
                    true
                }
            }
            Kind::Union { tagging, variants } => self.union(tagging, variants, text)?,
        };
        if fits {
            Ok(())
        } else {
            Err(expectation::fault_of_node(node))
        }
    }

    /// Checks the items of a list. False if it is none, or one of another length.
    fn list(
        &mut self,
        link: impl Fn(usize) -> Option<Link>,
        length: Option<usize>,
        text: &'t str,
    ) -> Result<bool, Fault> {
        if !text.starts_with('[') {
            return Ok(false);
        }
        let items = items(text)?;
        if length.is_some_and(|length| length != items.len()) {
            return Ok(false);
        }
        for (index, text) in items.into_iter().enumerate() {
            if let Some(link) = link(index) {
                self.node(link(), text)
                    .map_err(|fault| fault.inside(Step::Index(index)))?;
            }
        }
        Ok(true)
    }

    /// Checks the keys of an object or a map. A node of another kind has none. Of the arguments
    /// themselves more than one mistake is told.
    fn members(
        &mut self,
        node: &Node,
        pairs: Vec<(Cow<'_, str>, &'t str)>,
        is_root: bool,
    ) -> Result<(), Fault> {
        let members = Members::of(node).unwrap_or_default();
        let mut given = Given::new(members.properties.len());
        for (key, text) in pairs {
            let link = match (members.position(&key), members.rest) {
                (Some(place), _) => {
                    if given.replace(place) {
                        self.found(|| Fault::twice(&key), is_root)?;
                        continue;
                    }
                    members.properties[place].node
                }
                (None, Some(value)) => value,
                (None, None) if members.closed => {
                    let known = members.properties.iter().map(|known| known.name);
                    self.found(|| Fault::unknown(&key, known.collect()), is_root)?;
                    continue;
                }
                (None, None) => continue,
            };
            match self.node(link(), text) {
                Err(fault) => self.found(|| fault.inside(Step::Key(key.into_owned())), is_root)?,
                // Else the model would be told of these the next time.
                Ok(()) if is_root && !self.mistakes.overflows() => {
                    let broken = constraints::mistakes(link(), text).faults.into_iter();
                    self.mistakes
                        .extend(broken.map(|fault| fault.inside(Step::Key(key.to_string()))));
                }
                Ok(()) => {}
            }
        }
        let missing = members
            .properties
            .iter()
            .enumerate()
            .filter(|(place, property)| !given.has(*place) && property.is_required());
        for (_, property) in missing {
            let expected = || expectation::of_node((property.node)());
            self.found(|| Fault::missing(property.name, expected()), is_root)?;
        }
        Ok(())
    }

    /// Goes on after a mistake, if more are to be told.
    fn found(&mut self, fault: impl FnOnce() -> Fault, goes_on: bool) -> Result<(), Fault> {
        if !goes_on {
            return Err(fault());
        }
        self.mistakes.add(fault);
        Ok(())
    }
}

/// The pairs of an object.
fn pairs(text: &str) -> Result<Vec<(Cow<'_, str>, &str)>, Fault> {
    pairs::pairs(text).map_err(|error| malformed(text, &error))
}

/// The items of a list.
fn items(text: &str) -> Result<Vec<&str>, Fault> {
    pairs::items(text).map_err(|error| malformed(text, &error))
}

fn is_string(text: &str) -> bool {
    text.starts_with('"')
}

/// The text of a string. Well-formed JSON may still name half a character.
fn string(text: &str) -> Result<Cow<'_, str>, Fault> {
    if !is_string(text) {
        return Err(Fault::expected("a string"));
    }
    unescaped(text).ok_or_else(|| Fault::expected("a string of whole characters"))
}

/// A whole number, and whether it is written as an integer: to the decoder `1.0` and `-0` are floats.
fn integer(text: &str) -> Option<(i128, bool)> {
    let written = text != "-0" && !text.contains(['.', 'e', 'E']);
    whole(text).map(|number| (number, written))
}

/// Returns true if a number is within the limits of the schema.
fn keeps_told(number: i128, minimum: Option<i64>, maximum: Option<u64>) -> bool {
    minimum.is_none_or(|minimum| number >= minimum.into())
        && maximum.is_none_or(|maximum| number <= maximum.into())
}

/// Returns true if a number is in a range. Limits that are not given are those of 64 bits.
fn in_range(number: i128, minimum: Option<i64>, maximum: Option<u64>) -> bool {
    let unsigned = minimum.is_some_and(|minimum| minimum >= 0);
    let greatest = if unsigned {
        u64::MAX.into()
    } else {
        i64::MAX.into()
    };
    number >= minimum.unwrap_or(i64::MIN).into() && number <= maximum.map_or(greatest, i128::from)
}
