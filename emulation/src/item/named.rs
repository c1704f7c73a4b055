//! Calls as a name, with what else a format writes before the arguments, and an object.

use crate::{
    attempt::{Reading, arguments, call},
    declared::Declared,
};

use super::Begins;

/// Reads what stands before the arguments: the name, and an id where there is one. `None` if it is of another form.
pub(crate) type Header = fn(&str) -> Option<Name<'_>>;

/// The name of a tool, and the id of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name<'t> {
    pub(crate) name: &'t str,
    pub(crate) id: &'t str,
}

/// A header begins here if a brace follows it.
pub(super) fn begins(header: Header, text: &str) -> Begins {
    match text.find('{') {
        Some(brace) => Begins::when(header(&text[..brace]).is_some()),
        None => Begins::Unknown,
    }
}

pub(super) fn read(header: Header, text: &str, tools: &Declared) -> Reading {
    let (before, object) = text.split_at(text.find('{').unwrap_or_default());
    match header(before) {
        Some(Name { name, id }) => Reading::of(call(tools, name, id, |_| arguments(object))),
        None => Reading::malformed(None, "the name of the tool is missing"),
    }
}
