//! The rules for a tool's name.

use syn::Ident;

use crate::{errors::Errors, model::Name};

/// How long a name may be.
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
pub(super) fn hides_nothing(type_ident: &Ident, errors: &mut Errors) {
    if is_primitive(type_ident) {
        let message = format!(
            "the tool's type would hide the type `{type_ident}` from this module: name it \
             otherwise, `#[tool(type = …)]`"
        );
        errors.at(type_ident, message);
    }
}

/// Whether a type of this name would hide a primitive.
pub(crate) fn is_primitive(type_ident: &Ident) -> bool {
    PRIMITIVES.iter().any(|primitive| type_ident == primitive)
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

/// The nearest name that is allowed; empty if there is none.
fn snake_case(text: &str) -> String {
    let mut name = String::new();
    let mut before_is_lower = false;
    for char in text.chars() {
        if char.is_ascii_uppercase() && before_is_lower {
            name.push('_');
        }
        before_is_lower = char.is_ascii_lowercase() || char.is_ascii_digit();
        match char.to_ascii_lowercase() {
            kept @ ('a'..='z' | '0'..='9') => name.push(kept),
            _ if name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    let start = name.find(|first: char| first.is_ascii_lowercase());
    let name = start.map_or("", |start| &name[start..]);
    name.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_better_name_is_suggested() {
        for (given, better) in [
            ("GetWeather", "get_weather"),
            ("getWeather2", "get_weather2"),
            ("get-weather", "get_weather"),
            ("get weather!", "get_weather"),
            ("_private", "private"),
            ("2fast", "fast"),
            ("größe", "gr_e"),
            ("天気", ""),
        ] {
            assert!(!is_snake_case(given), "{given}");
            assert_eq!(snake_case(given), better, "{given}");
        }
    }
}
