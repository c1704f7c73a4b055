//! Where an attribute stands in its file. A macro is not told, and what it writes for a module is five errors
//! in an `impl`, and several beside an item of the same name: so the file is asked, and believed only if all
//! around the attribute is plain.

mod item;
mod reader;
mod siblings;

use proc_macro::Span;

use reader::Reader;
pub(crate) use siblings::{Earlier, Siblings};

/// What holds functions, and can hold no type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    Impl,
    ImplOfTrait,
    Trait,
}

/// What the attribute that is expanded stands in. `None` if that is a module or a body, or nobody knows.
pub(crate) fn holder() -> Option<Holder> {
    if !proc_macro::is_available() {
        return None;
    }
    let span = Span::call_site();
    // Most tools stand at the start of a line, as nothing in an `impl` does.
    if span.column() == 1 {
        return None;
    }
    let text = std::fs::read_to_string(span.local_file()?).ok()?;
    let place = place(&text, span.line(), span.column())?;
    is_attribute(&text, place).then(|| holder_at(&text, place))?
}

/// The items beside the one of the attribute or the derive that is expanded. `None` if nobody knows, or if
/// none of them has one of these names.
pub(crate) fn siblings(names: &[&str]) -> Option<Siblings> {
    if !proc_macro::is_available() {
        return None;
    }
    let span = Span::call_site();
    let text = std::fs::read_to_string(span.local_file()?).ok()?;
    // Few files have two items of one name: the others are not read any further.
    let is_twice = |name: &&str| text.matches(name).nth(1).is_some();
    if !names.iter().any(is_twice) {
        return None;
    }
    siblings::at(&text, place(&text, span.line(), span.column())?)
}

/// What an import beside the item that is expanded says that a name is. `None` if nobody knows.
pub(crate) fn imported(name: &str) -> Option<Vec<String>> {
    siblings(&[name])?.imported(name)
}

/// What the attribute at this place stands in directly, if that stands in nothing but modules and bodies.
fn holder_at(text: &str, place: usize) -> Option<Holder> {
    let open = Reader::new(text.get(..place)?, 0).open()?;
    let is_plain = open.iter().all(|open| !open.head.contains('!'));
    open.last()
        .filter(|_| is_plain)
        .and_then(|open| holder_of(&open.head))
}

/// The place of a line and a column, both counted from 1.
fn place(text: &str, line: usize, column: usize) -> Option<usize> {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.checked_sub(1)?)
        .map(str::len)
        .sum();
    let line = text.get(start..)?;
    let (offset, _) = line.char_indices().nth(column.checked_sub(1)?)?;
    Some(start + offset)
}

fn is_attribute(text: &str, place: usize) -> bool {
    text.get(place..).is_some_and(|text| text.starts_with("#["))
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

#[cfg(test)]
mod tests {
    use super::{Holder, holder_at};

    fn check(text: &str, expected: Option<Holder>) {
        let place = text.find("#[tool]").expect("it is there");
        assert_eq!(holder_at(text, place), expected, "{text}");
    }

    #[test]
    fn a_method_stands_in_an_impl() {
        for text in [
            "impl Desk {\n    #[tool]\n    fn f() {}\n}",
            "struct S { a: [u8; 3] }\nmod m { pub unsafe impl<T: Fn(u8) -> u8> Desk<T> where T: Copy { fn g() { if a { b } } #[tool] fn f() {}",
            "fn main() { impl Desk { #[tool] fn f() {} } }",
        ] {
            check(text, Some(Holder::Impl));
        }
    }

    #[test]
    fn a_method_stands_in_a_trait() {
        for text in [
            "#[cfg(x)]\n#[doc = \"}\"]\npub(crate) trait Desk: Send { const C: char = '{'; const S: &'static str = r#\"{\"{\"#; // }\n /* { /* } */ */ #[tool] fn f();",
            "trait Desk {\n    #[tool]\n    fn f(&self) {}\n}",
        ] {
            check(text, Some(Holder::Trait));
        }
    }

    #[test]
    fn a_method_stands_in_the_impl_of_a_trait() {
        for text in [
            "impl Desk for Shop { #[tool] fn f() {} }",
            "unsafe impl<T: Copy> a::Desk<T> for Shop<T> where T: Send { #[tool] fn f() {} }",
        ] {
            check(text, Some(Holder::ImplOfTrait));
        }
    }

    #[test]
    fn a_function_does_not() {
        for text in [
            "#[tool]\nfn f() {}",
            "impl Desk { fn g() {} }\n#[tool]\nfn f() {}",
            "mod tests { #[tool] fn f() {} }",
            "impl Desk { fn g() { #[tool] fn f() {} } }",
            "fn g() -> impl Fn() { #[tool] fn f() {} }",
            "hoist! { impl Desk { #[tool] fn f() {} } }",
            "hoist!(impl Desk { #[tool] fn f() {} })",
            "macro_rules! m { () => { impl Desk { #[tool] fn f() {} } } }",
            "trait_of!(); mod implements { #[tool] fn f() {} }",
            "impl Desk { const S: &str = \"\\\"}\"; } #[tool] fn f() {}",
        ] {
            check(text, None);
        }
    }
}
