//! Argument texts that a provider takes back.

use std::borrow::Cow;

use serde::de::IgnoredAny;

/// The argument text of a call as it goes back to a provider: a JSON object whatever the model
/// wrote.
///
/// Many servers parse the arguments in the history and refuse the whole request over one broken
/// text. Empty text and `null` become `{}`. Anything else that is no JSON object is kept inside one:
/// `{"invalid_arguments": "…"}`, so that the model still sees what it wrote.
pub fn sendable_arguments(arguments: &str) -> Cow<'_, str> {
    let text = arguments.trim_ascii();
    if text.is_empty() || text == "null" {
        return Cow::Borrowed("{}");
    }
    if text.starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return Cow::Borrowed(arguments);
    }
    Cow::Owned(serde_json::json!({ "invalid_arguments": arguments }).to_string())
}

#[cfg(test)]
mod tests {
    use super::sendable_arguments;

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
    }
}
