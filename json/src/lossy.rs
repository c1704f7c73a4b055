//! The value of a text that is JSON and that `serde_json` does not read as a value.

use serde_json::{Map, Value};

use crate::{string::whole_characters, tokens::Tokens};

/// The maximum number of nested arrays and objects: as many as `serde_json` reads.
const MAX_DEPTH: usize = 127;

/// The value, as near as one comes to the text.
pub(crate) fn nearest(json: &str) -> Value {
    let mut tokens = Tokens::new(json);
    tokens
        .next()
        .map_or(Value::Null, |first| value(first, &mut tokens, MAX_DEPTH))
}

/// Reads a value whose first token has been read, in so many levels.
fn value(first: &str, tokens: &mut Tokens<'_>, levels: usize) -> Value {
    match first {
        "[" | "{" if levels == 0 => {
            tokens.skip_rest();
            Value::Null
        }
        "[" => {
            let mut items = Vec::new();
            while let Some(first) = tokens.part() {
                items.push(value(first, tokens, levels - 1));
            }
            Value::Array(items)
        }
        "{" => {
            let mut members = Map::new();
            while let Some(key) = tokens.part()
                && let Some(first) = tokens.part()
            {
                let key = whole_characters(key).into_owned();
                members.insert(key, value(first, tokens, levels - 1));
            }
            Value::Object(members)
        }
        scalar => of_scalar(scalar),
    }
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
