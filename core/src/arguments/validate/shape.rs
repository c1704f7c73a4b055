//! Checks that argument text fits the schema, and finds the places where it does not.
//!
//! The schema is data, so this is compiled once, while a decoder is compiled for every type.

mod given;
mod scalar;
mod union;

use std::borrow::Cow;

use toolwright_json::{
    integer::whole, pairs, part::replaced, path::Step, raw::Raw, string::unescaped, tokens::Tokens,
};

use given::Given;

use crate::{
    arguments::{
        explain::{expectation, fault::Fault, mistakes::Mistakes, refused::malformed},
        validate::constraints,
    },
    schema::{Constraint, Kind, Link, Members, Node},
};

/// Checks well-formed JSON text, and gives what is to be decoded instead, if that is another text: whole
/// numbers that were written as floats are written as integers.
///
/// Reports all mistakes of the top level, up to a few, violated constraints included; inside of an
/// argument, the first mistake.
pub(crate) fn rewrite(root: &Node, text: &str) -> Result<Option<String>, Mistakes> {
    let mut fit = Fit {
        edits: Vec::new(),
        mistakes: Mistakes::default(),
    };
    if let Err(fault) = fit.node(root, &mut Tokens::new(text), true) {
        fit.mistakes.add(|| fault);
    }
    if !fit.mistakes.faults.is_empty() {
        Err(fit.mistakes)
    } else if fit.edits.is_empty() {
        Ok(None)
    } else {
        Ok(Some(replaced(text, fit.edits)))
    }
}

struct Fit<'t> {
    /// The replacements for parts of the text, in the order of the text.
    edits: Vec<(&'t str, String)>,
    /// The mistakes in the arguments themselves.
    mistakes: Mistakes,
}

impl<'t> Fit<'t> {
    /// Reads a value, to its end also where there is a mistake in it, and checks it. The root is the object of the
    /// arguments.
    fn node(&mut self, node: &Node, tokens: &mut Tokens<'t>, is_root: bool) -> Result<(), Fault> {
        let start = tokens.start();
        let fits = self.kind(node, tokens, is_root);
        fits.map_err(|fault| fault.with_text(tokens.since(start)))
    }

    fn kind(&mut self, node: &Node, tokens: &mut Tokens<'t>, is_root: bool) -> Result<(), Fault> {
        let fits = match node.kind {
            Kind::Same { node, .. } => return self.node(node(), tokens, is_root),
            Kind::Optional(_) if tokens.begins_with(b'n') => {
                tokens.value();
                true
            }
            Kind::Optional(inner) => return self.node(inner(), tokens, is_root),
            // Whether it keeps its constraints is asked when it is decoded. An argument of another
            // kind has been reported already.
            Kind::Constrained {
                node: inner,
                constraints,
            } => {
                let start = tokens.start();
                match self.kind(inner(), tokens, is_root) {
                    Ok(()) if constraints.contains(&Constraint::NotZero) => {
                        whole(tokens.since(start)).is_some_and(|number| number != 0)
                    }
                    Err(fault) if fault.is_about_kind() => false,
                    other => return other,
                }
            }
            Kind::List(item) | Kind::Set(item) if tokens.begins_with(b'[') => {
                self.list(|_| Some(item), None, tokens)?
            }
            Kind::Array { item, length } if tokens.begins_with(b'[') => {
                self.list(|_| Some(item), Some(length), tokens)?
            }
            Kind::Tuple(links) if tokens.begins_with(b'[') => {
                self.list(|index| links.get(index).copied(), Some(links.len()), tokens)?
            }
            Kind::Map(_) | Kind::Object { .. } if tokens.begins_with(b'{') => {
                return self.members(node, None, tokens, is_root);
            }
            // What its parts are, only the whole says.
            Kind::Union { tagging, variants } => self.union(tagging, variants, value(tokens))?,
            _ => self.scalar(node.kind, Raw::new(value(tokens)))?,
        };
        if fits {
            Ok(())
        } else {
            Err(expectation::fault_of_node(node))
        }
    }

