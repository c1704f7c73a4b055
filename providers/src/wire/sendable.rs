//! Names and arguments of calls, in a form that every provider accepts.

use std::borrow::Cow;

use toolwright_json::portable::is_portable;

/// The number of levels that every server reads. Some servers read a few more.
const LEVELS: usize = 100;

/// Returns the arguments of a call in a form that every provider accepts: a JSON object, whatever the
/// model wrote.
///
/// Many servers parse the arguments in the history and refuse the whole request over one broken
/// text. Empty text and `null` become `{}`. Anything else that is no JSON object is kept inside one:
/// `{"invalid_arguments": "…"}`, so that the model still sees what it wrote. So is JSON that not every
/// server reads: half of a surrogate pair, a number out of range, or more than 100 levels.
pub fn sendable_arguments(arguments: &str) -> Cow<'_, str> {
    let text = arguments.trim_ascii();
    if text.is_empty() || text == "null" {
        return Cow::Borrowed("{}");
    }
    if text.starts_with('{') && is_portable(arguments, LEVELS) {
        return Cow::Borrowed(arguments);
    }
    Cow::Owned(serde_json::json!({ "invalid_arguments": arguments }).to_string())
}

/// The longest name that every provider takes.
const LONGEST_NAME: usize = 64;

/// Returns the name of a call in a form that every provider accepts.
///
/// Models call tools that do not exist, by names that providers refuse in the history. What is not a
/// letter, a digit, `_` or `-` becomes `_`, an empty name `unnamed`.
pub fn sendable_name(name: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() {
        return Cow::Borrowed("unnamed");
    }
    if name.len() <= LONGEST_NAME && name.chars().all(is_plain) {
        return Cow::Borrowed(name);
    }
    name.chars()
        .take(LONGEST_NAME)
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{sendable_arguments, sendable_name};

    fn check(arguments: &str, expected: &str) {
        assert_eq!(sendable_arguments(arguments), expected);
    }

    #[test]
    fn an_object_stays_as_it_is() {
        check(r#" {"b": 1, "a": 2}"#, r#" {"b": 1, "a": 2}"#);
    }

    #[test]
    fn nothing_is_an_empty_object() {
        check("", "{}");
        check(" \n", "{}");
        check("null", "{}");
    }

    #[test]
    fn anything_else_is_kept_inside_an_object() {
        check(r#"{"a": "#, r#"{"invalid_arguments":"{\"a\": "}"#);
        check("[1]", r#"{"invalid_arguments":"[1]"}"#);
        check("Oslo", r#"{"invalid_arguments":"Oslo"}"#);
        // A form feed is white space to some, and not to JSON.
        check("{}\u{c}", r#"{"invalid_arguments":"{}\f"}"#);
    }

    #[test]
    fn an_object_that_not_every_server_reads_is_kept_inside_one() {
        for arguments in [r#"{"a": "\ud800"}"#, r#"{"\udc00": 1}"#, r#"{"a": 1e999}"#] {
            let inside = serde_json::json!({ "invalid_arguments": arguments });
            check(arguments, &inside.to_string());
        }
        let nested = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
        check(&nested(100), &nested(100));
        let sent = sendable_arguments(&nested(101)).into_owned();
        assert!(sent.starts_with(r#"{"invalid_arguments":"#), "{sent}");
        let sent = sendable_arguments(&nested(1_000_000)).len();
        assert!(sent > 1_000_000);
    }

    #[test]
    fn a_name_is_made_plain() {
        assert_eq!(sendable_name("get_weather-2"), "get_weather-2");
        assert_eq!(sendable_name(""), "unnamed");
        assert_eq!(
            sendable_name("functions.get wetter\u{fc}"),
            "functions_get_wetter_"
        );
        assert_eq!(sendable_name(&"x".repeat(70)).len(), 64);
    }
}
