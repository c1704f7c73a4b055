//! JSON in another layout, with its order kept.

use std::borrow::Cow;

use crate::{
    string::{quoted, unescaped},
    tokens::Tokens,
};

/// The text without white space between its tokens, and every text in it written in one way: what
/// does not depend on the layout that a program chose.
pub(crate) fn compact(json: &str) -> String {
    let mut compact = String::with_capacity(json.len());
    for token in Tokens::new(json) {
        compact.push_str(&same_text(token));
    }
    compact
}

/// The maximum indentation, in levels. Without it the size of deeply nested JSON would grow with the square
/// of its depth.
const MAX_INDENT: usize = 100;

/// The text with a line for every member, indented by two spaces.
pub(crate) fn pretty(json: &str) -> String {
    let mut pretty = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut opened = false;
    for token in Tokens::new(json) {
        let closes = matches!(token, "}" | "]");
        if closes {
            depth = depth.saturating_sub(1);
        }
        if opened != closes {
            new_line(&mut pretty, depth);
        }
        opened = matches!(token, "{" | "[");
        match token {
            "{" | "[" => {
                depth += 1;
                pretty.push_str(token);
            }
            "," => {
                pretty.push(',');
                new_line(&mut pretty, depth);
            }
            ":" => pretty.push_str(": "),
            scalar => pretty.push_str(&same_text(scalar)),
        }
    }
    pretty
}

fn new_line(text: &mut String, depth: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n("  ", depth.min(MAX_INDENT)));
}

/// A text as `serde_json` writes it: the same character may be escaped or not. What holds half a
/// character is no text to Rust and stays as it is.
fn same_text(token: &str) -> Cow<'_, str> {
    if !token.contains('\\') {
        return Cow::Borrowed(token);
    }
    unescaped(token).map_or(Cow::Borrowed(token), |text| quoted(&text).into())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{compact, pretty};

    const JSON: &str = "{ \"b\" : [ ] ,\n \"a\":{ \"x\\\"y\": \"\\u00e9 \\/ {\" }, \"c\":[1.50,true,{}],\"d\":\"\\ud800\" }";

    #[test]
    fn the_order_stays_and_white_space_goes() {
        assert_eq!(
            compact(JSON),
            "{\"b\":[],\"a\":{\"x\\\"y\":\"é / {\"},\"c\":[1.50,true,{}],\"d\":\"\\ud800\"}"
        );
        assert_eq!(compact(&compact(JSON)), compact(JSON));
        assert_eq!(compact(" 1 "), "1");
    }

    #[test]
    fn every_member_has_a_line() {
        let lines = [
            "{",
            "  \"b\": [],",
            "  \"a\": {",
            "    \"x\\\"y\": \"é / {\"",
            "  },",
            "  \"c\": [",
            "    1.50,",
            "    true,",
            "    {}",
            "  ],",
            "  \"d\": \"\\ud800\"",
            "}",
        ];
        assert_eq!(pretty(JSON), lines.join("\n"));
        assert_eq!(compact(&pretty(JSON)), compact(JSON));
        assert_eq!(pretty("[]"), "[]");
    }

    #[test]
    fn the_layout_is_that_of_serde_json() {
        let value: Value =
            serde_json::json!({"a": [[], {}, [1, [2]], "x"], "b": {"c": {"d": null}}});
        let text = serde_json::to_string_pretty(&value).expect("it is JSON");
        assert_eq!(pretty(&value.to_string()), text);
    }

    #[test]
    fn a_million_levels_need_no_stack() {
        let deep = "[ ".repeat(1_000_000) + &"]".repeat(1_000_000);
        assert_eq!(compact(&deep).len(), 2_000_000);
        assert!(pretty(&deep).len() < 500_000_000);
    }
}
