//! Surroundings of an attribute in its file. The compiler does not give them to a macro. Code that a macro writes for
//! a module causes five errors in an `impl`, and several next to an item of the same name. So the macro reads the
//! file, and uses the result only if all the code around the attribute is plain.

mod file;
mod item;
mod reader;
mod siblings;

use proc_macro::Span;

use file::File;
use reader::Open;
pub(crate) use siblings::{Earlier, Siblings};

/// A block that holds functions, and can hold no type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    Impl,
    ImplOfTrait,
    Trait,
}

/// Returns the block around the attribute that is expanded. `None` if that is a module or a body, or if it is
/// unknown.
pub(crate) fn holder() -> Option<Holder> {
    if !proc_macro::is_available() {
        return None;
    }
    let span = Span::call_site();
    // Most tools stand at the start of a line, as nothing in an `impl` does.
    if span.column() == 1 {
        return None;
    }
    let file = File::at(span.local_file()?)?;
    file.holder(file.place(span.line(), span.column())?)
}

/// The items beside the one of the attribute or the derive that is expanded. `None` if nobody knows, or if
/// none of them has one of these names.
pub(crate) fn siblings(names: &[&str]) -> Option<Siblings> {
    // One is the item itself.
    beside(|file| names.iter().any(|name| file.count(name) > 1))
}

/// The same of a block of tools. `None` if it is the only one.
pub(crate) fn siblings_of_block() -> Option<Siblings> {
    beside(|file| file.count(file::BLOCK) > 1)
}

/// Returns the path that an import next to the expanded item binds to a name. `None` if it is unknown.
pub(crate) fn imported(name: &str) -> Option<Vec<String>> {
    beside(|file| file.count(name) > 0)?.imported(name)
}

/// The items beside the one that is expanded, if this is asked of such a file.
fn beside(is_asked: impl Fn(&File) -> bool) -> Option<Siblings> {
    if !proc_macro::is_available() {
        return None;
    }
    let span = Span::call_site();
    let file = File::at(span.local_file()?)?;
    if !is_asked(&file) {
        return None;
    }
    siblings::at(&file.text, file.place(span.line(), span.column())?)
}

/// Returns the holder that the innermost of these braces belongs to, if none of them may belong to a macro.
fn holder_in(open: &[Open]) -> Option<Holder> {
    let is_plain = open.iter().all(|open| !open.head.contains('!'));
    open.last()
        .filter(|_| is_plain)
        .and_then(|open| holder_of(&open.head))
}

fn holder_of(head: &str) -> Option<Holder> {
    let words = head
        .split_whitespace()
        .map(|word| word.split('<').next().unwrap_or(word));
    let mut words = words.skip_while(|word| matches!(*word, "pub" | "unsafe" | "default" | "auto"));
    match words.next()? {
        "trait" => Some(Holder::Trait),
        "impl" if head.split_whitespace().any(|word| word == "for") => Some(Holder::ImplOfTrait),
        "impl" => Some(Holder::Impl),
        _ => None,
    }
}
