//! The value of a text that is JSON and that `serde_json` does not read as a value.

use serde_json::{Map, Value};

use crate::{string::whole_characters, tokens::Tokens};

/// The maximum number of nested arrays and objects: as many as `serde_json` reads.
const MAX_DEPTH: usize = 127;

/// A list or an object that is being read.
enum Open {
    List(Vec<Value>),
    /// With the key whose value comes next.
    Object(Map<String, Value>, Option<String>),
}

/// The value, as near as one comes to the text. Needs no stack, whatever the text is.
pub(crate) fn nearest(json: &str) -> Value {
    let mut open: Vec<Open> = Vec::new();
    // How deep the lists and objects are that are passed over.
    let mut passed_over = 0_usize;
    for token in Tokens::new(json) {
        let closed = match token {
            "[" | "{" if passed_over > 0 || open.len() == MAX_DEPTH => {
                passed_over += 1;
                continue;
            }
            "]" | "}" if passed_over > 0 => {
                passed_over -= 1;
                if passed_over > 0 {
                    continue;
                }
                Value::Null
            }
            _ if passed_over > 0 => continue,
            "[" => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            "{" => {
                open.push(Open::Object(Map::new(), None));
                continue;
            }
            "," | ":" => continue,
            "]" | "}" => match open.pop() {
                Some(Open::List(items)) => Value::Array(items),
                Some(Open::Object(members, _)) => Value::Object(members),
                None => return Value::Null,
            },
            scalar => of_scalar(scalar),
        };
        match open.last_mut() {
            None => return closed,
            Some(Open::List(items)) => items.push(closed),
            Some(Open::Object(members, key)) => match (key.take(), closed) {
                (Some(key), value) => {
                    members.insert(key, value);
                }
                (None, Value::String(name)) => *key = Some(name),
                (None, _) => {}
            },
        }
    }
    Value::Null
}

fn of_scalar(token: &str) -> Value {
    serde_json::from_str(token).unwrap_or_else(|_| match token.as_bytes().first() {
        Some(b'"') => Value::String(whole_characters(token).into_owned()),
        Some(b'-') => Value::from(f64::MIN),
        _ => Value::from(f64::MAX),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{MAX_DEPTH, nearest};

    #[test]
    fn what_can_be_read_is_the_same() {
        for json in [
            r#"{"a":[1,2.5,-3,true,null,"x\n\u00e9\ud83d\ude00"],"b":{"c":{},"d":[]},"":"\"\\"}"#,
            "[]",
            " 7 ",
            r#""a""#,
            r#"{"a":1,"a":2}"#,
        ] {
            let value: Value = serde_json::from_str(json).expect("it is JSON");
            assert_eq!(nearest(json), value);
        }
        let deep = "[".repeat(MAX_DEPTH) + &"]".repeat(MAX_DEPTH);
        let value: Value = serde_json::from_str(&deep).expect("it is read");
        assert_eq!(nearest(&deep), value);
    }

    #[test]
    fn the_rest_is_as_near_as_it_gets() {
        for (json, value) in [
            (
                r#"{"a":1e999,"b":[-1e999]}"#,
                json!({"a": f64::MAX, "b": [f64::MIN]}),
            ),
            (
                r#"{"\ud800":"x\udc00\ud800\u0041\\\ud83d\ude00y\ud800"}"#,
                json!({"\u{fffd}": "x\u{fffd}\u{fffd}A\\\u{1f600}y\u{fffd}"}),
            ),
        ] {
            assert!(serde_json::from_str::<Value>(json).is_err());
            assert_eq!(nearest(json), value, "{json}");
        }
        let deep = format!(
            "{{\"a\":{}[1]{},\"b\":2}}",
            "[".repeat(1_000_000),
            "]".repeat(1_000_000)
        );
        let value = nearest(&deep);
        assert_eq!(value["b"], 2);
        let mut at = &value["a"];
        let mut depth = 1;
        while let Some(inner) = at.get(0) {
            at = inner;
            depth += 1;
        }
        assert_eq!((depth, at), (MAX_DEPTH, &Value::Null));
    }
}
