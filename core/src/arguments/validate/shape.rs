//! Checks that argument text fits the schema, and finds the places where it does not.
//!
//! The schema is data, so this is compiled once, while a decoder is compiled for every type.

mod scalar;
mod union;

use std::borrow::Cow;

use toolwright_json::{
    integer::whole,
    pairs,
    part::replaced,
    path::Step,
    reader::{Reader, Unexpected},
};

use crate::{
    arguments::{
        explain::{expectation, fault::Fault, mistakes::Mistakes, refused::malformed},
        validate::constraints,
    },
    schema::{Constraint, Kind, Link, Members, Node},
};

/// Checks well-formed JSON text as [`read`] does.
pub(crate) fn rewrite(root: &Node, text: &str) -> Result<Option<String>, Mistakes> {
    read(root, text).unwrap_or_else(|_| Err(Fault::expected("JSON").into()))
}

/// Checks JSON text in one pass, and gives what is to be decoded instead, if that is another text: whole
/// numbers that were written as floats are written as integers.
///
/// Reports all mistakes of the top level, up to a few, violated constraints included; inside of an
/// argument, the first mistake.
///
/// # Errors
///
/// Returns an error if the text is not JSON.
pub(crate) fn read(
    root: &Node,
    text: &str,
) -> Result<Result<Option<String>, Mistakes>, Unexpected> {
    let mut fit = Fit {
        edits: Vec::new(),
        mistakes: Mistakes::default(),
    };
    let mut reader = Reader::new(text);
    if let Some(fault) = fault_of(fit.node(root, &mut reader, true))? {
        fit.mistakes.add(|| fault);
    }
    reader.end()?;
    Ok(if !fit.mistakes.faults.is_empty() {
        Err(fit.mistakes)
    } else if fit.edits.is_empty() {
        Ok(None)
    } else {
        Ok(Some(replaced(text, fit.edits)))
    })
}

struct Fit<'t> {
    /// The replacements for parts of the text, in the order of the text.
    edits: Vec<(&'t str, String)>,
    /// The mistakes in the arguments themselves.
    mistakes: Mistakes,
}

/// The reason why a value does not fit.
enum Stop {
    /// A mistake in it. It has been read to its end all the same.
    Fault(Fault),
    /// The text is not JSON, which is another's to explain.
    NotJson(Unexpected),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Unexpected> for Stop {
    fn from(error: Unexpected) -> Self {
        Self::NotJson(error)
    }
}

/// The mistake in a value that has been read.
fn fault_of(read: Result<(), Stop>) -> Result<Option<Fault>, Unexpected> {
    match read {
        Ok(()) => Ok(None),
        Err(Stop::Fault(fault)) => Ok(Some(fault)),
        Err(Stop::NotJson(error)) => Err(error),
    }
}

impl<'t> Fit<'t> {
    /// Reads a value and checks it. The root is the object of the arguments.
    fn node(&mut self, node: &Node, reader: &mut Reader<'t>, is_root: bool) -> Result<(), Stop> {
        let start = reader.start();
        match self.kind(node, reader, is_root) {
            Err(Stop::Fault(fault)) => Err(fault.with_text(reader.since(start)).into()),
            other => other,
        }
    }

