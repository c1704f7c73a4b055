//! Arguments that come in pieces, each with the path to its place.

use std::borrow::Cow;

use serde_json::{Map, Value};
use toolwright_json::{string::piece_of, surrogates};

use super::super::chunk::PartialArg;

/// The arguments of one call, as far as they have come.
#[derive(Debug)]
pub(super) struct Pieces {
    root: Value,
    /// The number of further places that are allowed.
    room: usize,
}

/// The maximum number of places in one call, and the maximum depth of a place. They limit the memory and the
/// stack that a broken server can use.
const MOST_PLACES: usize = 100_000;
const DEEPEST: usize = 100;

/// A step on the way to a place.
#[derive(Debug, PartialEq)]
enum Step<'p> {
    Member(Cow<'p, str>),
    Item(usize),
}

impl Pieces {
    /// The arguments after a beginning, as JSON text; one that is no object is none.
    pub(super) fn after(beginning: &str) -> Self {
        let root = serde_json::from_str::<Map<_, _>>(beginning).unwrap_or_default();
        Self {
            root: Value::Object(root),
            room: MOST_PLACES,
        }
    }

    /// Adds a piece: more of a text, or another value. `None` if there is no such place.
    pub(super) fn add(&mut self, path: &str, piece: &PartialArg<'_>) -> Option<()> {
        let place = self.place(path)?;
        if let Some(text) = piece.string_value {
            let text = piece_of(text);
            match place {
                Value::String(all) => surrogates::push(all, &text),
                Value::Null => *place = text.into(),
                _ => return None,
            }
        } else if let Some(value) = piece.number_value.or(piece.bool_value) {
            *place = serde_json::from_str(value.get()).ok()?;
        }
        Some(())
    }

    /// The arguments as JSON text.
    pub(super) fn into_text(mut self) -> String {
        surrogates::settle_value(&mut self.root);
        self.root.to_string()
    }

    /// The arguments of a call that was cut off, without their end, so that they are not taken for
    /// complete.
    pub(super) fn into_cut_text(self) -> String {
        let mut text = self.into_text();
        text.pop();
        text
    }

    /// Returns the place at the end of a path. Missing places on the way are created.
    fn place(&mut self, path: &str) -> Option<&mut Value> {
        let mut place = &mut self.root;
        for step in steps(path)? {
            place = match step {
                Step::Member(name) => {
                    if place.is_null() {
                        *place = Value::Object(Map::new());
                    }
                    let members = place.as_object_mut()?;
                    if !members.contains_key(&*name) {
                        self.room = self.room.checked_sub(1)?;
                    }
                    members.entry(name).or_insert(Value::Null)
                }
                Step::Item(index) => {
                    if place.is_null() {
                        *place = Value::Array(Vec::new());
                    }
                    let items = place.as_array_mut()?;
                    if index == items.len() {
                        self.room = self.room.checked_sub(1)?;
                        items.push(Value::Null);
                    }
                    items.get_mut(index)?
                }
            };
        }
        Some(place)
    }
}

/// The steps of a path such as `$.recipe.steps[0]['a b']`; `None` if it is none, or too long.
fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() == DEEPEST {
            return None;
        }
        let step;
        (step, rest) = if let Some(name) = rest.strip_prefix('.') {
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let (name, rest) = name.split_at(end);
            (Step::Member(Cow::Borrowed(name)), rest)
        } else {
            bracketed(rest.strip_prefix('[')?)?
        };
        steps.push(step);
    }
    // The root itself is an object, and no piece says another thing.
    (!steps.is_empty()).then_some(steps)
}

/// The step in brackets, and what follows them.
fn bracketed(text: &str) -> Option<(Step<'_>, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let Some(quote) = quote else {
        let (number, rest) = text.split_once(']')?;
        return Some((Step::Item(number.parse().ok()?), rest));
    };
    let mut name = String::new();
    let mut chars = text[1..].char_indices();
    loop {
        match chars.next()? {
            (_, '\\') => name.push(chars.next()?.1),
            (end, c) if c == quote => {
                let rest = text[1 + end + 1..].strip_prefix(']')?;
                return Some((Step::Member(name.into()), rest));
            }
            (_, c) => name.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{DEEPEST, MOST_PLACES, PartialArg, Pieces};

    fn piece(json: &str) -> PartialArg<'_> {
        crate::codec::partial_object::parse(json).expect("is a piece")
    }

    fn check(pieces: &[(&str, &str)], expected: &serde_json::Value) {
        let mut all = Pieces::after("");
        for (path, value) in pieces {
            all.add(path, &piece(value)).expect("fits");
        }
        let text = all.into_text();
        assert_eq!(text, expected.to_string());
    }

    #[test]
    fn values_are_put_in_their_places_and_texts_are_joined() {
        check(&[], &json!({}));
        check(
            &[
                ("$.a[0].b", r#"{"stringValue": "x", "willContinue": true}"#),
                ("$.a[0].b", r#"{"stringValue": "y\n"}"#),
                ("$.a[0].b", r#"{"stringValue": ""}"#),
                ("$.a[1]", r#"{"numberValue": 5}"#),
                ("$.a[2]", r#"{"numberValue": -1.5e3}"#),
                ("$['c.d'][\"e]\"]", r#"{"boolValue": true}"#),
                (r"$['\'']", r#"{"nullValue": "NULL_VALUE"}"#),
            ],
            &json!({"a": [{"b": "xy\n"}, 5, -1.5e3], "c.d": {"e]": true}, "'": null}),
        );
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let text = r#"{"stringValue": "x"}"#;
        let mut all = Pieces::after(r#"{"a": "", "n": 1}"#);
        let deep = "$".to_owned() + &"[0]".repeat(DEEPEST + 1);
        for path in [
            "",
            "$",
            "a",
            "$a",
            "$.a.b",
            "$.a[0]",
            "$[0]",
            "$.n",
            "$.l[1]",
            "$.l[-1]",
            "$.l[",
            "$.l['",
            "$.l['x'",
            "$.l['x'y",
            "$.l[4294967295]",
            r"$.l['\",
            &deep,
        ] {
            assert!(all.add(path, &piece(text)).is_none(), "{path}");
        }
    }

    #[test]
    fn a_call_has_no_more_places_than_the_bound() {
        let mut all = Pieces::after("");
        let value = piece(r#"{"boolValue": true}"#);
        let taken = (0..MOST_PLACES).filter(|n| all.add(&format!("$.a[{n}]"), &value).is_some());
        assert_eq!(taken.count(), MOST_PLACES - 1, "`a` is a place too");
    }

    #[test]
    fn arguments_that_were_cut_off_are_not_whole() {
        let mut all = Pieces::after("");
        all.add("$.a", &piece(r#"{"stringValue": "x"}"#))
            .expect("fits");
        assert_eq!(all.into_cut_text(), r#"{"a":"x""#);
    }
}
