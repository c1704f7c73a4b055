//! Keys that stand twice in one object. `serde_json::Value` keeps the last one and says nothing.

use std::{borrow::Cow, collections::HashSet};

use crate::{path::Step, string::unescaped, tokens::Tokens};

/// The path to the first duplicate key of an object in well-formed JSON, the last step first.
pub fn duplicate_key(json: &str) -> Option<Vec<Step>> {
    let mut around: Vec<Frame<'_>> = Vec::new();
    for token in Tokens::new(json) {
        match (token, around.last_mut()) {
            ("{", _) => around.push(Frame::Object {
                keys: HashSet::new(),
                key: None,
            }),
            ("[", _) => around.push(Frame::List { index: 0 }),
            ("}" | "]", _) => {
                around.pop();
            }
            (",", Some(Frame::List { index })) => *index += 1,
            (",", Some(Frame::Object { key, .. })) => *key = None,
            (
                text,
                Some(Frame::Object {
                    keys,
                    key: key @ None,
                }),
            ) if text.starts_with('"') => {
                *key = Some(text);
                // Half a character has no text, and is compared as it is written.
                if !keys.insert(unescaped(text).ok_or(text)) {
                    return Some(around.into_iter().rev().map(Frame::step).collect());
                }
            }
            _ => {}
        }
    }
    None
}

/// An object or a list that is not over.
enum Frame<'j> {
    Object {
        keys: HashSet<Result<Cow<'j, str>, &'j str>>,
        /// The key whose value is looked at, as it is written; none where a key is next.
        key: Option<&'j str>,
    },
    List {
        index: usize,
    },
}

impl Frame<'_> {
    fn step(self) -> Step {
        match self {
            Self::Object { key, .. } => {
                let key = key.unwrap_or_default();
                Step::Key(unescaped(key).map_or_else(|| key.to_owned(), Cow::into_owned))
            }
            Self::List { index } => Step::Index(index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::duplicate_key;
    use crate::path::Step;

    #[test]
    fn the_first_key_that_stands_twice_is_found() {
        let key = |key: &str| Step::Key(key.to_owned());
        for (json, way) in [
            (r#"{"a":1,"a":2}"#, vec![key("a")]),
            (r#"{"a":{"b":"b","c":["c"]},"b":[{"a":1},{}]}"#, vec![]),
            (
                r#"{"x":[1,{"y":{"\u0061":{},"b,{\"":"\\","a":[]}}]}"#,
                vec![key("a"), key("y"), Step::Index(1), key("x")],
            ),
            (r#"["a","a",{"":1,"":2}]"#, vec![key(""), Step::Index(2)]),
            (r#"{"\"":1,"":2}"#, vec![]),
            (r#""a""#, vec![]),
            (r#"{"\ud800":1,"\\ud800":2}"#, vec![]),
            (r#"{"\ud800":1,"\ud800":2}"#, vec![key(r#""\ud800""#)]),
        ] {
            let found = duplicate_key(json).unwrap_or_default();
            assert_eq!(found, way, "{json}");
        }
    }
}