    fn kind(&mut self, node: &Node, reader: &mut Reader<'t>, is_root: bool) -> Result<(), Stop> {
        let fits = match node.kind {
            // Nothing more is asked of most values.
            Kind::String if reader.plain_string() => true,
            Kind::Same { node, .. } => return self.node(node(), reader, is_root),
            Kind::Optional(_) if reader.null() => true,
            Kind::Optional(inner) => return self.node(inner(), reader, is_root),
            // Whether it keeps its constraints is asked when it is decoded. An argument of another
            // kind has been reported already.
            Kind::Constrained {
                node: inner,
                constraints,
            } => {
                let start = reader.start();
                match self.kind(inner(), reader, is_root) {
                    Ok(()) if constraints.contains(&Constraint::NotZero) => {
                        whole(reader.since(start)).is_some_and(|number| number != 0)
                    }
                    Err(Stop::Fault(fault)) if fault.is_about_kind() => false,
                    other => return other,
                }
            }
            Kind::List(item) | Kind::Set(item) if reader.begins_with(b'[') => {
                self.list(|_| Some(item), None, reader)?
            }
            Kind::Array { item, length } if reader.begins_with(b'[') => {
                self.list(|_| Some(item), Some(length), reader)?
            }
            Kind::Tuple(links) if reader.begins_with(b'[') => {
                self.list(|index| links.get(index).copied(), Some(links.len()), reader)?
            }
            Kind::Map(_) | Kind::Object { .. } if reader.begins_with(b'{') => {
                return self.members(node, None, reader, is_root);
            }
            // What its parts are, only the whole says.
            Kind::Union { tagging, variants } => {
                self.union(tagging, variants, reader.value()?.get())?
            }
            _ => self.scalar(node.kind, reader.value()?)?,
        };
        if fits {
            Ok(())
        } else {
            Err(expectation::fault_of_node(node).into())
        }
    }

    /// Checks the items of a list. False if it is one of another length.
    fn list(
        &mut self,
        link: impl Fn(usize) -> Option<Link>,
        length: Option<usize>,
        reader: &mut Reader<'t>,
    ) -> Result<bool, Stop> {
        let (mut index, mut first) = (0, None);
        reader.items(|reader| {
            match link(index).filter(|_| first.is_none()) {
                Some(link) => {
                    let fault = fault_of(self.node(link(), reader, false))?;
                    first = fault.map(|fault| fault.inside(Step::Index(index)));
                }
                None => drop(reader.value()?),
            }
            index += 1;
            Ok(())
        })?;
        match first {
            _ if length.is_some_and(|length| length != index) => Ok(false),
            Some(fault) => Err(fault.into()),
            None => Ok(true),
        }
    }

    /// Checks the keys of an object or a map, but not the tag beside them. A node of another kind has none.
    /// Several mistakes are reported for the top level.
    fn members(
        &mut self,
        node: &Node,
        tag: Option<&str>,
        reader: &mut Reader<'t>,
        is_root: bool,
    ) -> Result<(), Stop> {
        let members = Members::of(node).unwrap_or_default();
        let mut given = vec![false; members.properties.len()];
        let (start, mut next, mut first, mut is_whole) = (reader.start(), 0, None, true);
        reader.written_members(|reader, key| {
            is_whole &= key.is_ok();
            let key = match key {
                Ok(key) if is_whole && first.is_none() && tag != Some(&*key) => key,
                _ => return reader.value().map(drop),
            };
            let place = members.position(&key, next);
            let link = match (place, members.rest) {
                (Some(place), _) if std::mem::replace(&mut given[place], true) => {
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
                return reader.value().map(drop);
            };
            let (node, start) = (link(), reader.start());
            if let Some(fault) = fault_of(self.node(node, reader, false))? {
                let step = Step::Key(key.into_owned());
                self.found(&mut first, is_root, || fault.inside(step));
            } else if is_root && node.is_constrained && !self.mistakes.overflows() {
                // Otherwise the model would hear of these only with its next call.
                let broken = constraints::mistakes(node, reader.since(start)).faults;
                let inside = |fault: Fault| fault.inside(Step::Key(key.to_string()));
                self.mistakes.extend(broken.into_iter().map(inside));
            }
            Ok(())
        })?;
        if !is_whole {
            // No other mistake is reported for an object with a lone surrogate in a key.
            if is_root {
                self.mistakes = Mistakes::default();
            }
            pairs(reader.since(start))?;
        }
        let properties = members.properties.iter().enumerate();
        for (place, property) in properties {
            if first.is_none() && !given[place] && property.is_required() {
                let expected = || expectation::of_node((property.node)());
                self.found(&mut first, is_root, || {
                    Fault::missing(property.name, expected())
                });
            }
        }
        first.map_or(Ok(()), |fault| Err(fault.into()))
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

/// The pairs of an object.
fn pairs(text: &str) -> Result<Vec<(Cow<'_, str>, &str)>, Fault> {
    pairs::pairs(text).map_err(|error| malformed(text, &error))
}