    /// Checks the items of a list. False if it is one of another length.
    fn list(
        &mut self,
        link: impl Fn(usize) -> Option<Link>,
        length: Option<usize>,
        tokens: &mut Tokens<'t>,
    ) -> Result<bool, Fault> {
        let (mut index, mut first) = (0, None);
        tokens.next();
        while !tokens.ends() {
            match link(index).filter(|_| first.is_none()) {
                Some(link) => {
                    let fault = self.node(link(), tokens, false).err();
                    first = fault.map(|fault| fault.inside(Step::Index(index)));
                }
                None => drop(tokens.value()),
            }
            index += 1;
        }
        match first {
            _ if length.is_some_and(|length| length != index) => Ok(false),
            Some(fault) => Err(fault),
            None => Ok(true),
        }
    }

    /// Checks the keys of an object or a map, but not the tag beside them. A node of another kind has none.
    /// Several mistakes are reported for the top level.
    fn members(
        &mut self,
        node: &Node,
        tag: Option<&str>,
        tokens: &mut Tokens<'t>,
        is_root: bool,
    ) -> Result<(), Fault> {
        let members = Members::of(node).unwrap_or_default();
        let mut given = Given::new(members.properties.len());
        let (start, mut next, mut first, mut is_whole) = (tokens.start(), 0, None, true);
        tokens.next();
        while let Some(key) = tokens.part() {
            let key = unescaped(key);
            is_whole &= key.is_some();
            let Some(key) = key.filter(|key| is_whole && first.is_none() && tag != Some(&**key))
            else {
                tokens.value();
                continue;
            };
            let place = members.position(&key, next);
            let link = match (place, members.rest) {
                (Some(place), _) if given.replace(place) => {
                    self.found(&mut first, is_root, || Fault::twice(&key));
                    None
                }
                (Some(place), _) => {
                    next = place + 1;
                    Some(members.properties[place].node)
                }
                (None, None) if members.closed => {
                    let known = || members.properties.iter().map(|known| known.name).collect();
                    self.found(&mut first, is_root, || Fault::unknown(&key, known()));
                    None
                }
                (None, rest) => rest,
            };
            let Some(link) = link else {
                tokens.value();
                continue;
            };
            let (node, start) = (link(), tokens.start());
            if let Err(fault) = self.node(node, tokens, false) {
                let step = Step::Key(key.into_owned());
                self.found(&mut first, is_root, || fault.inside(step));
            } else if is_root && node.is_constrained && !self.mistakes.overflows() {
                // Otherwise the model would hear of these only with its next call.
                let broken = constraints::mistakes(node, tokens.since(start)).faults;
                let inside = |fault: Fault| fault.inside(Step::Key(key.to_string()));
                self.mistakes.extend(broken.into_iter().map(inside));
            }
        }
        if !is_whole {
            // No other mistake is reported for an object with a lone surrogate in a key.
            if is_root {
                self.mistakes = Mistakes::default();
            }
            pairs(tokens.since(start))?;
        }
        let properties = members.properties.iter().enumerate();
        for (place, property) in properties {
            if first.is_none() && !given.has(place) && property.is_required() {
                let expected = || expectation::of_node((property.node)());
                self.found(&mut first, is_root, || {
                    Fault::missing(property.name, expected())
                });
            }
        }
        first.map_or(Ok(()), Err)
    }

    /// Notes a mistake: of the arguments themselves a few, and of any other object the first.
    fn found(&mut self, first: &mut Option<Fault>, is_root: bool, fault: impl FnOnce() -> Fault) {
        if is_root {
            self.mistakes.add(fault);
        } else if first.is_none() {
            *first = Some(fault());
        }
    }
}

/// The next value. There is one, since the text is JSON.
fn value<'t>(tokens: &mut Tokens<'t>) -> &'t str {
    tokens.value().unwrap_or_default()
}

/// The pairs of an object.
fn pairs(text: &str) -> Result<Vec<(Cow<'_, str>, &str)>, Fault> {
    pairs::pairs(text).map_err(|error| malformed(text, &error))
}
