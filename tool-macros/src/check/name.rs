//! The rules for a tool's name.

use syn::Ident;

use crate::{
    errors::Errors,
    model::{Callable, Name, Place},
    snake_case::snake_case,
};

/// The maximum number of characters of a name.
const MAX_CHARS: usize = 64;

/// A name is `[a-z][a-z0-9_]*`, of 1 to 64 characters.
pub(super) fn well_formed(name: &Name, errors: &mut Errors) {
    let text = name.text.as_str();
    let chars = text.chars().count();
    let message = if text.is_empty() {
        "a tool's name is empty: write a name in snake_case, such as `get_weather`".to_owned()
    } else if chars > MAX_CHARS {
        let instead = if name.given {
            "shorten it"
        } else {
            "shorten it, or set `#[tool(name = \"…\")]`"
        };
        format!("a tool's name has at most {MAX_CHARS} characters, this one has {chars}: {instead}")
    } else if !is_snake_case(text) {
        let better = snake_case(text);
        let instead = match (better.is_empty(), name.given) {
            (true, _) => "write one such as `get_weather`".to_owned(),
            (_, true) => format!("write `{better}`"),
            (_, false) => format!("write `{better}`, or set `#[tool(name = \"{better}\")]`"),
        };
        format!(
            "a tool's name is in snake_case, of `a` to `z`, digits and `_`, and starts with a \
             letter: {instead}"
        )
    } else {
        return;
    };
    errors.at_span(name.span, message);
}

/// The type beside the function must not hide a primitive from the rest of the module.
pub(super) fn hides_nothing(callable: &Callable, errors: &mut Errors) {
    if let Some(hidden) = hidden_primitive(callable) {
        let message = format!(
            "the tool's type would hide the type `{hidden}` from this module: name it otherwise, \
             `#[tool(type = …)]`"
        );
        errors.at(hidden, message);
    }
}

/// The name of the type beside the function, if it is that of a primitive.
pub(crate) fn hidden_primitive(callable: &Callable) -> Option<&Ident> {
    match &callable.place {
        Place::Module { type_ident, .. } => {
            let hides = PRIMITIVES.iter().any(|primitive| type_ident == primitive);
            hides.then_some(type_ident)
        }
        Place::Block => None,
    }
}

const PRIMITIVES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

fn is_snake_case(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}
